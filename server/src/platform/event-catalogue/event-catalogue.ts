// Every event type, one table: schema, subject, example. OpenAPI, test events, filters, diagnosis and the console read it.
// CONTRIBUTING.md says which other files a new type needs.

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
import { requestedBodies, requestedRows, requestedSchemas } from "./requested-events.ts";

export const PayoutCreated = Type.Object(
  {
    event: Type.Literal("payoutCreated"),
    ...payoutFields,
    status: Type.Literal("pending"),
    timestamp: Type.Number(milliseconds),
    metadata,
  },
  { title: "PayoutCreated", description: "A payout was accepted." },
);

export const PayoutUpdate = Type.Object(
  {
    event: Type.Literal("payoutUpdate"),
    ...payoutFields,
    status: Type.Literal("successful"),
    timestamp: Type.Number(milliseconds),
    metadata,
  },
  { title: "PayoutUpdate", description: "A payout reached the payee's bank." },
);

export const PayoutFailure = Type.Object(
  {
    event: Type.Literal("payoutFailure"),
    ...payoutFields,
    status: Type.Literal("failed"),
    cause: Type.String({ description: "The reason, in words" }),
    // Published as a string in this event only.
    timestamp: Type.String({ ...milliseconds, pattern: "^\\d+$" }),
    metadata,
  },
  { title: "PayoutFailure", description: "A payout was rejected, cancelled or returned." },
);

export const PayoutOnHold = Type.Object(
  {
    event: Type.Literal("payoutOnHold"),
    ...payoutFields,
    status: Type.Literal("pending"),
    hold_reason: Type.Literal("review"),
    timestamp: Type.Number(milliseconds),
    metadata,
  },
  {
    title: "PayoutOnHold",
    description: "A payout is on hold: a user reviews it before it is sent.",
  },
);

export const PayoutReleased = Type.Object(
  {
    event: Type.Literal("payoutReleased"),
    ...payoutFields,
    status: Type.Literal("pending"),
    timestamp: Type.Number(milliseconds),
    metadata,
  },
  { title: "PayoutReleased", description: "A payout is no longer on hold." },
);

export const ReceiverKycUpdate = Type.Object(
  {
    event: Type.Literal("receiverKycUpdate"),
    receiver_id: Type.String(uuid),
    status: Type.Union([
      Type.Literal("pending"),
      Type.Literal("completed"),
      Type.Literal("failed"),
    ]),
    subccount_id: Type.String(uuid),
    timestamp: Type.Number(milliseconds),
    metadata,
  },
  { title: "ReceiverKycUpdate", description: "The KYC state of a receiver changed." },
);

export const ReceiverAccountUpdate = Type.Object(
  {
    event: Type.Literal("receiverAccountUpdate"),
    receiver_account_id: Type.String(uuid),
    receiver_id: Type.String(uuid),
    status: Type.Union([Type.Literal("updated"), Type.Literal("deleted")], {
      description: "updated: there is a new version of the bank details",
    }),
    account_number_masked: Type.String({ description: "The last digits, at most four" }),
    version: Type.Number({ description: "Of the bank details, counted from 1" }),
    subccount_id: Type.String(uuid),
    timestamp: Type.Number(milliseconds),
    metadata,
  },
  {
    title: "ReceiverAccountUpdate",
    description: "The bank details of a receiver account changed, or the account was deleted.",
  },
);

export const BalanceFunded = Type.Object(
  {
    event: Type.Literal("balanceFunded"),
    transfer_id: Type.String({ ...uuid, description: "The ledger entry" }),
    amount: Type.Number({ description: "Minor units" }),
    currency: Type.String({ examples: ["AUD"] }),
    reference: Type.String({
      description:
        "Your deposit reference, or the bank's reference where a user gave you the money",
    }),
    available: Type.Number({ description: "Available balance after the funding, in minor units" }),
    status: Type.Literal("funded"),
    subccount_id: Type.String(uuid),
    timestamp: Type.Number(milliseconds),
  },
  { title: "BalanceFunded", description: "Money arrived for a balance." },
);

const endpointFields = {
  endpoint_id: Type.String({
    ...uuid,
    description: "The webhook endpoint; that of postback_url has the id of the subaccount",
  }),
};

export const WebhookEndpointUpdate = Type.Object(
  {
    event: Type.Literal("webhookEndpointUpdate"),
    ...endpointFields,
    status: Type.Union([
      Type.Literal("created"),
      Type.Literal("changed"),
      Type.Literal("rotated"),
      Type.Literal("paused"),
      Type.Literal("deleted"),
    ]),
    subccount_id: Type.String(uuid),
    timestamp: Type.Number(milliseconds),
  },
  {
    title: "WebhookEndpointUpdate",
    description: "Another webhook endpoint of the subaccount was created, changed or deleted.",
  },
);

export const WebhookEndpointDisabled = Type.Object(
  {
    event: Type.Literal("webhookEndpointDisabled"),
    ...endpointFields,
    status: Type.Literal("disabled"),
    cause: Type.Union([Type.Literal("failing"), Type.Literal("gone"), Type.Literal("secret")], {
      description:
        "failing: it failed for the set number of days; gone: it responded with 410; secret: its secret can't be decrypted",
    }),
    subccount_id: Type.String(uuid),
    timestamp: Type.Number(milliseconds),
  },
  {
    title: "WebhookEndpointDisabled",
    description: "Another webhook endpoint of the subaccount was disabled: its events wait.",
  },
);

