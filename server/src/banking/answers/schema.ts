// Schemas of what users do about suspense.

import Type from "typebox";

export const DecidedSuspense = Type.Object({
  status: Type.String(),
  request_id: Type.Union([Type.Null(), Type.String({ description: "It waits for a second user" })]),
});
