// The SQL that reads payouts: by id, by filter, by batch, and their history.

import { toNumber } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { type Metadata, metadataHash } from "../../platform/metadata/index.ts";
import { type PayoutRow, payoutColumns } from "./queries.ts";
import type { Payout } from "./schema.ts";
import { type PayoutStatus, type Stage, stagesOf } from "./states.ts";

export function presentPayout(row: PayoutRow): Payout {
  return {
    id: row.id,
    receiver_id: row.receiver_id,
    receiver_account_id: row.account_id,
    batch_id: row.batch_id,
    amount: toNumber(BigInt(row.amount)),
    currency: row.currency,
    reference: row.reference,
    note: row.note,
    status: row.status,
    stage: row.stage,
    cause: row.cause,
    cause_code: row.cause_code,
    provider_reference: row.provider_reference,
    send_on: row.send_on,
    statement_reference: row.statement_reference,
    purpose: row.purpose,
    process_date: row.process_date,
    expected_arrival: row.expected_arrival,
    ...(row.fee !== "0" && {
      fee: toNumber(BigInt(row.fee)),
      sent_amount: toNumber(BigInt(row.sent_amount)),
    }),
    bank_batch_id: row.bank_batch_id,
    created_at: row.created_at_ms,
    updated_at: row.updated_at_ms,
    ...(row.stage === "on_hold" && { hold_reason: "review" }),
    ...(row.metadata && { metadata: row.metadata }),
  };
}

export type PayoutKey = { subaccountId: string; id: string };

const findMany = statement<PayoutRow & { call: number }>(
  "payouts-by-id",
  `select input.call::int, ${payoutColumns}
   from unnest($1::uuid[], $2::uuid[]) with ordinality as input(subaccount_id, id, call)
   join payout p on p.subaccount_id = input.subaccount_id and p.id = input.id`,
);

/** One row for each key, in their order; undefined where the subaccount has no such payout. */
export async function findPayouts(
  db: Runner,
  keys: readonly PayoutKey[],
): Promise<(PayoutRow | undefined)[]> {
  const rows = await db.run(findMany, [
    keys.map(({ subaccountId }) => subaccountId),
    keys.map(({ id }) => id),
  ]);
  const found: (PayoutRow | undefined)[] = new Array(keys.length).fill(undefined);
  for (const row of rows) found[row.call - 1] = row;
  return found;
}

const lockOne = statement<PayoutRow>(
  "payout-lock",
  `select ${payoutColumns} from payout p where p.subaccount_id = $1 and p.id = $2 for update`,
);

/** It is locked until the end of the transaction. */
export async function lockPayout(
  tx: Tx,
  { subaccountId, id }: PayoutKey,
): Promise<PayoutRow | undefined> {
  return (await tx.run(lockOne, [subaccountId, id]))[0];
}

export type PayoutPage = {
  subaccountId: string;
  status: PayoutStatus | undefined;
  receiverId: string | undefined;
  accountId: string | undefined;
  reference: string | undefined;
  batchId: string | undefined;
  /** One key and its value. */
  metadata: Metadata | undefined;
  /** Only payouts older than this one, and not older than that. */
  beforeId: string;
  fromId: string;
  limit: number;
};

// The rest of the filters, for any index scan.
const others = `
  and ($5::text is null or p.status = $5) and ($6::uuid is null or p.receiver_id = $6)
  and ($7::uuid is null or p.account_id = $7) and ($8::text is null or p.reference = $8)
  and ($9::uuid is null or p.batch_id = $9)`;
const walk = `p.subaccount_id = $1 and p.id < $2 and p.id >= $3`;
const newestFirst = "order by p.id desc limit $4";

