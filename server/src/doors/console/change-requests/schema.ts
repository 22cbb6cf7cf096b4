// Schemas of decided change requests.

import Type, { type Static } from "typebox";

export const DecidedRequest = Type.Object({ id: Type.String(), status: Type.String() });

/** `applicant`: the receiver that was erased has data at a provider of identity checks, too. */
export const ApprovedRequest = Type.Object({
  ...DecidedRequest.properties,
  applicant: Type.Union([Type.Null(), Type.Object({ provider: Type.String(), id: Type.String() })]),
});
export type ApprovedRequest = Static<typeof ApprovedRequest>;
