// Locks a key for a change, and refuses users who may not change it.

import type { Mode, Scope } from "../../../platform/base/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { moneyScopes } from "../../../tenants/api-keys/index.ts";
import { may } from "../../../tenants/roles/index.ts";
import type { ConsoleAccess, SubaccountAccess } from "../route.ts";
import { type LockedConsoleKey, lockKeyOf } from "./queries.ts";

/** Creating, rotating and revoking a key take the same permission. */
export function requireMayChangeKey(
  { user }: Pick<ConsoleAccess, "user">,
  mode: Mode,
  scopes: readonly Scope[],
): void {
  const isAboutMoney = mode === "live" || scopes.some((scope) => moneyScopes.includes(scope));
  if (!may(user, isAboutMoney ? "keys.money" : "keys.write")) throw new Refusal("CONS709");
}

export async function lockKeyToChange(
  tx: Tx,
  { subaccount }: SubaccountAccess,
  key: string,
): Promise<LockedConsoleKey> {
  const locked = await lockKeyOf(tx, subaccount.id, key);
  if (!locked) throw new Refusal("CONS110");
  return locked;
}
