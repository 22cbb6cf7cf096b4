// The shapes of payouts, and of the balance that they are paid from, spelt as they travel on the wire.

import type { Metadata } from "./wire.ts";

/** The published state of a payout. */
export type PayoutStatus = "pending" | "successful" | "failed";

/** The finer, internal state of a payout; each stage has one status. */
export type PayoutStage =
  | "on_hold"
  | "awaiting_approval"
  | "queued"
  | "batched"
  | "submitted"
  | "settled"
  | "rejected"
  | "cancelled"
  | "returned";

/** The fields of a new payout. */
export type NewPayout = {
  receiver_id: string;
  /** Id of one of the receiver's accounts. */
  account_id: string;
  /** Minor units, such as cents: a whole number, or a string of digits. */
  amount: number | string;
  /** Three upper-case letters, such as `AUD`: the currency of the account's country. */
  currency: string;
  /** Your own name for the payout. */
  reference?: string;
  note?: string;
  /** Create it even if an identical payout was made in the last 24 hours. */
  allow_duplicate?: boolean;
  /** YYYY-MM-DD: not sent before that day. If that is no banking day, on the next one. */
  send_on?: string;
  /** What the receiver sees on the statement; the reference if absent. */
  statement_reference?: string;
  /** External purpose code of ISO 20022, such as `SALA`, for banks that take one. */
  purpose?: string;
  /** Your own keys and values. */
  metadata?: Metadata;
};

/** The response to a creation. */
export type CreatedPayout = {
  payout_id: string;
  status: string;
  /** With `send_on`: the banking day on which it is sent. */
  process_date?: string;
};

/** The rules by which a payout waits for a second user. */
export type ApprovalRule =
  | "payout"
  | "batch"
  | "receiver_day"
  | "account_day"
  | "bank_details"
  | "new_account";

/** The response to a dry run. */
export type ValidatedPayout = {
  /** Whether it would be created now. */
  accepted: boolean;
  /** Why it would be refused: every reason, first the one that `create` would throw. */
  problems: { code: string; message: string; field?: string }[];
  /** Minor units; 0 where it costs nothing. Null: no bank is connected for it. */
  fee: number | null;
  /** What would go to the bank, in minor units. Together with the fee it is taken from the balance. Null: nothing. */
  sent_amount: number | null;
  /** Whether it would wait for a second user. */
  needs_approval: boolean;
  approval_rules: ApprovalRule[];
  /** Whether it would be on hold for a review. */
  needs_review: boolean;
  /** YYYY-MM-DD; empty in test mode, or if it would be refused. */
  process_date: string;
  /** YYYY-MM-DD; empty likewise. */
  expected_arrival: string;
};

/** The response to the creation of a payout batch. */
export type CreatedPayoutBatch = {
  batch_id: string;
  /** In the order of the request. */
  payouts: CreatedPayout[];
};

/** A payment to a receiver account. */
export type Payout = {
  id: string;
  receiver_id: string;
  receiver_account_id: string;
  /** Null when it was created alone. */
  batch_id: string | null;
  /** Minor units. */
  amount: number;
  currency: string;
  /** Your own name for the payout; may be empty. */
  reference: string;
  note: string;
  status: PayoutStatus;
  stage: PayoutStage;
  /** The reason of a failure, in words; otherwise empty. */
  cause: string;
  /** The bank's code for the reason; may be empty. */
  cause_code: string;
  /** The bank's reference; empty until there is one. */
  provider_reference: string;
  /** As requested; otherwise empty. */
  send_on: string;
  /** As requested; otherwise empty. */
  statement_reference: string;
  /** As requested; otherwise empty. */
  purpose: string;
  /** The banking day on which the bank pays it, YYYY-MM-DD; empty in test mode. */
  process_date: string;
  /** When the receiver should have the money, YYYY-MM-DD; empty in test mode. */
  expected_arrival: string;
  /** Minor units; absent where the payout costs nothing. */
  fee?: number;
  /** What goes to the bank, in minor units: less than the amount where the fee is taken out of it. Absent without a fee. */
  sent_amount?: number;
  /** The bank batch that it is in; null until its file is frozen. */
  bank_batch_id: string | null;
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
  /** Milliseconds since the Unix epoch, as a string. */
  updated_at: string;
  /** While it is on hold: a user reviews it before it is sent. */
  hold_reason?: "review";
  /** Only where it was set. */
  metadata?: Metadata;
};

/** The state of a payout batch. */
export type PayoutBatch = {
  id: string;
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
  count: number;
  /** Amounts in minor units, a row for each currency. */
  totals: { currency: string; count: number; amount: number }[];
  statuses: { status: string; count: number }[];
  /** Only where it was set. */
  metadata?: Metadata;
};

