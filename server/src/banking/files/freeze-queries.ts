// The SQL of a freeze: the payouts that a file takes, locked in order, and the lines that say which file holds which.

import { isInScreeningReview, type PayoutRow, payoutColumns } from "../../money/payouts/index.ts";
import { oldestId } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx, worksHere } from "../../platform/db/index.ts";

/** A payout with all that a bank file needs of its receiver and account. */
export type PayoutToFreeze = PayoutRow & {
  subaccount_id: string;
  country: string;
  individual_or_business: "I" | "B";
  account_number_sealed: Buffer;
  bsb: string;
  bank_code: string;
  business_name: string;
  checking_or_savings: "" | "checking" | "savings";
  first_name: string;
  last_name: string;
  /** Its address is in these; an erased one has none. */
  person_key: Buffer | null;
  person_sealed: Buffer | null;
  receiver_country: string;
  receiver_status: string;
  kyc_status: string;
  account_status: string;
  statement_name: string;
};

/** A place in the order of a freeze: by subaccount, then by payout. */
export type FreezePlace = { subaccountId: string; payoutId: string };

export const firstPlace: FreezePlace = { subaccountId: oldestId, payoutId: oldestId };

const lockPage = statement<PayoutToFreeze>(
  "bank-freeze-page",
  // Over all subaccounts of the connection; each row carries its subaccount_id.
  `with page as materialized (
     select p.* from payout p
     where p.rail = $1 and p.stage = 'queued' and p.process_date <> '' and p.due_at_ms <= $2
       and (p.subaccount_id, p.id) > ($3::uuid, $4::uuid) and not ${isInScreeningReview("p")}
       and ${worksHere("p.subaccount_id")}
     order by p.subaccount_id, p.id limit $5 for update of p
   )
   select ${payoutColumns}, p.subaccount_id, d.country, d.individual_or_business, d.account_number_sealed, d.bsb,
          d.bank_code, d.business_name, d.checking_or_savings, r.first_name, r.last_name, r.address, r.city, r.state, r.postcode,
          r.person_key, r.person_sealed,
          r.country as receiver_country, r.status as receiver_status, r.kyc_status, a.status as account_status,
          s.statement_name
   from page p
   join bank_details d on d.subaccount_id = p.subaccount_id and d.account_id = p.account_id
     and d.version = p.account_version
   join receiver r on r.subaccount_id = p.subaccount_id and r.id = p.receiver_id
   join receiver_account a on a.subaccount_id = p.subaccount_id and a.id = p.account_id
   join subaccount s on s.id = p.subaccount_id
   order by p.subaccount_id, p.id`,
);

export type FreezePage = { rail: string; untilMs: number; after: FreezePlace; limit: number };

/** Those that are queued and due until then, after a place. */
export function lockPayoutsToFreeze(tx: Tx, page: FreezePage): Promise<PayoutToFreeze[]> {
  const { rail, untilMs, after, limit } = page;
  return tx.run(lockPage, [rail, untilMs, after.subaccountId, after.payoutId, limit]);
}

const findDue = statement<{ subaccount_id: string }>(
  "bank-freeze-due",
  `select p.subaccount_id from payout p
   where p.rail = $1 and p.stage = 'queued' and p.process_date <> '' and p.due_at_ms <= $2
     and not ${isInScreeningReview("p")} and ${worksHere("p.subaccount_id")} limit 1`,
);

export async function hasPayoutsToFreeze(
  db: Runner,
  rail: string,
  untilMs: number,
): Promise<boolean> {
  return (await db.run(findDue, [rail, untilMs])).length > 0;
}

export type BatchLine = {
  subaccountId: string;
  /** Of the payout. */
  id: string;
  line: number;
  fileReference: string;
  matchKey: string;
  accountKey: string;
};

const insertLines = statement<never>(
  "bank-batch-lines-insert",
  `insert into bank_batch_line (subaccount_id, payout_id, batch_id, line, file_reference, match_key,
     account_key)
   select subaccount_id, payout_id, $1, line, file_reference, match_key, account_key
   from unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::text[])
     as l(subaccount_id, payout_id, line, file_reference, match_key, account_key)`,
);

export async function insertBatchLines(
  tx: Tx,
  batchId: string,
  lines: readonly BatchLine[],
): Promise<void> {
  if (lines.length === 0) return;
  await tx.run(insertLines, [
    batchId,
    lines.map(({ subaccountId }) => subaccountId),
    lines.map(({ id }) => id),
    lines.map(({ line }) => line),
    lines.map(({ fileReference }) => fileReference),
    lines.map(({ matchKey }) => matchKey),
    lines.map(({ accountKey }) => accountKey),
  ]);
}

const findPage = statement<PayoutRow & { subaccount_id: string; line: number }>(
  "bank-batch-payouts",
  `select ${payoutColumns}, p.subaccount_id, l.line
   from bank_batch_line l
   join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
   where l.batch_id = $1 and l.line > $2 order by l.line limit $3`,
);

/** The payouts of a batch, in the order of its lines. */
export function listBatchPayouts(
  db: Runner,
  batchId: string,
  { afterLine, limit }: { afterLine: number; limit: number },
) {
  return db.run(findPage, [batchId, afterLine, limit]);
}

const findKeys = statement<{ subaccount_id: string; id: string; line: number }>(
  "bank-batch-keys",
  `select subaccount_id, payout_id as id, line from bank_batch_line
   where batch_id = $1 and line > $2 order by line limit $3`,
);

export function listBatchKeys(
  db: Runner,
  batchId: string,
  { afterLine, limit }: { afterLine: number; limit: number },
) {
  return db.run(findKeys, [batchId, afterLine, limit]);
}
