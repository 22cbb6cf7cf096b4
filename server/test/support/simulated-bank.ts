// The bank simulator with a clock of the test's own: it takes files and deposits, and hands out what is due.

import { answersTo } from "../../../packages/bank-simulator/src/answers.ts";
import { type DecidedFile, decideFile } from "../../../packages/bank-simulator/src/decision.ts";
import {
  type BankDeposit,
  type DepositFacts,
  readDeposit,
  writeDeposit,
} from "../../../packages/bank-simulator/src/deposit-file.ts";
import type { BankAnswer } from "../../../packages/bank-simulator/src/schedule.ts";
import {
  accountStatements,
  type WrittenStatement,
} from "../../../packages/bank-simulator/src/statements.ts";

export function simulatedBank({ chargePerFile }: { chargePerFile: string }) {
  const rules = {
    seed: 1,
    returnRate: 0,
    speed: 1,
    statements: "camt.053",
    booking: "batch",
    chargePerFile,
  } as const;
  const files: DecidedFile[] = [];
  const deposits: BankDeposit[] = [];
  const written: WrittenStatement[] = [];
  let answers: BankAnswer[] = [];

  return {
    take(name: string, bytes: Buffer, atMs: number): DecidedFile {
      const decided = decideFile({ name, bytes, receivedMs: atMs }, new Map(), rules);
      files.push(decided);
      answers.push(...answersTo(decided, rules));
      return decided;
    },

    deposit(facts: DepositFacts, atMs: number): void {
      const file = writeDeposit(facts);
      if ("problem" in file) throw new Error(file.problem);
      const name = `deposit-${deposits.length + 1}.json`;
      const deposit = readDeposit({ name, receivedMs: atMs }, Buffer.from(file.json));
      if (!("amount" in deposit)) throw new Error(deposit.problem);
      deposits.push(deposit);
    },

    /** The answers and statements until then, each once, in their order. */
    due(untilMs: number): { name: string; text: string }[] {
      const statements = accountStatements({ files, deposits }, rules, written);
      const ended = statements.filter(({ dueMs }) => dueMs <= untilMs);
      written.push(...ended.map(({ facts }) => facts));
      const given = answers.filter(({ dueMs }) => dueMs <= untilMs);
      answers = answers.filter(({ dueMs }) => dueMs > untilMs);
      return [...given, ...ended]
        .sort((one, other) => one.dueMs - other.dueMs)
        .map(({ name, write }) => ({ name, text: write() }));
    },
  };
}
