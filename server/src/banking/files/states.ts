// The states of a bank batch and the table of legal moves. SQL, documentation and tests read it. Pure.

export const batchStatuses = {
  /** Its file is kept and never changes. */
  frozen: "open",
  approved: "open",
  /** Its bytes are leaving. Until the outcome is known, it may be at the bank. */
  sending: "open",
  sent: "sent",
  /** The bank's answers about the file. */
  accepted: "sent",
  partly_rejected: "sent",
  rejected: "sent",
  discarded: "ended",
} as const;
export type BatchStatus = keyof typeof batchStatuses;

/** Not at the bank yet. */
export const openStatuses = (Object.keys(batchStatuses) as BatchStatus[]).filter(
  (status) => batchStatuses[status] === "open",
);

type BatchMove = { from: readonly BatchStatus[]; to: BatchStatus };

export const batchMoves = {
  approve: { from: ["frozen"], to: "approved" },
  start_sending: { from: ["approved"], to: "sending" },
  send: { from: ["approved", "sending"], to: "sent" },
  accept: { from: ["sent", "accepted", "partly_rejected"], to: "accepted" },
  reject_some: { from: ["sent", "accepted", "partly_rejected"], to: "partly_rejected" },
  reject: { from: ["sent", "accepted", "partly_rejected"], to: "rejected" },
  discard: { from: ["frozen", "approved", "sending"], to: "discarded" },
} as const satisfies Record<string, BatchMove>;
export type BatchMoveName = keyof typeof batchMoves;

export function canMove(status: BatchStatus, move: BatchMoveName): boolean {
  const from: readonly BatchStatus[] = batchMoves[move].from;
  return from.includes(status);
}
