// A reviewer decides a case, in the version that was shown. Where the risk is high, two reviewers decide.

import { decideKyc, type KycOutcome } from "../../../people/kyc/index.ts";
import { openPerson } from "../../../people/person/index.ts";
import {
  lockOrRefuse,
  type ReceiverKey,
  type States,
  statesOf,
} from "../../../people/receivers/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { recordAct, type UserActor } from "../../../tenants/audit/index.ts";
import { requireOtherUser } from "../../../tenants/four-eyes/index.ts";
import { isOverride, versionOf } from "../../review-list/index.ts";
import type { WriteParts } from "../write-parts.ts";
import { findRisk } from "./case.ts";
import { deleteClaim, deleteVotes, findClaim, insertVote, listVotes } from "./case-queries.ts";

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
    const needsTwo = verdict.verdict === "approve" && isHigh;
    const isFirst = needsTwo && votes.length === 0;
    if (needsTwo && !isFirst) {
      // A second approval by the same user does not count.
      if (votes.some(({ user_id }) => user_id === userId)) throw new Refusal("CONS603");
      await requireOtherUser(
        tx,
        votes.map((vote) => vote.who),
        { who },
      );
    }

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
