// Wraps all data keys again with another key service, or another key of it: after a change of the master key, of Vault's key,
// or from one to the other. No value changes.

import {
  insertDataKey,
  type KeyService,
  listDataKeys,
  notifyOfDataKeys,
  updateWrapped,
} from "../../platform/data-keys/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { dataKeyId, type KeyRing, type Seal } from "../../platform/encryption/index.ts";
import { type Actor, audited } from "../../tenants/audit/index.ts";
import { withRotationLock } from "./rotate.ts";

type Rewrap = { db: Db; seal: Seal; ring: KeyRing; service: KeyService; actor: Actor };

/** Returns the ids of the keys. */
export function rewrapDataKeys(parts: Rewrap): Promise<string[]> {
  return withRotationLock(parts.db, () => rewrapLocked(parts));
}

async function rewrapLocked(parts: Rewrap): Promise<string[]> {
  const { db, ring, service, actor } = parts;
  const rows = await listDataKeys(db);
  const wrapped = new Map<string, string>();
  const ids = rows.length === 0 ? [ring.originalId] : rows.map(({ id }) => id);
  for (const id of ids) {
    const bytes = ring.bytesOf(id);
    if (!bytes) throw new Error(`data key ${id} is not loaded`);
    const text = await service.wrap(bytes);
    // A key service that can't return the key would lose every value.
    if (dataKeyId(await service.unwrap(text)) !== id) {
      throw new Error(`the key service returned another key than ${id}`);
    }
    wrapped.set(id, text);
  }
  await audited(parts, actor).transaction(
    { action: "master_key.rewrap", object: { kind: "data_key", id: ids.join(" ") } },
    async (tx) => {
      for (const [id, text] of wrapped) {
        if (rows.length > 0) await updateWrapped(tx, id, text);
        else {
          await insertDataKey(tx, { id, wrapped: text, state: "current", is_original: true });
        }
      }
      await notifyOfDataKeys(tx);
    },
  );
  return ids;
}
