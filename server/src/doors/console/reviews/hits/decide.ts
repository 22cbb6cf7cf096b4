// A reviewer decides a hit, in the version that was shown: not the same person, or the same person by two users.

import { type DecidedHit, decideHit } from "../../../../money/hits/index.ts";
import { type EndedHold, makersOf, releasePayout } from "../../../../money/payouts/index.ts";
import { type HitKey, lockHit } from "../../../../people/screening/index.ts";
import type { Tx } from "../../../../platform/db/index.ts";
import type { Seal } from "../../../../platform/encryption/index.ts";
import { Refusal } from "../../../../platform/refusals/index.ts";
import { type AuditNote, audited, type UserActor } from "../../../../tenants/audit/index.ts";
import { conflictsOf } from "../../../../tenants/four-eyes/index.ts";
import { findCase } from "../case-queries.ts";
import { type HoldParts, holdEntry, requireUnclaimed } from "../holds/decide.ts";
import { hitVersionOf } from "./case.ts";
import { type HeldRow, listHeldPayouts } from "./queries.ts";
import type { HitDecided } from "./schema.ts";

export type HitRuling = {
  verdict: "same" | "different";
  version: string;
  reason: string;
  /** Release the payouts that only this hit holds, and that this user may release. */
  release: boolean;
};

type Outcome = DecidedHit & { released: EndedHold[] };

export async function decideHitCase(
  { db, seal, clock, rails, onDue }: HoldParts,
  key: HitKey,
  { verdict, version, reason, release }: HitRuling,
  actor: UserActor,
): Promise<HitDecided> {
  const { who } = actor;
  const outcome = await audited({ db, seal }, actor).transaction<Outcome>(
    (decided) => entriesOf(decided, { verdict, reason }),
    async (tx) => {
      const atMs = clock();
      const receiverId = await requireSeen({ tx, seal }, key, version);
      const receiver = { subaccountId: key.subaccountId, id: receiverId };
      await requireUnclaimed(tx, receiver, actor, atMs);
      const decided = await decideHit(tx, key, { verdict, reason, who, atMs });
      if (!release || verdict !== "different" || decided.hitsLeft > 0) {
        return { ...decided, released: [] };
      }
      const ending = { who, atMs, reason, rails };
      const released: EndedHold[] = [];
      for (const { id } of await releasable(tx, await listHeldPayouts(tx, receiver), ending)) {
        released.push(await releasePayout(tx, { ...key, id }, ending));
      }
      return { ...decided, released };
    },
  );
  onDue?.();
  const { isDecided: is_decided, status } = outcome;
  return { is_decided, status, released: outcome.released.map(({ payout }) => payout.id) };
}

/** A decided hit is left to the decision itself, whose refusal says how it was decided. */
async function requireSeen(
  { tx, seal }: { tx: Tx; seal: Seal },
  key: HitKey,
  version: string,
): Promise<string> {
  const hit = await lockHit(tx, key);
  if (!hit) throw new Refusal("CONS110");
  if (hit.status !== "open") return hit.receiver_id;
  const receiver = await findCase(
    { db: tx, seal },
    { subaccountId: key.subaccountId, id: hit.receiver_id },
  );
  if (!receiver || hitVersionOf(hit, receiver) !== version) throw new Refusal("CONS602");
  return hit.receiver_id;
}

/** A payout that a rule holds too, or that this user made, stays on hold and is a case of its own from now on. */
async function releasable(
  tx: Tx,
  held: readonly HeldRow[],
  approval: { who: string; atMs: number },
): Promise<HeldRow[]> {
  const conflicts = await conflictsOf(tx, held.map(makersOf), approval);
  return held.filter(
    ({ reasons }, index) => !conflicts[index] && reasons.every(({ kind }) => kind === "screening"),
  );
}

function entriesOf(
  { hit, isDecided, refused, isReceiverDeactivated, released }: Outcome,
  { verdict, reason }: Pick<HitRuling, "verdict" | "reason">,
): AuditNote[] {
  const { id, list, entry_key, receiver_id, status } = hit;
  const decided: AuditNote = {
    action: isDecided ? `review.${verdict}` : "review.same-first",
    object: { kind: "screening_hit", id },
    before: { status },
    after: {
      list,
      entry_key,
      receiver_id,
      reason,
      ...(isReceiverDeactivated && { receiver: "inactive" }),
      ...(refused.length > 0 && { payouts_refused: refused }),
    },
  };
  return [decided, ...released.map((ended) => holdEntry("release", ended, reason))];
}