/**
 * A moment: a Date, milliseconds since the Unix epoch (a number, or digits as in `created_at`), or
 * ISO 8601, such as `2024-11-15` (in UTC) or `2024-11-15T09:30:00+11:00`.
 */
export type Time = Date | number | string;

/** Filters of a list of payouts. */
export type PayoutFilter = {
  status?: PayoutStatus;
  receiver_id?: string;
  receiver_account_id?: string;
  /** Your own name for the payout, whole. */
  reference?: string;
  batch_id?: string;
  /** One key and its value. */
  metadata?: Metadata;
  /** Created then or later. */
  from?: Time;
  /** Created before. */
  to?: Time;
  /** How many payouts one page holds at most. */
  limit?: number;
  /** Where to continue: the `nextCursor` of an earlier page. */
  cursor?: string;
};

/** The state of a payout at some time. */
export type PayoutStates = {
  status: PayoutStatus;
  stage: PayoutStage;
};

/** One change of a payout's state. */
export type PayoutHistoryEntry = {
  id: string;
  /** Milliseconds since the Unix epoch, as a string. */
  when: string;
  /** Who changed it: a key, an operator, a bank or the service itself. */
  who: string;
  reason: string;
  /** Null for the creation. */
  from: PayoutStates | null;
  to: PayoutStates;
};

/** The balance of a subaccount in one currency. */
export type Balance = {
  currency: string;
  /** Minor units that can be paid out. */
  available: number;
  /** Minor units that are held for payouts that were not sent yet. */
  held: number;
  /** Minor units that were sent to the bank and have no outcome yet. */
  in_transit: number;
};

/** A bank account that takes money for you. Texts are empty where the account has no such part. */
export type FundingAccount = {
  /** The name of the bank connection. */
  bank: string;
  holder_name: string;
  /** The account number or IBAN, in full. */
  account_number: string;
  /** Australia. */
  bsb: string;
  /** Routing number, sort code, or bank and branch. */
  bank_code: string;
  bic: string;
};

export type FundingCurrency = {
  currency: string;
  /** Write it into the reference or description of a transfer. It never changes. */
  deposit_reference: string;
  /** Empty with the sandbox bank. */
  bank_accounts: FundingAccount[];
};

/** How to fund the balances. */
export type FundingInstructions = {
  /** What to do, in words. */
  instructions: string;
  currencies: FundingCurrency[];
};

/** One ledger entry. */
export type BalanceEntry = {
  id: string;
  /** Number of the entry in its currency, without gaps. */
  number: number;
  /** Milliseconds since the Unix epoch, as a string. */
  when: string;
  /** Such as fund, hold, settle, fee or fee_refund. */
  kind: string;
  /** The ledger account that the amount was taken from. */
  debit: string;
  /** The ledger account that the amount was given to. */
  credit: string;
  /** Minor units. */
  amount: number;
  currency: string;
  payout_id: string | null;
  reference: string;
  /** Available balance after this entry. */
  available: number;
  /** Held balance after this entry. */
  held: number;
};

/** Filters of a list of ledger entries. */
export type BalanceEntryFilter = {
  /** Each currency has its own list. */
  currency: string;
  /** Then or later. */
  from?: Time;
  /** Before. */
  to?: Time;
  /** How many entries one page holds at most. */
  limit?: number;
  /** Where to continue: the `nextCursor` of an earlier page. */
  cursor?: string;
};

/** One movement of a balance. */
export type BalanceStatementLine = {
  /** The id of the ledger entry. */
  id: string;
  /** The number of the ledger entry. */
  number: number;
  /** YYYY-MM-DD, in UTC. */
  date: string;
  /** fund, settle (a payout was paid), return, fee or reversal. */
  kind: string;
  /** The kind, in words. */
  description: string;
  /** The receiver of a payout, or the payer that the bank names; may be empty. */
  receiver_or_payer: string;
  /** The reference of the payout or of the funding. */
  reference: string;
  payout_id: string | null;
  /** Minor units; below zero for money that left. */
  amount: number;
  /** Balance after this line, in minor units. */
  balance: number;
};

/** The statement of a balance: available, held and in transit together. */
export type BalanceStatement = {
  currency: string;
  /** The first day, YYYY-MM-DD. */
  from: string;
  /** The last day, YYYY-MM-DD. */
  to: string;
  /** Balance before the first day, in minor units. */
  opening: number;
  /** Balance after the last day, in minor units. */
  closing: number;
  /** Oldest first. */
  lines: BalanceStatementLine[];
};

/** Which statement: a month, or the first and the last day. Default: the current month. */
export type BalanceStatementFilter = {
  currency: string;
  /** Such as 2026-10. */
  month?: string;
  /** The first day, such as 2026-10-01. */
  from?: string;
  /** The last day, such as 2026-10-31. */
  to?: string;
};
