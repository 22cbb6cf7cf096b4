// The shapes of payouts, and of the balance that they are paid from, spelt as they travel on the wire.

/** Where a payout stands. */
export type PayoutStatus = "pending" | "successful" | "failed";

/** Where a payout is, more finely; each belongs to one status. */
export type PayoutStage =
  | "awaiting_approval"
  | "queued"
  | "submitted"
  | "settled"
  | "rejected"
  | "cancelled"
  | "returned";

/** What it takes to create a payout. */
export type NewPayout = {
  receiver_id: string;
  /** Of one of the receiver's accounts. */
  account_id: string;
  /** Minor units, such as cents: a whole number, or its digits. */
  amount: number | string;
  /** Three upper-case letters, such as `AUD`: the currency of the account's country. */
  currency: string;
  /** Your own name for the payout. */
  reference?: string;
  note?: string;
  /** Make it although one of the last 24 hours says the same. */
  allow_duplicate?: boolean;
};

/** The answer to a creation. */
export type CreatedPayout = {
  payout_id: string;
  status: string;
};

/** The answer to the creation of many at once. */
export type CreatedPayoutBatch = {
  batch_id: string;
  /** In the order in which they were given. */
  payouts: CreatedPayout[];
};

/** Money that is to go to an account of a receiver, or went there. */
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
  /** Why it failed, in words; else empty. */
  cause: string;
  /** The bank's code for it; may be empty. */
  cause_code: string;
  /** The bank's own; empty until it has one. */
  provider_reference: string;
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
  /** Milliseconds since the Unix epoch, as a string. */
  updated_at: string;
};

/** How a batch of payouts stands. */
export type PayoutBatch = {
  id: string;
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
  count: number;
  /** Amounts in minor units, a row for each currency. */
  totals: { currency: string; count: number; amount: number }[];
  statuses: { status: string; count: number }[];
};

/**
 * A moment: a Date, milliseconds since the Unix epoch (a number, or digits as in `created_at`), or
 * ISO 8601, such as `2024-11-15` (in UTC) or `2024-11-15T09:30:00+11:00`.
 */
export type Time = Date | number | string;

/** Which payouts a list holds. */
export type PayoutFilter = {
  status?: PayoutStatus;
  receiver_id?: string;
  receiver_account_id?: string;
  /** Your own name for the payout, whole. */
  reference?: string;
  batch_id?: string;
  /** Created then or later. */
  from?: Time;
  /** Created before. */
  to?: Time;
  /** How many payouts one page holds at most. */
  limit?: number;
  /** Where to go on: the `nextCursor` of an earlier page. */
  cursor?: string;
};

/** Where a payout stood at some moment. */
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

/** What a subaccount has in one currency. */
export type Balance = {
  currency: string;
  /** Minor units that can be paid out. */
  available: number;
  /** Minor units that payouts wait with. */
  held: number;
  /** Minor units that were sent to the bank and have no outcome yet. */
  in_transit: number;
};

/** One line of the statement. */
export type BalanceEntry = {
  id: string;
  /** Counts up in each currency, without a gap. */
  number: number;
  /** Milliseconds since the Unix epoch, as a string. */
  when: string;
  /** fund, hold, release, submit, settle, reject, return, credit or fee. */
  kind: string;
  /** The account that it was taken from. */
  debit: string;
  /** The account that it was given to. */
  credit: string;
  /** Minor units. */
  amount: number;
  currency: string;
  payout_id: string | null;
  reference: string;
  /** What was available afterwards. */
  available: number;
  /** What was held afterwards. */
  held: number;
};

/** Which lines of the statement to read. */
export type BalanceEntryFilter = {
  /** Each currency has a statement of its own. */
  currency: string;
  /** Then or later. */
  from?: Time;
  /** Before. */
  to?: Time;
  /** How many entries one page holds at most. */
  limit?: number;
  /** Where to go on: the `nextCursor` of an earlier page. */
  cursor?: string;
};
