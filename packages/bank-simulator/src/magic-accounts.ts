// Account numbers that decide what happens to a payout in test mode, at the sandbox bank and at the bank simulator.

/** Why a bank does not pay. */
export type MagicCause = "account closed" | "no such account" | "invalid BSB";

export type MagicOutcome =
  | { kind: "paid" | "silent" }
  /** Returned: it is paid first, and comes back later. */
  | { kind: "rejected" | "returned"; cause: MagicCause };

/** Only the last digits count: account numbers of most countries are longer. */
const digits = 8;
const paid: MagicOutcome = { kind: "paid" };

const outcomes: Record<string, MagicOutcome> = {
  "12345999": paid,
  "12345111": { kind: "rejected", cause: "account closed" },
  "12345222": { kind: "rejected", cause: "no such account" },
  "12345333": { kind: "rejected", cause: "invalid BSB" },
  "12345444": { kind: "returned", cause: "account closed" },
  "12345888": { kind: "silent" },
};

/** By the last digits of the account number, in every country and at every bank. Undefined for every other account. */
export function findMagicOutcome(accountNumber: string): MagicOutcome | undefined {
  const ending = accountNumber.slice(-digits);
  return Object.hasOwn(outcomes, ending) ? outcomes[ending] : undefined;
}
