// NACHA files of credits as an American bank takes them, and the file of returns that it sends.

import type { ReturnedInstruction } from "./aba-file.ts";
import { cut, dateFrom, digitsOf, linesOfFile, textOf } from "./fixed-records.ts";
import { emptyFile, FileComplaints, type InstructionFile } from "./instruction-file.ts";

const recordLength = 94;
const blockLines = 10;
const printable = /^[ -~]*$/;
const filler = "9".repeat(recordLength);
/** Credits to checking and savings accounts, and the codes of their returns. */
const creditCodes: Record<string, string> = { "22": "21", "32": "31" };
const hashModulus = 10n ** 10n;

type Sums = { count: bigint; hash: bigint; credit: bigint };

/** What is added up while the file is read. */
type Reading = {
  file: InstructionFile;
  complaints: FileComplaints;
  batch: Sums;
  all: Sums;
  batches: bigint;
  /** The header of the batch that is open. */
  heading: string;
  lastTrace: string;
  isEnded: boolean;
};

export function readAutomatedClearing(text: string): InstructionFile {
  const complaints = new FileComplaints();
  const file = { ...emptyFile("nacha"), currency: "USD", problems: complaints.all };
  const reading: Reading = {
    file,
    complaints,
    batch: noSums(),
    all: noSums(),
    batches: 0n,
    heading: "",
    lastTrace: "",
    isEnded: false,
  };
  const lines = linesOfFile(text);
  if (lines.length % blockLines !== 0) {
    complaints.about(`a file has full blocks of ${blockLines} lines, this one has ${lines.length}`);
  }
  lines.forEach((line, index) => {
    const at = index + 1;
    if (line.length !== recordLength) {
      complaints.at(at, `a record has ${recordLength} characters, this one has ${line.length}`);
    } else if (!printable.test(line)) complaints.at(at, "a character is not printable ASCII");
    else readRecord(line, at, lines.length, reading);
  });
  if (!reading.isEnded) complaints.about("the file control record is missing");
  if (file.instructions.length === 0) complaints.about("the file has no credit");
  file.hashTotal = digitsOf(reading.all.hash % hashModulus, 10);
  return file;
}

function noSums(): Sums {
  return { count: 0n, hash: 0n, credit: 0n };
}

function readRecord(line: string, at: number, lineCount: number, reading: Reading): void {
  const { complaints, file } = reading;
  const type = line[0];
  if ((type === "1") !== (at === 1)) {
    complaints.at(at, "a file begins with its only file header");
  }
  if (reading.isEnded) {
    if (line !== filler) complaints.at(at, "only lines of nines follow the file control");
  } else if (type === "1") readFileHeader(line, file, complaints);
  else if (type === "5") openBatch(line, at, reading);
  else if (type === "6") readEntry(line, at, reading);
  else if (type === "7") reading.batch.count += 1n;
  else if (type === "8") closeBatch(line, at, reading);
  else if (type === "9") closeFile(line, at, lineCount, reading);
  else complaints.at(at, "the record type is unknown");
}

function readFileHeader(line: string, file: InstructionFile, complaints: FileComplaints): void {
  file.heading = line;
  if (cut(line, 2, 3) !== "01") complaints.at(1, "the priority code is not 01");
  if (!/^ \d{9}$/.test(cut(line, 4, 13))) {
    complaints.at(1, "the immediate destination is not a space and nine digits");
  }
  if (!/^[ 0-9A-Za-z]\d{9}$/.test(cut(line, 14, 23))) {
    complaints.at(1, "the immediate origin is not complete");
  }
  if (cut(line, 35, 40) !== "094101") complaints.at(1, "size, blocking and format are wrong");
}