const pages = {
  all: statement<PayoutRow>(
    "payouts-page",
    `select ${payoutColumns} from payout p where ${walk} ${others} ${newestFirst}`,
  ),
  status: statement<PayoutRow>(
    "payouts-page-by-status",
    // A status is several stages: one short index scan for each stage and currency, merged.
    `select ${payoutColumns}
     from ledger_balance b cross join unnest($10::text[]) as s(stage) cross join lateral (
       select * from payout p
       where ${walk} and p.currency = b.currency and p.stage = s.stage ${others} ${newestFirst}
     ) p
     where b.subaccount_id = $1 ${newestFirst}`,
  ),
  account: statement<PayoutRow>(
    "payouts-page-by-account",
    `select ${payoutColumns} from payout p where ${walk} and p.account_id = $7 ${others} ${newestFirst}`,
  ),
  receiver: statement<PayoutRow>(
    "payouts-page-by-receiver",
    // A receiver has few accounts: one short index scan for each, merged.
    `select ${payoutColumns}
     from receiver_account a cross join lateral (
       select * from payout p where ${walk} and p.account_id = a.id ${others} ${newestFirst}
     ) p
     where a.subaccount_id = $1 and a.receiver_id = $6 ${newestFirst}`,
  ),
  reference: statement<PayoutRow>(
    "payouts-page-by-reference",
    `select ${payoutColumns} from payout p where ${walk} and p.reference = $8 ${others} ${newestFirst}`,
  ),
  batch: statement<PayoutRow>(
    "payouts-page-by-batch",
    `select ${payoutColumns} from payout p
     where ${walk} and p.batch_id = $9 and p.batch_id is not null ${others} ${newestFirst}`,
  ),
  metadata: statement<PayoutRow>(
    "payouts-page-by-metadata",
    `select ${payoutColumns}
     from metadata_entry e cross join lateral (
       select * from payout p where p.subaccount_id = $1 and p.id = e.object_id ${others} limit 1
     ) p
     where e.subaccount_id = $1 and e.hash = $10 and e.object_id < $2 and e.object_id >= $3
     order by e.object_id desc limit $4`,
  ),
};

/** Newest first, by the index that leaves the fewest rows to scan. */
export function listPayouts(db: Runner, page: PayoutPage): Promise<PayoutRow[]> {
  const { status, receiverId, accountId, reference, batchId, metadata } = page;
  const way =
    (metadata && "metadata") ||
    (batchId && "batch") ||
    (reference && "reference") ||
    (accountId && "account") ||
    (receiverId && "receiver") ||
    (status && "status") ||
    "all";
  return db.run(pages[way], [
    ...[page.subaccountId, page.beforeId, page.fromId, page.limit],
    ...[status ?? null, receiverId ?? null, accountId ?? null, reference ?? null, batchId ?? null],
    ...(way === "status" ? [stagesOf(status as PayoutStatus)] : []),
    ...(way === "metadata" ? [metadataHash("payout", metadata as Metadata)] : []),
  ]);
}

export type BatchRow = {
  currency: string;
  status: PayoutStatus;
  count: string;
  amount: string;
  metadata: Metadata | null;
};

const sumsOfBatch = statement<BatchRow>(
  "payouts-sums-of-batch",
  `select currency, status, count(*) as count, sum(amount)::bigint as amount,
          (select b.metadata from payout_batch b where b.subaccount_id = $1 and b.id = $2) as metadata
   from payout
   where subaccount_id = $1 and batch_id = $2 and batch_id is not null
   group by currency, status order by currency, status`,
);

/** The sums of a batch, by currency and status. Empty if there is no such batch. */
export function sumBatch(db: Runner, { subaccountId, id }: PayoutKey): Promise<BatchRow[]> {
  return db.run(sumsOfBatch, [subaccountId, id]);
}

export type PayoutHistoryRow = {
  id: string;
  at_ms: string;
  who: string;
  reason: string;
  from_status: PayoutStatus | null;
  to_status: PayoutStatus;
  from_stage: Stage | null;
  to_stage: Stage;
};

const historyOf = statement<PayoutHistoryRow>(
  "payout-history",
  // The first line is the payout's own row: created in the stage from which the first move started.
  // Numbers decide the order, because ids carry the clock of the process that made them.
  `select id, at_ms, who, reason, from_status, to_status, from_stage, to_stage, number
   from payout_history where subaccount_id = $1 and payout_id = $2
   union all
   select p.id, p.created_at_ms, p.created_by, 'created', null, 'pending', null,
          coalesce((select h.from_stage from payout_history h
                    where h.subaccount_id = p.subaccount_id and h.payout_id = p.id
                    order by h.number, h.id limit 1), p.stage), -1
   from payout p where p.subaccount_id = $1 and p.id = $2
   order by number desc, id desc`,
);

/** Newest first. A payout has a handful of moves at most. */
export function listPayoutHistory(
  db: Runner,
  { subaccountId, id }: PayoutKey,
): Promise<PayoutHistoryRow[]> {
  return db.run(historyOf, [subaccountId, id]);
}
