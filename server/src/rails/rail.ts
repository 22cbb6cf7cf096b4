// The port to banks: what a rail does for us, whichever bank is behind it.

/** A payout as a bank needs it. The account number is open here and nowhere else. */
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

export type BankFile = { name: string; bytes: Buffer; sha256: string };

export type RailBatch = {
  id: string;
  payouts: readonly RailPayout[];
  files: readonly BankFile[];
  totals: { count: number; amount: bigint };
};

/** What a bank says of a payout, and of which one. */
export type InboundItem = {
  payoutId: string;
  outcome: "settled" | "rejected" | "returned" | "unknown";
  /** Of the bank's own list. */
  causeCode: string;
  cause: string;
  providerReference: string;
};

export type Rail = {
  readonly id: string;
  /** Why a payout does not fit; undefined when it does. Where a country's accounts have a currency, it is given. */
  unfit(payout: {
    country: string;
    currency: string;
    accountCurrency: string | undefined;
    amount: bigint;
  }): string | undefined;
  /** How long a payout waits for company before it is sent. Until then it can be cancelled. */
  readonly sendAfterMs: number;
  /** Until when a payout of now goes with which day's batch. */
  cutoff(nowMs: number): { processDate: string; closesAtMs: number };
  /** Pure: the same payouts make the same bytes. */
  buildBatch(id: string, payouts: readonly RailPayout[]): RailBatch;
  /**
   * Resolves with the bank's reference. When it throws, the batch may or may not have arrived, so it must
   * be safe to submit it again: a bank knows a batch by its id, and a payout by its own.
   */
  submit(batch: RailBatch, signal: AbortSignal): Promise<string>;
  parseInbound(bytes: Buffer): InboundItem[];
  /** How long after a submission, and after a success, the bank is asked; undefined: it sends files by itself. */
  readonly askAfterMs: number | undefined;
  /** What the bank says now, in its own file. `paid` are those that it has paid already. */
  ask(payouts: readonly (RailPayout & { isPaid: boolean })[], signal: AbortSignal): Promise<Buffer>;
};
