// Revokes a key for good. Every process refuses it within a second.

import type { Db, Tx } from "../../platform/db/index.ts";
import { lockKey, updateKeyRevoked, updateKeysVersion } from "./queries.ts";

/** False if there is no such key. Revoking twice is no error. */
export function revokeKey(db: Db, key: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockKey(tx, key))) return false;
    await endKey(tx, key);
    return true;
  });
}

/** The key must be locked. */
export async function endKey(tx: Tx, key: string): Promise<void> {
  await updateKeyRevoked(tx, key);
  await updateKeysVersion(tx);
}
