// Writes the body of each event. The bytes are stored as they are here and never change, so every attempt sends the same.

import { newId, toNumber } from "../../platform/base/index.ts";
import type {
  BalanceFunded,
  BalanceLow,
  MonthClosed,
  PayoutCancelled,
  PayoutCreated,
  PayoutFailure,
  PayoutOnHold,
  PayoutReleased,
  PayoutReturned,
  PayoutUpdate,
  ReceiverAccountCreated,
  ReceiverAccountUpdate,
  ReceiverDeactivated,
  ReceiverKycUpdate,
  ReceiverUpdate,
  WebhookEndpointDisabled,
  WebhookEndpointUpdate,
} from "../../platform/event-catalogue/index.ts";

export type OutboxEvent = { id: string; type: string; body: string };

export function receiverKycUpdate(change: {
  subaccountId: string;
  receiverId: string;
  status: ReceiverKycUpdate["status"];
  atMs: number;
}): OutboxEvent {
  const event: ReceiverKycUpdate = {
    event: "receiverKycUpdate",
    receiver_id: change.receiverId,
    status: change.status,
    subccount_id: change.subaccountId, // Sic. The published interface spells it this way.
    timestamp: change.atMs,
  };
  return toEvent(event);
}

export function receiverAccountUpdate(change: {
  subaccountId: string;
  accountId: string;
  receiverId: string;
  status: ReceiverAccountUpdate["status"];
  /** The last digits of the account number, at most four. */
  tail: string;
  version: number;
  atMs: number;
}): OutboxEvent {
  const event: ReceiverAccountUpdate = {
    event: "receiverAccountUpdate",
    receiver_account_id: change.accountId,
    receiver_id: change.receiverId,
    status: change.status,
    account_number_masked: `****${change.tail}`,
    version: change.version,
    subccount_id: change.subaccountId,
    timestamp: change.atMs,
  };
  return toEvent(event);
}

export type BalanceFacts = {
  subaccountId: string;
  transferId: string;
  amount: bigint;
  currency: string;
  reference: string;
  /** The available balance after the funding. */
  available: bigint;
  atMs: number;
};

export function balanceFunded(funding: BalanceFacts): OutboxEvent {
  const event: BalanceFunded = {
    event: "balanceFunded",
    transfer_id: funding.transferId,
    amount: toNumber(funding.amount),
    currency: funding.currency,
    reference: funding.reference,
    available: toNumber(funding.available),
    status: "funded",
    subccount_id: funding.subaccountId,
    timestamp: funding.atMs,
  };
  return toEvent(event);
}

export type PayoutFacts = {
  subaccountId: string;
  payoutId: string;
  receiverId: string;
  accountId: string;
  amount: bigint;
  currency: string;
  reference: string;
  atMs: number;
};

export function payoutCreated(payout: PayoutFacts): OutboxEvent {
  const event: PayoutCreated = {
    event: "payoutCreated",
    ...published(payout, "pending"),
    timestamp: payout.atMs,
  };
  return toEvent(event);
}

export function payoutUpdate(payout: PayoutFacts): OutboxEvent {
  const event: PayoutUpdate = {
    event: "payoutUpdate",
    ...published(payout, "successful"),
    timestamp: payout.atMs,
  };
  return toEvent(event);
}

export function payoutFailure(payout: PayoutFacts, cause: string): OutboxEvent {
  const event: PayoutFailure = {
    event: "payoutFailure",
    ...published(payout, "failed"),
    cause,
    timestamp: String(payout.atMs), // A string in this event only: the published interface has it so.
  };
  return toEvent(event);
}

export function payoutOnHold(payout: PayoutFacts): OutboxEvent {
  const event: PayoutOnHold = {
    event: "payoutOnHold",
    ...published(payout, "pending"),
    // Callers are never told what the review is about.
    hold_reason: "review",
    timestamp: payout.atMs,
  };
  return toEvent(event);
}

export function payoutReleased(payout: PayoutFacts): OutboxEvent {
  const event: PayoutReleased = {
    event: "payoutReleased",
    ...published(payout, "pending"),
    timestamp: payout.atMs,
  };
  return toEvent(event);
}

type EndpointFacts = { subaccountId: string; endpointId: string; atMs: number };

export function webhookEndpointUpdate(
  endpoint: EndpointFacts,
  status: WebhookEndpointUpdate["status"],
): OutboxEvent {
  const event: WebhookEndpointUpdate = {
    event: "webhookEndpointUpdate",
    endpoint_id: endpoint.endpointId,
    status,
    subccount_id: endpoint.subaccountId,
    timestamp: endpoint.atMs,
  };
  return toEvent(event);
}

