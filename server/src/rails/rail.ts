// The port to banks: what every rail does, whichever bank is behind it.

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

/** What a bank reports about a payout. */
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

/** What is decided when a payout is created. */
export type Rail = {
  readonly id: string;
  /** Why the rail can't pay it; undefined when it can. `accountCurrency` is that of the country's accounts. */
  rejectReason(payout: {
    country: string;
    currency: string;
    accountCurrency: string | undefined;
    amount: bigint;
  }): string | undefined;
  /** For a payout that is ready to be sent now. */
  schedule(nowMs: number): RailSchedule;
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
  /** How long after a submission, and after a settlement, we ask the bank; undefined: it sends files by itself. */
  readonly askAfterMs: number | undefined;
  /** What the bank reports now, in its own format. `isPaid`: it has settled the payout already. */
  ask(payouts: readonly (RailPayout & { isPaid: boolean })[], signal: AbortSignal): Promise<Buffer>;
};
