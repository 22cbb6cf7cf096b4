// The interface that every rail implements, whichever bank is behind it.

import type { FeeRule } from "./fee.ts";

/** A payout as a bank needs it. Only here is the account number decrypted. */
export type RailPayout = {
  payoutId: string;
  amount: bigint;
  currency: string;
  country: string;
  bsb: string;
  bankCode: string;
  accountNumber: string;
  payeeName: string;
  reference: string;
};

type BankFile = { name: string; bytes: Buffer; sha256: string };

type RailBatch = {
  id: string;
  payouts: readonly RailPayout[];
  files: readonly BankFile[];
  totals: { count: number; amount: bigint };
};

/** A bank's report about a payout. */
export type InboundItem = {
  payoutId: string;
  outcome: "settled" | "rejected" | "returned" | "unknown";
  /** The bank's own code. */
  causeCode: string;
  cause: string;
  providerReference: string;
};

/** When a payout is sent and paid. The dates are YYYY-MM-DD, and empty where the rail has no banking days. */
export type RailSchedule = {
  /** Until then it can be cancelled. */
  dueAtMs: number;
  processDate: string;
  expectedArrival: string;
};

/** The ids of the rails of bank connections begin so. Their outcomes come with files from the bank, and in no other way. */
export const bankRailPrefix = "bank:";

/** The currency does not fit the account, or no file of the bank can carry the amount. */
export type RailReject = "currency-unfit" | "over-bank-limit";

/** What is decided when a payout is created. */
export type Rail = {
  readonly id: string;
  /** What a payout costs. Undefined: nothing. */
  readonly fee?: FeeRule | undefined;
  /** Why the rail can\'t pay it; undefined if it can. `accountCurrency` is the currency of the country. */
  rejectReason(payout: {
    country: string;
    currency: string;
    accountCurrency: string | undefined;
    /** What would go to the bank. */
    amount: bigint;
  }): RailReject | undefined;
  /** For a payout that is ready now. `sendOn` is YYYY-MM-DD: not before that day. Empty: as soon as possible. */
  schedule(nowMs: number, sendOn: string): RailSchedule;
};

/** A bank that takes payouts from a program and answers questions about them. */
export type DirectRail = Rail & {
  /** Pure: the same payouts make the same bytes. */
  buildBatch(id: string, payouts: readonly RailPayout[]): RailBatch;
  /**
   * Resolves with the bank's reference. When it throws, the batch may or may not have arrived. So it must be safe to
   * submit it again: a bank recognizes a batch and a payout by their ids.
   */
  submit(batch: RailBatch, signal: AbortSignal): Promise<string>;
  parseInbound(bytes: Buffer): InboundItem[];
  /**
   * The delay after a submission, and after a settlement, before we ask the bank. Undefined: it sends files by itself.
   */
  readonly askAfterMs: number | undefined;
  /** The bank's current reports, in its own format. `isPaid`: it has already settled the payout. */
  ask(payouts: readonly (RailPayout & { isPaid: boolean })[], signal: AbortSignal): Promise<Buffer>;
};
