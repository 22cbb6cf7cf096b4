// What crosses the wire when we tell a subaccount of a change.

import Type, { type Static, type TSchema } from "typebox";

const uuid = { format: "uuid" };
const milliseconds = { description: "Milliseconds since the Unix epoch" };

const payoutFields = {
  amount: Type.Number({ description: "Minor units" }),
  currency: Type.String({ examples: ["AUD"] }),
  payout_id: Type.String(uuid),
  receiver_account_id: Type.String(uuid),
  receiver_id: Type.String(uuid),
  reference: Type.String({ description: "Your payout reference" }),
  subccount_id: Type.String(uuid), // Sic. The published interface spells it this way.
};

export const PayoutCreated = Type.Object(
  {
    event: Type.Literal("payoutCreated"),
    ...payoutFields,
    status: Type.Literal("pending"),
    timestamp: Type.Number(milliseconds),
  },
  { title: "PayoutCreated", description: "A payout was accepted." },
);

export const PayoutUpdate = Type.Object(
  {
    event: Type.Literal("payoutUpdate"),
    ...payoutFields,
    status: Type.Literal("successful"),
    timestamp: Type.Number(milliseconds),
  },
  { title: "PayoutUpdate", description: "A payout reached the payee's bank." },
);

export const PayoutFailure = Type.Object(
  {
    event: Type.Literal("payoutFailure"),
    ...payoutFields,
    status: Type.Literal("failed"),
    cause: Type.String({ description: "The reason, in words" }),
    // Published as a text in this event alone.
    timestamp: Type.String({ ...milliseconds, pattern: "^\\d+$" }),
  },
  { title: "PayoutFailure", description: "A payout was rejected, cancelled or returned." },
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
  },
  { title: "ReceiverKycUpdate", description: "The KYC state of a receiver changed." },
);

export type PayoutCreated = Static<typeof PayoutCreated>;
export type PayoutUpdate = Static<typeof PayoutUpdate>;
export type PayoutFailure = Static<typeof PayoutFailure>;
export type ReceiverKycUpdate = Static<typeof ReceiverKycUpdate>;

/** By the name in their `event` field. */
export const eventSchemas = {
  payoutCreated: PayoutCreated,
  payoutUpdate: PayoutUpdate,
  payoutFailure: PayoutFailure,
  receiverKycUpdate: ReceiverKycUpdate,
} as const satisfies Record<string, TSchema>;
