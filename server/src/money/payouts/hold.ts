// Holds payouts for a review, and ends holds: release, refuse, expire. A release never approves. What callers can read,
// the history and the cause, never says what the review was about.

import type { Mode } from "../../platform/base/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { requireOtherUser } from "../../tenants/four-eyes/index.ts";
import type { RailDirectory } from "../rails/index.ts";
import { areApprovalsMet } from "./approval.ts";
import { findApprovalState, lockPayoutToDecide, type PayoutToDecide } from "./approval-queries.ts";
import { makersOf } from "./approve.ts";
import {
  addHoldReason,
  endHolds,
  type HoldDecision,
  hasScreeningReview,
  insertHolds,
  listExpiredHolds,
  lockUnsentPayouts,
  type UnsentPayout,
} from "./hold-queries.ts";
import type { HoldReason } from "./hold-reason.ts";
import type { PayoutKey } from "./list-queries.ts";
import { type MoveRequest, toPayoutMove } from "./move.ts";
import { movePayouts } from "./move-queries.ts";
import { stages } from "./states.ts";

/** The reasons in the history, which callers can read. */
const heldText = "on hold for a review";
const releasedText = "released after a review";
const refusedText = "refused after a review";
const expiredText = "not released within 30 days";

const firstId = "00000000-0000-0000-0000-000000000000";

type Holding = { who: string; atMs: number; reason: HoldReason };

export type HeldPayouts = {
  /** The payouts that are on hold from now on. */
  held: string[];
  /** They are in a bank file already: only discarding the file stops them. */
  inBankFile: string[];
};

/** Holds every payout of the receiver that has not been sent. One that is on hold gets one reason more. */
export async function holdPayoutsOf(
  tx: Tx,
  receiver: { subaccountId: string; receiverId: string },
  { who, atMs, reason }: Holding,
): Promise<HeldPayouts> {
  const found: HeldPayouts = { held: [], inBankFile: [] };
  const { subaccountId } = receiver;
  const limit = limits.holdsPageMax;
  let page: UnsentPayout[] = [];
  do {
    const afterId = page.at(-1)?.id ?? firstId;
    page = await lockUnsentPayouts(tx, receiver, { afterId, limit });
    const idsIn = (stage: string) => page.filter((one) => one.stage === stage).map(({ id }) => id);
    found.inBankFile.push(...idsIn("batched"));
    await addHoldReason(tx, subaccountId, idsIn("on_hold"), reason);
    found.held.push(...(await holdPayouts(tx, page, { who, atMs, reason })));
  } while (page.length === limit);
  return found;
}

/** Holds those of the payouts that are queued or wait for approval. Returns their ids. */
export async function holdPayouts(
  tx: Tx,
  payouts: readonly UnsentPayout[],
  { who, atMs, reason }: Holding,
): Promise<string[]> {
  const moves = payouts.flatMap((payout) => {
    const { stage } = payout;
    if (stage !== "queued" && stage !== "awaiting_approval") return [];
    const move = stage === "queued" ? "hold" : "hold_waiting";
    return [toPayoutMove(payout, { move, who, atMs, reason: heldText })];
  });
  if (moves.length === 0) return [];
  const moved = await movePayouts(tx, moves);
  const holds = moves
    .filter(({ id }) => moved.has(id))
    .map(({ subaccountId, id }) => ({ subaccountId, id, reasons: [reason] }));
  await insertHolds(tx, holds, { who, atMs });
  return holds.map(({ id }) => id);
}

export type HoldEnding = {
  who: string;
  atMs: number;
  /** Only for users. */
  reason: string;
};

/** The payout as it was before, and where it is now. */
export type EndedHold = { payout: PayoutToDecide; status: string; stage: string };

/**
 * The user must not have created the payout or changed its bank details, and no hit may hold its receiver. Where
 * approval is needed, the payout waits for it afterwards; otherwise it is queued.
 */
export async function releasePayout(
  tx: Tx,
  key: PayoutKey,
  { who, atMs, reason, rails, mode }: HoldEnding & { rails: RailDirectory; mode?: Mode },
): Promise<EndedHold> {
  const payout = await heldPayout(tx, key);
  await requireOtherUser(tx, makersOf(payout), { who, mode, in: key.subaccountId });
  const receiver = { subaccountId: key.subaccountId, receiverId: payout.receiver_id };
  if (await hasScreeningReview(tx, receiver)) throw new Refusal("CONS604");
  const isApproved = areApprovalsMet(await findApprovalState(tx, key));
  const schedule = rails.findRail(payout.rail)?.schedule(atMs, payout.send_on) ?? { dueAtMs: atMs };
  const request: MoveRequest = { move: "release_waiting", who, atMs, reason: releasedText };
  return endHold(tx, key, payout, {
    request: isApproved ? { ...request, ...schedule, move: "release" } : request,
    decision: "released",
    why: reason,
  });
}

/** Its creator may refuse it too. The money is available again. */
export async function refusePayout(
  tx: Tx,
  key: PayoutKey,
  { who, atMs, reason }: HoldEnding,
): Promise<EndedHold> {
  const payout = await heldPayout(tx, key);
  return endHold(tx, key, payout, {
    request: { move: "refuse", who, atMs, reason: refusedText, cause: refusedText },
    decision: "refused",
    why: reason,
  });
}

async function heldPayout(tx: Tx, key: PayoutKey): Promise<PayoutToDecide> {
  const payout = await lockPayoutToDecide(tx, key);
  if (!payout) throw new Refusal("PAYO101");
  if (payout.stage === "on_hold") return payout;
  throw new Refusal("CONS508", { message: `The payout is ${payout.stage}: it is not on hold` });
}

async function endHold(
  tx: Tx,
  key: PayoutKey,
  payout: PayoutToDecide,
  ending: { request: MoveRequest; decision: HoldDecision; why: string },
): Promise<EndedHold> {
  const { request, decision, why } = ending;
  const move = toPayoutMove({ ...payout, subaccount_id: key.subaccountId }, request);
  const moved = await movePayouts(tx, [move]);
  if (!moved.has(payout.id)) throw new Error("a payout that is locked must move");
  await endHolds(tx, [key], { decision, who: request.who, atMs: request.atMs, why });
  return { payout, stage: move.toStage, status: stages[move.toStage] };
}

/**
 * One page of holds without a decision for 30 days: the payouts fail and their money is available again. Returns how
 * many; as many as the limit: there may be more.
 */
export async function expireHolds(
  db: Db,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  return db.transaction(async (tx) => {
    const untilMs = nowMs - limits.holdExpiresMs;
    const payouts = await listExpiredHolds(tx, { untilMs, limit });
    if (payouts.length === 0) return 0;
    const who = "service";
    const moves = payouts.map((payout) =>
      toPayoutMove(payout, {
        move: "refuse",
        who,
        atMs: nowMs,
        reason: expiredText,
        cause: expiredText,
      }),
    );
    const moved = await movePayouts(tx, moves);
    const ended = moves.filter(({ id }) => moved.has(id));
    await endHolds(tx, ended, { decision: "expired", who, atMs: nowMs });
    return ended.length;
  });
}
