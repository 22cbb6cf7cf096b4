// A key that may pay out, made at the console, is accepted once another user has approved it: in live subaccounts,
// and in test subaccounts in which payouts wait for a second user as well. In live subaccounts a key that may write
// waits too: it can erase receivers, which takes two users.

import type { Mode, Scope } from "../../caller.ts";
import type { Runner, Tx } from "../../db/connect.ts";
import { idTimeMs, newId } from "../../ids.ts";
import { hasThreshold } from "../../payouts/limit-queries.ts";
import { type ChangeFields, insertChangeRequest } from "../change-requests/queries.ts";

export async function waitsForActivation(
  db: Runner,
  { subaccountId, mode, scopes }: { subaccountId: string; mode: Mode; scopes: readonly Scope[] },
): Promise<boolean> {
  if (mode === "live") return scopes.some((scope) => scope === "payout" || scope === "write");
  return scopes.includes("payout") && (await hasThreshold(db, subaccountId));
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
