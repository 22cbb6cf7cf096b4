// Hashes of what a decision is about. A decision about another version is refused.

import { hash } from "node:crypto";
import type { HitRow } from "../../people/screening/index.ts";
import type { PayoutRow } from "../payouts/index.ts";
import type { HoldRow } from "./held-queries.ts";

type Compared = Record<"first_name" | "middle_name" | "last_name" | "dob" | "country", string>;

/** A receiver that changes keeps its open hits, so it is a part. */
export function hitVersionOf(hit: HitRow, receiver: Compared): string {
  const { id, status, same_by, subject_hash, entry_hash } = hit;
  const { first_name, middle_name, last_name, dob, country } = receiver;
  const compared = [first_name, middle_name, last_name, dob, country];
  return versionOfSeen([id, status, same_by, subject_hash, entry_hash, ...compared]);
}

/** The payout can't change, but it can be held again, or for one reason more. */
export function holdVersionOf(
  { stage, account_version }: Pick<PayoutRow, "stage" | "account_version">,
  { id, reasons }: Pick<HoldRow, "id" | "reasons">,
): string {
  return versionOfSeen([id, stage, account_version, reasons]);
}

function versionOfSeen(seen: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(seen), "base64url").slice(0, 22);
}
