// What each state looks like: one table for the whole console.

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
  Hourglass,
  Lock,
  type LucideIcon,
  RotateCcw,
  Send,
  Undo2,
} from "lucide-react";

export type Tone = "good" | "bad" | "waiting" | "warning" | "quiet" | "busy";
type Look = { word: string; tone: Tone; icon: LucideIcon };

const good = (word: string, icon = CircleCheck): Look => ({ word, tone: "good", icon });
const bad = (word: string, icon = CircleX): Look => ({ word, tone: "bad", icon });
const waiting = (word: string, icon = Clock): Look => ({ word, tone: "waiting", icon });
const warning = (word: string, icon = CircleAlert): Look => ({ word, tone: "warning", icon });
const quiet = (word: string, icon = CircleDashed): Look => ({ word, tone: "quiet", icon });
const busy = (word: string, icon = CircleDot): Look => ({ word, tone: "busy", icon });

const looks = {
  /** Both the published status and our finer stage. */
  payout: {
    pending: waiting("Pending"),
    successful: good("Successful"),
    failed: bad("Failed"),
    awaiting_approval: warning("Awaiting approval", Hourglass),
    queued: waiting("Queued"),
    submitted: busy("Sent to bank", Send),
    settled: good("Settled"),
    rejected: bad("Rejected"),
    cancelled: quiet("Cancelled", Ban),
    returned: bad("Returned", Undo2),
  },
  receiver: {
    creating: quiet("Creating"),
    pending: waiting("Pending"),
    active: good("Active"),
    inactive: quiet("Inactive", CirclePause),
    failed: bad("Failed"),
  },
  kyc: {
    pending: waiting("Pending"),
    completed: good("Completed"),
    failed: bad("Failed"),
    review: warning("In review", Eye),
  },
  account: {
    active: good("Active"),
    pending: waiting("Pending"),
    inactive: quiet("Closed", CirclePause),
    closed: quiet("Closed", CirclePause),
    failed: bad("Failed"),
  },
  /** An event on its way to the endpoint. */
  event: {
    waiting: waiting("Waiting"),
    retrying: warning("Retrying", RotateCcw),
    delivered: good("Delivered"),
    undelivered: bad("Undelivered"),
    unsent: quiet("Not sent", Ban),
  },
  endpoint: {
    none: quiet("Not set"),
    working: good("Working"),
    failing_sometimes: warning("Failing sometimes", RotateCcw),
    failing: bad("Failing"),
    disabled: quiet("Disabled", CirclePause),
    paused: quiet("Paused", CirclePause),
  },
  approval: {
    waiting: warning("Waiting", Hourglass),
    pending: warning("Waiting", Hourglass),
    approved: good("Approved"),
    applied: good("Approved"),
    declined: bad("Declined"),
    withdrawn: quiet("Withdrawn", Ban),
  },
  /** What was said of an identity check. */
  report: {
    pending: waiting("No result yet"),
    approved: good("Approved"),
    rejected: bad("Rejected"),
    retry: warning("To try again", RotateCcw),
    on_hold: warning("On hold", Hourglass),
  },
  check: {
    pass: good("Passed"),
    warn: warning("Look at it"),
    fail: bad("Failed"),
    none: quiet("Not done"),
  },
  key: {
    active: good("Active"),
    awaiting_approval: waiting("Awaiting approval"),
    expiring: warning("Expiring", Hourglass),
    expired: quiet("Expired", Ban),
    revoked: quiet("Revoked", Ban),
  },
  person: {
    active: good("Active"),
    invited: waiting("Invited"),
    disabled: quiet("Disabled", Ban),
  },
  /** Whether all that say how much there is say the same. */
  books: {
    agree: good("Agree"),
    differ: bad("Differ"),
    adding: busy("Adding up"),
    closed: quiet("Closed", Lock),
  },
  mode: {
    test: warning("Sandbox", CircleDot),
    live: good("Live", CircleDot),
  },
} as const satisfies Record<string, Record<string, Look>>;

export type LookOf = keyof typeof looks | "http";

export function statusLook(of: LookOf, value: string): Look {
  if (of === "http") return httpLook(value);
  const known: Record<string, Look> = looks[of];
  return known[value] ?? quiet(inWords(value), CircleHelp);
}

/** An HTTP answer; 0 is none. */
function httpLook(value: string): Look {
  const status = Number(value);
  if (!(status > 0)) return bad("No answer");
  if (status < 300) return good(value);
  if (status < 400) return quiet(value);
  return status < 500 ? warning(value) : bad(value);
}

function inWords(value: string): string {
  const words = value.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
