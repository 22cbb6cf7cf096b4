// The SQL that closes an account, and that says whether payouts to it are in progress.

import { statement, type Tx } from "../../platform/db/index.ts";
import type { AccountKey } from "./queries.ts";

const closeOne = statement<{ tail: string }>(
  "account-close",
  `update receiver_account a set status = 'inactive'
   where a.subaccount_id = $1 and a.id = $2 and a.status = 'active'
   returning (select b.account_number_tail from bank_details b
              where b.subaccount_id = a.subaccount_id and b.account_id = a.id and b.version = a.version) as tail`,
);

/** Returns the last digits of its number. */
export async function closeAccount(tx: Tx, { subaccountId, id }: AccountKey): Promise<string> {
  return (await tx.run(closeOne, [subaccountId, id]))[0]?.tail ?? "";
}

const findPendingPayout = statement<{ found: boolean }>(
  "account-payouts-pending",
  `select exists (
     select from payout where subaccount_id = $1 and account_id = $2 and status = 'pending'
   ) as found`,
);

export async function accountHasPendingPayouts(
  tx: Tx,
  { subaccountId, id }: AccountKey,
): Promise<boolean> {
  return (await tx.run(findPendingPayout, [subaccountId, id]))[0]?.found === true;
}
