// Closes a subaccount. Its data stays; requests with its keys get SUBA101.

import type { Tx } from "../../platform/db/index.ts";
import { updateKeysVersion } from "../api-keys/index.ts";
import { updateSubaccountClosed } from "./queries.ts";

/** False if there is no such subaccount, or it is already closed. */
export async function endSubaccount(tx: Tx, id: string): Promise<boolean> {
  const closed = await updateSubaccountClosed(tx, id);
  if (closed) await updateKeysVersion(tx);
  return closed;
}
