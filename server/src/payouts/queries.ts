// The SQL that makes payouts, and what is asked before.

import { type Runner, statement, type Tx } from "../db/connect.ts";
import { announcing } from "../events/queries.ts";
import { arraysOf, type Purse, posting } from "../ledger/queries.ts";
import type { PayoutContext, PurseState } from "./payout.ts";
import type { PayoutStatus, Stage } from "./states.ts";

export type PayoutRow = {
  id: string;
  receiver_id: string;
  account_id: string;
  account_version: number;
  batch_id: string | null;
  amount: string;
  currency: string;
  reference: string;
  note: string;
  status: PayoutStatus;
  stage: Stage;
  cause: string;
  cause_code: string;
  rail: string;
  provider_reference: string;
  created_at_ms: string;
  updated_at_ms: string;
};

export const payoutColumns = `p.id, p.receiver_id, p.account_id, p.account_version, p.batch_id, p.amount,
  p.currency, p.reference, p.note, p.status, p.stage, p.cause, p.cause_code, p.rail, p.provider_reference,
  p.created_at_ms, p.updated_at_ms`;

type PurseRow = {
  subaccount_id: string;
  currency: string;
  available: string;
  day: string;
  day_total: string;
  per_payout_max: string | null;
  per_day_max: string | null;
  approval_above: string | null;
};

const lockMany = statement<PurseRow>(
  "payouts-lock-purses",
  // Sorted, so that two batches wait for each other instead of deadlocking. One lock serves a whole batch. A
  // purse that was never used has no row to lock, but may have limits, which are told before a lack of funds.
  `with locked as materialized (
     select b.subaccount_id, b.currency, b.available, b.day, b.day_total
     from ledger_balance b
     where (b.subaccount_id, b.currency) in (select * from unnest($1::uuid[], $2::text[]))
     order by b.subaccount_id, b.currency
     for update of b
   )
   select asked.subaccount_id, asked.currency, coalesce(b.available, 0) as available,
          coalesce(b.day, '') as day, coalesce(b.day_total, 0) as day_total, l.per_payout_max, l.per_day_max,
          l.approval_above
   from (select distinct * from unnest($1::uuid[], $2::text[])) asked(subaccount_id, currency)
   left join locked b on b.subaccount_id = asked.subaccount_id and b.currency = asked.currency
   left join payout_limit l on l.subaccount_id = asked.subaccount_id and l.currency = asked.currency`,
);

/** By `subaccountId currency`. Until the end of the transaction nobody else moves what is in them. */
export async function lockPurses(
  tx: Tx,
  purses: readonly Purse[],
): Promise<Map<string, PurseState>> {
  const rows = await tx.run(lockMany, arraysOf(purses));
  return new Map(rows.map((row) => [`${row.subaccount_id} ${row.currency}`, toState(row)]));
}

function toState(row: PurseRow): PurseState {
  const limit = (text: string | null) => (text === null ? undefined : BigInt(text));
  return {
    available: BigInt(row.available),
    perPayoutMax: limit(row.per_payout_max),
    perDayMax: limit(row.per_day_max),
    approvalAbove: limit(row.approval_above),
    day: row.day,
    dayTotal: BigInt(row.day_total),
  };
}

const listOfSubaccount = statement<PurseRow>(
  "payouts-purses",
  `select currency, coalesce(b.available, 0) as available, coalesce(b.day, '') as day,
          coalesce(b.day_total, 0) as day_total, l.per_payout_max, l.per_day_max, l.approval_above
   from (select * from ledger_balance where subaccount_id = $1) b
   full join (select * from payout_limit where subaccount_id = $1) l using (currency)`,
);

/** By currency, as they are now: nothing keeps others from moving what is in them. */
export async function listPurses(
  db: Runner,
  subaccountId: string,
): Promise<Map<string, PurseState>> {
  const rows = await db.run(listOfSubaccount, [subaccountId]);
  return new Map(rows.map((row) => [row.currency, toState(row)]));
}

type ContextRow = {
  call: number;
  receiver_status: string | null;
  kyc_status: string | null;
  account_receiver_id: string | null;
  account_status: string;
  accepted: boolean;
  country: string;
  version: number;
  twin_id: string | null;
};

