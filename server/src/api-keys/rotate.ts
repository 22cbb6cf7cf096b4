// Gives a key a new secret; the one before it goes on for a grace.

import type { Db, Tx } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import { addSecret } from "./create.ts";
import { lockKey, updateKeysVersion, updateSecretsEnding } from "./queries.ts";

/** `seenBy` is shown the new secret. */
export type KeyRotation = { key: string; graceMs: number; seenBy?: string | undefined };

/** The new secret; undefined where there is no such key or it is revoked. */
export function rotateKey(
  { db, seal }: { db: Db; seal: Seal },
  rotation: KeyRotation,
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const locked = await lockKey(tx, rotation.key);
    return !locked || locked.revoked ? undefined : replaceSecret(tx, seal, rotation);
  });
}

/** The new secret, of a key that is locked and not revoked. */
export async function replaceSecret(
  tx: Tx,
  seal: Seal,
  { key, graceMs, seenBy }: KeyRotation,
): Promise<string> {
  await updateSecretsEnding(tx, key, graceMs);
  const secret = await addSecret(tx, seal, key, seenBy);
  await updateKeysVersion(tx);
  return secret;
}
