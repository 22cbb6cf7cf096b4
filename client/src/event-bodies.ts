// The bodies of events, as they are delivered and in the feed.

import type { KycStatus, Metadata } from "./wire.ts";

/** A payout was accepted. */
export type PayoutCreated = {
  event: "payoutCreated";
  amount: number;
  currency: string;
  payout_id: string;
  receiver_account_id: string;
  receiver_id: string;
  reference: string;
  status: "pending";
  subccount_id: string; // Sic, in all four events.
  timestamp: number;
  metadata?: Metadata; // On request.
};

/** A payout arrived. */
export type PayoutUpdate = {
  event: "payoutUpdate";
  amount: number;
  currency: string;
  payout_id: string;
  receiver_account_id: string;
  receiver_id: string;
  reference: string;
  status: "successful";
  subccount_id: string;
  timestamp: number;
  metadata?: Metadata; // On request.
};

/** A payout did not arrive, or came back. */
export type PayoutFailure = {
  event: "payoutFailure";
  amount: number;
  currency: string;
  payout_id: string;
  receiver_account_id: string;
  receiver_id: string;
  reference: string;
  status: "failed";
  subccount_id: string;
  timestamp: string; // Digits in a string, here alone.
  metadata?: Metadata; // On request.
  /** Why it failed, in words. */
  cause: string;
};

/** The identity check of a receiver moved on. */
export type ReceiverKycUpdate = {
  event: "receiverKycUpdate";
  receiver_id: string;
  status: KycStatus;
  subccount_id: string;
  timestamp: number;
  metadata?: Metadata; // On request.
};

/** The bank details of a receiver account changed, or it was deleted. Sent only on request. */
export type ReceiverAccountUpdate = {
  event: "receiverAccountUpdate";
  receiver_account_id: string;
  receiver_id: string;
  /** updated: there is a new version of the bank details. */
  status: "updated" | "deleted";
  /** The last digits, at most four. */
  account_number_masked: string;
  /** The version of the bank details, counted from 1. */
  version: number;
  subccount_id: string;
  timestamp: number;
  metadata?: Metadata; // On request.
};

/** Money arrived for a balance. Sent only on request. */
export type BalanceFunded = {
  event: "balanceFunded";
  /** The ledger entry, as `balance.entries` lists it. */
  transfer_id: string;
  /** Minor units. */
  amount: number;
  currency: string;
  /** Your deposit reference, or the bank's reference where a user gave you the money. */
  reference: string;
  /** The available balance after the funding, in minor units. */
  available: number;
  status: "funded";
  subccount_id: string;
  timestamp: number;
};

/** A payout is on hold: a user reviews it before it is sent. Sent only on request. */
export type PayoutOnHold = {
  event: "payoutOnHold";
  amount: number;
  currency: string;
  payout_id: string;
  receiver_account_id: string;
  receiver_id: string;
  reference: string;
  status: "pending";
  subccount_id: string;
  hold_reason: "review";
  timestamp: number;
  metadata?: Metadata; // On request.
};

/** A payout is no longer on hold. Sent only on request. */
export type PayoutReleased = {
  event: "payoutReleased";
  amount: number;
  currency: string;
  payout_id: string;
  receiver_account_id: string;
  receiver_id: string;
  reference: string;
  status: "pending";
  subccount_id: string;
  timestamp: number;
  metadata?: Metadata; // On request.
};

/** The bank returned a payout. Sent after `payoutFailure`, and only on request. */
export type PayoutReturned = {
  event: "payoutReturned";
  amount: number;
  currency: string;
  payout_id: string;
  receiver_account_id: string;
  receiver_id: string;
  reference: string;
  status: "failed";
  subccount_id: string;
  timestamp: number;
  metadata?: Metadata; // On request.
  /** Why, in words. */
  cause: string;
};

/** A payout was cancelled, declined or refused by a user. Sent after `payoutFailure`, and only on request. */
export type PayoutCancelled = {
  event: "payoutCancelled";
  amount: number;
  currency: string;
  payout_id: string;
  receiver_account_id: string;
  receiver_id: string;
  reference: string;
  status: "failed";
  subccount_id: string;
  timestamp: number;
  metadata?: Metadata; // On request.
  /** Why, in words. */
  cause: string;
};

