// The actors whose work a hit is about: they can't say themselves that it is a different person.

import type { Runner } from "../../platform/db/index.ts";
import { listAccountMakers } from "../accounts/index.ts";
import { listReceiverMakers } from "../receivers/index.ts";
import type { HitRow } from "../screening/index.ts";

/** Those who created the receiver or changed its details, and for a hit of an account those of its bank details. */
export async function makersOfHit(
  db: Runner,
  hit: Pick<HitRow, "subaccount_id" | "receiver_id" | "subject_kind" | "subject_id">,
): Promise<string[]> {
  const { subaccount_id: subaccountId, receiver_id, subject_kind, subject_id } = hit;
  const makers = await listReceiverMakers(db, { subaccountId, id: receiver_id });
  if (subject_kind === "receiver") return makers;
  return [...makers, ...(await listAccountMakers(db, { subaccountId, id: subject_id }))];
}