export type PayoutCreated = Static<typeof PayoutCreated>;
export type PayoutUpdate = Static<typeof PayoutUpdate>;
export type PayoutFailure = Static<typeof PayoutFailure>;
export type PayoutOnHold = Static<typeof PayoutOnHold>;
export type PayoutReleased = Static<typeof PayoutReleased>;
export type ReceiverKycUpdate = Static<typeof ReceiverKycUpdate>;
export type ReceiverAccountUpdate = Static<typeof ReceiverAccountUpdate>;
export type BalanceFunded = Static<typeof BalanceFunded>;
export type WebhookEndpointUpdate = Static<typeof WebhookEndpointUpdate>;
export type WebhookEndpointDisabled = Static<typeof WebhookEndpointDisabled>;

/** Keyed by the name in the `event` field. */
export const eventSchemas = {
  payoutCreated: PayoutCreated,
  payoutUpdate: PayoutUpdate,
  payoutFailure: PayoutFailure,
  receiverKycUpdate: ReceiverKycUpdate,
  receiverAccountUpdate: ReceiverAccountUpdate,
  balanceFunded: BalanceFunded,
  payoutOnHold: PayoutOnHold,
  payoutReleased: PayoutReleased,
  webhookEndpointUpdate: WebhookEndpointUpdate,
  webhookEndpointDisabled: WebhookEndpointDisabled,
  ...requestedSchemas,
} as const;

/** The body of any event. */
export const EventBody = Type.Union([
  PayoutCreated,
  PayoutUpdate,
  PayoutFailure,
  ReceiverKycUpdate,
  ReceiverAccountUpdate,
  BalanceFunded,
  PayoutOnHold,
  PayoutReleased,
  WebhookEndpointUpdate,
  WebhookEndpointDisabled,
  ...requestedBodies,
]);

export type EventType = keyof typeof eventSchemas;
export const eventTypes = Object.keys(eventSchemas) as EventType[];

type EventRow<Type extends EventType> = {
  /** The object whose events are delivered in order. */
  subject: "payout" | "batch" | "receiver" | "account" | "balance" | "endpoint";
  /** Sent only to subaccounts that requested it. The other types are published: every subaccount gets them. */
  isOnRequest: boolean;
  /** The fields in the order in which they are sent. */
  example: Static<(typeof eventSchemas)[Type]>;
};

const endpoint_id = "0190f3a2-7b3c-7d1e-8f00-0123456789b0";
export const eventCatalogue: { [Type in EventType]: EventRow<Type> } = {
  payoutCreated: {
    subject: "payout",
    isOnRequest: false,
    example: { event: "payoutCreated", ...payout, status: "pending", subccount_id, timestamp },
  },
  payoutUpdate: {
    subject: "payout",
    isOnRequest: false,
    example: { event: "payoutUpdate", ...payout, status: "successful", subccount_id, timestamp },
  },
  payoutFailure: {
    subject: "payout",
    isOnRequest: false,
    example: {
      event: "payoutFailure",
      ...payout,
      status: "failed",
      subccount_id,
      cause: "account closed",
      timestamp: String(timestamp),
    },
  },
  receiverKycUpdate: {
    subject: "receiver",
    isOnRequest: false,
    example: {
      event: "receiverKycUpdate",
      receiver_id,
      status: "completed",
      subccount_id,
      timestamp,
    },
  },
  receiverAccountUpdate: {
    subject: "account",
    isOnRequest: true,
    example: {
      event: "receiverAccountUpdate",
      receiver_account_id,
      receiver_id,
      status: "updated",
      account_number_masked: "****5678",
      version: 2,
      subccount_id,
      timestamp,
    },
  },
  balanceFunded: {
    subject: "balance",
    isOnRequest: true,
    example: {
      event: "balanceFunded",
      transfer_id: "0190f3a2-7b3c-7d1e-8f00-0123456789af",
      amount: 1_000_000,
      currency: "AUD",
      reference: "K7Q2M9XW4F",
      available: 1_250_000,
      status: "funded",
      subccount_id,
      timestamp,
    },
  },
  payoutOnHold: {
    subject: "payout",
    isOnRequest: true,
    example: {
      event: "payoutOnHold",
      ...payout,
      status: "pending",
      subccount_id,
      hold_reason: "review",
      timestamp,
    },
  },
  payoutReleased: {
    subject: "payout",
    isOnRequest: true,
    example: { event: "payoutReleased", ...payout, status: "pending", subccount_id, timestamp },
  },
  webhookEndpointUpdate: {
    subject: "endpoint",
    isOnRequest: true,
    example: {
      event: "webhookEndpointUpdate",
      endpoint_id,
      status: "changed",
      subccount_id,
      timestamp,
    },
  },
  webhookEndpointDisabled: {
    subject: "endpoint",
    isOnRequest: true,
    example: {
      event: "webhookEndpointDisabled",
      endpoint_id,
      status: "disabled",
      cause: "failing",
      subccount_id,
      timestamp,
    },
  },
  ...requestedRows,
};

export const publishedTypes = eventTypes.filter((type) => !eventCatalogue[type].isOnRequest);
export const onRequestTypes = eventTypes.filter((type) => eventCatalogue[type].isOnRequest);

export function descriptionOf(type: EventType): string {
  return (eventSchemas[type] as { description?: string }).description ?? "";
}

/** The types that a subaccount is sent: the published ones, and those that it requested. */
export function sentTypes(requested: readonly string[]): EventType[] {
  return eventTypes.filter((type) => !eventCatalogue[type].isOnRequest || requested.includes(type));
}
