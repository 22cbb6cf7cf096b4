// Gives a key a new secret; the one before it goes on for a grace.

import type { Db } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import { addSecret } from "./create-key.ts";
import { lockKey, updateKeysVersion, updateSecretsEnding } from "./queries.ts";

/** The new secret; undefined where there is no such key or it is revoked. */
export function rotateKey(
  { db, seal }: { db: Db; seal: Seal },
  { key, graceMs }: { key: string; graceMs: number },
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const locked = await lockKey(tx, key);
    if (!locked || locked.revoked) return undefined;
    await updateSecretsEnding(tx, key, graceMs);
    const secret = await addSecret(tx, seal, key);
    await updateKeysVersion(tx);
    return secret;
  });
}
