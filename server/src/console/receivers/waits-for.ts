// Who has to act next on the identity check of a receiver.

/** As the index of the queue has it: a check that is open with no next step, or one that asks for a person. */
export function waitsFor(receiver: {
  kyc_status: string;
  kyc_step: string | null;
  kyc_wants_person: boolean;
}): "person" | "check" | "nobody" {
  const { kyc_status, kyc_step, kyc_wants_person } = receiver;
  if (kyc_wants_person) return "person";
  if (kyc_status !== "pending") return "nobody";
  return kyc_step === null ? "person" : "check";
}
