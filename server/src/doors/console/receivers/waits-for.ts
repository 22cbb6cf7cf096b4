// Who has to act next on the identity check of a receiver.

/** The same rule as the index of the review queue: an open check without a next step, or one that needs review. */
export function waitsFor(receiver: {
  kyc_status: string;
  kyc_step: string | null;
  kyc_needs_review: boolean;
}): "user" | "check" | "none" {
  const { kyc_status, kyc_step, kyc_needs_review } = receiver;
  if (kyc_needs_review) return "user";
  if (kyc_status !== "pending") return "none";
  return kyc_step === null ? "user" : "check";
}
