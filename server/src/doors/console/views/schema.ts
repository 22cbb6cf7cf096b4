// Schemas of saved views. A view keeps only parameters without words of a person: erasure has nothing to do here.

import Type, { type Static } from "typebox";
import { input, line, optional, required } from "../../../platform/fields/index.ts";

const days = ["period", "from", "to"] as const;
const look = ["sort", "columns"] as const;

/** The parameters of each list that a view keeps. Names, emails and references are searched, and not kept. */
export const viewParameters = {
  payouts: [
    ...["status", "stage", "currency", "amount_min", "amount_max", "receiver_id"],
    ...["receiver_account_id", "batch_id", "created_by", ...days, ...look],
  ],
  receivers: ["status", "kyc_status", "country", ...days, ...look],
  events: ["status", "type", "payout_id", "receiver_id", ...days, ...look],
  requests: ["status", "method", "route", "code", "key", "object", ...days, ...look],
  approvals: ["kind", "subaccount_id", ...look],
  audit: ["who", "action", "object_id", "subaccount_id", ...days, ...look],
} as const satisfies Record<string, readonly string[]>;
export type ViewedList = keyof typeof viewParameters;

const list = required(
  Type.Unsafe<ViewedList>(Type.String({ pattern: `^(${Object.keys(viewParameters).join("|")})$` })),
);
const name = required(Type.String({ minLength: 1, maxLength: 60, pattern: line }));

export const ViewsQuery = input({ list });
export const ViewKey = input({ list, name });

const value = optional(Type.String({ minLength: 1, maxLength: 400, pattern: line }));
const names = [...new Set(Object.values(viewParameters).flat())];
export const NewView = input({
  list,
  name,
  search: required(input(Object.fromEntries(names.map((one) => [one, value])))),
});

export const SavedViews = Type.Object({
  rows: Type.Array(
    Type.Object({
      name: Type.String(),
      search: Type.Record(Type.String(), Type.String()),
    }),
  ),
});
export type SavedViews = Static<typeof SavedViews>;
