// Random payouts through every writer of bank files, read by the bank simulator, which shares no code with the writers.

import fc from "fast-check";
import { type AbaSettings, abaFormat } from "../../bank-formats/src/aba/write.ts";
import type { Payment, PaymentFormat } from "../../bank-formats/src/format.ts";
import { pain001v03Format, pain001v09Format } from "../../bank-formats/src/iso/pain-001-writer.ts";
import { nachaFormat } from "../../bank-formats/src/nacha/write.ts";
import { anzFullFormat } from "../../bank-formats/src/nz/anz-full-write.ts";
import { asbFormat } from "../../bank-formats/src/nz/asb-write.ts";
import { anzFormat, bnzFormat } from "../../bank-formats/src/nz/mts-write.ts";
import { westpacFormat } from "../../bank-formats/src/nz/westpac-write.ts";
import { americanPayment, nachaSettings } from "../../bank-formats/test/nacha-lines.ts";
import { nzPayment } from "../../bank-formats/test/nz-support.ts";
import {
  audSettings,
  eurPayments,
  eurSettings,
  gbpPayments,
  gbpSettings,
  nzdSettings,
} from "../../bank-formats/test/pain-001-examples.ts";
import { anyAmount, anyName, examplePayment, writeFile } from "../../bank-formats/test/payments.ts";
import type { BankInstruction } from "../src/instruction-file.ts";
import { readInstructions } from "../src/recognise-file.ts";

/** A bank format with settings. */
type Way = {
  name: string;
  /** The simulator's name of the format. */
  format: string;
  payment: fc.Arbitrary<Payment>;
  limits: { count: number; total: bigint };
  separatesBusinesses: boolean;
  problemsOf(payment: Payment): unknown[];
  write(payments: readonly Payment[]): string;
};

type Changes = fc.Arbitrary<Partial<Payment>>;

function way<Settings>(
  name: string,
  format: PaymentFormat<Settings>,
  settings: Settings,
  { base, changes, max }: { base: Payment; changes: Changes; max: bigint },
): Way {
  const texts = fc.record({
    payoutId: fc.uuid({ version: 7 }),
    amount: anyAmount(max),
    payeeName: anyName,
    statementReference: fc.oneof(anyName, fc.string({ unit: "grapheme", maxLength: 300 })),
    statementName: fc.oneof({ weight: 5, arbitrary: fc.constant("") }, anyName),
    isBusiness: fc.boolean(),
  });
  return {
    name,
    format: format.name === "nz-anz-full" ? "nz-anz" : format.name,
    payment: fc.tuple(texts, changes).map(([one, other]) => ({ ...base, ...one, ...other })),
    limits: format.limits,
    separatesBusinesses: format.separatesBusinesses ?? false,
    problemsOf: (payment) => format.problemsOf(payment, settings),
    write: (payments) => writeFile(format, settings, payments),
  };
}

const abaSettings: AbaSettings = {
  mnemonic: "CBA",
  userId: "301500",
  userName: "Acme Payouts Pty Ltd",
  bsb: "062000",
  accountNumber: "12345678",
  description: "PAYOUTS",
  remitter: "Acme Payouts",
  isBalanced: true,
};

const australian = {
  base: examplePayment(),
  changes: fc.record({
    bsb: fc.stringMatching(/^[0-9]{6}$/),
    accountNumber: fc.stringMatching(/^[1-9][0-9A-Za-z]{4,8}$/),
  }),
  max: 9_999_999_999n,
};
const newZealand = {
  base: nzPayment(),
  changes: fc.record({ accountNumber: fc.stringMatching(/^[0-9]{6}[1-9][0-9]{8,9}$/) }),
  max: 9_999_999_999n,
};
const american = {
  base: americanPayment(),
  changes: fc.record({
    accountType: fc.constantFrom("checking" as const, "savings" as const),
    bankCode: fc.constantFrom("021000021", "011401533", "322271627", "091000019", "026009593"),
    accountNumber: fc.stringMatching(/^[0-9A-Z]{1,17}$/),
  }),
  max: 9_999_999_999n,
};
const european = {
  base: examplePayment(eurPayments[0]),
  changes: fc.record({ accountNumber: fc.stringMatching(/^[0-9]{18}$/).map(germanIban) }),
  max: 99_999_999_999n,
};
const british = {
  base: examplePayment(gbpPayments[0]),
  changes: fc.record({ accountNumber: fc.stringMatching(/^[0-9]{8}$/) }),
  max: 100_000_000n,
};

function germanIban(digits: string): string {
  const remainder = BigInt(`${digits}131400`) % 97n;
  return `DE${String(98n - remainder).padStart(2, "0")}${digits}`;
}

const nzOurs = { accountNumber: "010902006838900", ourName: "Harbour Café Ltd" };
const westpacOurs = { ...nzOurs, accountNumber: "030510072049700", description: "Payouts" };

export const bankFileWays: readonly Way[] = [
  way("aba, balanced", abaFormat, abaSettings, australian),
  way("aba, not balanced", abaFormat, { ...abaSettings, isBalanced: false }, australian),
  way("nacha", nachaFormat, nachaSettings, american),
  way("nz-anz", anzFormat, { ...nzOurs, showsEachPayment: false }, newZealand),
  way(
    "nz-anz-full",
    anzFullFormat,
    { accountNumber: nzOurs.accountNumber, batchName: "Payouts", showsEachPayment: true },
    newZealand,
  ),
  way("nz-bnz", bnzFormat, { ...nzOurs, showsEachPayment: true }, newZealand),
  way("nz-asb", asbFormat, nzOurs, newZealand),
  way("nz-westpac", westpacFormat, { ...westpacOurs, isFixedLength: false }, newZealand),
  way("nz-westpac, fixed", westpacFormat, { ...westpacOurs, isFixedLength: true }, newZealand),
  way("pain.001.001.03 AUD", pain001v03Format, audSettings, australian),
  way("pain.001.001.09 AUD", pain001v09Format, audSettings, australian),
  way("pain.001.001.03 NZD", pain001v03Format, nzdSettings, newZealand),
  way("pain.001.001.09 NZD", pain001v09Format, nzdSettings, newZealand),
  way("pain.001.001.09 EUR", pain001v09Format, eurSettings, european),
  way("pain.001.001.03 GBP", pain001v03Format, gbpSettings, british),
  way("pain.001.001.09 GBP", pain001v09Format, gbpSettings, british),
];

