// Types of what long acts on files and batches report, line by line.

/** A line of the response during the import. */
export type ImportLine =
  /** The id of the import. Payouts have it as their `batch_id`. */
  | { kind: "start"; rows: number; id: string }
  | {
      kind: "row";
      row: number;
      outcome: "created" | "already_imported" | "refused";
      /** Of the payout or the receiver. */
      id: string;
      code: string;
      message: string;
    }
  /** So far. Accounts wait for another user. `problems`: what was not created, by the first row that needs it. */
  | {
      kind: "new";
      receivers: number;
      accounts: number;
      problems: { row: number; message: string }[];
    }
  | { kind: "end" }
  /** Stopped before the end. A second run continues from there. */
  | { kind: "stopped"; message: string };

/** A line of the response while a batch is decided or retried. */
export type BatchActLine =
  | { kind: "start"; rows: number; id: string }
  | {
      kind: "row";
      row: number;
      outcome: "created" | "approved" | "declined" | "refused";
      id: string;
      code: string;
      message: string;
    }
  | { kind: "end" }
  | { kind: "stopped"; message: string };
