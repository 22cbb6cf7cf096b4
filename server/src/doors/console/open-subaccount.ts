// A closed subaccount can still be read, but not changed.

import { Refusal } from "../../platform/refusals/index.ts";

export function requireOpenSubaccount<Access extends { subaccount: { isClosed: boolean } }>(
  access: Access,
): Access {
  if (access.subaccount.isClosed) throw new Refusal("CONS701");
  return access;
}
