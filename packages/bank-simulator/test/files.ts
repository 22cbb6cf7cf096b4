// Files of the service's writers for the tests of the bank simulator, with payees whose accounts decide the outcome.

import { abaFormat } from "../../bank-formats/src/aba/write.ts";
import type { Payment } from "../../bank-formats/src/format.ts";
import { pain001v03Format, pain001v09Format } from "../../bank-formats/src/iso/pain-001-writer.ts";
import { nachaFormat } from "../../bank-formats/src/nacha/write.ts";
import { asbFormat } from "../../bank-formats/src/nz/asb-write.ts";
import { anzFormat, bnzFormat } from "../../bank-formats/src/nz/mts-write.ts";
import { westpacFormat } from "../../bank-formats/src/nz/westpac-write.ts";
import { americanPayment, nachaSettings } from "../../bank-formats/test/nacha-lines.ts";
import { nzPayment } from "../../bank-formats/test/nz-support.ts";
import {
  audSettings,
  eurPayments,
  eurSettings,
} from "../../bank-formats/test/pain-001-examples.ts";
import { examplePayment, writeFile } from "../../bank-formats/test/payments.ts";
import { answersTo } from "../src/answers.ts";
import { type DecidedFile, decideFile } from "../src/decision.ts";
import type { OutcomeRules } from "../src/outcomes.ts";
import { accountStatements, type SimulatedStatements } from "../src/statements.ts";

export const abaSettings = {
  mnemonic: "CBA",
  userId: "301500",
  userName: "Acme Payouts Pty Ltd",
  bsb: "062000",
  accountNumber: "87654321",
  description: "PAYOUTS",
  remitter: "Acme Payouts",
  isBalanced: false,
};

/** Paid, three that are rejected, returned after it was paid, silent. */
const endings = ["12345999", "12345111", "12345222", "12345333", "12345444", "12345888"];

function payments(toAccount: (ending: string) => string, base: Payment): Payment[] {
  return endings.map((ending, index) => ({
    ...base,
    payoutId: `0193a5f2-7c1e-7d3a-9b0c-5e2f4a6b8c0${index}`,
    amount: BigInt(index + 1) * 1000n,
    accountNumber: toAccount(ending),
    payeeName: `Payee ${"ABCDEF"[index]}`,
    statementReference: `PO-000${index}`,
    isBusiness: index > 3,
  }));
}

const nzPayments = payments((ending) => `01090203${ending}`, nzPayment());
const nzOurs = { accountNumber: "010902006838900", ourName: "Harbour Cafe Ltd" };
const audPayments = payments((ending) => ending, examplePayment());

function germanIban(ending: string): string {
  const digits = `3704004400${ending}`;
  return `DE${String(98n - (BigInt(`${digits}131400`) % 97n)).padStart(2, "0")}${digits}`;
}

/** One file of each format that the service writes, with all outcomes. */
export const filesOfFormats: Record<string, string> = {
  aba: writeFile(abaFormat, abaSettings, audPayments),
  nacha: writeFile(
    nachaFormat,
    nachaSettings,
    payments((ending) => ending, americanPayment()),
  ),
  "nz-anz": writeFile(anzFormat, { ...nzOurs, showsEachPayment: false }, nzPayments),
  "nz-bnz": writeFile(bnzFormat, { ...nzOurs, showsEachPayment: false }, nzPayments),
  "nz-asb": writeFile(asbFormat, nzOurs, nzPayments),
  "nz-westpac": writeFile(
    westpacFormat,
    {
      accountNumber: "030510072049700",
      ourName: "Harbour Cafe Ltd",
      description: "Payouts",
      isFixedLength: false,
    },
    nzPayments,
  ),
  "pain.001.001.03": writeFile(pain001v03Format, audSettings, audPayments),
  "pain.001.001.09": writeFile(
    pain001v09Format,
    eurSettings,
    payments(germanIban, examplePayment(eurPayments[0])),
  ),
};

export const receivedMs = Date.parse("2026-11-16T04:00:00Z");

type Options = Partial<OutcomeRules & SimulatedStatements> & { name?: string };

export function decide(
  text: string,
  options: Options = {},
  earlier = new Map<string, string>(),
): DecidedFile {
  const { name = "payouts.txt", seed = 1, returnRate = 0 } = options;
  return decideFile({ name, bytes: Buffer.from(text), receivedMs }, earlier, { seed, returnRate });
}

/** Every answer to one file, by the end of its name. */
export function answersByEnd(text: string, options: Options = {}): Record<string, string> {
  const decided = decide(text, options);
  const rules = { speed: 1, statements: undefined, ...options };
  const moved = { files: [decided], deposits: [] };
  const answers = [...answersTo(decided, rules), ...accountStatements(moved, rules)];
  return Object.fromEntries(
    answers.map(({ name, write }) => [name.replace(/^payouts\.[0-9a-f]{8}\./, ""), write()]),
  );
}
