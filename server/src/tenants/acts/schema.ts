// Schemas of one act on several objects.

import Type, { type Static } from "typebox";

/** One result per id, in the order of the request. */
export const EachResult = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      is_done: Type.Boolean(),
      /** Why not. Null: it is done. */
      code: Type.Union([Type.String(), Type.Null()]),
      message: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
export type EachResult = Static<typeof EachResult>;