export function webhookEndpointDisabled(
  endpoint: EndpointFacts,
  cause: WebhookEndpointDisabled["cause"],
): OutboxEvent {
  const event: WebhookEndpointDisabled = {
    event: "webhookEndpointDisabled",
    endpoint_id: endpoint.endpointId,
    status: "disabled",
    cause,
    subccount_id: endpoint.subaccountId,
    timestamp: endpoint.atMs,
  };
  return toEvent(event);
}

export function payoutReturned(payout: PayoutFacts, cause: string): OutboxEvent {
  const event: PayoutReturned = {
    event: "payoutReturned",
    ...published(payout, "failed"),
    cause,
    timestamp: payout.atMs,
  };
  return toEvent(event);
}

export function payoutCancelled(payout: PayoutFacts, cause: string): OutboxEvent {
  const event: PayoutCancelled = {
    event: "payoutCancelled",
    ...published(payout, "failed"),
    cause,
    timestamp: payout.atMs,
  };
  return toEvent(event);
}

/** The body of payoutBatchFinished, in SQL: the last move of a batch has its figures. */
export const batchFinishedSql = (row: string) =>
  `'{"event":"payoutBatchFinished","batch_id":"' || ${row}.id || '","count":' || ${row}.payouts ||
   ',"successful":' || ${row}.payouts - ${row}.failed || ',"failed":' || ${row}.failed ||
   ',"status":"finished","subccount_id":"' || ${row}.subaccount_id || '","timestamp":' || ${row}.at_ms || '}'`;

type ReceiverFacts = { subaccountId: string; receiverId: string; status: string; atMs: number };

export function receiverUpdate(receiver: ReceiverFacts, fields: string[]): OutboxEvent {
  const event: ReceiverUpdate = { event: "receiverUpdate", fields, ...ofReceiver(receiver) };
  return toEvent(event);
}

export function receiverDeactivated(receiver: ReceiverFacts): OutboxEvent {
  const event: ReceiverDeactivated = { event: "receiverDeactivated", ...ofReceiver(receiver) };
  return toEvent(event);
}

function ofReceiver({ subaccountId, receiverId, status, atMs }: ReceiverFacts) {
  return { receiver_id: receiverId, status, subccount_id: subaccountId, timestamp: atMs };
}

/** The body of receiverCreated, in SQL: it is written only where it was requested, in the statement of many receivers. */
export const receiverCreatedSql = (row: string) =>
  `'{"event":"receiverCreated","receiver_id":"' || ${row}.id || '","status":"' || ${row}.status ||
   '","subccount_id":"' || ${row}.subaccount_id || '","timestamp":' || ${row}.created_at_ms || '}'`;

export function receiverAccountCreated(account: {
  subaccountId: string;
  accountId: string;
  receiverId: string;
  /** The last digits of the account number, at most four. */
  tail: string;
  atMs: number;
}): OutboxEvent {
  const event: ReceiverAccountCreated = {
    event: "receiverAccountCreated",
    receiver_account_id: account.accountId,
    receiver_id: account.receiverId,
    status: "active",
    account_number_masked: `****${account.tail}`,
    subccount_id: account.subaccountId,
    timestamp: account.atMs,
  };
  return toEvent(event);
}

export function balanceLow(balance: {
  subaccountId: string;
  transferId: string;
  currency: string;
  available: bigint;
  level: bigint;
  atMs: number;
}): OutboxEvent {
  const event: BalanceLow = {
    event: "balanceLow",
    transfer_id: balance.transferId,
    currency: balance.currency,
    available: toNumber(balance.available),
    level: toNumber(balance.level),
    status: "low",
    subccount_id: balance.subaccountId,
    timestamp: balance.atMs,
  };
  return toEvent(event);
}

export function monthClosed(closed: {
  subaccountId: string;
  month: string;
  currency: string;
  closing: bigint;
  atMs: number;
}): OutboxEvent {
  const event: MonthClosed = {
    event: "monthClosed",
    month: closed.month,
    currency: closed.currency,
    closing: toNumber(closed.closing),
    status: "closed",
    subccount_id: closed.subaccountId,
    timestamp: closed.atMs,
  };
  return toEvent(event);
}

function published<Status extends string>(payout: PayoutFacts, status: Status) {
  return {
    amount: toNumber(payout.amount),
    currency: payout.currency,
    payout_id: payout.payoutId,
    receiver_account_id: payout.accountId,
    receiver_id: payout.receiverId,
    reference: payout.reference,
    status,
    subccount_id: payout.subaccountId, // Sic.
  };
}

function toEvent(event: { event: string }): OutboxEvent {
  return { id: newId(), type: event.event, body: JSON.stringify(event) };
}
