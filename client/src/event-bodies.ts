// The bodies of events, as they are delivered and in the feed.

import type { KycStatus } from "./wire.ts";

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
  | PayoutReleased;
