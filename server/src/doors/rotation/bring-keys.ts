// A subaccount that moves to another cell takes its encrypted values along as they are. The target first gets the keys that
// they are under, and neither cell rotates its keys until the move has ended.

import {
  insertDataKey,
  type KeyServices,
  listDataKeys,
  notifyOfDataKeys,
} from "../../platform/data-keys/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { KeyRing } from "../../platform/encryption/index.ts";
import { RotationError, untilLoaded, withRotationLock } from "./rotate.ts";

type Cells = {
  source: Db;
  target: Db;
  /** Of the source. */
  ring: KeyRing;
  services: KeyServices;
  signal: AbortSignal;
  onWait: (processes: number) => void;
};

/** Runs `work` while the keys of both cells stay as they are. Its signal also ends when one of the locks is lost. */
export function withKeysInTarget<T>(
  cells: Cells,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withRotationLock(cells.source, (_session, lostSource) =>
    withRotationLock(cells.target, async (_, lostTarget) => {
      const signal = AbortSignal.any([cells.signal, lostSource, lostTarget]);
      await bringDataKeys({ ...cells, signal });
      return work(signal);
    }),
  );
}

async function bringDataKeys(cells: Cells): Promise<void> {
  const { source, target, ring, services, signal, onWait } = cells;
  const known = await listDataKeys(target);
  const original = known.find(({ is_original }) => is_original);
  if (original && original.id !== ring.originalId) {
    throw new RotationError("The cells have different original keys. All cells must have one.");
  }
  const ids = new Set(known.map(({ id }) => id));
  const missing = (await listDataKeys(source)).filter(({ id }) => !ids.has(id));
  if (missing.length === 0) return;
  const kind = original?.wrapped.startsWith("vault:") ? "vault" : "local";
  const service = original ? services.ofKind(kind) : services;
  if (!service) {
    throw new RotationError(`The target wraps its keys with ${kind}, which is not set here.`);
  }
  const wrapped: { id: string; wrapped: string; isOriginal: boolean }[] = [];
  for (const { id, is_original: isOriginal } of missing) {
    const bytes = ring.bytesOf(id);
    if (!bytes) throw new RotationError("The keys are being rotated. Run the command again.");
    wrapped.push({ id, wrapped: await service.wrap(bytes), isOriginal });
  }
  await target.transaction(async (tx) => {
    for (const { isOriginal, ...key } of wrapped) {
      // The target goes on to write with the key that it has.
      const state = isOriginal ? "current" : "old";
      await insertDataKey(tx, { ...key, state, is_original: isOriginal });
    }
    await notifyOfDataKeys(tx);
  });
  const isLoaded = await untilLoaded({ db: target, signal, onWait }, () => true);
  if (!isLoaded)
    throw new RotationError("Stopped before every process of the target had the keys.");
}
