// Approves or declines a payout that waits. It is queued when all approvals that it needs are there; the money of a
// declined one is available again.

import Type from "typebox";
import { toNumber } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { idField, input, line, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act, type Doing } from "../../tenants/acts/index.ts";
import { requireOtherUser } from "../../tenants/four-eyes/index.ts";
import type { Role, User } from "../../tenants/roles/index.ts";
import type { RailDirectory } from "../rails/index.ts";
import { areApprovalsMet, canApprovalHelp } from "./approval.ts";
import {
  findApprovalState,
  insertApproval,
  lockPayoutToDecide,
  type PayoutToDecide,
} from "./approval-queries.ts";
import type { PayoutKey } from "./list-queries.ts";
import { type MoveRequest, toPayoutMove } from "./move.ts";
import { movePayouts } from "./move-queries.ts";
import { DecidedPayout } from "./schema.ts";

type ApprovalDecision = { who: string; atMs: number };

/** The payout as it was before, and whether it has all approvals now. */
type GivenApproval = { payout: PayoutToDecide; isApproved: boolean };

/**
 * The approving user must not have created the payout, changed or added its bank details or approved it before. Users who can't
 * approve each other's work can't approve the same payout either.
 */
export async function approvePayout(
  tx: Tx,
  key: PayoutKey,
  { who, role, atMs, rails }: ApprovalDecision & { role: Role; rails: RailDirectory },
): Promise<GivenApproval> {
  const payout = await waitingPayout(tx, key);
  await requireOtherUser(tx, makersOf(payout), { who, in: key.subaccountId });
  const { requirements, approvals } = await findApprovalState(tx, key);
  const earlier = approvals.map((approval) => approval.who);
  if (earlier.includes(who)) throw new Refusal("CONS410");
  await requireOtherUser(tx, earlier, { who, in: key.subaccountId });
  if (!canApprovalHelp({ requirements, approvals }, role)) throw new Refusal("CONS411");
  await insertApproval(tx, key, { who, role, atMs });
  const isApproved = areApprovalsMet({
    requirements,
    approvals: [...approvals, { who, role }],
  });
  if (!isApproved) return { payout, isApproved };
  const schedule = rails.findRail(payout.rail)?.schedule(atMs, payout.send_on) ?? { dueAtMs: atMs };
  await move(tx, key, payout, { move: "approve", who, atMs, reason: "approved", ...schedule });
  return { payout, isApproved };
}

/** Its creator may decline it too. Returns the payout as it was before. */
export async function declinePayout(
  tx: Tx,
  key: PayoutKey,
  { who, atMs, reason }: ApprovalDecision & { reason: string },
): Promise<PayoutToDecide> {
  const payout = await waitingPayout(tx, key);
  const cause = `declined: ${reason}`;
  await move(tx, key, payout, { move: "decline", who, atMs, reason: cause, cause });
  return payout;
}

/** No user has approved it in time: it fails, as a declined one. Returns the payout as it was before. */
export async function expirePayout(
  tx: Tx,
  key: PayoutKey,
  { who, atMs, reason }: ApprovalDecision & { reason: string },
): Promise<PayoutToDecide> {
  const payout = await waitingPayout(tx, key);
  await move(tx, key, payout, { move: "decline", who, atMs, reason, cause: reason });
  return payout;
}

/** The actors who can't approve it: its creator, and the authors of its bank details. */
export function makersOf({
  created_by,
  details_by,
}: Pick<PayoutToDecide, "created_by" | "details_by">): string[] {
  return [created_by, ...details_by];
}

async function waitingPayout(tx: Tx, key: PayoutKey): Promise<PayoutToDecide> {
  const payout = await lockPayoutToDecide(tx, key);
  if (!payout) throw new Refusal("PAYO101");
  if (payout.stage === "awaiting_approval") return payout;
  throw new Refusal("CONS401", { message: `The payout is ${payout.stage}: nothing is to decide` });
}

async function move(
  tx: Tx,
  key: PayoutKey,
  payout: PayoutToDecide,
  request: MoveRequest,
): Promise<void> {
  const moved = await movePayouts(tx, [
    toPayoutMove({ ...payout, subaccount_id: key.subaccountId }, request),
  ]);
  if (!moved.has(payout.id)) throw new Error("a payout that is locked must move");
}

/** What the audit log says about a payout that was decided on. */
export function payoutFacts({ amount, currency, created_by }: PayoutToDecide, more: object = {}) {
  return { amount: toNumber(BigInt(amount)), currency, made_by: created_by, ...more };
}

/** `onPayoutDue` is called after a commit that made a payout due. */
export type PayoutActParts = {
  rails: RailDirectory;
  onPayoutDue?: (() => void) | undefined;
};

export const approvePayoutAct = act({
  name: "payout.approve",
  tokens: "logins",
  summary: "approve a payout that waits for it",
  object: "payout",
  may: "payouts.approve",
  stepUp: true,
  twoPeople: "Create a payout: alone, in a batch, from a file, as a retry",
  in: "open subaccount",
  doors: ["console"],
  input: input({ id: idField("PAYO101") }),
  output: DecidedPayout,
  async run(doing: Doing & PayoutActParts, { id }) {
    const { tx, subaccount, user, who, atMs, rails, onPayoutDue } = doing;
    const key = { subaccountId: subaccount.id, id };
    const { role } = user as User;
    const { payout, isApproved } = await approvePayout(tx, key, { who, role, atMs, rails });
    if (isApproved) tx.afterCommit(() => onPayoutDue?.());
    const stage = isApproved ? "queued" : "awaiting_approval";
    return {
      result: { payout_id: id, status: "pending", stage },
      id,
      after: payoutFacts(payout, isApproved ? {} : { needs_more: true }),
    };
  },
});

export const declinePayoutAct = act({
  name: "payout.decline",
  summary: "decline a payout that waits for approval; its money becomes available again",
  object: "payout",
  may: "payouts.approve",
  in: "subaccount",
  doors: ["console"],
  input: input({
    id: idField("PAYO101"),
    reason: required(Type.String({ minLength: 1, maxLength: 300, pattern: line })),
  }),
  output: DecidedPayout,
  async run({ tx, subaccount, who, atMs }, { id, reason }) {
    const key = { subaccountId: subaccount.id, id };
    const payout = await declinePayout(tx, key, { who, atMs, reason });
    const result = { payout_id: id, status: "failed", stage: "cancelled" };
    return { result, id, after: payoutFacts(payout, { reason }) };
  },
});
