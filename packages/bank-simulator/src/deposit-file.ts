// A deposit into the customer's account: a small JSON file that is put into the bank's folder.

import { createHash } from "node:crypto";
import { isCurrency, parseDecimal, toDecimal } from "./amounts.ts";

export type BankDeposit = {
  /** As the file is called in the folder. */
  name: string;
  receivedMs: number;
  /** The bank's own reference. */
  reference: string;
  amount: bigint;
  currency: string;
  /** Empty: the customer's only account in this currency. */
  account: string;
  /** What the payer wrote. */
  text: string;
  /** The payer's name. */
  from: string;
};

/** The facts of a deposit as its file has them; the amount as people write it, such as "1000.00". */
export type DepositFacts = Pick<BankDeposit, "currency" | "account" | "text" | "from"> & {
  amount: string;
};

export function isDepositName(name: string): boolean {
  return /^deposit-.*\.json$/i.test(name);
}

/** Of the amount, the currency and the texts; undefined where a deposit can be booked as it is. */
function problemOf({ amount, currency, account, text, from }: DepositFacts): string | undefined {
  if (!isCurrency(currency)) return "the currency is none, such as AUD";
  if (parseDecimal(amount, currency) === undefined) {
    return `the amount is none of ${currency}, such as ${toDecimal(123_456n, currency)}`;
  }
  if (!/^[A-Za-z0-9 -]{0,34}$/.test(account)) return "the account is no account number";
  const fits = (value: string) => value.length <= 140 && !/\p{Cc}/u.test(value);
  return fits(text) && fits(from)
    ? undefined
    : "the text and the name have at most 140 characters, on one line";
}

/** The bytes of a file for `facts`, or what is wrong with them. */
export function writeDeposit(facts: DepositFacts): { json: string } | { problem: string } {
  const problem = problemOf(facts);
  return problem === undefined ? { json: `${JSON.stringify(facts)}\n` } : { problem };
}

export function readDeposit(
  { name, receivedMs }: Pick<BankDeposit, "name" | "receivedMs">,
  bytes: Buffer,
): BankDeposit | { name: string; problem: string } {
  let given: unknown;
  try {
    given = JSON.parse(bytes.toString("utf8"));
  } catch {
    return { name, problem: "the file is no JSON" };
  }
  const texts = given as Record<keyof DepositFacts, unknown> | null;
  const textOf = (key: keyof DepositFacts) => texts?.[key] ?? "";
  const facts = Object.fromEntries(
    (["amount", "currency", "account", "text", "from"] as const).map((key) => [key, textOf(key)]),
  ) as DepositFacts;
  if (Object.values(facts).some((value) => typeof value !== "string")) {
    return { name, problem: "amount, currency, account, text and from are texts" };
  }
  const problem = problemOf(facts);
  if (problem !== undefined) return { name, problem };
  // Two equal deposits have two names.
  const hash = createHash("sha256").update(name).update("\n").update(bytes).digest("hex");
  return {
    ...facts,
    name,
    receivedMs,
    reference: `DEP${hash.slice(0, 12).toUpperCase()}`,
    amount: parseDecimal(facts.amount, facts.currency) ?? 0n,
    account: facts.account.replaceAll(/[ -]/g, ""),
  };
}
