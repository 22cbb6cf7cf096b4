// The timeline of a payout in one order: states, bank reports, API requests, events, delivery attempts, transfers and
// actions of users. Pure.

import type { RecallOutcome, RecallRow } from "../../../banking/answers/index.ts";
import type { EntryRow, Kind } from "../../../money/ledger/index.ts";
import type { PayoutHistoryRow, Stage } from "../../../money/payouts/index.ts";
import type { ReviewNoteRow } from "../../../people/reviews/index.ts";
import { formatGrouped, idTimeMs } from "../../../platform/base/index.ts";
import { eventName } from "../../../platform/event-catalogue/index.ts";
import type { RequestRow } from "../../../tenants/request-log/index.ts";
import type { EventWithAttempts } from "../../../webhooks/events/index.ts";
import { actorInWords, type Names } from "../../review-list/index.ts";
import type { TimelineEntry } from "./schema.ts";
import type { ActRow, PayoutFileRow } from "./timeline-queries.ts";
import type { Tone } from "./what-now.ts";

type Happenings = {
  history: readonly PayoutHistoryRow[];
  events: readonly EventWithAttempts[];
  entries: readonly EntryRow[];
  requests: readonly RequestRow[];
  acts: readonly ActRow[];
  /** The bank files that hold it. */
  files: readonly PayoutFileRow[];
  recalls: readonly RecallRow[];
  /** About rules and holds. Empty for users who may not see them. */
  reviews: readonly TimelineEntry[];
  /** What reviewers asked the subaccount about it. */
  questions: readonly ReviewNoteRow[];
  providerReference: string;
  retryOf: string | undefined;
};

/** Oldest first. Within one millisecond, the cause comes before its effects. */
export function timelineOf(happenings: Happenings, names: Names): TimelineEntry[] {
  const { history, events, entries, requests, acts, recalls, reviews, questions } = happenings;
  const all = [
    ...requests.map((row) => requestEntry(row, names)),
    ...history.toReversed().map((row) => stateEntry(row, happenings, names)),
    ...reviews,
    ...entries.map(ledgerEntry),
    ...events.flatMap(eventEntries),
    ...recalls.flatMap((recall) => recallEntries(recall, names)),
    ...questions.map((question) => questionEntry(question, names)),
    ...acts.filter(isToldHere).map((act) => actEntry(act, names)),
  ];
  return all.sort((one, other) => one.at - other.at || rank[one.kind] - rank[other.kind]);
}

const rank: Record<TimelineEntry["kind"], number> = {
  request: 0,
  state: 1,
  rail: 1,
  rule: 2,
  ledger: 3,
  act: 4,
  event: 5,
  attempt: 6,
};

/** The history names the actors of changes of state; recalls and questions have entries of their own. */
const toldElsewhere = new Set([
  "payout.create",
  "payout.cancel",
  "payout.approve",
  "payout.decline",
  "payout.release",
  "payout.refuse",
  "payout.recall",
  "payout.recall-outcome",
  "review.ask",
]);

/** An approval of several that are needed changes no state, so the history does not name it. */
function isToldHere({ action, after }: ActRow): boolean {
  return !toldElsewhere.has(action) || after.needs_more === true;
}

function requestEntry(
  { id, method, route, status, took_us, key }: RequestRow,
  names: Names,
): TimelineEntry {
  return {
    at: idTimeMs(id),
    kind: "request",
    title: `${method} ${route}`,
    detail: `${status} in ${Math.round(took_us / 1000)} ms`,
    who: actorInWords(`key:${key}`, names),
    tone: status < 400 ? "plain" : "bad",
    links: [{ kind: "request", id }],
  };
}

const stageWords: Record<Stage, [title: string, tone: Tone]> = {
  on_hold: ["On hold", "warning"],
  awaiting_approval: ["Waits for approval", "warning"],
  queued: ["Queued", "waiting"],
  batched: ["In a bank file", "waiting"],
  submitted: ["Sent to the bank", "busy"],
  settled: ["Paid", "good"],
  rejected: ["Rejected", "bad"],
  cancelled: ["Cancelled", "quiet"],
  returned: ["Returned", "bad"],
};

function stateEntry(
  row: PayoutHistoryRow,
  { providerReference, retryOf, files }: Happenings,
  names: Names,
): TimelineEntry {
  const { from_stage, to_stage, reason, who } = row;
  const [words, tone] = stageWords[to_stage];
  const isCreation = from_stage === null;
  const isRail = who.startsWith("rail:");
  const isApproval = from_stage === "awaiting_approval" && to_stage === "queued";
  const isRelease = from_stage === "on_hold" && to_stage !== "cancelled";
  const isSending = to_stage === "submitted";
  const wasSent = isSending || (isRail && ["settled", "returned"].includes(to_stage));
  const file =
    to_stage === "batched"
      ? files.find(({ frozen_at_ms }) => frozen_at_ms === row.at_ms)
      : undefined;
  const place = file ? `${file.file_name}, line ${file.line}` : "";
  const reference = wasSent && providerReference ? `bank reference ${providerReference}` : "";
  const said = saysNothingNew(reason) ? "" : reason;
  const waits =
    (isCreation || isRelease) && to_stage === "awaiting_approval" ? "waits for approval" : "";
  const held = isCreation && to_stage === "on_hold" ? "on hold for a review" : "";
  const retried = isCreation && retryOf ? "retry of a failed payout" : "";
  return {
    at: Number(row.at_ms),
    kind: isRail ? "rail" : "state",
    title: isCreation ? "Created" : isApproval ? "Approved" : isRelease ? "Released" : words,
    detail: [place || said, reference, retried, waits, held]
      .filter((text) => text !== "")
      .join("; "),
    // Sending is done by the service, unless a user uploads the file. Later reports come from the bank.
    who: isSending && isRail ? "" : actorInWords(who, names),
    tone: isCreation || isApproval || isRelease ? "plain" : tone,
    links: [
      ...(isCreation && retryOf ? [{ kind: "payout" as const, id: retryOf }] : []),
      ...(file ? [{ kind: "bank_file" as const, id: file.batch_id }] : []),
    ],
  };
}

