// Creates an API key for a subaccount that is open.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { addKey, type IssuedKey, type KeyRequest, updateKeysVersion } from "../api-keys/index.ts";
import { findSubaccount } from "./queries.ts";

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
