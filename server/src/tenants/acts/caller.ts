// The actor of an act as a caller, for writes that the API has too. Histories name the actor.

import { type Caller, newId } from "../../platform/base/index.ts";
import type { ActBy } from "./act.ts";

/** Of an act on the data of a subaccount. */
export function callerOf({ actor, subaccount, caller }: ActBy): Caller {
  if (caller) return caller;
  if (!subaccount) throw new Error("an act of a caller is about a subaccount");
  const { id: subaccountId, mode } = subaccount;
  const requestId = actor.requestId || newId();
  return { subaccountId, mode, key: "", who: actor.who, requestId, nonce: undefined };
}