function openBatch(line: string, at: number, reading: Reading): void {
  const { complaints, file } = reading;
  if (reading.heading !== "") complaints.at(at, "the batch before has no control record");
  reading.heading = line;
  reading.batch = noSums();
  reading.batches += 1n;
  const date = dateFrom(cut(line, 70, 71), cut(line, 72, 73), cut(line, 74, 75));
  file.customer = cut(line, 41, 50).trim();
  file.payer = { bank: cut(line, 80, 87), account: file.customer };
  file.processDate = date;
  if (cut(line, 2, 4) !== "220") complaints.at(at, "only credits (220) are taken");
  if (cut(line, 5, 20).trim() === "") complaints.at(at, "the company name is blank");
  if (file.customer === "") complaints.at(at, "the company identification is blank");
  if (!/^(PPD|CCD)$/.test(cut(line, 51, 53))) {
    complaints.at(at, "the entry class is neither PPD nor CCD");
  }
  if (cut(line, 54, 63).trim() === "") complaints.at(at, "the entry description is blank");
  if (date === "") complaints.at(at, "the effective date is no date");
  if (!/^\d{8}$/.test(file.payer.bank)) complaints.at(at, "the originating bank has 8 digits");
  complaints.compare(at, "the batch number", cut(line, 88, 94), reading.batches);
}

function hasRightCheckDigit(routing: string): boolean {
  const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(routing[index]), 0);
  return sum % 10 === 0;
}

function readEntry(line: string, at: number, reading: Reading): void {
  const { complaints, file, batch, heading } = reading;
  batch.count += 1n;
  if (heading === "") complaints.at(at, "an entry stands outside of a batch");
  if (!(cut(line, 2, 3) in creditCodes)) {
    complaints.at(at, "the transaction code is no credit to checking (22) or savings (32)");
  }
  const bank = cut(line, 4, 12);
  const account = cut(line, 13, 29).trim();
  const name = cut(line, 55, 76).trim();
  const trace = cut(line, 80, 94);
  if (!/^\d{9}$/.test(bank) || !hasRightCheckDigit(bank)) {
    complaints.at(at, "the check digit of the routing number is wrong");
  } else batch.hash += BigInt(bank.slice(0, 8));
  if (!/^[0-9A-Za-z-]{1,17}$/.test(account)) complaints.at(at, "the account number is wrong");
  if (name === "") complaints.at(at, "the name is blank");
  if (!/^[01]$/.test(cut(line, 79, 79))) complaints.at(at, "the addenda indicator is wrong");
  if (!trace.startsWith(cut(heading, 80, 87)) || !/^\d{15}$/.test(trace)) {
    complaints.at(at, "the trace number does not begin with the originating bank");
  } else if (trace <= reading.lastTrace) complaints.at(at, "trace numbers do not ascend");
  reading.lastTrace = trace;
  const cents = cut(line, 30, 39);
  if (!/^\d{10}$/.test(cents) || BigInt(cents) === 0n) {
    complaints.at(at, "the amount is no number above zero");
    return;
  }
  batch.credit += BigInt(cents);
  file.instructions.push({
    number: file.instructions.length + 1,
    amount: BigInt(cents),
    currency: "USD",
    bank,
    account,
    name,
    reference: cut(line, 40, 54).trim(),
    id: trace,
    instructionId: "",
    record: line,
    heading,
  });
}

function closeBatch(line: string, at: number, reading: Reading): void {
  const { complaints, batch, all, heading } = reading;
  if (heading === "") complaints.at(at, "a batch control follows no batch");
  complaints.compare(at, "the number of entries", cut(line, 5, 10), batch.count);
  complaints.compare(at, "the entry hash", cut(line, 11, 20), batch.hash % hashModulus);
  complaints.compare(at, "the debit total", cut(line, 21, 32), 0n);
  complaints.compare(at, "the credit total", cut(line, 33, 44), batch.credit);
  if (cut(line, 45, 54) !== cut(heading, 41, 50)) {
    complaints.at(at, "the company identification differs from the batch header");
  }
  if (cut(line, 80, 94) !== cut(heading, 80, 94)) {
    complaints.at(at, "originating bank and batch number differ from the batch header");
  }
  all.count += batch.count;
  all.hash += batch.hash;
  all.credit += batch.credit;
  reading.heading = "";
}

