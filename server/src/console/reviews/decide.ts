// A reviewer decides a case, in the version that was shown. Where the risk is high, two reviewers decide.

import type { UserActor } from "../../audit/actor.ts";
import { recordAct } from "../../audit/record.ts";
import { decideKyc, type KycOutcome } from "../../kyc/decide.ts";
import { lockOrRefuse } from "../../receivers/change.ts";
import { statesOf } from "../../receivers/move.ts";
import { openPerson } from "../../receivers/person.ts";
import type { ReceiverKey } from "../../receivers/queries.ts";
import type { States } from "../../receivers/states.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { WriteParts } from "../write-parts.ts";
import { findRisk, isSecond } from "./case.ts";
import { deleteClaim, deleteVotes, findClaim, insertVote, listVotes } from "./case-queries.ts";
import { isOverride, versionOf } from "./review.ts";

export type ReviewDecision = {
  verdict: KycOutcome;
  /** The action of the audit entry. */
  action: "approve" | "reject" | "need-more";
  /** The subaccount can read it. */
  reason: string;
  label: string | undefined;
  /** The version of the case that the reviewer saw. */
  version: string;
};

/** Returns whether it is decided, and the new states. */
export function decideCase(
  { db, seal, clock }: WriteParts,
  key: ReceiverKey,
  ruling: ReviewDecision,
  actor: UserActor,
  /** Whether the user confirmed their identity recently. */
  isProven: boolean,
): Promise<States & { isDecided: boolean }> {
  const { verdict, action, reason, label, version } = ruling;
  const { who, userId } = actor;
  return db.transaction(async (tx) => {
    const atMs = clock();
    const current = openPerson(seal, key.subaccountId, await lockOrRefuse(tx, key));
    const before = statesOf(current);
    if (versionOf(current) !== version) throw new Refusal("CONS602");
    const claim = await findClaim(tx, key, atMs);
    if (claim && claim.user_id !== userId) throw new Refusal("CONS601");

    const { hasFailed, isHigh } = await findRisk({ db: tx, seal }, key, current);
    if (isOverride(verdict, current, hasFailed) && !isProven) throw new Refusal("CONS103");
    const votes = await listVotes(tx, key, version);
    const isFirst = verdict.verdict === "approve" && isHigh && !isSecond(votes, userId);
    // A second approval by the same user does not count.
    if (isFirst && votes.length > 0) throw new Refusal("CONS603");

    const after = isFirst
      ? before
      : await decideKyc(tx, key, {
          who,
          reason,
          atMs,
          labels: label ? [label] : [],
          ...verdict,
        });
    if (isFirst) await insertVote(tx, key, { userId, who, version, atMs });
    else await deleteVotes(tx, key);
    await deleteClaim(tx, key, undefined);
    await recordAct({ tx, seal }, actor, {
      action: isFirst ? "review.approve-first" : `review.${action}`,
      object: { kind: "receiver", id: key.id },
      before,
      after: { ...after, ...(label && { reason_code: label }) },
    });
    return { isDecided: !isFirst, ...after };
  });
}
