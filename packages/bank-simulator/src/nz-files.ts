// Direct credit files as the banks of New Zealand take them: ANZ, BNZ and Kiwibank, ASB, Westpac.

import { cut, dateFrom, digitsOf, linesOfFile } from "./fixed-records.ts";
import { emptyFile, FileComplaints, type InstructionFile } from "./instruction-file.ts";
import { isNzAccount, joinNzAccount, nzHashTotal } from "./nz-account.ts";

type NzFormat = "nz-anz" | "nz-bnz" | "nz-asb" | "nz-westpac";

/** A detail record before it is checked. */
type Detail = {
  account: string;
  code: string;
  cents: string;
  name: string;
  nameMax: number;
  reference: string;
  record: string;
};

/** The parts of a file, and what is wrong with it. */
class NzReading {
  readonly file: InstructionFile;
  readonly complaints = new FileComplaints();
  sum = 0n;
  isEnded = false;

  constructor(format: NzFormat) {
    this.file = { ...emptyFile(format), currency: "NZD", problems: this.complaints.all };
  }

  setPayer(digits: string, at: number): void {
    if (!isNzAccount(digits)) this.complaints.at(at, "our customer's account number is wrong");
    this.file.payer = { bank: "", account: digits };
    this.file.customer = digits;
  }

  setDate(year: string, month: string, day: string): void {
    this.file.processDate = dateFrom(year, month, day);
    if (this.file.processDate === "") this.complaints.at(1, "the due date is no date");
  }

  add(at: number, { account, code, cents, name, nameMax, reference, record }: Detail): void {
    const { complaints, file } = this;
    if (this.isEnded) complaints.at(at, "a payment follows the control record");
    if (!isNzAccount(account)) {
      complaints.at(at, "the account number has not 15 to 17 digits");
      return;
    }
    if (!/^0?5[012]$/.test(code)) complaints.at(at, "the transaction code is no direct credit");
    if (name === "" || name.length > nameMax) {
      complaints.at(at, `the name has not 1 to ${nameMax} characters`);
    }
    if (reference.length > 12) complaints.at(at, "the reference is longer than 12 characters");
    if (!/^\d{1,15}$/.test(cents) || BigInt(cents) === 0n) {
      complaints.at(at, "the amount is no number above zero");
      return;
    }
    this.sum += BigInt(cents);
    file.instructions.push({
      number: file.instructions.length + 1,
      amount: BigInt(cents),
      currency: "NZD",
      bank: "",
      account,
      name,
      reference,
      id: "",
      instructionId: "",
      record,
      heading: "",
    });
  }

  /** The control record. A bank leaves out what its format has not. */
  end(at: number, totals: { sum?: string; count?: string; hash?: string; debit?: string }): void {
    const { complaints, file } = this;
    const { sum, count, hash, debit } = totals;
    this.isEnded = true;
    if (debit !== undefined) complaints.compare(at, "the debit total", debit, 0n);
    if (sum !== undefined) complaints.compare(at, "the total", sum, this.sum);
    if (count !== undefined) {
      complaints.compare(at, "the count", count, BigInt(file.instructions.length));
    }
    if (hash !== undefined) complaints.compare(at, "the hash total", hash, this.hash());
  }

  hash(): bigint {
    return nzHashTotal(this.file.instructions.map(({ account }) => account));
  }

  done({ hasTotals }: { hasTotals: boolean }): InstructionFile {
    const { file, complaints } = this;
    if (file.instructions.length === 0) complaints.about("the file has no payment");
    if (hasTotals && !this.isEnded) complaints.about("the control record is missing");
    if (hasTotals) file.hashTotal = digitsOf(this.hash(), 11);
    return file;
  }
}

const printable = /^[ -~]*$/;

function eachLine(
  text: string,
  complaints: FileComplaints,
  read: (line: string, at: number) => void,
): void {
  linesOfFile(text).forEach((line, index) => {
    if (printable.test(line)) read(line, index + 1);
    else complaints.at(index + 1, "a character is not printable ASCII");
  });
}

/** BNZ, Kiwibank and ANZ's import into a batch: records 1, 2 and 3 between commas. */
export function readNzBatchFile(text: string, format: "nz-anz" | "nz-bnz"): InstructionFile {
  const reading = new NzReading(format);
  const { complaints } = reading;
  const isAnz = format === "nz-anz";
  eachLine(text, complaints, (line, at) => {
    const fields = line.split(",");
    const [type = "", second = "", third = "", fourth = "", fifth = "", sixth = ""] = fields;
    if ((type === "1") !== (at === 1)) complaints.at(at, "a file begins with its only record 1");
    if (type === "1") {
      const due = fields[6] ?? "";
      const year = isAnz ? 4 : 2;
      reading.setDate(due.slice(0, year), due.slice(year, year + 2), due.slice(year + 2));
      if (isAnz) return;
      reading.setPayer(fifth, at);
      if (sixth !== "7") complaints.at(at, "only direct credits (7) are taken");
    } else if (type === "2") {
      if (fields.length !== 13) complaints.at(at, `a payment has 13 fields, not ${fields.length}`);
      reading.add(at, {
        account: second,
        code: third,
        cents: fourth,
        name: fifth,
        nameMax: isAnz ? 32 : 20,
        reference: sixth,
        record: line,
      });
    } else if (type === "3") reading.end(at, { sum: second, count: third, hash: fourth });
    else complaints.at(at, "the record type is unknown");
  });
  return reading.done({ hasTotals: true });
}