function closeFile(line: string, at: number, lineCount: number, reading: Reading): void {
  const { complaints, all, batches, heading } = reading;
  if (heading !== "") complaints.at(at, "the last batch has no control record");
  complaints.compare(at, "the number of batches", cut(line, 2, 7), batches);
  const blocks = BigInt(Math.ceil(lineCount / blockLines));
  complaints.compare(at, "the number of blocks", cut(line, 8, 13), blocks);
  complaints.compare(at, "the number of entries", cut(line, 14, 21), all.count);
  complaints.compare(at, "the entry hash", cut(line, 22, 31), all.hash % hashModulus);
  complaints.compare(at, "the debit total", cut(line, 32, 43), 0n);
  complaints.compare(at, "the credit total", cut(line, 44, 55), all.credit);
  reading.isEnded = true;
}

/** Each entry goes back to the bank that sent it, with addenda 99 that name the reason and the original trace number. */
export function writeAutomatedReturns(
  { heading }: InstructionFile,
  returned: readonly ReturnedInstruction[],
  atMs: number,
): string {
  const stamp = new Date(atMs).toISOString().replace(/\D/g, "");
  const lines = [
    `101${textOf(` ${cut(heading, 5, 13)}`, 10)}${cut(heading, 4, 13)}${stamp.slice(2, 12)}A` +
      `094101${cut(heading, 41, 63)}${cut(heading, 41, 63)}${" ".repeat(8)}`,
  ];
  const all = noSums();
  let batches = 0;
  let sequence = 0;
  for (const group of groupReturns(returned)) {
    batches += 1;
    const batch = noSums();
    const { heading: header = "", bank: sender = "" } = group[0]?.instruction ?? {};
    const batchId = sender.slice(0, 8) + digitsOf(batches, 7);
    const odfi = cut(header, 80, 87);
    lines.push(cut(header, 1, 79) + batchId);
    for (const { instruction, code } of group) {
      sequence += 1;
      const { record, bank, amount, id } = instruction;
      const trace = `${bank.slice(0, 8)}${digitsOf(sequence, 7)}`;
      const ours = odfi + checkDigitOf(odfi);
      const returnCode = creditCodes[cut(record, 2, 3)] ?? "21";
      lines.push(`6${returnCode}${ours}${cut(record, 13, 78)}1${trace}`);
      lines.push(`799${code}${id}${" ".repeat(6)}${bank.slice(0, 8)}${" ".repeat(44)}${trace}`);
      batch.count += 2n;
      batch.hash += BigInt(odfi);
      batch.credit += amount;
    }
    lines.push(
      `8220${digitsOf(batch.count, 6)}${totalsOf(batch)}${cut(header, 41, 50)}${" ".repeat(25)}` +
        batchId,
    );
    all.count += batch.count;
    all.hash += batch.hash;
    all.credit += batch.credit;
  }
  const blocks = Math.ceil((lines.length + 1) / blockLines);
  const counts = `${digitsOf(batches, 6)}${digitsOf(blocks, 6)}${digitsOf(all.count, 8)}`;
  lines.push(`9${counts}${totalsOf(all)}${" ".repeat(39)}`);
  while (lines.length % blockLines !== 0) lines.push(filler);
  return lines.map((line) => `${line}\r\n`).join("");
}

function totalsOf({ hash, credit }: Sums): string {
  return digitsOf(hash % hashModulus, 10) + digitsOf(0, 12) + digitsOf(credit, 12);
}

function checkDigitOf(bank: string): string {
  return [..."0123456789"].find((digit) => hasRightCheckDigit(bank + digit)) ?? "0";
}

/** A batch of returns has the header of the batch that it answers, and comes from the payees' bank. */
function groupReturns(returned: readonly ReturnedInstruction[]): ReturnedInstruction[][] {
  const groups = new Map<string, ReturnedInstruction[]>();
  for (const one of returned) {
    const { heading, bank } = one.instruction;
    const group = groups.get(heading + bank);
    if (group) group.push(one);
    else groups.set(heading + bank, [one]);
  }
  return [...groups.values()];
}
