// Payment statuses of pain.002: what each means for a payout.

/**
 * "settled": the receiver has the money. "debited": only our own account is settled. "partial": its parts tell.
 * "verification": the answer to a payee verification, which decides nothing by itself.
 */
export type StatusMeaning =
  | "pending"
  | "debited"
  | "settled"
  | "rejected"
  | "partial"
  | "verification";

/** ISO 20022 external status codes of groups and transactions, with what people read. */
const meanings: ReadonlyMap<string, { meaning: StatusMeaning; text: string }> = new Map([
  ["RCVD", { meaning: "pending", text: "received" }],
  ["ACTC", { meaning: "pending", text: "technically valid" }],
  ["ACCP", { meaning: "pending", text: "accepted after checks" }],
  ["ACFC", { meaning: "pending", text: "accepted, funds checked" }],
  ["ACFW", { meaning: "pending", text: "accepted, waits for our confirmation" }],
  ["ACIS", { meaning: "pending", text: "accepted, cheque issued" }],
  ["ACPD", { meaning: "pending", text: "accepted by the clearing" }],
  ["ACWC", { meaning: "pending", text: "accepted with a change" }],
  ["ACWP", { meaning: "pending", text: "accepted, not yet posted to the receiver" }],
  ["ACSP", { meaning: "pending", text: "accepted for execution" }],
  ["PATC", { meaning: "pending", text: "partly authorised" }],
  ["PDNG", { meaning: "pending", text: "pending" }],
  ["PRES", { meaning: "pending", text: "presented" }],
  ["BLCK", { meaning: "pending", text: "blocked at the receiver's bank" }],
  ["ACSC", { meaning: "debited", text: "our account was debited" }],
  ["ACCC", { meaning: "settled", text: "the receiver's account was credited" }],
  ["CPUC", { meaning: "settled", text: "the receiver collected the cash" }],
  ["PART", { meaning: "partial", text: "partly accepted" }],
  ["RJCT", { meaning: "rejected", text: "rejected" }],
  ["CANC", { meaning: "rejected", text: "cancelled" }],
  ["RCVC", { meaning: "verification", text: "payee verified: match" }],
  ["RVMC", { meaning: "verification", text: "payee verified: close match" }],
  ["RVNM", { meaning: "verification", text: "payee verified: no match" }],
  ["RVNA", { meaning: "verification", text: "payee verification does not apply" }],
  ["RVCM", { meaning: "verification", text: "payees verified: some do not match" }],
  ["RVNC", { meaning: "verification", text: "payee verification is not complete" }],
]);

/** Undefined for codes that ISO 20022 does not list. */
export function meaningOfStatus(code: string) {
  return meanings.get(code);
}

export const paymentStatusCodes: readonly string[] = [...meanings.keys()];
