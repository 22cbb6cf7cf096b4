// Who has to act next on the identity check of a receiver.

/** As the index of the queue has it: a check that is open with no next step, or one that asks for a person. */
export function waitsFor(receiver: {
  kyc_status: string;
  kyc_step: string | null;
  kyc_needs_review: boolean;
}): "person" | "check" | "nobody" {
  const { kyc_status, kyc_step, kyc_needs_review } = receiver;
  if (kyc_needs_review) return "person";
  if (kyc_status !== "pending") return "nobody";
  return kyc_step === null ? "person" : "check";
}
