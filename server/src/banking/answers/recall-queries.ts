// The SQL of recall requests.

import { isUniqueViolation, type Runner, statement, type Tx } from "../../platform/db/index.ts";

export const recallOutcomes = ["accepted", "refused", "withdrawn"] as const;
export type RecallOutcome = (typeof recallOutcomes)[number];

export type RecallRow = {
  subaccount_id: string;
  payout_id: string;
  id: string;
  connection_id: string;
  note: string;
  requested_at_ms: string;
  requested_by: string;
  outcome: RecallOutcome | "";
  outcome_note: string;
  decided_at_ms: string | null;
  decided_by: string;
};

const columns = `subaccount_id, payout_id, id, connection_id, note, requested_at_ms, requested_by, outcome,
  outcome_note, decided_at_ms, decided_by`;

const insertOne = statement<RecallRow>(
  "bank-recall-insert",
  `insert into bank_recall (subaccount_id, payout_id, id, connection_id, note, requested_at_ms, requested_by)
   values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
);

export type NewRecall = Pick<
  RecallRow,
  "subaccount_id" | "payout_id" | "id" | "connection_id" | "note" | "requested_by"
> & { requested_at_ms: number };

export async function insertRecall(tx: Tx, recall: NewRecall): Promise<RecallRow> {
  const [row] = await tx.run(insertOne, [
    recall.subaccount_id,
    recall.payout_id,
    recall.id,
    recall.connection_id,
    recall.note,
    recall.requested_at_ms,
    recall.requested_by,
  ]);
  return row as RecallRow;
}

export function isRecallWaiting(error: unknown): boolean {
  return isUniqueViolation(error, "bank_recall_open");
}

const decideOne = statement<RecallRow>(
  "bank-recall-decide",
  `update bank_recall set outcome = $3, outcome_note = $4, decided_at_ms = $5, decided_by = $6
   where subaccount_id = $1 and payout_id = $2 and outcome = '' returning ${columns}`,
);

/** Undefined where none waits. */
export async function setRecallOutcome(
  tx: Tx,
  { subaccount_id, payout_id }: Pick<RecallRow, "subaccount_id" | "payout_id">,
  decided: { outcome: RecallOutcome; note: string; who: string; atMs: number },
): Promise<RecallRow | undefined> {
  const { outcome, note, who, atMs } = decided;
  return (await tx.run(decideOne, [subaccount_id, payout_id, outcome, note, atMs, who]))[0];
}

const listOfOne = statement<RecallRow>(
  "bank-recalls-of-payout",
  `select ${columns} from bank_recall where subaccount_id = $1 and payout_id = $2 order by id desc limit $3`,
);

/** Newest first. */
export function listRecallsOfPayout(
  db: Runner,
  { subaccountId, id }: { subaccountId: string; id: string },
  limit: number,
): Promise<RecallRow[]> {
  return db.run(listOfOne, [subaccountId, id, limit]);
}

const listNewest = statement<RecallRow>(
  "bank-recalls",
  // Over all subaccounts; each row carries its subaccount_id.
  `select ${columns} from bank_recall where $1 or outcome = '' order by id desc limit $2`,
);

/** Newest first. */
export function listRecalls(
  db: Runner,
  { includesDecided, limit }: { includesDecided: boolean; limit: number },
): Promise<RecallRow[]> {
  return db.run(listNewest, [includesDecided, limit]);
}
