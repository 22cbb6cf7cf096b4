// The SQL that gives bank details of versions before the keyed hash of one form of their account number.

import { type Db, type Runner, statement, worksHere } from "../../platform/db/index.ts";
import type { StoredNumber } from "../person/index.ts";

export type DetailsToMark = StoredNumber & { country: string; account_number_mark: string };
type DetailsKey = Pick<DetailsToMark, "subaccount_id" | "account_id" | "version">;

const lowestId = "00000000-0000-0000-0000-000000000000";

const listDue = statement<DetailsToMark>(
  "account-marks-due",
  // Over all subaccounts. The total of a day is kept under the old hash, so accounts that were paid that day wait for the next.
  `select d.subaccount_id, d.account_id, d.version, d.country, d.account_number_mark, d.account_number_sealed,
          r.id as receiver_id, r.person_key
   from bank_details d
   join receiver_account a on a.subaccount_id = d.subaccount_id and a.id = d.account_id
   join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id
   where d.country = 'NZL' and substr(d.account_number_tail, 2, 1) = '0' and d.mark_version is null
     and d.account_number_mark is not null and ${worksHere("d.subaccount_id")}
     and (d.subaccount_id, d.account_id, d.version) > ($1, $2, $3)
     and not exists (select from payout_day_total t
       where t.subaccount_id = d.subaccount_id and t.subject = d.account_number_mark and t.day >= $4)
   order by d.subaccount_id, d.account_id, d.version limit $5`,
);

/** After a key, in the order of their keys. */
export function listDetailsToMark(
  db: Runner,
  { after, today, limit }: { after: DetailsKey | undefined; today: string; limit: number },
): Promise<DetailsToMark[]> {
  const { subaccount_id = lowestId, account_id = lowestId, version = 0 } = after ?? {};
  return db.run(listDue, [subaccount_id, account_id, version, today, limit]);
}

const setOne = statement<never>(
  "account-mark-set",
  `update bank_details set account_number_mark = $5, mark_version = $6
   where subaccount_id = $1 and account_id = $2 and version = $3 and account_number_mark = $4`,
);

/** Not where it was erased meanwhile. */
export async function updateMark(
  db: Db,
  { subaccount_id, account_id, version, account_number_mark }: DetailsToMark,
  { mark, markVersion }: { mark: string; markVersion: number },
): Promise<void> {
  const key = [subaccount_id, account_id, version];
  await db.run(setOne, [...key, account_number_mark, mark, markVersion]);
}
