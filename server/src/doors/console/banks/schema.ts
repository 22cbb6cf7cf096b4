// Schemas of bank connections and bank batches.

import Type, { type Static, type TSchema } from "typebox";
import { batchStatuses, type SendFailure, sendFailures } from "../../../banking/files/index.ts";
import { modes } from "../../../platform/base/index.ts";
import { input, optional, Sum } from "../../../platform/fields/index.ts";
import { rowsField } from "../../lists/index.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);
const uuid = Type.String({ format: "uuid" });
const ModeName = Type.String({ enum: [...modes] });

/** A day's file: when it is frozen, and until when the bank takes it. */
const Window = Type.Object({
  process_date: Type.String(),
  freezes_at: Type.Number(),
  cutoff: Type.Number(),
});

export const ConnectionLine = Type.Object({
  id: Type.String(),
  name: Type.String(),
  mode: ModeName,
  format: Type.String(),
  currency: Type.String(),
  countries: Type.Array(Type.String()),
  account: Type.String({ description: "Masked" }),
  time_zone: Type.String(),
  freeze_at: Type.String(),
  bank_cutoff: Type.String(),
  releasers: Type.Number(),
  fee: Type.String({ description: "In words; none where payouts cost nothing" }),
  subaccounts: orNull(Type.Number({ description: "How many use it. Null: all" })),
  disabled_at: orNull(Type.Number()),
  /** The file that takes new payouts. Null: the settings can't be decrypted. */
  next: orNull(Window),
  /** The file that was frozen last, while it is not sent and the bank still takes it. */
  closing: orNull(Window),
  waiting: Type.Number({ description: "Payouts for the next file, counted up to a limit" }),
  has_more_waiting: Type.Boolean(),
});
export type ConnectionLine = Static<typeof ConnectionLine>;

export const BankList = Type.Object({
  rows: Type.Array(ConnectionLine),
  requested: Type.Number({ description: "Changes that wait for another admin" }),
});
export type BankList = Static<typeof BankList>;

/** A field of a format's settings, for the form. */
const SettingField = Type.Object({
  name: Type.String(),
  description: Type.String(),
  kind: Type.String({ enum: ["text", "yes_no", "number", "choice"] }),
  choices: Type.Array(Type.String()),
  is_required: Type.Boolean(),
  default: Type.String(),
});
export type SettingField = Static<typeof SettingField>;

export const FormatList = Type.Object({
  rows: Type.Array(
    Type.Object({
      format: Type.String(),
      settings: Type.Array(SettingField),
      usual: Type.Object({
        currency: Type.String(),
        countries: Type.Array(Type.String()),
        calendar: Type.String(),
        time_zone: Type.String(),
        bank_cutoff: Type.String(),
        success_days: Type.Number(),
      }),
    }),
  ),
  calendars: Type.Array(Type.String()),
});
export type FormatList = Static<typeof FormatList>;

/** A connection as its form shows it. */
export const ConnectionFields = Type.Object({
  name: Type.String(),
  mode: ModeName,
  format: Type.String(),
  currency: Type.String(),
  countries: Type.Array(Type.String()),
  calendar: Type.String(),
  closed_days: Type.Array(Type.String()),
  time_zone: Type.String(),
  bank_cutoff: Type.String(),
  freeze_at: Type.String(),
  success_when: Type.String(),
  success_days: Type.Number(),
  releasers: Type.Number(),
  subaccount_ids: orNull(Type.Array(Type.String())),
  file_count_max: orNull(Type.Number()),
  file_total_max: orNull(Sum),
  fee_fixed: orNull(Type.Number()),
  fee_percent: orNull(Type.String()),
  fee_min: orNull(Type.Number()),
  fee_max: orNull(Type.Number()),
  fee_bearer: orNull(Type.String()),
  account: Type.String({ description: "Masked" }),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: "Without the account number",
  }),
  travels: Type.String({ enum: ["download", "sftp"] }),
  sftp: Type.Record(Type.String(), Type.Unknown(), { description: "Without secrets" }),
  sftp_secrets: Type.Array(Type.String(), { description: "The names of those that are set" }),
});
export type ConnectionFields = Static<typeof ConnectionFields>;

