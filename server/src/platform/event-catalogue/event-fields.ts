// What the schemas and examples of events share.

import Type from "typebox";

export const uuid = { format: "uuid" };
export const milliseconds = { description: "Milliseconds since the Unix epoch" };

/** Only in the events of a subaccount that asked for it. */
export const metadata = Type.Optional(
  Type.Record(Type.String(), Type.String(), {
    description:
      "Of the object, as it was then. Only where `event_metadata` of the subaccount is set",
  }),
);

export const payoutFields = {
  amount: Type.Number({ description: "Minor units" }),
  currency: Type.String({ examples: ["AUD"] }),
  payout_id: Type.String(uuid),
  receiver_account_id: Type.String(uuid),
  receiver_id: Type.String(uuid),
  reference: Type.String({ description: "Your payout reference" }),
  subccount_id: Type.String(uuid), // Sic. The published interface spells it this way.
};

export const subccount_id = "0190f3a2-7b3c-7d1e-8f00-0123456789ab";
export const receiver_id = "0190f3a2-7b3c-7d1e-8f00-0123456789ac";
export const receiver_account_id = "0190f3a2-7b3c-7d1e-8f00-0123456789ad";
export const timestamp = 1731628799123;
export const payout = {
  amount: 12_500,
  currency: "AUD",
  payout_id: "0190f3a2-7b3c-7d1e-8f00-0123456789ae",
  receiver_account_id,
  receiver_id,
  reference: "a test",
};
