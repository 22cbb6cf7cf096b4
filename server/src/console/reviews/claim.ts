// Takes a case for a while, or leaves it to others.

import { recordAct } from "../../audit/record.ts";
import { lockOrRefuse } from "../../receivers/change.ts";
import type { ReceiverKey } from "../../receivers/queries.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Acting, ActParts } from "../acting.ts";
import { type ClaimRow, deleteClaim, insertClaim } from "./case-queries.ts";

export function claimCase(
  { db, seal, clock }: ActParts,
  key: ReceiverKey,
  { who, personId, ip, requestId }: Acting,
): Promise<ClaimRow> {
  return db.transaction(async (tx) => {
    await lockOrRefuse(tx, key);
    const claim = await insertClaim(tx, key, { personId, who, nowMs: clock() });
    if (!claim) throw new Refusal("CONS601");
    await recordAct(
      { tx, seal },
      {
        ...{ who, ip, requestId, subaccountId: key.subaccountId },
        ...{ action: "review.claim", object: { kind: "receiver", id: key.id } },
      },
    );
    return claim;
  });
}

/** To skip a case is to leave it as well: whoever comes next finds it free. */
export function leaveCase(
  { db, seal }: ActParts,
  key: ReceiverKey,
  how: "release" | "skip",
  { who, personId, ip, requestId }: Acting,
): Promise<void> {
  return db.transaction(async (tx) => {
    await lockOrRefuse(tx, key);
    await deleteClaim(tx, key, personId);
    await recordAct(
      { tx, seal },
      {
        ...{ who, ip, requestId, subaccountId: key.subaccountId },
        ...{ action: `review.${how}`, object: { kind: "receiver", id: key.id } },
      },
    );
  });
}
