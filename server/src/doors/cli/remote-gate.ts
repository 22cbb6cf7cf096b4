// What a user may do over HTTP: what the console's gate checks for a route that carries the act, with the same refusals.

import { Refusal } from "../../platform/refusals/index.ts";
import type { Act } from "../../tenants/acts/index.ts";
import { isProven, may } from "../../tenants/roles/index.ts";
import { type RemoteRun, remoteRun } from "./terminal.ts";

export type GatedAct = Pick<Act, "name" | "may" | "stepUp" | "tokens" | "doors">;

/**
 * Acts that a user does at the console alone: there they type what the command does not ask for, or decide about what they
 * have looked at.
 */
export const notOverHttp: ReadonlySet<string> = new Set([
  ...["payout.refuse", "payout.release", "review.approve", "review.reject", "subaccount.close"],
]);

/** On the server nothing is refused; an API key has its scopes instead. */
export function requireUserMay(act: GatedAct): void {
  const run = remoteRun();
  if (!run || run.caller) return;
  if (!act.doors.includes("console") || notOverHttp.has(act.name)) throw new Refusal("OPER110");
  const { session, user } = run;
  if (!user || !session) throw new Error("a command over HTTP is of a user or an API key");
  const nowMs = run.clock();
  requireToken(act, { session, nowMs });
  if (!may(user, act.may)) throw new Refusal("CONS102");
  if (act.stepUp && !isProven(session, nowMs)) throw new Refusal("CONS103");
}

type Proven = { session: NonNullable<RemoteRun["session"]>; nowMs: number };

function requireToken({ tokens }: GatedAct, { session, nowMs }: Proven): void {
  if (tokens === undefined) return;
  if (tokens === "none" || !session.token?.isLogin) throw new Refusal("OPER105");
  if (!isProven(session, nowMs)) throw new Refusal("CONS103");
}
