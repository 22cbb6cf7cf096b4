// Schemas of payouts.

import Type, { type Static } from "typebox";
import { type RecallOutcome, recallOutcomes } from "../../../banking/answers/index.ts";
import { Balance, BalanceEntry } from "../../../money/ledger/index.ts";
import {
  type ApprovalReason,
  approvalRules,
  Payout,
  type Resolution,
  resolutions,
  stages,
  statuses,
} from "../../../money/payouts/index.ts";
import { eventStatuses } from "../../../platform/event-catalogue/index.ts";
import { input, line, optional, Sum } from "../../../platform/fields/index.ts";
import { metadataPairPattern } from "../../../platform/metadata/index.ts";
import { pageOf, rowsField, sortedCursorField, timeField } from "../../lists/index.ts";
import { RequestLine } from "../../request-list/index.ts";
import { timeRanges } from "../rollups/time-ranges.ts";
import { searchLimits } from "../search/search-limits.ts";
import { idsOf } from "../subaccounts/schema.ts";
import { sortKeys } from "./queries.ts";

const oneOf = (names: readonly string[]) =>
  optional(Type.String({ pattern: `^(${names.join("|")})$` }));
const severalOf = (names: readonly string[]) => {
  const one = `(${names.join("|")})`;
  return optional(Type.String({ pattern: `^${one}(,${one}){0,${names.length - 1}}$` }));
};
const id = optional(Type.String({ format: "known-id" }));
/** Minor units. */
const amount = optional(Type.String({ pattern: "^(0|[1-9][0-9]{0,15})$" }));
const text = (maxLength: number) =>
  optional(Type.String({ minLength: 1, maxLength, pattern: line }));

/** `order=77` */
const metadataPair = optional(Type.String({ pattern: metadataPairPattern, maxLength: 541 }));

const filters = {
  status: oneOf(statuses),
  /** One stage, or several with commas. */
  stage: severalOf(Object.keys(stages)),
  currency: optional(Type.String({ format: "currency" })),
  amount_min: amount,
  amount_max: amount,
  receiver_id: id,
  receiver_account_id: id,
  reference: text(200),
  batch_id: id,
  from: timeField,
  to: timeField,
  created_by: text(300),
  cause: text(80),
  metadata: metadataPair,
};
export const PayoutExportQuery = input(filters);
/** A minus means descending. */
const sort = optional(Type.String({ pattern: `^-?(created|${sortKeys.join("|")})$` }));
export const PayoutQuery = input({ ...filters, sort, limit: rowsField, cursor: sortedCursorField });
export type PayoutQuery = Static<typeof PayoutQuery>;

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const PayoutLine = Type.Object({
  id: Type.String(),
  created_at: Type.Number(),
  updated_at: Type.Number(),
  amount: Type.Number(),
  currency: Type.String(),
  status: Type.String({ enum: [...statuses] }),
  stage: Type.String({ enum: Object.keys(stages) }),
  cause: Type.String(),
  reference: Type.String(),
  created_by: Type.String(),
  receiver: Type.Object({ id: Type.String(), name: Type.String() }),
  account: Type.Object({ id: Type.String(), tail: Type.String(), bank_name: Type.String() }),
  /** The latest event and the state of its delivery. */
  event: orNull(
    Type.Object({
      id: Type.String(),
      status: Type.String({ enum: [...eventStatuses] }),
      attempts: Type.Number(),
      /** The last HTTP status of the webhook endpoint. Null: no response yet. */
      http_status: orNull(Type.Number()),
    }),
  ),
});
export type PayoutLine = Static<typeof PayoutLine>;
export const PayoutLines = Type.Object({
  ...pageOf(PayoutLine).properties,
  /** The sort covers only this many of the newest payouts that match. Null: all of them. */
  sorted_among: orNull(Type.Number()),
});
export type PayoutLines = Static<typeof PayoutLines>;

export const PayoutSums = Type.Object({
  /** Null: at least `most` payouts match, and they are not added up. */
  count: orNull(Type.Number()),
  most: Type.Number(),
  sums: Type.Array(Type.Object({ currency: Type.String(), amount: Sum })),
});
export type PayoutSums = Static<typeof PayoutSums>;