/** The title says it already. */
function saysNothingNew(reason: string): boolean {
  return ["created", "sent to the bank", "paid by the bank"].includes(reason);
}

const moneyWords: Partial<Record<Kind, string>> = {
  hold: "held for this payout",
  release: "released: back in the balance",
  submit: "sent, in clearing",
  unsubmit: "held again: the bank file was discarded",
  settle: "has left the account",
  reject: "back in the balance",
  return: "came back to the account",
  credit: "back in the balance",
  fee: "taken as a fee",
  fee_refund: "fee given back",
};

function ledgerEntry(row: EntryRow): TimelineEntry {
  const { kind, currency, number, debit, credit } = row;
  return {
    at: Number(row.created_at_ms),
    kind: "ledger",
    title: `${formatGrouped(BigInt(row.amount), currency)} ${moneyWords[kind] ?? kind}`,
    detail: `entry ${number} of ${currency}, from ${ledgerWord(debit)} to ${ledgerWord(credit)}`,
    who: "",
    tone: "plain",
    links: [],
  };
}

/** A bank connection has an id that says nothing here. */
function ledgerWord(account: string): string {
  return account.replace(/:bank:[0-9a-f-]{36}$/, "");
}

function eventEntries({ row, attempts }: EventWithAttempts): TimelineEntry[] {
  const id = eventName(row.id);
  const links = [{ kind: "event" as const, id }];
  const event: TimelineEntry = {
    at: Number(row.created_at_ms),
    kind: "event",
    title: `Event ${row.type}`,
    detail: row.status === "unsent" ? "there was no webhook endpoint" : "",
    who: "",
    tone: "plain",
    links,
  };
  const last = attempts.at(-1);
  return [
    event,
    ...attempts.map((attempt): TimelineEntry => {
      const { number, status, failure, detail, took_ms } = attempt;
      const answer = status === null ? "no answer" : String(status);
      const next = attempt === last ? nextTry(row) : "";
      return {
        at: Number(attempt.at),
        kind: "attempt",
        title: `${row.type}: ${answer} in ${took_ms} ms`,
        detail: [`attempt ${number}`, failure === null ? "" : detail || failure, next]
          .filter((text) => text !== "")
          .join("; "),
        who: "",
        tone: failure === null ? "good" : "bad",
        links,
        ...(next === "" ? {} : { next_at: Number(row.next_attempt_at) }),
      };
    }),
  ];
}

function nextTry({ status, next_attempt_at }: EventWithAttempts["row"]): string {
  return status === "waiting" && next_attempt_at !== null ? "will be retried" : "";
}

const recallWords: Record<RecallOutcome, [title: string, tone: Tone]> = {
  accepted: ["Recall accepted by the bank", "good"],
  refused: ["Recall refused by the bank", "bad"],
  withdrawn: ["Recall withdrawn", "quiet"],
};

function recallEntries(row: RecallRow, names: Names): TimelineEntry[] {
  const requested: TimelineEntry = {
    at: Number(row.requested_at_ms),
    kind: "act",
    title: "Recall requested from the bank",
    detail: row.note,
    who: actorInWords(row.requested_by, names),
    tone: "waiting",
    links: [],
  };
  if (row.outcome === "") return [requested];
  const [title, tone] = recallWords[row.outcome];
  const decided: TimelineEntry = {
    ...requested,
    at: Number(row.decided_at_ms),
    title,
    detail: row.outcome_note,
    who: actorInWords(row.decided_by, names),
    tone,
  };
  return [requested, decided];
}

function questionEntry(row: ReviewNoteRow, names: Names): TimelineEntry {
  return {
    at: Number(row.at_ms),
    kind: "act",
    title: "A reviewer asks",
    detail: row.note,
    who: actorInWords(row.who, names),
    tone: "warning",
    links: [],
  };
}

const actWords: Record<string, string> = {
  "payout.retry": "Retried as a new payout",
  "payout.approve": "Approved; more approvals are needed",
};

function actEntry(act: ActRow, names: Names): TimelineEntry {
  const { action, object_kind, object_id, after } = act;
  const other =
    typeof after.payout_id === "string" ? [{ kind: "payout" as const, id: after.payout_id }] : [];
  const of = object_kind === "event" ? [{ kind: "event" as const, id: eventName(object_id) }] : [];
  return {
    at: Number(act.at_ms),
    kind: "act",
    title: actWords[action] ?? inPlainWords(action),
    detail: "",
    who: actorInWords(act.who, names),
    tone: "plain",
    links: [...other, ...of],
  };
}

/** `event.resend` is "Event resend". */
function inPlainWords(action: string): string {
  const words = action.replaceAll(/[._-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
