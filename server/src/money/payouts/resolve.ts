// Resolves a sent payout by hand, where the bank reports no outcome and users have found it out: the first proposes an
// outcome, the second confirms the same one. A command is outside of the rule of four eyes.

import Type from "typebox";
import { toNumber } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { idField, input, line, required, requiredOfUsers } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { act } from "../../tenants/acts/index.ts";
import type { AuditNote } from "../../tenants/audit/index.ts";
import { isOneUserEnough, requireOtherUser } from "../../tenants/four-eyes/index.ts";
import type { PayoutKey } from "./list-queries.ts";
import { toPayoutMove } from "./move.ts";
import { movePayouts } from "./move-queries.ts";
import {
  deleteResolution,
  findResolution,
  lockPayoutToResolve,
  type PayoutToResolve,
  saveResolution,
} from "./resolve-queries.ts";
import { type Resolution, ResolutionAnswer, resolutions } from "./schema.ts";
import { type Stage, stages } from "./states.ts";

type Resolving = { outcome: Resolution; reason: string; who: string; atMs: number };

/** Locks the payout. Refuses it where the worker or the bank may still end it by themselves. */
async function lockResolvable(tx: Tx, key: PayoutKey, atMs: number): Promise<PayoutToResolve> {
  const payout = await lockPayoutToResolve(tx, key);
  if (!payout) throw new Refusal("PAYO101");
  const isLate = Number(payout.updated_at_ms) <= atMs - limits.payoutLateMs;
  if (payout.stage !== "submitted" || !(payout.is_set_aside || isLate)) {
    throw new Refusal("CONS505", {
      message: `The payout is ${payout.stage}: it can't be resolved`,
    });
  }
  // A worker may be sending it now. Its lease says until when.
  const dueAtMs = payout.due_at_ms === null ? 0 : Number(payout.due_at_ms);
  if (dueAtMs > atMs && dueAtMs <= atMs + limits.railLeaseMs) throw new Refusal("CONS506");
  return payout;
}

async function resolvePayout(
  tx: Tx,
  key: PayoutKey,
  payout: PayoutToResolve,
  { outcome, reason, who, atMs }: Resolving,
): Promise<{ stage: Stage; status: string }> {
  const cause = outcome === "rejected" ? `resolved by hand: ${reason}` : "";
  const move = toPayoutMove(
    { ...payout, subaccount_id: key.subaccountId },
    {
      move: outcome === "paid" ? "settle" : "reject",
      who,
      atMs,
      cause,
      reason: `resolved by hand as ${outcome}: ${reason}`,
    },
  );
  const moved = await movePayouts(tx, [move]);
  if (!moved.has(payout.id)) throw new Error("a payout that is locked must move");
  await deleteResolution(tx, key);
  return { stage: move.toStage, status: stages[move.toStage] };
}

export const resolvePayoutAct = act({
  name: "payout.resolve",
  tokens: "logins",
  summary: "set the outcome of a sent payout by hand, when you know it from the bank",
  object: "payout",
  may: "payouts.resolve",
  stepUp: true,
  twoPeople: "End a sent payout by hand",
  in: "subaccount",
  doors: ["console", "cli"],
  input: input({
    id: idField("CONS110"),
    outcome: required(
      Type.Unsafe<Resolution>(Type.String({ pattern: `^(${resolutions.join("|")})$` })),
    ),
    reason: required(
      Type.String({
        minLength: 1,
        maxLength: 300,
        pattern: line,
        description: "how you know; kept in the history and the audit log",
      }),
    ),
    amount: requiredOfUsers(Type.Number({ description: "Minor units, as typed" })),
  }),
  output: ResolutionAnswer,
  async run({ tx, subaccount, actor, who, atMs }, { id, outcome, reason, amount: typed }) {
    const key = { subaccountId: subaccount.id, id };
    const payout = await lockResolvable(tx, key, atMs);
    const amount = toNumber(BigInt(payout.amount));
    if ((typed ?? amount) !== amount) throw new Refusal([problem("CONS507", "amount")]);
    const found = await findResolution(tx, key);
    const proposed = found?.outcome === outcome ? found : undefined;
    const before = { stage: payout.stage };
    const after = { amount, currency: payout.currency, outcome, reason };
    const answer = (
      state: ResolutionAnswer["state"],
      { status, stage }: { status: string; stage: Stage },
    ) => ({ payout_id: id, state, status, stage });
    if (actor.kind !== "command") {
      if (!proposed && !(await isOneUserEnough(tx, key.subaccountId))) {
        await saveResolution(tx, key, { outcome, reason, proposed_by: who, atMs });
        const action = "payout.propose_resolution";
        return { result: answer("proposed", payout), id, action, before, after };
      }
      const makers = proposed ? [proposed.proposed_by] : [];
      await requireOtherUser(tx, makers, { who, in: key.subaccountId });
    }
    const resolved = await resolvePayout(tx, key, payout, { outcome, reason, who, atMs });
    const { stage } = resolved;
    return {
      result: answer("resolved", resolved),
      id,
      before,
      after: { ...after, stage, proposed_by: proposed?.proposed_by },
    };
  },
});

/** Returns the audit entry. Undefined: it was decided, or proposed again since then. */
export async function expireResolution(
  tx: Tx,
  key: PayoutKey,
  proposedBeforeMs: number,
): Promise<AuditNote | undefined> {
  await lockPayoutToResolve(tx, key);
  const proposed = await findResolution(tx, key);
  if (!proposed || Number(proposed.proposed_at_ms) > proposedBeforeMs) return undefined;
  await deleteResolution(tx, key);
  const { outcome, proposed_by } = proposed;
  const object = { kind: "payout", id: key.id };
  return { action: "payout.expire_resolution", object, after: { outcome, proposed_by } };
}
