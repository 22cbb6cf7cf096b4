// The SQL that finds what a statement line may be about, and records what it was matched with.

import type { Stage } from "../../money/payouts/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { BatchStatus } from "../files/index.ts";
import type { MatchRule } from "./rules.ts";

/** A payout in a file that we sent. */
export type SentPayout = {
  subaccount_id: string;
  payout_id: string;
  batch_id: string;
  connection_id: string;
  batch_status: BatchStatus;
  process_date: string;
  amount: string;
  currency: string;
  stage: Stage;
  account_key: string;
  /** A line has paid it, alone or with its batch. */
  is_matched: boolean;
};

// Every table is read by its key, row by row, as in the statements of inbound files.
const sentPayouts = (condition: string) => `
   select l.subaccount_id, l.payout_id, l.batch_id, b.connection_id, b.status as batch_status, b.process_date,
          coalesce(p.sent_amount, p.amount) as amount, p.currency, p.stage, l.account_key,
          exists (select from bank_match m where m.subaccount_id = l.subaccount_id and m.payout_id = l.payout_id
                    and m.kind = 'payout' and not m.is_undone)
            or exists (select from bank_match m where m.batch_id = l.batch_id and m.kind = 'batch' and not m.is_undone)
            as is_matched
   from input
   cross join lateral (select * from bank_batch_line where ${condition} limit ${limits.inboundCandidatesMax}) l
   cross join lateral (select * from bank_batch where id = l.batch_id limit 1) b
   cross join lateral (select * from payout where subaccount_id = l.subaccount_id and id = l.payout_id limit 1) p
   where b.status <> 'discarded'`;

const byId = statement<SentPayout>(
  "bank-match-by-payout",
  `with input as (select unnest($1::uuid[]) as payout_id) ${sentPayouts("payout_id = input.payout_id")}`,
);

/** By our reference. */
export function findSentPayouts(tx: Tx, payoutIds: readonly string[]): Promise<SentPayout[]> {
  return tx.run(byId, [payoutIds]);
}

const byAccount = statement<SentPayout>(
  "bank-match-by-account",
  `with input as (select unnest($1::text[]) as account_key)
   ${sentPayouts("account_key = input.account_key and account_key <> ''")}`,
);

/** By account and amount. */
export function findSentPayoutsTo(tx: Tx, accountKeys: readonly string[]): Promise<SentPayout[]> {
  return tx.run(byAccount, [accountKeys]);
}

/** A file that we sent. */
export type BatchToMatch = {
  id: string;
  connection_id: string;
  status: BatchStatus;
  process_date: string;
  currency: string;
  total: string;
  /** Of payouts that the bank rejected: it does not debit them, or gives them back. */
  rejected: string;
  /** What lines have paid of it. */
  matched: string;
};

const batchColumns = `b.id, b.connection_id, b.status, b.process_date, b.currency, b.total,
  coalesce((select sum(coalesce(p.sent_amount, p.amount)) from bank_batch_line l
            join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
            where b.status in ('partly_rejected', 'rejected') and l.batch_id = b.id and p.stage = 'rejected'), 0)::bigint
    as rejected,
  coalesce((select -sum(m.amount) from bank_match m
            where m.batch_id = b.id and m.kind in ('batch', 'payout') and not m.is_undone), 0)::bigint as matched`;

const batchesById = statement<BatchToMatch>(
  "bank-match-batches",
  `select ${batchColumns} from bank_batch b where b.id = any($1) and b.sent_at_ms is not null and b.status <> 'discarded'
   order by b.id`,
);

export function findSentBatches(tx: Tx, ids: readonly string[]): Promise<BatchToMatch[]> {
  return tx.run(batchesById, [ids]);
}

const batchesOfDays = statement<BatchToMatch>(
  "bank-match-batches-of-days",
  `select ${batchColumns} from bank_batch b
   where b.connection_id = $1 and b.process_date >= $2 and b.process_date <= $3 and b.sent_at_ms is not null
     and b.status <> 'discarded'
   order by b.process_date, b.id limit ${limits.bankBatchesListedMax}`,
);

export function listSentBatches(
  tx: Runner,
  { connectionId, fromDay, toDay }: { connectionId: string; fromDay: string; toDay: string },
): Promise<BatchToMatch[]> {
  return tx.run(batchesOfDays, [connectionId, fromDay, toDay]);
}

export type MatchKind = "payout" | "batch" | "return" | "fund" | "company" | "undo";

export type MatchRow = {
  id: string;
  line_id: string;
  /** Entries that were made together, and are undone together. */
  act_id: string;
  kind: MatchKind;
  rule: MatchRule;
  reason: string;
  amount: string;
  batch_id: string | null;
  subaccount_id: string | null;
  payout_id: string | null;
  transfer_id: string | null;
  undoes_id: string | null;
};

const matchTypes = {
  id: "uuid",
  line_id: "uuid",
  act_id: "uuid",
  kind: "text",
  rule: "text",
  reason: "text",
  amount: "bigint",
  batch_id: "uuid",
  subaccount_id: "uuid",
  payout_id: "uuid",
  transfer_id: "uuid",
  undoes_id: "uuid",
} as const satisfies Record<keyof MatchRow, string>;
const matchNames = Object.keys(matchTypes) as (keyof MatchRow)[];
const matchColumns = matchNames.join(", ");

const insertMany = statement<never>(
  "bank-matches-insert",
  `insert into bank_match (connection_id, made_by, at_ms, ${matchColumns})
   select $1, $2, $3, m.* from unnest(${Object.values(matchTypes)
     .map((type, index) => `$${index + 4}::${type}[]`)
     .join(", ")}) m`,
);

export async function insertMatches(
  tx: Tx,
  matches: readonly MatchRow[],
  made: { connectionId: string; who: string; atMs: number },
): Promise<void> {
  if (matches.length === 0) return;
  const values = matchNames.map((name) => matches.map((match) => match[name]));
  await tx.run(insertMany, [made.connectionId, made.who, made.atMs, ...values]);
}

export type StoredMatch = MatchRow & { is_undone: boolean; made_by: string; at_ms: string };

const ofLine = statement<StoredMatch>(
  "bank-matches-of-line",
  `select ${matchColumns}, is_undone, made_by, at_ms from bank_match where line_id = $1 order by at_ms, id`,
);

/** Oldest first. */
export function listMatches(db: Runner, lineId: string): Promise<StoredMatch[]> {
  return db.run(ofLine, [lineId]);
}

const ofAct = statement<StoredMatch>(
  "bank-matches-of-act",
  `select ${matchColumns}, is_undone, made_by, at_ms from bank_match where act_id = any($1) and not is_undone
     and kind <> 'undo' order by id`,
);

/** Those that still count. */
export function listMatchesOfActs(tx: Tx, actIds: readonly string[]): Promise<StoredMatch[]> {
  return tx.run(ofAct, [actIds]);
}

const markUndone = statement<never>(
  "bank-matches-undone",
  "update bank_match set is_undone = true where id = any($1)",
);

export async function markMatchesUndone(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(markUndone, [ids]);
}