export const BoardQuery = input({
  range: optional(Type.String({ pattern: `^(${timeRanges.join("|")})$` })),
  time_zone: optional(Type.String({ format: "time-zone" })),
});
export type BoardQuery = Static<typeof BoardQuery>;

const BoardColumn = Type.Object({
  key: Type.String(),
  stages: Type.Array(Type.String({ enum: Object.keys(stages) })),
  /** Payouts that wait are counted up to `most` + 1, which means that there are more. */
  count: Type.Number(),
  /** What goes to the bank, by currency. Null: too many to add up. */
  sums: Type.Array(Type.Object({ currency: Type.String(), amount: orNull(Sum) })),
  /** When the oldest was created. */
  oldest_at: orNull(Type.Number()),
});
export type BoardColumn = Static<typeof BoardColumn>;

/** What waits, as it is now; and what became of the payouts that were created from `from` to `to`. */
export const PayoutBoard = Type.Object({
  range: Type.String(),
  from: Type.Number(),
  to: Type.Number(),
  most: Type.Number(),
  /** The roll-ups are not up to date yet: the columns of the time range miss some payouts. */
  is_behind: Type.Boolean(),
  columns: Type.Array(BoardColumn),
});
export type PayoutBoard = Static<typeof PayoutBoard>;

/** Each is counted up to `most` + 1, which means that there are more. */
export const PayoutCounts = Type.Object({
  all: Type.Number(),
  pending: Type.Number(),
  successful: Type.Number(),
  failed: Type.Number(),
  most: Type.Number(),
});
export type PayoutCounts = Static<typeof PayoutCounts>;

const named = <Name extends string>(...names: Name[]) =>
  Type.Unsafe<Name>({ type: "string", enum: names });
const tone = named("good", "bad", "waiting", "warning", "quiet", "busy", "plain");

