// The states of a payout: the published status, our finer stage, which moves are legal, and what each does
// to the books and tells the subaccount. One table, which statements, documentation and tests read. Pure.

import type { Kind } from "../ledger/ledger.ts";

export const statuses = ["pending", "successful", "failed"] as const;
export type PayoutStatus = (typeof statuses)[number];

/** A stage has one status. */
export const stages = {
  awaiting_approval: "pending",
  queued: "pending",
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

export type PayoutEvent = "payoutCreated" | "payoutUpdate" | "payoutFailure";

type Move = {
  from: Stage;
  to: Stage;
  /** The transfers that go with it, in this order. */
  transfers: readonly Kind[];
  event: PayoutEvent | undefined;
};

export const moves = {
  approve: { from: "awaiting_approval", to: "queued", transfers: [], event: undefined },
  submit: { from: "queued", to: "submitted", transfers: ["submit"], event: undefined },
  settle: { from: "submitted", to: "settled", transfers: ["settle"], event: "payoutUpdate" },
  /** By the bank, before it paid. */
  reject: { from: "submitted", to: "rejected", transfers: ["reject"], event: "payoutFailure" },
  /** By us, before it was sent: the receiver may no longer be paid. */
  stop: { from: "queued", to: "rejected", transfers: ["release"], event: "payoutFailure" },
  cancel: { from: "queued", to: "cancelled", transfers: ["release"], event: "payoutFailure" },
  decline: {
    from: "awaiting_approval",
    to: "cancelled",
    transfers: ["release"],
    event: "payoutFailure",
  },
  /** After it had been paid. */
  return: {
    from: "settled",
    to: "returned",
    transfers: ["return", "credit"],
    event: "payoutFailure",
  },
} as const satisfies Record<string, Move>;
export type MoveName = keyof typeof moves;
