// The SQL of a receiver and its accounts, for a new payout.

import { type HolderColumns, holderColumns } from "../../../people/person/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";

export type PayeeRow = HolderColumns & {
  status: string;
  kyc_status: string;
  home_country: string;
  /** Null if the receiver has no account. */
  account_id: string | null;
  account_status: string;
  accepted: boolean;
  account_number_tail: string;
  bank_name: string;
  country: string;
};

const findOne = statement<PayeeRow>(
  "console-payee",
  `select r.first_name, r.last_name, r.status, r.kyc_status, r.country as home_country,
          a.id as account_id, a.status as account_status, a.receiver_accepted as accepted,
          ${holderColumns}, d.account_number_tail, d.bank_name, d.country
   from receiver r
   left join receiver_account a on a.subaccount_id = r.subaccount_id and a.receiver_id = r.id
   left join bank_details d on d.subaccount_id = a.subaccount_id and d.account_id = a.id and d.version = a.version
   where r.subaccount_id = $1 and r.id = $2
   order by a.id desc limit ${limits.receiverShownMax}`,
);

/** One row per account, newest first. No rows: the subaccount has no such receiver. */
export function findPayee(
  db: Runner,
  { subaccountId, id }: { subaccountId: string; id: string },
): Promise<PayeeRow[]> {
  return db.run(findOne, [subaccountId, id]);
}

export type BlockedRow = {
  id: string;
  status: string;
  kyc_status: string;
  has_account: boolean;
  account_waits: boolean;
};

const findStates = statement<BlockedRow>(
  "console-payee-states",
  `select r.id, r.status, r.kyc_status,
          exists (select from receiver_account a where a.subaccount_id = r.subaccount_id
                  and a.receiver_id = r.id and a.status = 'active') as has_account,
          exists (select from bank_details_change c where c.subaccount_id = r.subaccount_id
                  and c.receiver_id = r.id and c.status = 'waiting') as account_waits
   from receiver r where r.subaccount_id = $1 and r.id = any($2::uuid[])`,
);

/** Receivers with what stops a payout to them. */
export function findPayeeStates(
  db: Runner,
  { subaccountId, ids }: { subaccountId: string; ids: readonly string[] },
): Promise<BlockedRow[]> {
  return db.run(findStates, [subaccountId, ids]);
}