/** ANZ's full file, which names the account and the day itself. */
export function readAnzFullFile(text: string): InstructionFile {
  const reading = new NzReading("nz-anz");
  const { complaints } = reading;
  eachLine(text, complaints, (line, at) => {
    const fields = line.split(",");
    const [type = "", second = "", third = "", fourth = "", fifth = ""] = fields;
    if ((type === "1") !== (at === 1)) complaints.at(at, "a file begins with its only record 1");
    if (type === "1") {
      if (second !== "C") complaints.at(at, "only direct credits (C) are taken");
      reading.setDate(third.slice(0, 4), third.slice(4, 6), third.slice(6));
      reading.setPayer(fields[5] ?? "", at);
    } else if (type === "2") {
      if (fields.length !== 14) complaints.at(at, `a payment has 14 fields, not ${fields.length}`);
      reading.add(at, {
        account: second,
        code: third,
        cents: fourth,
        name: fifth,
        nameMax: 32,
        reference: fields[7] ?? "",
        record: line,
      });
    } else if (type === "3") {
      reading.end(at, { debit: second, sum: third, count: fourth, hash: fifth });
    } else complaints.at(at, "the record type is unknown");
  });
  return reading.done({ hasTotals: true });
}

/** ASB's MT9: records of 160 characters. The file has no count. */
export function readAsbFile(text: string): InstructionFile {
  const reading = new NzReading("nz-asb");
  const { complaints } = reading;
  eachLine(text, complaints, (line, at) => {
    if (line.length !== 160) {
      complaints.at(at, `a record has 160 characters, this one has ${line.length}`);
    } else if (at === 1) {
      reading.setPayer(cut(line, 3, 18).trim(), at);
      reading.setDate(cut(line, 19, 22), cut(line, 23, 24), cut(line, 25, 26));
      if (cut(line, 32, 51).trim() === "") complaints.at(at, "the short name is blank");
    } else if (line.startsWith("1399")) {
      reading.end(at, { hash: cut(line, 5, 15), sum: cut(line, 22, 31) });
    } else if (line.startsWith("13")) {
      reading.add(at, {
        account: joinNzAccount(
          cut(line, 3, 4),
          cut(line, 5, 8),
          cut(line, 9, 15),
          cut(line, 16, 18),
        ),
        code: cut(line, 19, 21),
        cents: cut(line, 22, 31),
        name: cut(line, 32, 51).trim(),
        nameMax: 20,
        reference: cut(line, 76, 87).trim(),
        record: line,
      });
    } else complaints.at(at, "the record type is unknown");
  });
  return reading.done({ hasTotals: true });
}

/** The lengths of the fields of Westpac's records, for the form without commas. */
const westpacHeader = [1, 6, 2, 4, 30, 6, 20, 6];
const westpacDetail = [1, 6, 2, 4, 8, 4, 2, 2, 15, 20, 12, 12, 12, 2, 4, 8, 4, 20];

function westpacFields(line: string): string[] {
  if (line[1] === ",") return line.split(",");
  let start = 0;
  return (line[0] === "A" ? westpacHeader : westpacDetail).map((length) => {
    start += length;
    return line.slice(start - length, start).trim();
  });
}

/** Westpac fills base and suffix with zeros, which other banks leave out. */
function westpacAccount([bank = "", branch = "", base = "", suffix = ""]: string[]): string {
  const shortBase = base.replace(/^0+/, "").padStart(7, "0");
  return joinNzAccount(bank, branch, shortBase, suffix.replace(/^0+/, "").padStart(2, "0"));
}

/** Westpac's Deskbank, between commas or with 180 characters. The file has no totals. */
export function readWestpacFile(text: string): InstructionFile {
  const reading = new NzReading("nz-westpac");
  const { complaints } = reading;
  eachLine(text, complaints, (line, at) => {
    if (line[1] !== "," && line.length !== 180) {
      complaints.at(at, `a record has commas or 180 characters, this one has ${line.length}`);
      return;
    }
    const fields = westpacFields(line);
    const field = (index: number) => fields[index] ?? "";
    complaints.compare(at, "the sequence number", field(1), BigInt(at));
    if ((field(0) === "A") !== (at === 1))
      complaints.at(at, "a file begins with its only record A");
    if (field(0) === "A") {
      if (field(2) !== "03") complaints.at(at, "the paying bank is not 03");
      reading.setDate(field(7).slice(4), field(7).slice(2, 4), field(7).slice(0, 2));
    } else if (field(0) === "D") {
      reading.setPayer(westpacAccount(fields.slice(13, 17)), at);
      if (field(7) !== "DC") complaints.at(at, "the source is not DC");
      reading.add(at, {
        account: westpacAccount(fields.slice(2, 6)),
        code: field(6),
        cents: field(8),
        name: field(9),
        nameMax: 20,
        reference: field(12),
        record: line,
      });
    } else complaints.at(at, "the record type is unknown");
  });
  return reading.done({ hasTotals: false });
}
