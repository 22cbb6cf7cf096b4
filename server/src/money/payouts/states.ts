// The states of a payout: its published status, its finer stage, and the table of legal moves with the transfers and
// the event of each. SQL, documentation and tests read this table. Pure.

import type { Kind } from "../ledger/index.ts";

export const statuses = ["pending", "successful", "failed"] as const;
export type PayoutStatus = (typeof statuses)[number];

/** The status of each stage. */
export const stages = {
  on_hold: "pending",
  awaiting_approval: "pending",
  queued: "pending",
  batched: "pending",
  submitted: "pending",
  settled: "successful",
  rejected: "failed",
  cancelled: "failed",
  returned: "failed",
} as const satisfies Record<string, PayoutStatus>;
export type Stage = keyof typeof stages;
export const stageNames = Object.keys(stages) as Stage[];

export function stagesOf(status: PayoutStatus): Stage[] {
  return stageNames.filter((stage) => stages[stage] === status);
}

type PayoutEvent =
  | "payoutCreated"
  | "payoutUpdate"
  | "payoutFailure"
  | "payoutOnHold"
  | "payoutReleased";

export type LegalMove = {
  from: Stage;
  to: Stage;
  /** The transfers that the move posts, in this order. A fee is given back only where one was charged. */
  transfers: readonly Kind[];
  event: PayoutEvent | undefined;
  /** On request, after the event. */
  later?: "payoutReturned" | "payoutCancelled";
};

export const moves = {
  /** Stopped for a review before it is sent. Its money stays held. */
  hold: { from: "queued", to: "on_hold", transfers: [], event: "payoutOnHold" },
  hold_waiting: { from: "awaiting_approval", to: "on_hold", transfers: [], event: "payoutOnHold" },
  release: { from: "on_hold", to: "queued", transfers: [], event: "payoutReleased" },
  /** A release never approves: a payout that needs approval waits for it afterwards. */
  release_waiting: {
    from: "on_hold",
    to: "awaiting_approval",
    transfers: [],
    event: "payoutReleased",
  },
  /** A user refused it, the caller cancelled it, or no user decided in time. */
  refuse: {
    from: "on_hold",
    to: "cancelled",
    transfers: ["release", "fee_refund"],
    event: "payoutFailure",
    later: "payoutCancelled",
  },
  approve: { from: "awaiting_approval", to: "queued", transfers: [], event: undefined },
  submit: { from: "queued", to: "submitted", transfers: ["submit"], event: undefined },
  /** Frozen into a bank file, which is not sent yet. */
  batch: { from: "queued", to: "batched", transfers: ["submit"], event: undefined },
  /** The bank file was discarded. */
  unbatch: { from: "batched", to: "queued", transfers: ["unsubmit"], event: undefined },
  send: { from: "batched", to: "submitted", transfers: [], event: undefined },
  settle: { from: "submitted", to: "settled", transfers: ["settle"], event: "payoutUpdate" },
  /** The bank refused it before paying. */
  reject: { from: "submitted", to: "rejected", transfers: ["reject"], event: "payoutFailure" },
  /** We stopped it before it was sent: the receiver can no longer be paid. */
  stop: {
    from: "queued",
    to: "rejected",
    transfers: ["release", "fee_refund"],
    event: "payoutFailure",
  },
  cancel: {
    from: "queued",
    to: "cancelled",
    transfers: ["release", "fee_refund"],
    event: "payoutFailure",
    later: "payoutCancelled",
  },
  decline: {
    from: "awaiting_approval",
    to: "cancelled",
    transfers: ["release", "fee_refund"],
    event: "payoutFailure",
    later: "payoutCancelled",
  },
  /** By the bank, before we counted it as paid. */
  return_early: {
    from: "submitted",
    to: "returned",
    transfers: ["settle", "return", "credit"],
    event: "payoutFailure",
    later: "payoutReturned",
  },
  /** The bank returned it after paying. */
  return: {
    from: "settled",
    to: "returned",
    transfers: ["return", "credit"],
    event: "payoutFailure",
    later: "payoutReturned",
  },
  /** A user matched a return to the wrong payout: the bank has paid this one. */
  reinstate: { from: "returned", to: "settled", transfers: ["reversal"], event: "payoutUpdate" },
} as const satisfies Record<string, LegalMove>;
export type MoveName = keyof typeof moves;

/** The moves that keep the fee: from the file on, the bank has its work with the payout. */
export type FeeKeepingMove = {
  [Name in MoveName]: "fee_refund" extends (typeof moves)[Name]["transfers"][number] ? never : Name;
}[MoveName];
