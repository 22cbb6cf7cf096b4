// Event types on request about receivers, accounts, the end of payouts, and balances: their schemas and their rows of the table.

import Type, { type Static } from "typebox";
import {
  metadata,
  milliseconds,
  payout,
  payoutFields,
  receiver_account_id,
  receiver_id,
  subccount_id,
  timestamp,
  uuid,
} from "./event-fields.ts";

const endedFields = {
  ...payoutFields,
  status: Type.Literal("failed"),
  cause: Type.String({ description: "The reason, in words" }),
  timestamp: Type.Number(milliseconds),
  metadata,
};

export const PayoutReturned = Type.Object(
  { event: Type.Literal("payoutReturned"), ...endedFields },
  { title: "PayoutReturned", description: "The bank returned a payout. Sent after payoutFailure." },
);

export const PayoutCancelled = Type.Object(
  { event: Type.Literal("payoutCancelled"), ...endedFields },
  {
    title: "PayoutCancelled",
    description: "A payout was cancelled, declined or refused by a user. Sent after payoutFailure.",
  },
);

export const PayoutBatchFinished = Type.Object(
  {
    event: Type.Literal("payoutBatchFinished"),
    batch_id: Type.String(uuid),
    count: Type.Number({ description: "Number of its payouts" }),
    successful: Type.Number({ description: "Number of those that were paid" }),
    failed: Type.Number({ description: "Number of those that failed" }),
    status: Type.Literal("finished"),
    subccount_id: Type.String(uuid),
    timestamp: Type.Number(milliseconds),
  },
  {
    title: "PayoutBatchFinished",
    description: "No payout of a payout batch is pending any more.",
  },
);

const receiverFields = {
  receiver_id: Type.String(uuid),
  status: Type.String({ description: "The status of the receiver" }),
  subccount_id: Type.String(uuid),
  timestamp: Type.Number(milliseconds),
  metadata,
};

export const ReceiverCreated = Type.Object(
  { event: Type.Literal("receiverCreated"), ...receiverFields },
  { title: "ReceiverCreated", description: "A receiver was created." },
);

export const ReceiverUpdate = Type.Object(
  {
    event: Type.Literal("receiverUpdate"),
    fields: Type.Array(Type.String(), { description: "The names of the fields that changed" }),
    ...receiverFields,
  },
  { title: "ReceiverUpdate", description: "The details of a receiver changed." },
);

export const ReceiverDeactivated = Type.Object(
  { event: Type.Literal("receiverDeactivated"), ...receiverFields },
  {
    title: "ReceiverDeactivated",
    description: "A receiver was deactivated or erased, and can't be paid.",
  },
);

export const ReceiverAccountCreated = Type.Object(
  {
    event: Type.Literal("receiverAccountCreated"),
    receiver_account_id: Type.String(uuid),
    receiver_id: Type.String(uuid),
    status: Type.Literal("active"),
    account_number_masked: Type.String({ description: "The last digits, at most four" }),
    subccount_id: Type.String(uuid),
    timestamp: Type.Number(milliseconds),
    metadata,
  },
  { title: "ReceiverAccountCreated", description: "A receiver account was created." },
);

export const BalanceLow = Type.Object(
  {
    event: Type.Literal("balanceLow"),
    transfer_id: Type.String({ ...uuid, description: "The ledger entry that took it below" }),
    currency: Type.String({ examples: ["AUD"] }),
    available: Type.Number({ description: "Available balance after it, in minor units" }),
    level: Type.Number({ description: "The level that was set, in minor units" }),
    status: Type.Literal("low"),
    subccount_id: Type.String(uuid),
    timestamp: Type.Number(milliseconds),
  },
  {
    title: "BalanceLow",
    description: "The available balance fell below the level that is set for its currency.",
  },
);

export const MonthClosed = Type.Object(
  {
    event: Type.Literal("monthClosed"),
    month: Type.String({ examples: ["2026-10"] }),
    currency: Type.String({ examples: ["AUD"] }),
    closing: Type.Number({ description: "The balance at its end, in minor units" }),
    status: Type.Literal("closed"),
    subccount_id: Type.String(uuid),
    timestamp: Type.Number(milliseconds),
  },
  { title: "MonthClosed", description: "A user closed a month of a balance: its figures stay." },
);

