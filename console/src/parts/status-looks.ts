// Word, tone and icon of every status: one table for the whole console.

import { batchesTexts } from "../texts/batches.ts";
import { importsTexts } from "../texts/imports.ts";
import { partsTexts } from "../texts/parts.ts";
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CirclePause,
  CircleX,
  Clock,
  Eye,
  FileText,
  Hourglass,
  type Icon,
  Lock,
  RotateCcw,
  Send,
  Undo2,
} from "./icons.tsx";

type Tone = "good" | "bad" | "waiting" | "warning" | "quiet" | "busy";
type Look = { word: string; tone: Tone; icon: Icon };

const good = (word: string, icon = CircleCheck): Look => ({ word, tone: "good", icon });
const bad = (word: string, icon = CircleX): Look => ({ word, tone: "bad", icon });
const waiting = (word: string, icon = Clock): Look => ({ word, tone: "waiting", icon });
const warning = (word: string, icon = CircleAlert): Look => ({ word, tone: "warning", icon });
const quiet = (word: string, icon = CircleDashed): Look => ({ word, tone: "quiet", icon });
const busy = (word: string, icon = CircleDot): Look => ({ word, tone: "busy", icon });

const looks = {
  /** The published status and the finer stage share one vocabulary: a settled payout is "Successful" in both. */
  payout: {
    pending: waiting(partsTexts.pending),
    successful: good(partsTexts.successful),
    failed: bad(partsTexts.failed),
    on_hold: warning(partsTexts.onHold, CirclePause),
    awaiting_approval: warning(partsTexts.awaitingApproval, Hourglass),
    queued: waiting(partsTexts.queued),
    batched: waiting(partsTexts.inBankFile, FileText),
    submitted: busy(partsTexts.sentToBank, Send),
    settled: good(partsTexts.successful),
    rejected: bad(partsTexts.rejected),
    cancelled: quiet(partsTexts.cancelled, Ban),
    returned: bad(partsTexts.returned, Undo2),
  },
  receiver: {
    creating: quiet(partsTexts.creating),
    pending: waiting(partsTexts.pending),
    active: good(partsTexts.active),
    inactive: quiet(partsTexts.inactive, CirclePause),
    failed: bad(partsTexts.failed),
  },
  kyc: {
    pending: waiting(partsTexts.pending),
    completed: good(partsTexts.completed),
    failed: bad(partsTexts.failed),
    review: warning(partsTexts.inReview, Eye),
  },
  account: {
    active: good(partsTexts.active),
    pending: waiting(partsTexts.pending),
    inactive: quiet(partsTexts.closed, CirclePause),
    closed: quiet(partsTexts.closed, CirclePause),
    failed: bad(partsTexts.failed),
  },
  /** Whether the bank knows the payee by the name. */
  payeeName: {
    match: good(partsTexts.nameMatches),
    close_match: warning(partsTexts.nameNearlyMatches),
    no_match: bad(partsTexts.nameDoesNotMatch),
    unavailable: quiet(partsTexts.noAnswerFromTheBank, CircleHelp),
  },
  /** The delivery of an event. */
  event: {
    waiting: waiting(partsTexts.pending),
    retrying: warning(partsTexts.retrying, RotateCcw),
    delivered: good(partsTexts.delivered),
    undelivered: bad(partsTexts.failed),
    unsent: quiet(partsTexts.notSent, Ban),
  },
  endpoint: {
    none: quiet(partsTexts.notConfigured),
    working: good(partsTexts.working),
    failing_sometimes: warning(partsTexts.failingSometimes, RotateCcw),
    failing: bad(partsTexts.failing),
    secret_unreadable: bad(partsTexts.secretUnreadable),
    disabled: quiet(partsTexts.disabled, CirclePause),
    paused: quiet(partsTexts.paused, CirclePause),
  },
  approval: {
    waiting: warning(partsTexts.awaitingApproval, Hourglass),
    pending: warning(partsTexts.awaitingApproval, Hourglass),
    approved: good(partsTexts.approved),
    applied: good(partsTexts.approved),
    declined: bad(partsTexts.declined),
    withdrawn: quiet(partsTexts.withdrawn, Ban),
    expired: quiet(partsTexts.expired, Ban),
  },
  /** A version of the rules. */
  ruleSet: {
    proposed: warning(partsTexts.awaitingApproval, Hourglass),
    active: good(partsTexts.inForce),
    replaced: quiet(partsTexts.replaced, RotateCcw),
    declined: bad(partsTexts.declined),
    expired: quiet(partsTexts.expired, Ban),
  },
  /** The result of an identity check. */
  report: {
    pending: waiting(partsTexts.noResultYet),
    approved: good(partsTexts.approved),
    rejected: bad(partsTexts.rejected),
    retry: warning(partsTexts.canResubmit, RotateCcw),
    on_hold: warning(partsTexts.onHold, Hourglass),
  },
  check: {
    pass: good(partsTexts.passed),
    warn: warning(partsTexts.needsReview),
    fail: bad(partsTexts.failed),
    none: quiet(partsTexts.notChecked),
  },
  /** A match of a receiver with an entry of a list. */
  hit: {
    open: warning(partsTexts.open, Hourglass),
    same: bad(partsTexts.confirmed),
    different: good(partsTexts.cleared),
    ended: quiet(partsTexts.ended, Ban),
  },
  /** The decision about a payout that was on hold. */
  hold: {
    released: good(partsTexts.released),
    refused: bad(partsTexts.refused),
  },
  key: {
    active: good(partsTexts.active),
    awaiting_approval: waiting(partsTexts.awaitingApproval),
    expiring: warning(partsTexts.expiring, Hourglass),
    expired: quiet(partsTexts.expired, Ban),
    revoked: quiet(partsTexts.revoked, Ban),
  },
  user: {
    active: good(partsTexts.active),
    invited: waiting(partsTexts.invited),
    disabled: quiet(partsTexts.disabled, Ban),
  },
  /** The reconciliation of the ledger. */
  books: {
    agree: good(partsTexts.balanced),
    differ: bad(partsTexts.outOfBalance),
    adding: busy(partsTexts.calculating),
    closed: quiet(partsTexts.closed, Lock),
  },
  /** A bank batch. */
  batch: {
    frozen: warning(partsTexts.awaitingApproval, Hourglass),
    approved: waiting(partsTexts.approved, CircleCheck),
    sending: busy(partsTexts.sending, Send),
    sent: good(partsTexts.sent, Send),
    accepted: good(partsTexts.accepted),
    partly_rejected: warning(partsTexts.partlyRejected),
    rejected: bad(partsTexts.rejected),
    discarded: quiet(partsTexts.discarded, Ban),
  },
  /** What a bank answered when it was asked for a payment. */
  recall: {
    waiting: waiting(partsTexts.noAnswerYet, Hourglass),
    accepted: good(partsTexts.accepted),
    refused: bad(partsTexts.refused),
    withdrawn: quiet(partsTexts.withdrawn, Ban),
    expired: quiet(partsTexts.expired, Ban),
  },
  /** What came of a bank's report. */
  bankReport: {
    applied: good(partsTexts.applied),
    noted: quiet(partsTexts.noted),
    suspended: warning(partsTexts.inSuspense, Hourglass),
    repeated: quiet(partsTexts.repeated, RotateCcw),
  },
  suspense: {
    open: warning(partsTexts.open, Hourglass),
    matched: good(partsTexts.matched),
    split: quiet(partsTexts.split),
    returned: quiet(partsTexts.moneyReturned, Undo2),
    closed: quiet(partsTexts.closed, Ban),
    funded: good(partsTexts.fundedASubaccount),
    company: good(partsTexts.companyMoney),
    merged: quiet(partsTexts.merged, Ban),
  },
  /** A line of a bank's statement. */
  statementLine: {
    open: warning(partsTexts.open, Hourglass),
    matched: good(partsTexts.matched),
    suspended: warning(partsTexts.inSuspense, Hourglass),
    noted: quiet(partsTexts.noted),
    doubtful: warning(partsTexts.inDoubt, Hourglass),
    repeated: quiet(partsTexts.repeated, Ban),
  },
  /** A bank connection. */
  connection: {
    enabled: good(partsTexts.active),
    disabled: quiet(partsTexts.disabled, CirclePause),
    unreadable: bad(partsTexts.unreadable),
  },
  /** What would become of a row of a file. */
  importRow: {
    ready: good(importsTexts.ready),
    problem: bad(importsTexts.problem),
    duplicate: warning(importsTexts.duplicate),
    already_imported: quiet(importsTexts.alreadyImported),
  },
  /** How far the import of a file came. */
  fileImport: {
    running: busy(batchesTexts.states.running),
    stopped: warning(batchesTexts.states.stopped, CirclePause),
    done: good(batchesTexts.states.done),
  },
  mode: {
    test: warning(partsTexts.testMode, CircleDot),
    live: good(partsTexts.live, CircleDot),
  },
} as const satisfies Record<string, Record<string, Look>>;

export type LookOf = keyof typeof looks | "http";

export function statusLook(of: LookOf, value: string): Look {
  if (of === "http") return httpLook(value);
  const known: Record<string, Look> = looks[of];
  return known[value] ?? quiet(inWords(value), CircleHelp);
}

/** The status of an HTTP response. 0: there was none. */
function httpLook(value: string): Look {
  const status = Number(value);
  if (!(status > 0)) return bad(partsTexts.noResponse);
  if (status < 300) return good(value);
  if (status < 400) return quiet(value);
  return status < 500 ? warning(value) : bad(value);
}

function inWords(value: string): string {
  const words = value.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
