// A file that the simulated bank took, with what it decided about it and about each payment.

import { createHash } from "node:crypto";
import type { BankInstruction, InstructionFile } from "./instruction-file.ts";
import type { MagicOutcome } from "./magic-accounts.ts";
import { type OutcomeRules, outcomeOf } from "./outcomes.ts";
import { readInstructions } from "./recognise-file.ts";

export type DecidedInstruction = { instruction: BankInstruction; outcome: MagicOutcome };

export type DecidedFile = {
  /** As it is called in the folder. */
  name: string;
  sha256: string;
  receivedMs: number;
  /** The bank's own reference of the file. */
  reference: string;
  isAccepted: boolean;
  file: InstructionFile;
  payments: DecidedInstruction[];
};

const dayMs = 86_400_000;
/** How many days a file may be late. An earlier date is a mistake. */
const daysLate = 7;
const daysAhead = 366;

/** `earlier` holds the hashes of all files that came before. */
export function decideFile(
  { name, bytes, receivedMs }: { name: string; bytes: Buffer; receivedMs: number },
  earlier: ReadonlyMap<string, string>,
  rules: OutcomeRules,
): DecidedFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = readInstructions(bytes);
  const { processDate, problems } = file;
  const daysUntil = (Date.parse(processDate) - receivedMs) / dayMs;
  if (daysUntil < -daysLate) problems.push(`the process date ${processDate} is past`);
  if (daysUntil > daysAhead) problems.push(`the process date ${processDate} is too far ahead`);
  const first = earlier.get(sha256);
  if (first !== undefined) problems.push(`the file is a duplicate of ${first}`);
  const isAccepted = problems.length === 0;
  const payments = file.instructions.map((instruction) => ({
    instruction,
    outcome: outcomeOf(instruction, sha256, rules),
  }));
  return {
    name,
    sha256,
    receivedMs,
    reference: `SIM${sha256.slice(0, 12).toUpperCase()}`,
    isAccepted,
    file,
    payments: isAccepted ? payments : [],
  };
}
