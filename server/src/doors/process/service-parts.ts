// The parts of a serving process that its start opens and its end closes.

export type Listening = {
  /** With the actual port, also when PORT is 0. */
  address: string;
  port: number;
  /**
   * Resolves when the last request has been answered, or after the time allowed for it. Idle connections stay open for
   * `drainMs`, which may become shorter meanwhile.
   */
  close(drainMs?: () => number): Promise<void>;
};

export type Background = {
  /** Something may have become due. */
  onKycDue(): void;
  onPayoutDue(): void;
  /** Starts the work that only one process of the service does. */
  lead(): void;
  /** Why it does no work at the moment; empty when it does. */
  reasons(): string[];
  /** Resolves when the current work has ended. */
  close(): Promise<void>;
};
