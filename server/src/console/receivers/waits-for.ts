// Who has to act next on the identity check of a receiver.

/** As the index of the queue has it: a check that is open with no next step, or one that asks for a user. */
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
