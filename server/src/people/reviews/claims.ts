// A reviewer claims a case for a while, or releases it. Skipping a case releases it.

import type { Tx } from "../../platform/db/index.ts";
import { idField, input } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../../tenants/acts/index.ts";
import type { Actor } from "../../tenants/audit/index.ts";
import { lockOrRefuse, type ReceiverKey } from "../receivers/index.ts";
import { deleteClaim, findClaim, insertClaim } from "./case-queries.ts";

const row = {
  object: "receiver",
  may: "receivers.review",
  in: "subaccount",
  doors: ["console"],
  input: input({ id: idField("CONS110") }),
} as const;

export const claimReview = act({
  ...row,
  name: "review.claim",
  summary: "claim a case, so that no other user decides it meanwhile",
  async run({ tx, actor: { userId = "" }, who, atMs, subaccount }, { id }) {
    const key = { subaccountId: subaccount.id, id };
    await lockOrRefuse(tx, key);
    const claim = await insertClaim(tx, key, { userId, who, nowMs: atMs });
    if (!claim) throw new Refusal("CONS601");
    return { result: claim, id };
  },
});

export const releaseReview = leaving("review.release", "release a case that one has claimed");
export const skipReview = leaving("review.skip", "skip a case: it is no longer claimed");

function leaving(name: string, summary: string) {
  return act({
    ...row,
    name,
    summary,
    async run({ tx, actor, subaccount }, { id }) {
      const key = { subaccountId: subaccount.id, id };
      await lockOrRefuse(tx, key);
      await deleteClaim(tx, key, actor.userId);
      return { result: undefined, id };
    },
  });
}

/** No other user works on the receiver. Commands wait for no user. */
export async function requireUnclaimed(
  tx: Tx,
  receiver: ReceiverKey,
  { userId }: Pick<Actor, "userId">,
  atMs: number,
): Promise<void> {
  const claim = await findClaim(tx, receiver, atMs);
  if (userId !== undefined && claim && claim.user_id !== userId) throw new Refusal("CONS601");
}
