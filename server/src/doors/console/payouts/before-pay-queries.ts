// The SQL of what a user reads before paying: payouts like this one, and the account's past.

import { firstIdOf } from "../../../platform/base/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";

type SimilarRow = {
  id: string;
  amount: string;
  currency: string;
  reference: string;
  stage: string;
  created_at_ms: string;
  receiver_id: string;
  receiver_name: string;
};

/** What a near reference has in common with another: letters and digits, in upper case. */
const plain = (reference: string) => `upper(regexp_replace(${reference}, '[^[:alnum:]]', '', 'g'))`;

const listSimilar = statement<SimilarRow>(
  "payouts-similar",
  `with of_receiver as (
     select p.id, p.amount, p.currency, p.reference, p.stage, p.created_at_ms, p.receiver_id
     from receiver_account a cross join lateral (
       select * from payout p
       where p.subaccount_id = a.subaccount_id and p.account_id = a.id and p.id > $5 order by p.id desc limit $7
     ) p
     where a.subaccount_id = $1 and a.receiver_id = $2
       and (p.amount = $3 and p.currency = $4 or ${plain("p.reference")} = ${plain("$6::text")})
   ), of_reference as (
     select p.id, p.amount, p.currency, p.reference, p.stage, p.created_at_ms, p.receiver_id
     from payout p where p.subaccount_id = $1 and p.reference = $6 and p.id > $5 order by p.id desc limit $7
   )
   select s.*, r.first_name || ' ' || r.last_name as receiver_name
   from (select * from of_receiver union select * from of_reference) s
   cross join lateral (
     select first_name, last_name from receiver r where r.subaccount_id = $1 and r.id = s.receiver_id limit 1
   ) r
   order by s.id desc limit $8`,
);

type Compared = {
  subaccountId: string;
  receiverId: string;
  amount: bigint;
  currency: string;
  reference: string;
};

/**
 * Newest first: payouts to the receiver with the amount or a near reference, and payouts to anybody with the reference.
 * `scanned` payouts of each account are compared at most.
 */
export function listSimilarPayouts(
  db: Runner,
  { subaccountId, receiverId, amount, currency, reference }: Compared,
  { sinceMs, scanned, limit }: { sinceMs: number; scanned: number; limit: number },
): Promise<SimilarRow[]> {
  return db.run(listSimilar, [
    subaccountId,
    receiverId,
    amount.toString(),
    currency,
    firstIdOf(sinceMs),
    reference,
    scanned,
    limit,
  ]);
}

type AccountPast = {
  added_at_ms: string;
  added_by: string;
  changed_at_ms: string;
  changed_by: string;
  version: number;
  last_paid_id: string | null;
};

const findPast = statement<AccountPast>(
  "payout-account-past",
  `select f.created_at_ms as added_at_ms, f.created_by as added_by,
          n.created_at_ms as changed_at_ms, n.created_by as changed_by, n.version,
          (select p.id from payout p where p.subaccount_id = $1 and p.account_id = $2 and p.status = 'successful'
           order by p.account_version desc, p.id desc limit 1) as last_paid_id
   from bank_details f cross join lateral (
     select created_at_ms, created_by, version from bank_details d
     where d.subaccount_id = $1 and d.account_id = $2 order by d.version desc limit 1
   ) n
   where f.subaccount_id = $1 and f.account_id = $2 and f.version = 1`,
);

/** When the account was added and changed, by whom, and its last payout that was paid. */
export async function findAccountPast(
  db: Runner,
  subaccountId: string,
  accountId: string,
): Promise<AccountPast | undefined> {
  return (await db.run(findPast, [subaccountId, accountId]))[0];
}
