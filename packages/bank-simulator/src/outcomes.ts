// What the simulated bank does with each payment: the account number decides, else the return rate.

import { createHash } from "node:crypto";
import type { BankInstruction } from "./instruction-file.ts";
import { findMagicOutcome, type MagicCause, type MagicOutcome } from "./magic-accounts.ts";

/** Each scheme's own code for a cause. */
export const causeCodes: Record<"becs" | "nacha" | "iso", Record<MagicCause, string>> = {
  becs: { "account closed": "3", "no such account": "5", "invalid BSB": "1" },
  nacha: { "account closed": "R02", "no such account": "R03", "invalid BSB": "R13" },
  iso: { "account closed": "AC04", "no such account": "AC01", "invalid BSB": "RC01" },
};

export type OutcomeRules = {
  /** The same files with the same seed have the same outcomes. */
  seed: number;
  /** From 0 to 1: how many of the payments to ordinary accounts come back. */
  returnRate: number;
};

export function outcomeOf(
  { account, number }: BankInstruction,
  fileHash: string,
  { seed, returnRate }: OutcomeRules,
): MagicOutcome {
  const magic = findMagicOutcome(account);
  if (magic) return magic;
  const draw = createHash("sha256").update(`${seed} ${fileHash} ${number}`).digest().readUInt32BE();
  if (draw / 2 ** 32 >= returnRate) return { kind: "paid" };
  return { kind: "returned", cause: "account closed" };
}
