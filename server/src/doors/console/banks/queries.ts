// The SQL of the Banks screens: payouts that wait for a file, the lines of a file, and what an approver compares.

import { destinationOf, isInScreeningReview, type Stage } from "../../../money/payouts/index.ts";
import { type HolderColumns, holderColumns } from "../../../people/person/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";
import type { AuditEntryRow } from "../../../tenants/audit/index.ts";

const countQueued = statement<{ count: number }>(
  "bank-connection-queued",
  `select count(*)::int as count from (
     select from payout p
     where p.rail = $1 and p.stage = 'queued' and p.process_date <> '' and p.due_at_ms <= $2
       and not ${isInScreeningReview("p")} limit $3
   ) queued`,
);

/** Payouts for the next file. Never more than `most`. */
export async function countQueuedFor(
  db: Runner,
  { rail, untilMs, most }: { rail: string; untilMs: number; most: number },
): Promise<number> {
  return (await db.run(countQueued, [rail, untilMs, most]))[0]?.count ?? 0;
}

export type FileLineRow = HolderColumns & {
  line: number;
  file_reference: string;
  subaccount_id: string;
  subaccount_name: string;
  payout_id: string;
  /** What goes to the bank. */
  amount: string;
  currency: string;
  stage: Stage;
  account_number_tail: string;
  bank_name: string;
  bsb: string;
  bank_code: string;
};

const sentAmount = "coalesce(p.sent_amount, p.amount)";

/** One index lookup for each name: of the lines that are shown, never of the whole file. */
const shownColumns = (
  amount: string,
) => `l.line, l.file_reference, l.subaccount_id, s.suba_name as subaccount_name, p.id as payout_id,
  ${amount} as amount, p.currency, p.stage, r.first_name, r.last_name, ${holderColumns}, d.account_number_tail, d.bank_name, d.bsb,
  d.bank_code`;
const joinShown = `
  join subaccount s on s.id = l.subaccount_id
  cross join lateral (
    select first_name, last_name from receiver r
    where r.subaccount_id = l.subaccount_id and r.id = p.receiver_id limit 1
  ) r
  cross join lateral (
    select * from bank_details d
    where d.subaccount_id = l.subaccount_id and d.account_id = p.account_id and d.version = p.account_version limit 1
  ) d`;

const listPage = statement<FileLineRow>(
  "bank-batch-lines-shown",
  `select ${shownColumns(sentAmount)}
   from (select * from bank_batch_line where batch_id = $1 and line > $2 order by line limit $3) l
   join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
   ${joinShown} order by l.line`,
);

export function listFileLines(
  db: Runner,
  { batchId, afterLine, limit }: { batchId: string; afterLine: number; limit: number },
): Promise<FileLineRow[]> {
  return db.run(listPage, [batchId, afterLine, limit]);
}

/** The largest payments of the file, most first. */
const largestOf = `select l.line, l.file_reference, l.subaccount_id, l.payout_id, ${sentAmount} as amount, p.account_id,
     p.account_version, p.receiver_id, p.currency, p.stage, p.id
   from bank_batch_line l join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
   where l.batch_id = $1 order by ${sentAmount} desc, l.line limit $2`;

export type UnusualKind =
  | "largest"
  | "first_payment"
  | "far_above_median"
  | "changed_details"
  | "same_account_twice"
  | "shared_account";

export type UnusualRow = FileLineRow & {
  kind: UnusualKind;
  kind_count: number;
  median: string;
  looked_at: number;
};

const findUnusual = statement<UnusualRow>(
  "bank-batch-unusual",
  `with look as materialized (${largestOf}),
   middle as materialized (
     select percentile_disc(0.5) within group (order by ${sentAmount}) as median
     from bank_batch_line l join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
     where l.batch_id = $1
   ), marked as materialized (
     select look.*,
       not exists (select from payout o where o.subaccount_id = look.subaccount_id
         and o.account_id = look.account_id and o.status = 'successful') as is_first,
       look.amount >= $4 * middle.median as is_far,
       look.account_version > 1 and not exists (select from payout o where o.subaccount_id = look.subaccount_id
         and o.account_id = look.account_id and o.account_version = look.account_version
         and o.status = 'successful') as is_changed,
       count(*) over (partition by look.subaccount_id, look.account_id) > 1 as is_twice,
       min(look.receiver_id::text) over same_account <> max(look.receiver_id::text) over same_account as is_shared
     from look cross join middle
     cross join lateral (
       select ${destinationOf("d")} as destination from bank_details d
       where d.subaccount_id = look.subaccount_id and d.account_id = look.account_id and d.version = look.account_version
       limit 1
     ) d
     window same_account as (partition by look.subaccount_id, d.destination)
   ), listed as (
     select k.kind, k.nth, m.*, count(*) over (partition by k.kind) as kind_count,
       row_number() over (partition by k.kind order by m.amount desc, m.line) as place
     from marked m cross join lateral (values
       ('largest', 1, true), ('far_above_median', 2, m.is_far), ('first_payment', 3, m.is_first),
       ('changed_details', 4, m.is_changed), ('same_account_twice', 5, m.is_twice),
       ('shared_account', 6, m.is_shared)
     ) k(kind, nth, applies) where k.applies
   )
   select l.kind, l.kind_count::int, (select median from middle) as median,
     (select count(*)::int from look) as looked_at, ${shownColumns("l.amount")}
   from listed l
   join lateral (select l.id, l.receiver_id, l.account_id, l.account_version, l.currency, l.stage) p on true
   ${joinShown}
   where l.place <= $3 order by l.nth, l.place`,
);

export type UnusualLook = {
  batchId: string;
  /** How many of the largest payments are compared. */
  look: number;
  /** How many of each kind are returned. */
  shown: number;
  /** This many times the median is unusual. */
  times: number;
};

/** Rows of each kind, largest first. A row can be of several kinds. */
export function listUnusual(
  db: Runner,
  { batchId, look, shown, times }: UnusualLook,
): Promise<UnusualRow[]> {
  return db.run(findUnusual, [batchId, look, shown, times]);
}

export type BatchActRow = Pick<AuditEntryRow, "number" | "at_ms" | "who" | "action" | "after">;

const actsOn = statement<BatchActRow>(
  "bank-batch-acts",
  `select number, at_ms, who, action, after from audit_entry
   where object_id = $1 and object_kind = 'bank_batch' order by number desc limit $2`,
);

/** Newest first. */
export function listBatchActs(
  db: Runner,
  { batchId, limit }: { batchId: string; limit: number },
): Promise<BatchActRow[]> {
  return db.run(actsOn, [batchId, limit]);
}
