// Creates a subaccount with its first key: both, or neither.

import { idTimeMs, type Mode, newId, type Scope } from "../../platform/base/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { addKey, type IssuedKey, updateKeysVersion, usualScopes } from "../api-keys/index.ts";
import { insertSubaccount, type SubaccountDetails } from "./queries.ts";

type NewSubaccount = {
  name: string;
  mode: Mode;
  details?: SubaccountDetails;
  postbackUrl?: string;
  /** The scopes of its first key. */
  scopes?: readonly Scope[];
  seenBy?: string | undefined;
  awaitsApproval?: boolean;
};

export function createSubaccount(
  { db, seal }: { db: Db; seal: Seal },
  request: NewSubaccount,
): Promise<IssuedKey> {
  return db.transaction((tx) => addSubaccount(tx, seal, request));
}

export async function addSubaccount(
  tx: Tx,
  seal: Seal,
  { name, mode, details = {}, postbackUrl = "", scopes = usualScopes, ...first }: NewSubaccount,
): Promise<IssuedKey> {
  const id = newId();
  await insertSubaccount(tx, { id, name, mode, createdAtMs: idTimeMs(id), details, postbackUrl });
  const request = { ...first, subaccountId: id, mode, name: "first", scopes };
  const issued = await addKey(tx, seal, request);
  await updateKeysVersion(tx);
  return issued;
}
