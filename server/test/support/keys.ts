// Keys and closed subaccounts for tests, without an actor and without an entry in the audit log.

import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { addKey, type IssuedKey, type KeyRequest } from "../../src/tenants/api-keys/create.ts";
import { lockKey, updateKeysVersion } from "../../src/tenants/api-keys/queries.ts";
import { replaceSecret } from "../../src/tenants/api-keys/rotate.ts";
import { endSubaccount } from "../../src/tenants/subaccounts/close.ts";
import { findSubaccount } from "../../src/tenants/subaccounts/queries.ts";

/** Undefined where the subaccount does not exist or is closed. */
export async function createKey(
  { db, seal }: { db: Db; seal: Seal },
  request: KeyRequest,
): Promise<IssuedKey | undefined> {
  const subaccount = await findSubaccount(db, request.subaccountId);
  if (!subaccount || subaccount.closedAt) return undefined;
  return db.transaction(async (tx) => {
    const issued = await addKey(tx, seal, { ...request, mode: subaccount.mode });
    await updateKeysVersion(tx);
    return issued;
  });
}

/** Undefined where there is no such key, or it is revoked. */
export function rotateKey(
  { db, seal }: { db: Db; seal: Seal },
  rotation: Parameters<typeof replaceSecret>[2],
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const locked = await lockKey(tx, rotation.key);
    return !locked || locked.revoked ? undefined : replaceSecret(tx, seal, rotation);
  });
}

export function closeSubaccount(db: Db, id: string): Promise<boolean> {
  return db.transaction((tx) => endSubaccount(tx, id));
}