export type BankFilesRun = {
  payouts: Record<string, number>;
  files: number;
  /** Payments that the format can't represent, because it has no character of a name or reference. */
  refused: number;
  complaints: string[];
};

/** Divides `payouts` among the formats, in files of random sizes. */
export function runBankFiles(
  payouts: number,
  seed: number,
  onPayouts: (done: number) => void = () => {},
): BankFilesRun {
  const run: BankFilesRun = { payouts: {}, files: 0, refused: 0, complaints: [] };
  let done = 0;
  bankFileWays.forEach((one, index) => {
    const share = Math.ceil((payouts - done) / (bankFileWays.length - index));
    const payments = fittingPayments(one, share, seed + index, run);
    const sizes = fc.sample(fc.integer({ min: 1, max: 300 }), { seed, numRuns: share });
    while (payments.length > 0) {
      const size = sizes.pop() ?? 1;
      const file = cutFile(one, payments, size);
      run.files += 1;
      run.complaints.push(...compareFile(one, file).map((text) => `${one.name}: ${text}`));
    }
    run.payouts[one.name] = share;
    done += share;
    onPayouts(done);
  });
  return run;
}

function fittingPayments(one: Way, count: number, seed: number, run: BankFilesRun): Payment[] {
  const payments: Payment[] = [];
  for (let round = 0; payments.length < count; round += 1) {
    const made = fc.sample(one.payment, { seed: seed + round * 7919, numRuns: count });
    const fitting = made.filter((payment) => one.problemsOf(payment).length === 0);
    run.refused += made.length - fitting.length;
    payments.push(...fitting);
  }
  return payments.slice(0, count);
}

/** Takes as many payments as the limits of one file allow. */
function cutFile({ limits, separatesBusinesses }: Way, payments: Payment[], size: number) {
  const file: Payment[] = [];
  let total = 0n;
  while (file.length < Math.min(size, limits.count)) {
    const next = payments[0];
    if (!next || (file.length > 0 && total + next.amount > limits.total)) break;
    total += next.amount;
    file.push(next);
    payments.shift();
  }
  return separatesBusinesses
    ? file.toSorted((left, right) => Number(left.isBusiness) - Number(right.isBusiness))
    : file;
}

function compareFile(one: Way, payments: readonly Payment[]): string[] {
  const total = payments.reduce((sum, { amount }) => sum + amount, 0n);
  const bytes = Buffer.from(one.write(payments));
  const { format, instructions, problems, hashTotal } = readInstructions(bytes);
  const complaints = problems.map((problem) => `rejected: ${problem}`);
  if (format !== one.format) complaints.push(`read as ${format}`);
  if (instructions.length !== payments.length) {
    complaints.push(`${payments.length} payments written, ${instructions.length} read`);
  }
  const sum = instructions.reduce((read, { amount }) => read + amount, 0n);
  if (sum !== total) complaints.push(`${total} written, ${sum} read`);
  const expectedHash = hashOf(one.format, payments);
  if (hashTotal !== expectedHash)
    complaints.push(`hash ${expectedHash} written, ${hashTotal} read`);
  payments.forEach((payment, index) => {
    const instruction = instructions[index];
    if (!instruction || !isFor(payment, instruction)) {
      complaints.push(`payment ${index + 1} is not found: ${payment.payoutId}`);
    }
  });
  return complaints;
}

function hashOf(format: string, payments: readonly Payment[]): string {
  const add = (part: (payment: Payment) => string, digits: number) => {
    const sum = payments.reduce((total, payment) => total + BigInt(part(payment)), 0n);
    return String(sum % 10n ** BigInt(digits)).padStart(digits, "0");
  };
  if (format === "nacha") return add(({ bankCode }) => bankCode.slice(0, 8), 10);
  if (!/^nz-(anz|bnz|asb)$/.test(format)) return "";
  return add(({ accountNumber }) => accountNumber.slice(2, 13), 11);
}

/** A name of plain letters must arrive unchanged, but may be cut off at its end. */
const plainName = /^[A-Za-z]+( [A-Za-z]+)*$/;

function isFor(payment: Payment, instruction: BankInstruction): boolean {
  const { amount, account, bank, name, reference, id } = instruction;
  const { payeeName, accountNumber, bsb, bankCode, payoutId, currency } = payment;
  // Westpac pads numbers with zeros, so the length of a suffix is lost.
  const isAccount =
    currency === "NZD"
      ? `${account.slice(0, 13)}${Number(account.slice(13))}` ===
        `${accountNumber.slice(0, 13)}${Number(accountNumber.slice(13))}`
      : account === accountNumber;
  const banks = { AUD: bsb, USD: bankCode, GBP: bankCode } as Record<string, string>;
  const isBank = !(currency in banks) || bank.replace("-", "") === banks[currency];
  const isName = name !== "" && (!plainName.test(payeeName) || payeeName.startsWith(name));
  const isId = !/^[0-9a-f]{32}$/.test(id) || id === payoutId.replaceAll("-", "");
  return amount === payment.amount && isAccount && isBank && isName && isId && reference !== "";
}