const findContexts = statement<ContextRow>(
  "payouts-context",
  // After the lock, so that what was accepted before it is seen.
  `select asked.call::int, r.status as receiver_status, r.kyc_status, a.receiver_id as account_receiver_id,
          a.status as account_status, a.receiver_accepted as accepted, d.country, a.version,
          (select p.id from payout p
           where p.subaccount_id = asked.subaccount_id and p.reference = asked.reference
             and p.account_id = asked.account_id and p.amount = asked.amount
             and p.currency = asked.currency and p.receiver_id = asked.receiver_id
             and p.created_at_ms > $7
           order by p.id desc limit 1) as twin_id
   from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[]) with ordinality
     as asked(subaccount_id, receiver_id, account_id, amount, currency, reference, call)
   left join receiver r on r.subaccount_id = asked.subaccount_id and r.id = asked.receiver_id
   left join receiver_account a on a.subaccount_id = asked.subaccount_id and a.id = asked.account_id
   left join bank_details d on d.subaccount_id = a.subaccount_id and d.account_id = a.id
     and d.version = a.version`,
);

export type ContextKey = Purse & {
  receiverId: string;
  accountId: string;
  amount: bigint;
  reference: string;
};

/** One for each, in their order. */
export async function findPayoutContexts(
  db: Runner,
  keys: readonly ContextKey[],
  sinceMs: number,
): Promise<PayoutContext[]> {
  const rows = await db.run(findContexts, [
    keys.map(({ subaccountId }) => subaccountId),
    keys.map(({ receiverId }) => receiverId),
    keys.map(({ accountId }) => accountId),
    keys.map(({ amount }) => amount.toString()),
    keys.map(({ currency }) => currency),
    keys.map(({ reference }) => reference),
    sinceMs,
  ]);
  const contexts: PayoutContext[] = [];
  for (const row of rows) {
    const { receiver_status: status, kyc_status: kycStatus, account_receiver_id: receiverId } = row;
    contexts[row.call - 1] = {
      receiver: status === null || kycStatus === null ? undefined : { status, kycStatus },
      account:
        receiverId === null
          ? undefined
          : {
              receiverId,
              status: row.account_status,
              accepted: row.accepted,
              country: row.country,
              version: row.version,
            },
      twinId: row.twin_id ?? undefined,
    };
  }
  return contexts;
}

export type PayoutToInsert = {
  subaccount_id: string;
  id: string;
  batch_id: string | undefined;
  receiver_id: string;
  account_id: string;
  account_version: number;
  amount: string;
  currency: string;
  reference: string;
  note: string;
  stage: Stage;
  rail: string;
  created_at_ms: number;
  created_by: string;
  due_at_ms: number | undefined;
  event_id: string;
  event_body: string;
  transfer_id: string;
};

const insertMany = statement<{ id: string }>(
  "payouts-insert",
  // The payout, its hold, what was accepted today and the event: all of it or nothing.
  `with asked as materialized (
     select * from json_to_recordset($1) as asked(
       call int, subaccount_id uuid, id uuid, batch_id uuid, receiver_id uuid, account_id uuid,
       account_version int, amount bigint, currency text, reference text, note text, stage text,
       rail text, created_at_ms bigint, created_by text, due_at_ms bigint, event_id uuid,
       event_body text, transfer_id uuid)
   ), made as (
     insert into payout (subaccount_id, id, batch_id, receiver_id, account_id, account_version, amount,
       currency, reference, note, status, stage, cause, cause_code, rail, provider_reference,
       created_at_ms, updated_at_ms, created_by, due_at_ms)
     select subaccount_id, id, batch_id, receiver_id, account_id, account_version, amount, currency,
       reference, note, 'pending', stage, '', '', rail, '', created_at_ms, created_at_ms, created_by,
       due_at_ms
     from asked order by id
     returning id
   ), to_tell as (
     select call, subaccount_id, id as order_key, event_id, 'payoutCreated' as event_type, event_body,
            created_at_ms as at_ms
     from asked
   ), ${announcing}, posted as (
     select call, subaccount_id, currency, transfer_id as id, 'available' as debit, 'held' as credit, amount,
            'hold' as kind, id as payout_id, null::uuid as reverses_id, reference, created_at_ms, created_by,
            $2::text as day
     from asked
   ), ${posting}
   select id from made`,
);

/** Of payouts that were decided on under the lock of their purses. */
export async function insertPayouts(
  tx: Tx,
  payouts: readonly PayoutToInsert[],
  /** The day whose limit they count towards. */
  day: string,
): Promise<void> {
  const rows = payouts.map((payout, call) => ({ call, ...payout }));
  const made = await tx.run(insertMany, [JSON.stringify(rows), day]);
  if (made.length !== payouts.length) throw new Error("every payout must be made");
  tx.afterCommit(({ metrics, told, changed }) => {
    metrics?.payoutsMoved(payouts.map(({ stage }) => stage));
    for (const subaccountId of new Set(payouts.map(({ subaccount_id }) => subaccount_id))) {
      told(subaccountId);
      changed(subaccountId, "payouts");
    }
  });
}
