// Which API keys wait for a second user: one that a user makes, and one whose secret a user rotates. In live
// subaccounts every key that does more than read waits; in test subaccounts in which payouts wait for a second user, one
// that may pay out.

import { idTimeMs, newId, type Scope } from "../../platform/base/index.ts";
import type { Runner, Tx } from "../../platform/db/index.ts";
import type { ActBy } from "../acts/index.ts";
import { type ChangeFields, insertChangeRequest } from "../four-eyes/index.ts";

/** Whether payouts of a subaccount wait for a second user above a threshold. */
export type ActivationParts = { hasThreshold(db: Runner, subaccountId: string): Promise<boolean> };

export async function waitsForActivation(
  db: Runner,
  { session, subaccount }: Pick<ActBy, "session" | "subaccount">,
  scopes: readonly Scope[],
  { hasThreshold }: ActivationParts,
): Promise<boolean> {
  // Someone with a shell is outside of the rule.
  if (!session || !subaccount) return false;
  if (subaccount.mode === "live") return scopes.some((scope) => scope !== "read");
  return scopes.includes("payout") && (await hasThreshold(db, subaccount.id));
}

type Asked = { subaccountId: string; key: string; fields: ChangeFields; madeBy: string };

/** `key`: it is new. `rotation`: only its new secret waits. */
export async function askForActivation(
  tx: Tx,
  kind: "key" | "rotation",
  { subaccountId, key, fields, madeBy }: Asked,
): Promise<void> {
  const id = newId();
  const asked = { before: {}, after: fields, madeBy, madeAtMs: idTimeMs(id) };
  await insertChangeRequest(tx, { subaccountId, id, kind, objectId: key, ...asked });
}
