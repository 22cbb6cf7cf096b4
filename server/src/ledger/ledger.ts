// The books: which accounts there are, and what each kind of move takes from where. Pure.

/** What we owe a subaccount, by where it is; and the bank, where all of it lies. */
export const accounts = ["available", "held", "clearing", "returns", "fees", "bank"] as const;
export type Account = (typeof accounts)[number];

/** Debit and credit. The bank is ours, so a debit adds to it; the others are owed, so a credit adds. */
type Posting = readonly [debit: Account, credit: Account];

/** Every kind of transfer. A success is a state of a payout; the money leaves with the bank's word. */
export const postings = {
  /** Money arrived for the subaccount. */
  fund: ["bank", "available"],
  /** A payout was accepted. */
  hold: ["available", "held"],
  /** It was cancelled or refused before it was sent. */
  release: ["held", "available"],
  /** It was sent to the bank. */
  submit: ["held", "clearing"],
  /** The bank has paid it. */
  settle: ["clearing", "bank"],
  /** The bank refused it before paying. */
  reject: ["clearing", "available"],
  /** It came back after it had been paid; then it is the subaccount's again. */
  return: ["bank", "returns"],
  credit: ["returns", "available"],
  fee: ["available", "fees"],
  /** An operator takes a funding back that was a mistake. The mistake stays to be seen. */
  reversal: ["available", "bank"],
} as const satisfies Record<string, Posting>;

export type Kind = keyof typeof postings;

export type Balances = Record<Account, bigint>;

export const noBalances: Balances = {
  available: 0n,
  held: 0n,
  clearing: 0n,
  returns: 0n,
  fees: 0n,
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

export function isBalanced(balances: Balances): boolean {
  const { bank, available, held, clearing, returns, fees } = balances;
  return available + held + clearing + returns + fees === bank;
}
