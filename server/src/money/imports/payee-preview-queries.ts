// The SQL of the receivers and accounts that the rows of a file pay.

import { type Runner, statement } from "../../platform/db/index.ts";

export type PayeeOfRow = {
  account_id: string;
  first_name: string;
  last_name: string;
  account_number_tail: string;
  bank_name: string;
};

const listMany = statement<PayeeOfRow>(
  "import-payees",
  `select a.id as account_id, r.first_name, r.last_name, d.account_number_tail, d.bank_name
   from receiver_account a
   join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id
   join bank_details d on d.subaccount_id = a.subaccount_id and d.account_id = a.id and d.version = a.version
   where a.subaccount_id = $1 and a.id = any($2::uuid[])`,
);

type PayoutOfRow = {
  id: string;
  import_id: string | null;
  file_name: string | null;
  created_at_ms: string;
};

const listPayouts = statement<PayoutOfRow>(
  "import-payouts-of-rows",
  `select p.id, f.id as import_id, f.file_name, p.created_at_ms from payout p
   left join file_import f on f.subaccount_id = p.subaccount_id and f.id = p.batch_id
   where p.subaccount_id = $1 and p.id = any($2::uuid[])`,
);

/** By their ids, with the imports that created them. */
export async function listPayoutsOfRows(
  db: Runner,
  subaccountId: string,
  ids: readonly string[],
): Promise<Map<string, PayoutOfRow>> {
  const rows = await db.run(listPayouts, [subaccountId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** By account. */
export async function listPayeesOfRows(
  db: Runner,
  subaccountId: string,
  accountIds: readonly string[],
): Promise<Map<string, PayeeOfRow>> {
  const rows = await db.run(listMany, [subaccountId, accountIds]);
  return new Map(rows.map((row) => [row.account_id, row]));
}
