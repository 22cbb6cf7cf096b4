// Direct Entry files (ABA) as an Australian bank takes them, and the file of returns that it sends.

import { cut, dateFrom, digitsOf, linesOfFile, textOf } from "./fixed-records.ts";
import {
  type BankInstruction,
  emptyFile,
  FileComplaints,
  type InstructionFile,
} from "./instruction-file.ts";

const recordLength = 120;
const allowed = /^[A-Za-z0-9 &',\-./+$!%()*#=:?[\]_^@]*$/;
const creditCodes = /^5[0-7]$/;
const debitCode = "13";

export function readDirectEntry(text: string): InstructionFile {
  const complaints = new FileComplaints();
  const file = { ...emptyFile("aba"), currency: "AUD", problems: complaints.all };
  const lines = linesOfFile(text);
  const sums = { credit: 0n, debit: 0n, count: 0n };
  let isEnded = false;
  lines.forEach((line, index) => {
    const at = index + 1;
    if (line.length !== recordLength) {
      complaints.at(at, `a record has ${recordLength} characters, this one has ${line.length}`);
      return;
    }
    if (!allowed.test(line)) complaints.at(at, "a character is not in the Direct Entry set");
    const type = line[0];
    if ((type === "0") !== (at === 1)) {
      complaints.at(at, "a file begins with its only record of type 0");
    }
    if (isEnded) complaints.at(at, "a record follows the one of type 7");
    if (type === "0") readHeader(line, file, complaints);
    else if (type === "1") readDetail(line, at, file, sums, complaints);
    else if (type === "7") {
      isEnded = true;
      readTrailer(line, at, sums, complaints);
    } else complaints.at(at, "a payment file has records of type 0, 1 and 7 only");
  });
  if (!isEnded) complaints.about("the record of type 7 is missing");
  if (file.instructions.length === 0) complaints.about("the file has no credit");
  return file;
}

function readHeader(line: string, file: InstructionFile, complaints: FileComplaints): void {
  file.heading = line;
  file.customer = cut(line, 57, 62);
  file.processDate = dateFrom(cut(line, 79, 80), cut(line, 77, 78), cut(line, 75, 76));
  if (!/^\d\d$/.test(cut(line, 19, 20))) complaints.at(1, "the reel sequence is not a number");
  if (!/^[A-Z]{3}$/.test(cut(line, 21, 23))) complaints.at(1, "the bank has three letters");
  if (cut(line, 31, 56).trim() === "") complaints.at(1, "the user name is blank");
  if (!/^\d{6}$/.test(file.customer)) complaints.at(1, "the User ID has six digits");
  if (cut(line, 63, 74).trim() === "") complaints.at(1, "the description is blank");
  if (file.processDate === "") complaints.at(1, "the process date is no date");
}

const bsbShape = /^\d{3}-\d{3}$/;
const accountShape = /^ *[0-9A-Za-z]{1,9}$/;

function readDetail(
  line: string,
  at: number,
  file: InstructionFile,
  sums: { credit: bigint; debit: bigint; count: bigint },
  complaints: FileComplaints,
): void {
  sums.count += 1n;
  const bank = cut(line, 2, 8);
  const account = cut(line, 9, 17);
  const trace = { bank: cut(line, 81, 87), account: cut(line, 88, 96).trim() };
  const name = cut(line, 31, 62).trim();
  if (!bsbShape.test(bank)) complaints.at(at, "the BSB is not nnn-nnn");
  if (!accountShape.test(account) || /^[ 0]+$/.test(account)) {
    complaints.at(at, "the account number is not right-justified, or is no number");
  }
  if (!/^[ NTWXY]$/.test(cut(line, 18, 18))) complaints.at(at, "the indicator is unknown");
  if (name === "" || cut(line, 31, 31) === " ") {
    complaints.at(at, "the account title is blank, or begins with a space");
  }
  if (!bsbShape.test(trace.bank) || trace.account === "") {
    complaints.at(at, "the trace account is not complete");
  }
  if (!/^\d{8}$/.test(cut(line, 113, 120))) {
    complaints.at(at, "the withholding tax is not a number");
  }
  if (cut(line, 97, 112).trim() === "") complaints.at(at, "the remitter is blank");
  const cents = cut(line, 21, 30);
  if (!/^\d{10}$/.test(cents) || BigInt(cents) === 0n) {
    complaints.at(at, "the amount is no number above zero");
    return;
  }
  const code = cut(line, 19, 20);
  if (code === debitCode) {
    sums.debit += BigInt(cents);
    const isOwn = bank === trace.bank && account.trim() === trace.account;
    if (!isOwn) complaints.at(at, "a debit of another account than the payer's is not allowed");
    return;
  }
  if (!creditCodes.test(code)) complaints.at(at, `transaction code ${code} is unknown`);
  sums.credit += BigInt(cents);
  if (file.instructions.length === 0) file.payer = trace;
  else if (trace.bank !== file.payer.bank || trace.account !== file.payer.account) {
    complaints.at(at, "the trace account differs from the records before it");
  }
  file.instructions.push({
    number: file.instructions.length + 1,
    amount: BigInt(cents),
    currency: "AUD",
    bank,
    account: account.trim(),
    name,
    reference: cut(line, 63, 80).trim(),
    id: "",
    instructionId: "",
    record: line,
    heading: "",
  });
}

function readTrailer(
  line: string,
  at: number,
  { credit, debit, count }: { credit: bigint; debit: bigint; count: bigint },
  complaints: FileComplaints,
): void {
  if (cut(line, 2, 8) !== "999-999") complaints.at(at, "the trailer's BSB is not 999-999");
  const net = credit > debit ? credit - debit : debit - credit;
  complaints.compare(at, "the net total", cut(line, 21, 30), net);
  complaints.compare(at, "the credit total", cut(line, 31, 40), credit);
  complaints.compare(at, "the debit total", cut(line, 41, 50), debit);
  complaints.compare(at, "the count", cut(line, 75, 80), count);
  if (debit !== 0n && debit !== credit) {
    complaints.at(at, "a balanced file debits the sum of its credits");
  }
}

/** A payment that comes back, and the code that says why. */
export type ReturnedInstruction = { instruction: BankInstruction; code: string };

/** Records of type 2: our customer's account first, the payee's as the trace account. */
export function writeDirectEntryReturns(
  { heading, customer, processDate }: InstructionFile,
  returned: readonly ReturnedInstruction[],
  date: string,
): string {
  const [year = "", month = "", day = ""] = date.split("-");
  const header =
    textOf(`0${" ".repeat(17)}01${cut(heading, 21, 23)}`, 30) +
    cut(heading, 31, 62) +
    textOf("RETURNS", 12) +
    `${day}${month}${year.slice(2)}${" ".repeat(40)}`;
  const records = returned.map(
    ({ instruction: { record }, code }) =>
      `2${cut(record, 81, 96)}${code}${cut(record, 19, 80)}${cut(record, 2, 17)}` +
      `${cut(record, 97, 112)}${processDate.slice(8)}${customer}`,
  );
  const sum = returned.reduce((total, { instruction }) => total + instruction.amount, 0n);
  const totals = digitsOf(sum, 10) + digitsOf(sum, 10) + digitsOf(0, 10);
  const trailer = `7999-999${" ".repeat(12)}${totals}${" ".repeat(24)}${digitsOf(returned.length, 6)}`;
  return [header, ...records, textOf(trailer, recordLength)]
    .map((record) => `${record}\r\n`)
    .join("");
}
