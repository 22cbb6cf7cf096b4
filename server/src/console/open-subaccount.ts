// Of a subaccount that is closed, everything can still be read; what would make it do something is refused.

import { Refusal } from "../refusals/refusals.ts";

export function requireOpenSubaccount<Asker extends { subaccount: { isClosed: boolean } }>(
  asker: Asker,
): Asker {
  if (asker.subaccount.isClosed) throw new Refusal("CONS701");
  return asker;
}
