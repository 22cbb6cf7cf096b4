// Schemas of outcomes that a user simulates in test mode.

import Type, { type Static } from "typebox";
import { input, required } from "../../../platform/fields/index.ts";

export const OutcomeToSimulate = input({
  id: required(Type.String({ format: "uuid" })),
  type: required(Type.String({ enum: ["kyc", "payout"] })),
  status: required(Type.String({ enum: ["success", "fail", "return"] })),
});
export type OutcomeToSimulate = Static<typeof OutcomeToSimulate>;

export const OutcomeSet = Type.Object({ status: Type.String() });
export type OutcomeSet = Static<typeof OutcomeSet>;
