// Schemas of the search.

import Type, { type Static } from "typebox";
import { line } from "../../fields/fields.ts";
import { input, required } from "../fields.ts";

export const SearchQuery = input({
  q: required(Type.String({ minLength: 1, maxLength: 254, pattern: line })),
});

const hitKinds = [
  ...(["subaccount", "payout", "batch", "receiver", "account", "event", "request"] as const),
] as const;

export const Hit = Type.Object({
  kind: Type.String({ enum: [...hitKinds] }),
  id: Type.String(),
  title: Type.String(),
  detail: Type.String(),
  subaccount_id: Type.String(),
  receiver_id: Type.Union([Type.String(), Type.Null()], {
    description: "The receiver of an account",
  }),
});
export type Hit = Static<typeof Hit>;
export const Hits = Type.Object({ hits: Type.Array(Hit) });
