// Bank batches as the console shows them: the list, one batch with its timeline, its lines, and what is unusual in it.

import { type ConnectionRow, listConnections } from "../../../banking/connections/index.ts";
import {
  approvalsMissing,
  type BankBatchRow,
  batchStatuses,
  findBatch,
  findSends,
  mayHaveLeft,
  type SendRow,
  sendFailureOf,
} from "../../../banking/files/index.ts";
import { maskedNumber, payeeOf } from "../../../people/person/index.ts";
import { toNumber, toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { conflictsOf } from "../../../tenants/four-eyes/index.ts";
import type { User } from "../../../tenants/roles/index.ts";
import { whyNotApprove } from "../why-not.ts";
import {
  type BatchActRow,
  type FileLineRow,
  listBatchActs,
  listUnusual,
  type UnusualKind,
} from "./queries.ts";
import type {
  BankBatchDetail,
  BankBatchLine,
  BatchReview,
  BatchTimelineEntry,
  ShownFileLine,
} from "./schema.ts";

export async function presentBatches(db: Runner, rows: BankBatchRow[], nowMs: number) {
  const names = await namesOf(db);
  return rows.map((row) => presentBatch(row, names, nowMs));
}

type Names = ReadonlyMap<string, ConnectionRow>;

async function namesOf(db: Runner): Promise<Names> {
  return new Map((await listConnections(db)).map((row) => [row.id, row]));
}

function presentBatch(row: BankBatchRow, names: Names, nowMs: number): BankBatchLine {
  const connection = names.get(row.connection_id);
  return {
    id: row.id,
    connection_id: row.connection_id,
    connection_name: connection?.name ?? "",
    mode: connection?.mode ?? "live",
    sequence: Number(row.sequence),
    status: row.status,
    process_date: row.process_date,
    cutoff: Number(row.cutoff_ms),
    is_late: batchStatuses[row.status] === "open" && Number(row.cutoff_ms) < nowMs,
    payouts: row.payouts,
    total: toSum(BigInt(row.total)),
    currency: row.currency,
    file_name: row.file_name,
    frozen_at: Number(row.frozen_at_ms),
  };
}

type Viewer = { user: User; who: string; nowMs: number };

export async function findBatchDetail(
  db: Runner,
  id: string,
  { user, who, nowMs }: Viewer,
): Promise<BankBatchDetail> {
  const row = await findBatch(db, id);
  if (!row) throw new Refusal("BANK101");
  const names = await namesOf(db);
  const connection = names.get(row.connection_id) as ConnectionRow;
  const makers = [row.frozen_by, ...row.approved_by];
  const [conflict] = await conflictsOf(db, [makers], { who });
  const send = (await findSends(db, [id])).get(id);
  const acts = await listBatchActs(db, { batchId: id, limit: limits.actsShownMax });
  const time = (ms: string | null) => (ms === null ? null : Number(ms));
  return {
    ...presentBatch(row, names, nowMs),
    format: connection.format,
    travels: connection.travels,
    account: `…${connection.account_tail}`,
    sha256: row.file_sha256,
    bytes: Number(row.file_bytes),
    frozen_by: row.frozen_by,
    approved_by: row.approved_by,
    approvals_missing: row.status === "frozen" ? approvalsMissing(row, connection) : 0,
    why_not: whyNotApprove(user, "banks.approve", conflict),
    downloaded_at: time(row.downloaded_at_ms),
    downloaded_by: row.downloaded_by,
    sent_at: time(row.sent_at_ms),
    sent_by: row.sent_by,
    bank_reference: row.bank_reference,
    discard_by: row.discard_by,
    discarded_at: time(row.discarded_at_ms),
    send_problem: batchStatuses[row.status] === "open" ? sendProblemOf(send) : null,
    may_have_left: mayHaveLeft(row),
    timeline: timelineOf(row, acts),
  };
}

function sendProblemOf(send: SendRow | undefined): BankBatchDetail["send_problem"] {
  if (!send || send.problem === "") return null;
  const { problem, tries, after_ms, is_claimed } = send;
  return {
    failure: sendFailureOf(problem),
    problem,
    tries,
    next_try_at: after_ms === null || is_claimed ? null : Number(after_ms),
    needs_user: after_ms === null,
  };
}

/** Oldest first. A freeze by the worker is in no audit log, so it comes from the batch. */
function timelineOf(
  { frozen_at_ms, frozen_by, payouts }: BankBatchRow,
  acts: readonly BatchActRow[],
): BatchTimelineEntry[] {
  const frozen: BatchTimelineEntry = {
    at: Number(frozen_at_ms),
    what: "freeze",
    who: frozen_by,
    detail: payouts === 1 ? "1 payout" : `${payouts} payouts`,
  };
  const later = acts.filter(({ action }) => action !== "bank-batch.freeze").toReversed();
  return [frozen, ...later.map(actEntry)];
}

const known = new Set(["view", "approve", "download", "sent", "discard"]);

function actEntry({ at_ms, who, action, after }: BatchActRow): BatchTimelineEntry {
  const verb = action.slice(action.indexOf(".") + 1);
  return {
    at: Number(at_ms),
    what: known.has(verb) ? verb : "other",
    who,
    detail: known.has(verb) ? detailOf(after as Record<string, unknown>) : verb,
  };
}

function detailOf({ sha256, bankReference, outcome }: Record<string, unknown>): string {
  if (typeof sha256 === "string") return `SHA-256 ${sha256.slice(0, 12)}…`;
  if (typeof bankReference === "string" && bankReference) return `bank reference ${bankReference}`;
  return outcome === "waits" ? "waits for a second user" : "";
}

export function presentFileLine(row: FileLineRow): ShownFileLine {
  const code = row.bsb || row.bank_code;
  return {
    line: row.line,
    payout_id: row.payout_id,
    subaccount_id: row.subaccount_id,
    subaccount_name: row.subaccount_name,
    receiver_name: payeeOf(row),
    bank: [row.bank_name, code].filter((text) => text !== "").join(" "),
    account: maskedNumber(row.account_number_tail),
    amount: toNumber(BigInt(row.amount)),
    currency: row.currency,
    reference: row.file_reference,
    stage: row.stage,
  };
}

export async function reviewBatch(db: Runner, batchId: string): Promise<BatchReview> {
  const rows = await listUnusual(db, {
    batchId,
    look: limits.bankUnusualLookedMax,
    shown: limits.bankUnusualShown,
    times: limits.bankUnusualTimes,
  });
  const of = (kind: UnusualKind) => {
    const found = rows.filter((row) => row.kind === kind);
    return { count: found[0]?.kind_count ?? 0, items: found.map(presentFileLine) };
  };
  return {
    largest: of("largest").items,
    median: Number(rows[0]?.median ?? 0),
    first_payment: of("first_payment"),
    far_above_median: of("far_above_median"),
    changed_details: of("changed_details"),
    same_account_twice: of("same_account_twice"),
    shared_account: of("shared_account"),
    looked_at: rows[0]?.looked_at ?? 0,
  };
}
