// A key that may pay out, made at the console, is accepted once another user has approved it: in live subaccounts,
// and in test subaccounts in which payouts wait for a second user as well.

import type { Mode, Scope } from "../../caller.ts";
import type { Runner, Tx } from "../../db/connect.ts";
import { idTimeMs, newId } from "../../ids.ts";
import { hasThreshold } from "../../payouts/limit-queries.ts";
import { type ChangeFields, insertChangeRequest } from "../change-requests/queries.ts";

export async function waitsForActivation(
  db: Runner,
  { subaccountId, mode, scopes }: { subaccountId: string; mode: Mode; scopes: readonly Scope[] },
): Promise<boolean> {
  if (!scopes.includes("payout")) return false;
  return mode === "live" || (await hasThreshold(db, subaccountId));
}

export async function askForActivation(
  tx: Tx,
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
    kind: "key",
    objectId: key,
    before: {},
    after: fields,
    madeBy,
    madeAtMs: idTimeMs(id),
    aloneAtMs: undefined,
  });
}
