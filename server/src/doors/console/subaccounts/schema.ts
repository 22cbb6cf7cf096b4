// Schemas of the list of subaccounts.

import Type, { type Static } from "typebox";
import { input, line, optional, required } from "../../../platform/fields/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { cursorField, pageOf, rowsField } from "../../lists/index.ts";

export const SubaccountLine = Type.Object({
  id: Type.String(),
  name: Type.String(),
  mode: Type.String({ enum: ["test", "live"] }),
  is_closed: Type.Boolean(),
  needs_second_user: Type.Boolean({ description: "False: one user is enough there" }),
});
export type SubaccountLine = Static<typeof SubaccountLine>;

export const SubaccountPage = pageOf(SubaccountLine);
export type SubaccountPage = Static<typeof SubaccountPage>;

export const SubaccountQuery = input({
  q: optional(
    Type.String({ maxLength: 254, pattern: line, description: "Beginning of a name or id" }),
  ),
  limit: rowsField,
  cursor: cursorField,
});

const uuid = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
/** Up to `max` ids, separated by commas. */
export const idsOf = (max: number) => {
  const pattern = `^${uuid}(,${uuid}){0,${max - 1}}$`;
  return input({ ids: required(Type.String({ pattern, description: "Separated by commas" })) });
};
export const SubaccountIds = idsOf(limits.subaccountsNamedMax);
