// Creates a subaccount with its first key: both, or neither.

import { usualScopes } from "../api-keys/api-key.ts";
import { addKey, type IssuedKey } from "../api-keys/create.ts";
import { updateKeysVersion } from "../api-keys/queries.ts";
import type { Mode, Scope } from "../caller.ts";
import type { Db, Tx } from "../db/connect.ts";
import { idTimeMs, newId } from "../ids.ts";
import type { Seal } from "../seal.ts";
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