/** No payout of a payout batch is pending any more. Sent only on request. */
export type PayoutBatchFinished = {
  event: "payoutBatchFinished";
  batch_id: string;
  count: number;
  successful: number;
  failed: number;
  status: "finished";
  subccount_id: string;
  timestamp: number;
};

/** A receiver was created. Sent only on request. */
export type ReceiverCreated = {
  event: "receiverCreated";
  receiver_id: string;
  /** The status of the receiver. */
  status: string;
  subccount_id: string;
  timestamp: number;
  metadata?: Metadata; // On request.
};

/** The details of a receiver changed. Sent only on request. */
export type ReceiverUpdate = {
  event: "receiverUpdate";
  /** The names of the fields that changed. */
  fields: string[];
  receiver_id: string;
  /** The status of the receiver. */
  status: string;
  subccount_id: string;
  timestamp: number;
  metadata?: Metadata; // On request.
};

/** A receiver was deactivated or erased. Sent only on request. */
export type ReceiverDeactivated = {
  event: "receiverDeactivated";
  receiver_id: string;
  /** The status of the receiver. */
  status: string;
  subccount_id: string;
  timestamp: number;
  metadata?: Metadata; // On request.
};

/** A receiver account was created. Sent only on request. */
export type ReceiverAccountCreated = {
  event: "receiverAccountCreated";
  receiver_account_id: string;
  receiver_id: string;
  status: "active";
  /** The last digits, at most four. */
  account_number_masked: string;
  subccount_id: string;
  timestamp: number;
  metadata?: Metadata; // On request.
};

/** The available balance fell below the level of its currency. Sent only on request. */
export type BalanceLow = {
  event: "balanceLow";
  /** The ledger entry that took it below. */
  transfer_id: string;
  currency: string;
  /** In minor units. */
  available: number;
  /** In minor units. */
  level: number;
  status: "low";
  subccount_id: string;
  timestamp: number;
};

/** A user closed a month of a balance. Sent only on request. */
export type MonthClosed = {
  event: "monthClosed";
  /** Such as `2026-10`. */
  month: string;
  currency: string;
  /** The balance at its end, in minor units. */
  closing: number;
  status: "closed";
  subccount_id: string;
  timestamp: number;
};

/** Another webhook endpoint of the subaccount was created, changed or deleted. Sent only on request. */
export type WebhookEndpointUpdate = {
  event: "webhookEndpointUpdate";
  /** That of `postback_url` has the id of the subaccount. */
  endpoint_id: string;
  status: "created" | "changed" | "rotated" | "paused" | "deleted";
  subccount_id: string;
  timestamp: number;
};

/** Another webhook endpoint of the subaccount was disabled: its events wait. Sent only on request. */
export type WebhookEndpointDisabled = {
  event: "webhookEndpointDisabled";
  endpoint_id: string;
  status: "disabled";
  /** failing: for too long; gone: it responded with 410; secret: its secret can't be decrypted. */
  cause: "failing" | "gone" | "secret";
  subccount_id: string;
  timestamp: number;
};

/** The body of any event; `event` names its type. */
export type DisburseEvent =
  | PayoutCreated
  | PayoutUpdate
  | PayoutFailure
  | ReceiverKycUpdate
  | ReceiverAccountUpdate
  | BalanceFunded
  | PayoutOnHold
  | PayoutReleased
  | PayoutReturned
  | PayoutCancelled
  | PayoutBatchFinished
  | ReceiverCreated
  | ReceiverUpdate
  | ReceiverDeactivated
  | ReceiverAccountCreated
  | BalanceLow
  | MonthClosed
  | WebhookEndpointUpdate
  | WebhookEndpointDisabled;

/** The body of any event for a webhook endpoint of the format `thin`: enough to ask for the rest. */
export type ThinEvent = {
  /** The id of the event, as in the `webhook-id` header. */
  id: string;
  type: DisburseEvent["event"];
  /** Of the payout, receiver, receiver account or webhook endpoint; of the subaccount where it is about a balance. */
  object_id: string;
  /** Milliseconds since the Unix epoch. */
  time: number;
};