export const TimelineEntry = Type.Object({
  at: Type.Number(),
  kind: named("request", "state", "rail", "rule", "ledger", "act", "event", "attempt"),
  title: Type.String(),
  detail: Type.String(),
  /** The actor in words. Empty if there is none. */
  who: Type.String(),
  tone,
  links: Type.Array(
    Type.Object({ kind: named("event", "request", "payout", "bank_file"), id: Type.String() }),
  ),
  /** On the last attempt: the time of the next one. */
  next_at: Type.Optional(Type.Number()),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

const EventLine = Type.Object({
  id: Type.String(),
  type: Type.String(),
  status: Type.String({ enum: [...eventStatuses] }),
  created_at: Type.Number(),
  attempts: Type.Number(),
  http_status: orNull(Type.Number()),
  next_attempt_at: orNull(Type.Number()),
});

const ActLine = Type.Object({
  number: Type.Number(),
  at: Type.Number(),
  who: Type.String(),
  action: Type.String(),
  object: Type.Object({ kind: Type.String(), id: Type.String() }),
  before: Type.Unknown(),
  after: Type.Unknown(),
});

/** We asked the bank for the payment, and what it answered. */
const ShownRecall = Type.Object({
  id: Type.String(),
  note: Type.String(),
  /** The actor in words. */
  requested_by: Type.String(),
  requested_at: Type.Number(),
  outcome: named<RecallOutcome | "waiting">("waiting", ...recallOutcomes),
  outcome_note: Type.String(),
  decided_by: Type.String(),
  decided_at: orNull(Type.Number()),
});

export const PayoutDetail = Type.Object({
  ...PayoutLine.properties,
  cause_code: Type.String(),
  note: Type.String(),
  batch_id: orNull(Type.String()),
  rail: Type.String(),
  provider_reference: Type.String(),
  send_on: Type.String(),
  statement_reference: Type.String(),
  /** The banking day on which the bank pays it, and when the receiver should have the money. Empty: not known. */
  process_date: Type.String(),
  expected_arrival: Type.String(),
  fee: Type.Number(),
  /** What goes to the bank. */
  sent_amount: Type.Number(),
  /** The bank file that holds it. */
  bank_file: orNull(
    Type.Object({
      batch_id: Type.String(),
      file_name: Type.String(),
      line: Type.Number(),
      status: Type.String(),
    }),
  ),
  made_by: Type.String(),
  /** The failed payout that this one retries, and the payout that retries this one. */
  retry_of: orNull(Type.String()),
  retried_as: orNull(Type.String()),
  /** Why and since when it is set aside. */
  set_aside: orNull(Type.Object({ reason: Type.String(), since: Type.Number() })),
  /** The outcome that one user has proposed. */
  resolution: orNull(
    Type.Object({
      outcome: named<Resolution>(...resolutions),
      reason: Type.String(),
      proposed_by: Type.String(),
      proposed_at: Type.Number(),
    }),
  ),
  /** Whether it can be resolved by hand now. */
  is_resolvable: Type.Boolean(),
  /** Newest first. */
  recalls: Type.Array(ShownRecall),
  /** Whether the bank can be asked for it now. */
  is_recallable: Type.Boolean(),
  timeline: Type.Array(TimelineEntry),
  what_now: Type.Object({ line: Type.String(), tone }),
  events: Type.Array(EventLine),
  /** The API requests that created and changed it. */
  requests: Type.Array(RequestLine),
  entries: Type.Array(BalanceEntry),
  /** Empty for users who may not read the audit log. */
  acts: Type.Array(ActLine),
  /** As the API returns it. */
  json: Payout,
});
export type PayoutDetail = Static<typeof PayoutDetail>;

/** What it costs and when it would be paid; whether it would need approval, and why. */
export const PayoutPreview = Type.Object({
  fee: Type.Number(),
  /** What would go to the bank. */
  sent_amount: Type.Number(),
  process_date: Type.String(),
  expected_arrival: Type.String(),
  approval: Type.Array(
    Type.Object({
      rule: named<ApprovalReason["rule"]>(...approvalRules),
      /** The threshold in minor units. Null if the rule has none. */
      above: orNull(Type.Number()),
    }),
  ),
  /** By a threshold or by a rule. */
  needs_approval: Type.Boolean(),
  /** It would be on hold. */
  needs_review: Type.Boolean(),
  /** Available, once this payout has taken its part. */
  balance_after: Sum,
  /** Of the last 30 days, newest first. */
  similar: Type.Array(
    Type.Object({
      id: Type.String(),
      why: named("amount", "reference", "near_reference"),
      amount: Type.Number(),
      currency: Type.String(),
      reference: Type.String(),
      stage: Type.String(),
      receiver_name: Type.String(),
      created_at: Type.Number(),
    }),
  ),
  account: Type.Object({
    added_at: Type.Number(),
    added_by: Type.String(),
    /** Null: never since then. */
    changed_at: orNull(Type.Number()),
    changed_by: Type.String(),
    /** Null: nothing was paid to it yet. */
    last_paid_at: orNull(Type.Number()),
  }),
});
export type PayoutPreview = Static<typeof PayoutPreview>;

export const BalanceList = Type.Object({
  rows: Type.Array(Balance),
  /** Without a bank every payout would be refused. */
  is_bank_connected: Type.Boolean(),
});
export type BalanceList = Static<typeof BalanceList>;

/** Why it can't be paid. Null: it can. */
const blocked_by = orNull(Type.String());

export const PayeeIds = idsOf(searchLimits.choicesMax);
export const BlockedPayees = Type.Object({
  rows: Type.Array(Type.Object({ id: Type.String(), blocked_by })),
});
export type BlockedPayees = Static<typeof BlockedPayees>;

export const Payee = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** Of the receiver. An account can be in another one. */
  country: Type.String(),
  blocked_by,
  accounts: Type.Array(
    Type.Object({
      id: Type.String(),
      /** The name of the business. Empty: the account is a person's. */
      business: Type.String(),
      tail: Type.String(),
      bank_name: Type.String(),
      country: Type.String(),
      /** The currency of accounts in that country, if known. */
      currency: orNull(Type.String()),
      blocked_by,
    }),
  ),
});
export type Payee = Static<typeof Payee>;