export type PayoutReturned = Static<typeof PayoutReturned>;
export type PayoutCancelled = Static<typeof PayoutCancelled>;
export type PayoutBatchFinished = Static<typeof PayoutBatchFinished>;
export type ReceiverCreated = Static<typeof ReceiverCreated>;
export type ReceiverUpdate = Static<typeof ReceiverUpdate>;
export type ReceiverDeactivated = Static<typeof ReceiverDeactivated>;
export type ReceiverAccountCreated = Static<typeof ReceiverAccountCreated>;
export type BalanceLow = Static<typeof BalanceLow>;
export type MonthClosed = Static<typeof MonthClosed>;

/** Keyed by the name in the `event` field. */
export const requestedSchemas = {
  payoutReturned: PayoutReturned,
  payoutCancelled: PayoutCancelled,
  payoutBatchFinished: PayoutBatchFinished,
  receiverCreated: ReceiverCreated,
  receiverUpdate: ReceiverUpdate,
  receiverDeactivated: ReceiverDeactivated,
  receiverAccountCreated: ReceiverAccountCreated,
  balanceLow: BalanceLow,
  monthClosed: MonthClosed,
} as const;

const ended = { status: "failed", subccount_id, timestamp } as const;

const isOnRequest = true;

export const requestedBodies = [
  PayoutReturned,
  PayoutCancelled,
  PayoutBatchFinished,
  ReceiverCreated,
  ReceiverUpdate,
  ReceiverDeactivated,
  ReceiverAccountCreated,
  BalanceLow,
  MonthClosed,
] as const;

/** Their rows of the table, which checks them. */
export const requestedRows = {
  payoutReturned: {
    subject: "payout",
    isOnRequest,
    example: { event: "payoutReturned", ...payout, ...ended, cause: "account closed" },
  },
  payoutCancelled: {
    subject: "payout",
    isOnRequest,
    example: { event: "payoutCancelled", ...payout, ...ended, cause: "cancelled" },
  },
  payoutBatchFinished: {
    subject: "batch",
    isOnRequest,
    example: {
      event: "payoutBatchFinished",
      batch_id: "0190f3a2-7b3c-7d1e-8f00-0123456789b1",
      count: 120,
      successful: 118,
      failed: 2,
      status: "finished",
      subccount_id,
      timestamp,
    },
  },
  receiverCreated: {
    subject: "receiver",
    isOnRequest,
    example: { event: "receiverCreated", receiver_id, status: "pending", subccount_id, timestamp },
  },
  receiverUpdate: {
    subject: "receiver",
    isOnRequest,
    example: {
      event: "receiverUpdate",
      fields: ["address", "postcode"] as string[],
      receiver_id,
      status: "active",
      subccount_id,
      timestamp,
    },
  },
  receiverDeactivated: {
    subject: "receiver",
    isOnRequest,
    example: {
      event: "receiverDeactivated",
      receiver_id,
      status: "inactive",
      subccount_id,
      timestamp,
    },
  },
  receiverAccountCreated: {
    subject: "account",
    isOnRequest,
    example: {
      event: "receiverAccountCreated",
      receiver_account_id,
      receiver_id,
      status: "active",
      account_number_masked: "****5678",
      subccount_id,
      timestamp,
    },
  },
  balanceLow: {
    subject: "balance",
    isOnRequest,
    example: {
      event: "balanceLow",
      transfer_id: "0190f3a2-7b3c-7d1e-8f00-0123456789af",
      currency: "AUD",
      available: 480_000,
      level: 500_000,
      status: "low",
      subccount_id,
      timestamp,
    },
  },
  monthClosed: {
    subject: "balance",
    isOnRequest,
    example: {
      event: "monthClosed",
      month: "2026-10",
      currency: "AUD",
      closing: 1_250_000,
      status: "closed",
      subccount_id,
      timestamp,
    },
  },
} as const;
