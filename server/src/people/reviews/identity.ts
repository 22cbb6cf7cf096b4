// The rules of identity checks that users decide: reasons, versions and overrides. Pure.

import { hash } from "node:crypto";
import type { KycOutcome } from "../kyc/index.ts";
import {
  type HistoryRow,
  type LockedReceiver,
  presentReceiver,
  type States,
} from "../receivers/index.ts";

/** Reject reasons. The subaccount reads them before the reviewer's note. */
export const rejectReasons = {
  document_unreadable: "Document unreadable",
  document_expired: "Document expired",
  details_differ: "Details differ from the document",
  address_unproven: "Address not proven",
  duplicate: "Same person as another receiver",
  suspected_fraud: "Suspected fraud",
  other: "Other",
} as const;

/** A hash of what the reviewer sees. A decision about another version is refused. */
export function versionOf(receiver: LockedReceiver): string {
  const seen = [presentReceiver(receiver), receiver.reference, receiver.kyc_reported_at_ms];
  return hash("sha256", JSON.stringify(seen), "base64url").slice(0, 22);
}

/**
 * Whether the last completed check rejected the receiver. It reads the history, because a restarted check hides the
 * rejection.
 */
export function hasFailedCheck(history: readonly HistoryRow[]): boolean {
  const ended = history.find(
    ({ from_kyc_status: from, to_kyc_status: to }) => from !== to && to !== "pending",
  );
  return ended?.to_kyc_status === "failed";
}

/** Whether it overrides a failed check. Then the reviewer has to prove who they are. */
export function isOverride(
  verdict: KycOutcome,
  { kyc_status }: States,
  hasFailed: boolean,
): boolean {
  return verdict.verdict === "approve" ? hasFailed : kyc_status === "completed";
}
