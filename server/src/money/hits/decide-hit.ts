// Decides a screening hit. One user says that it is a different person, and never the one who created or changed the
// receiver. That it is the same person takes two users: the receiver is then deactivated, and its payouts that are on
// hold are refused.

import {
  lockReceiver,
  moveReceivers,
  nextStates,
  statesOf,
  toReceiverMove,
} from "../../people/receivers/index.ts";
import { makersOfHit } from "../../people/reviews/index.ts";
import {
  type HitKey,
  type HitRow,
  type HitStatus,
  listHitsOfReceiver,
  lockHit,
  updateFirstSame,
  updateHitDecided,
} from "../../people/screening/index.ts";
import { oldestId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { isOneUserEnough, requireOtherUser } from "../../tenants/four-eyes/index.ts";
import { holdPayoutsOf, lockUnsentPayouts, refusePayout } from "../payouts/index.ts";

export type HitVerdict = {
  verdict: "same" | "different";
  reason: string;
  who: string;
  atMs: number;
};

export type DecidedHit = {
  /** The hit as it was before. */
  hit: HitRow;
  status: HitStatus;
  /** False: the first of two users has said that it is the same person. */
  isDecided: boolean;
  /** Hits of the receiver that still hold its payouts. Without one, a user may release them. */
  hitsLeft: number;
  /** The payouts that were refused. */
  refused: string[];
  isReceiverDeactivated: boolean;
};

/** Callers can read the history of a receiver. It does not say what the review was about. */
const deactivatedText = "deactivated after a review";

/** In the transaction of the caller, who records it in the audit log. Payouts stay on hold until a user releases them. */
export async function decideHit(
  tx: Tx,
  key: HitKey,
  { verdict, reason, who, atMs }: HitVerdict,
): Promise<DecidedHit> {
  const hit = await lockHit(tx, key);
  if (!hit) throw new Refusal("CONS110");
  const isOpen = hit.status === "open";
  if (!isOpen && !(hit.status === "same" && verdict === "different")) {
    throw new Refusal("CONS611", { message: `The hit is decided already: ${hit.status}` });
  }
  const undecided = { hit, refused: [], isReceiverDeactivated: false };
  const isOneEnough = await isOneUserEnough(tx, key.subaccountId);
  if (verdict === "same" && hit.same_by === "" && !isOneEnough) {
    await updateFirstSame(tx, key, { who, atMs, reason });
    return { ...undecided, status: "open", isDecided: false, hitsLeft: await countHits(tx, hit) };
  }
  // It lets payouts leave, so a user never clears their own receiver. Two users may have said that it is the same
  // person; a third one may correct them.
  const firsts = hit.status === "same" ? [hit.same_by, hit.decided_by] : [];
  const others = verdict === "same" ? [hit.same_by] : [...(await makersOfHit(tx, hit)), ...firsts];
  await requireOtherUser(tx, others, { who, in: key.subaccountId });
  await updateHitDecided(tx, key, { status: verdict, who, atMs, reason });
  const hitsLeft = await countHits(tx, hit);
  if (verdict === "different") {
    return { ...undecided, status: "different", isDecided: true, hitsLeft };
  }
  const refused = await refuseHeld(tx, hit, { who, atMs, reason });
  const isReceiverDeactivated = await deactivate(tx, hit, { who, atMs });
  return { hit, status: "same", isDecided: true, hitsLeft, refused, isReceiverDeactivated };
}

async function countHits(
  tx: Tx,
  { subaccount_id: subaccountId, receiver_id: receiverId }: HitRow,
): Promise<number> {
  return (await listHitsOfReceiver(tx, { subaccountId, receiverId })).length;
}

async function refuseHeld(
  tx: Tx,
  { subaccount_id: subaccountId, receiver_id: receiverId, id }: HitRow,
  ending: { who: string; atMs: number; reason: string },
): Promise<string[]> {
  const receiver = { subaccountId, receiverId };
  const { who, atMs } = ending;
  // Also those that were created while the hit was being opened.
  await holdPayoutsOf(tx, receiver, { who, atMs, reason: { kind: "screening", hit_id: id } });
  const refused: string[] = [];
  const limit = limits.holdsPageMax;
  let page: { id: string; stage: string }[] = [];
  do {
    page = await lockUnsentPayouts(tx, receiver, { afterId: page.at(-1)?.id ?? oldestId, limit });
    for (const payout of page.filter(({ stage }) => stage === "on_hold")) {
      await refusePayout(tx, { subaccountId, id: payout.id }, ending);
      refused.push(payout.id);
    }
  } while (page.length === limit);
  return refused;
}

/**
 * Not refused while a payout is pending: one that the bank has can't be stopped. A receiver that is not active can't be
 * paid, and the hit holds its payouts if it becomes active later.
 */
async function deactivate(
  tx: Tx,
  { subaccount_id: subaccountId, receiver_id: id }: HitRow,
  { who, atMs }: { who: string; atMs: number },
): Promise<boolean> {
  const key = { subaccountId, id };
  const receiver = await lockReceiver(tx, key);
  if (receiver?.status !== "active") return false;
  const from = statesOf(receiver);
  const to = nextStates(from, "disabled");
  if (!to) return false;
  const move = { ...key, from, to, who, reason: deactivatedText, atMs, step: "as-before" } as const;
  await moveReceivers(tx, [toReceiverMove(move)]);
  return true;
}
