// The schemas of what users do to other users, to their own account and to their saved views.

import Type from "typebox";
import { input, line, optional, required } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type Role, roles } from "../roles/index.ts";

export const RoleName = Type.Unsafe<Role>({ type: "string", enum: [...roles] });
export const UserName = Type.String({ minLength: 1, maxLength: 100, pattern: "^\\P{Cc}+$" });
export const SubaccountId = Type.String({ format: "uuid" });
export const AssignedSubaccounts = Type.Array(SubaccountId, { maxItems: 100, uniqueItems: true });

export const Password = Type.String({ minLength: 1, maxLength: limits.passwordCharsMax });
export const GivenPassword = input({ password: required(Password) });

const days = ["period", "from", "to"] as const;
const look = ["sort", "columns"] as const;

/**
 * The parameters of each list that a view keeps, without words of a person: erasure has nothing to do here. Names, emails and references are searched, and
 * not kept.
 */
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
const viewName = required(Type.String({ minLength: 1, maxLength: 60, pattern: line }));

export const ViewKey = input({ list, name: viewName });

const value = optional(Type.String({ minLength: 1, maxLength: 400, pattern: line }));
const names = [...new Set(Object.values(viewParameters).flat())];
export const NewView = input({
  list,
  name: viewName,
  search: required(input(Object.fromEntries(names.map((one) => [one, value])))),
});
