// Schemas of one act on several objects.

import Type, { type Static } from "typebox";
import { consoleListLimits, input, required } from "../../lists/index.ts";

export const ManyIds = input({
  ids: required(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: consoleListLimits.selectedMax,
    }),
  ),
});

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
