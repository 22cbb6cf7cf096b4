// Word, tone and icon of every status: one table for the whole console.

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
    queued: waiting("Queued"),
    batched: waiting("In bank file", FileText),
    submitted: busy("Sent to bank", Send),
    settled: good(partsTexts.successful),
    rejected: bad(partsTexts.rejected),
    cancelled: quiet("Cancelled", Ban),
    returned: bad("Returned", Undo2),
  },
  receiver: {
    creating: quiet("Creating"),
    pending: waiting(partsTexts.pending),
    active: good(partsTexts.active),
    inactive: quiet("Inactive", CirclePause),
    failed: bad(partsTexts.failed),
  },
  kyc: {
    pending: waiting(partsTexts.pending),
    completed: good("Completed"),
    failed: bad(partsTexts.failed),
    review: warning("In review", Eye),
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
    match: good("Name matches"),
    close_match: warning("Name nearly matches"),
    no_match: bad("Name does not match"),
    unavailable: quiet("No answer from the bank", CircleHelp),
  },
  /** The delivery of an event. */
  event: {
    waiting: waiting(partsTexts.pending),
    retrying: warning("Retrying", RotateCcw),
    delivered: good("Delivered"),
    undelivered: bad("No longer retried"),
    unsent: quiet("Not sent", Ban),
  },
  endpoint: {
    none: quiet("Not configured"),
    working: good("Working"),
    failing_sometimes: warning("Failing sometimes", RotateCcw),
    failing: bad("Failing"),
    secret_unreadable: bad("Secret unreadable"),
    disabled: quiet(partsTexts.disabled, CirclePause),
    paused: quiet("Paused", CirclePause),
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
    active: good("In force"),
    replaced: quiet("Replaced", RotateCcw),
    declined: bad(partsTexts.declined),
    expired: quiet(partsTexts.expired, Ban),
  },
  /** A version of a sanctions list. */
  listVersion: {
    waiting: warning(partsTexts.awaitingApproval, Hourglass),
    active: good("In force"),
    replaced: quiet("Replaced", RotateCcw),
    declined: bad(partsTexts.declined),
    expired: quiet(partsTexts.expired, Ban),
  },
  /** A sanctions list. */
  list: {
    old: warning("Old", Hourglass),
  },
  /** The result of an identity check. */
  report: {
    pending: waiting("No result yet"),
    approved: good(partsTexts.approved),
    rejected: bad(partsTexts.rejected),
    retry: warning("Can resubmit", RotateCcw),
    on_hold: warning(partsTexts.onHold, Hourglass),
  },
  check: {
    pass: good("Passed"),
    warn: warning("Needs review"),
    fail: bad(partsTexts.failed),
    none: quiet("Not checked"),
  },
  /** A match of a receiver with an entry of a list. */
  hit: {
    open: warning(partsTexts.open, Hourglass),
    same: bad("Confirmed"),
    different: good("Cleared"),
    ended: quiet("Ended", Ban),
  },
  /** The decision about a payout that was on hold. */
  hold: {
    released: good("Released"),
    refused: bad(partsTexts.refused),
  },
  key: {
    active: good(partsTexts.active),
    awaiting_approval: waiting(partsTexts.awaitingApproval),
    expiring: warning("Expiring", Hourglass),
    expired: quiet(partsTexts.expired, Ban),
    revoked: quiet("Revoked", Ban),
  },
  /** A token of a program. */
  token: {
    active: good(partsTexts.active),
    waiting: warning(partsTexts.awaitingApproval, Hourglass),
    ended: quiet("Ended", Ban),
  },
  user: {
    active: good(partsTexts.active),
    invited: waiting("Invited"),
    disabled: quiet(partsTexts.disabled, Ban),
  },
  /** The reconciliation of the ledger. */
  books: {
    agree: good(partsTexts.balanced),
    differ: bad(partsTexts.outOfBalance),
    adding: busy("Calculating"),
    closed: quiet(partsTexts.closed, Lock),
  },
  /** The books against the bank. */
  position: {
    balanced: good(partsTexts.balanced),
    exceptions: warning("Open exceptions"),
    unexplained: bad(partsTexts.outOfBalance),
  },
  /** A bank batch. */
  batch: {
    frozen: warning(partsTexts.awaitingApproval, Hourglass),
    approved: waiting(partsTexts.approved, CircleCheck),
    sending: busy("Sending", Send),
    sent: good("Sent", Send),
    accepted: good(partsTexts.accepted),
    partly_rejected: warning("Partly rejected"),
    rejected: bad(partsTexts.rejected),
    discarded: quiet("Discarded", Ban),
  },
  /** What a bank answered when it was asked for a payment. */
  recall: {
    waiting: waiting("No answer yet", Hourglass),
    accepted: good(partsTexts.accepted),
    refused: bad(partsTexts.refused),
    withdrawn: quiet(partsTexts.withdrawn, Ban),
    expired: quiet(partsTexts.expired, Ban),
  },
  /** What came of a bank's report. */
  bankReport: {
    applied: good("Applied"),
    noted: quiet(partsTexts.noted),
    suspended: warning(partsTexts.inSuspense, Hourglass),
    repeated: quiet(partsTexts.repeated, RotateCcw),
  },
  suspense: {
    open: warning(partsTexts.open, Hourglass),
    matched: good(partsTexts.matched),
    split: quiet("Split"),
    returned: quiet("Money returned", Undo2),
    closed: quiet(partsTexts.closed, Ban),
    funded: good("Funded a subaccount"),
    company: good("Company's own"),
    merged: quiet("Merged", Ban),
  },
  /** A line of a bank's statement. */
  statementLine: {
    open: warning(partsTexts.open, Hourglass),
    matched: good(partsTexts.matched),
    suspended: warning(partsTexts.inSuspense, Hourglass),
    noted: quiet(partsTexts.noted),
    doubtful: warning("May be repeated", Hourglass),
    repeated: quiet(partsTexts.repeated, Ban),
  },
  /** A bank connection. */
  connection: {
    enabled: good(partsTexts.active),
    disabled: quiet(partsTexts.disabled, CirclePause),
    unreadable: bad("Can't be decrypted"),
  },
  /** What would become of a row of a file. */
  importRow: {
    ready: good(importsTexts.ready),
    problem: bad(importsTexts.problem),
    duplicate: warning(importsTexts.duplicate),
    already_imported: quiet(importsTexts.alreadyImported),
    exists: quiet(importsTexts.exists),
    account_waits: quiet(importsTexts.accountWaits),
  },
  /** What the row of a file needs before it is paid. */
  newPayee: {
    receiver: busy(importsTexts.newReceiver),
    account: busy(importsTexts.newAccount),
    account_waits: quiet(importsTexts.accountWaits),
    identity_check: quiet(importsTexts.identityCheck),
  },
  /** What a row of an import waits for. */
  waitingRow: {
    ready: good(importsTexts.readyNow),
    account_waits: quiet(importsTexts.accountWaits),
    identity_check: quiet(importsTexts.identityCheck),
    account_declined: warning(importsTexts.accountDeclined, CirclePause),
    receiver_blocked: warning(importsTexts.receiverBlocked, CirclePause),
  },
  /** How far the import of a file came. */
  fileImport: {
    running: busy("Importing"),
    stopped: warning("Stopped", CirclePause),
    done: good("Done"),
  },
  mode: {
    test: warning("Test mode", CircleDot),
    live: good("Live", CircleDot),
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
  if (!(status > 0)) return bad("No response");
  if (status < 300) return good(value);
  if (status < 400) return quiet(value);
  return status < 500 ? warning(value) : bad(value);
}

function inWords(value: string): string {
  const words = value.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