const BatchStatusName = Type.String({ enum: Object.keys(batchStatuses) });

export const BankBatchQuery = input({
  state: optional(Type.String({ pattern: "^(open|all)$" })),
  connection_id: optional(uuid),
  limit: rowsField,
  cursor: optional(uuid),
});

export const BankBatchLine = Type.Object({
  id: Type.String(),
  connection_id: Type.String(),
  connection_name: Type.String(),
  mode: ModeName,
  sequence: Type.Number(),
  status: BatchStatusName,
  process_date: Type.String(),
  cutoff: Type.Number(),
  is_late: Type.Boolean({ description: "Not sent when the bank stopped to take it" }),
  payouts: Type.Number(),
  total: Sum,
  currency: Type.String(),
  file_name: Type.String(),
  frozen_at: Type.Number(),
});
export type BankBatchLine = Static<typeof BankBatchLine>;

export const BatchTimelineEntry = Type.Object({
  at: Type.Number(),
  what: Type.String({
    enum: ["freeze", "view", "approve", "download", "sent", "discard", "other"],
  }),
  who: Type.String(),
  detail: Type.String(),
});
export type BatchTimelineEntry = Static<typeof BatchTimelineEntry>;

/** Why the file could not be sent by SFTP. */
const SendProblem = Type.Object({
  failure: Type.Unsafe<SendFailure>(Type.String({ enum: Object.keys(sendFailures) })),
  problem: Type.String(),
  tries: Type.Number(),
  /** Null: it is being tried now, or a user has to decide. */
  next_try_at: orNull(Type.Number()),
  needs_user: Type.Boolean(),
});

export const BankBatchDetail = Type.Object({
  ...BankBatchLine.properties,
  format: Type.String(),
  travels: Type.String({ enum: ["download", "sftp"] }),
  account: Type.String({ description: "Our account, masked" }),
  sha256: Type.String(),
  bytes: Type.Number(),
  frozen_by: Type.String(),
  approved_by: Type.Array(Type.String()),
  approvals_missing: Type.Number(),
  /** Why this user can't approve it. Null: they can. */
  why_not: orNull(Type.String()),
  downloaded_at: orNull(Type.Number()),
  downloaded_by: Type.String(),
  sent_at: orNull(Type.Number()),
  sent_by: Type.String(),
  bank_reference: Type.String(),
  /** Who asked to discard it. A second user confirms it. */
  discard_by: Type.String(),
  discarded_at: orNull(Type.Number()),
  /** Null: there is none. */
  send_problem: orNull(SendProblem),
  may_have_left: Type.Boolean({ description: "Discarding it takes two users" }),
  timeline: Type.Array(BatchTimelineEntry),
});
export type BankBatchDetail = Static<typeof BankBatchDetail>;

export const FileLineQuery = input({
  limit: rowsField,
  cursor: optional(Type.String({ pattern: "^\\d{1,9}$" })),
});

export const ShownFileLine = Type.Object({
  line: Type.Number(),
  payout_id: Type.String(),
  subaccount_id: Type.String(),
  subaccount_name: Type.String(),
  receiver_name: Type.String(),
  bank: Type.String(),
  account: Type.String({ description: "Masked" }),
  amount: Type.Number(),
  currency: Type.String(),
  reference: Type.String(),
  stage: Type.String(),
});
export type ShownFileLine = Static<typeof ShownFileLine>;

const UnusualItems = Type.Object({
  count: Type.Number(),
  /** The largest of them. */
  items: Type.Array(ShownFileLine),
});

/** What an approver looks at first. */
export const BatchReview = Type.Object({
  largest: Type.Array(ShownFileLine),
  median: Type.Number(),
  first_payment: UnusualItems,
  far_above_median: UnusualItems,
  changed_details: UnusualItems,
  same_account_twice: UnusualItems,
  /** One bank account under several receivers. */
  shared_account: UnusualItems,
  looked_at: Type.Number({ description: "How many of the largest were compared" }),
});
export type BatchReview = Static<typeof BatchReview>;
