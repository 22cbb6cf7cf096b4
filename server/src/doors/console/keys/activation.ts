// Which API keys wait for a second user: one that is made at the console, and one whose secret is rotated there. In live
// subaccounts every key that does more than read waits; in test subaccounts in which payouts wait for a second user, one
// that may pay out.

import { hasThreshold } from "../../../money/payouts/index.ts";
import { idTimeMs, type Mode, newId, type Scope } from "../../../platform/base/index.ts";
import type { Runner, Tx } from "../../../platform/db/index.ts";
import { type ChangeFields, insertChangeRequest } from "../../../tenants/four-eyes/index.ts";

export async function waitsForActivation(
  db: Runner,
  { subaccountId, mode, scopes }: { subaccountId: string; mode: Mode; scopes: readonly Scope[] },
): Promise<boolean> {
  if (mode === "live") return scopes.some((scope) => scope !== "read");
  return scopes.includes("payout") && (await hasThreshold(db, subaccountId));
}

/** `key`: it is new. `rotation`: only its new secret waits. */
export async function askForActivation(
  tx: Tx,
  kind: "key" | "rotation",
  {
    subaccountId,
    key,
    fields,
    madeBy,
  }: { subaccountId: string; key: string; fields: ChangeFields; madeBy: string },
): Promise<void> {
  const id = newId();
  await insertChangeRequest(tx, {
    subaccountId,
    id,
    kind,
    objectId: key,
    before: {},
    after: fields,
    madeBy,
    madeAtMs: idTimeMs(id),
  });
}
