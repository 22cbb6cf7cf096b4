// Issues a key and its first secret. The secret is shown once and kept sealed.

import { randomBytes } from "node:crypto";
import type { Db, Tx } from "../db/connect.ts";
import { newId } from "../ids.ts";
import type { Seal } from "../seal.ts";
import { findSubaccount, insertKey, insertSecret, updateKeysVersion } from "./queries.ts";
import { type Mode, type Scope, secretIdentity } from "./subaccount.ts";

export type IssuedKey = { subaccountId: string; mode: Mode; key: string; secret: string };

export type KeyWish = {
  subaccountId: string;
  name: string;
  scopes: readonly Scope[];
  addresses?: readonly string[];
  version2Only?: boolean;
  expiresAt?: Date | undefined;
};

/** Undefined where the subaccount does not exist or is closed. */
export async function createKey(
  { db, seal }: { db: Db; seal: Seal },
  wish: KeyWish,
): Promise<IssuedKey | undefined> {
  const subaccount = await findSubaccount(db, wish.subaccountId);
  if (!subaccount || subaccount.closedAt) return undefined;
  return db.transaction(async (tx) => {
    const issued = await addKey(tx, seal, { ...wish, mode: subaccount.mode });
    await updateKeysVersion(tx);
    return issued;
  });
}

export async function addKey(
  tx: Tx,
  seal: Seal,
  wish: KeyWish & { mode: Mode },
): Promise<IssuedKey> {
  const { subaccountId, mode, name, scopes, addresses = [], version2Only = false } = wish;
  const key = `ak_${mode}_${randomBytes(18).toString("base64url")}`;
  await insertKey(tx, {
    key,
    subaccountId,
    name,
    scopes,
    addresses,
    version2Only,
    expiresAt: wish.expiresAt,
  });
  return { subaccountId, mode, key, secret: await addSecret(tx, seal, key) };
}

export async function addSecret(tx: Tx, seal: Seal, key: string): Promise<string> {
  const id = newId();
  const mode = key.split("_")[1];
  const secret = `sk_${mode}_${randomBytes(32).toString("base64url")}`;
  await insertSecret(tx, { key, id, sealed: seal.close(secret, secretIdentity(key, id)) });
  return secret;
}
