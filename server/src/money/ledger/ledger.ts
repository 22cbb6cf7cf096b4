// The books: the ledger accounts, and the debit and credit of each kind of transfer. Pure.

/**
 * The ledger accounts: four for the money that we owe a subaccount, by where it is, two for the company's, and the bank,
 * which holds all of it.
 */
export const accounts = [
  "available",
  "held",
  "clearing",
  "returns",
  "fees",
  "company",
  "bank",
] as const;
export type Account = (typeof accounts)[number];

/** Debit and credit. The bank is an asset, so a debit adds to it; the others are liabilities, so a credit adds. */
type Posting = readonly [debit: Account, credit: Account];

/** Every kind of transfer, with its debit and its credit. */
export const postings = {
  /** Money arrived for the subaccount. */
  fund: ["bank", "available"],
  /** A payout was accepted. */
  hold: ["available", "held"],
  /** It was cancelled or refused before it was sent. */
  release: ["held", "available"],
  /** It was sent to the bank. */
  submit: ["held", "clearing"],
  /** The bank file that held it was discarded. */
  unsubmit: ["clearing", "held"],
  /** The bank has paid it. */
  settle: ["clearing", "bank"],
  /** The bank refused it before paying. */
  reject: ["clearing", "available"],
  /** The bank returned it after paying; the second transfer makes the money available again. */
  return: ["bank", "returns"],
  credit: ["returns", "available"],
  /** The bank gave us money whose owner is unknown. Only the internal subaccount has these two. */
  suspend: ["bank", "returns"],
  /** It has an owner now, or went back. */
  unsuspend: ["returns", "bank"],
  /** The fee of a payout. */
  fee: ["available", "fees"],
  /** The payout was cancelled or refused before it was sent. */
  fee_refund: ["fees", "available"],
  /** The company's own money came to the bank or left it, as with a bank charge. Only the internal subaccount has these. */
  company_in: ["bank", "company"],
  company_out: ["company", "bank"],
  /** A user reverses a funding or a return that was a mistake. Both transfers stay visible. */
  reversal: ["available", "bank"],
} as const satisfies Record<string, Posting>;

export type Kind = keyof typeof postings;

/** The rail of an account that has one for each rail, such as `clearing:sandbox`. */
export function railOf(account: string): string | undefined {
  const colon = account.indexOf(":");
  return colon < 0 ? undefined : account.slice(colon + 1);
}

/** The kinds that only the internal subaccount has. */
const internalKinds: ReadonlySet<string> = new Set<Kind>([
  ...(["suspend", "unsuspend"] as const),
  ...(["company_in", "company_out"] as const),
]);
/** The kinds on a subaccount's statement. */
export const statementKinds = Object.keys(postings).filter((kind) => !internalKinds.has(kind));

export type Balances = Record<Account, bigint>;

export const noBalances: Balances = {
  available: 0n,
  held: 0n,
  clearing: 0n,
  returns: 0n,
  fees: 0n,
  company: 0n,
  bank: 0n,
};

/** The balances after a transfer. */
export function after(
  balances: Balances,
  { debit, credit, amount }: { debit: Account; credit: Account; amount: bigint },
): Balances {
  const next = { ...balances };
  next[debit] += debit === "bank" ? amount : -amount;
  next[credit] += credit === "bank" ? -amount : amount;
  return next;
}
