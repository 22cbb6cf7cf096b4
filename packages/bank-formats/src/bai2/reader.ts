// The order of records in a BAI2 file: file, groups, accounts and transactions, each level ended by its control.

import { isCurrency } from "../money.ts";
import type { FileProblems } from "../report.ts";
import {
  bai2Direction,
  isBai2Date,
  isBai2Time,
  readFunds,
  readTypeCode,
  toBai2Date,
} from "./amounts.ts";
import { Bai2Sums } from "./controls.ts";
import { FieldCursor } from "./field-cursor.ts";
import { continuationCode, type PhysicalRecord } from "./physical-records.ts";
import type { Bai2Account, Bai2Record, Bai2Transaction } from "./records.ts";

const defaultCurrency = "USD";

export class Bai2Reader {
  readonly #problems: FileProblems;
  readonly #file = new Bai2Sums(1);
  #hasHeader = false;
  #group: Bai2Sums | undefined;
  #account: Bai2Sums | undefined;
  #groupCurrency = defaultCurrency;
  #groupFacts = { asOfDate: "", groupStatus: "", asOfModifier: "" };
  #lastAccount: Bai2Account | undefined;
  #isStarted = false;
  #isEnded = false;

  constructor(problems: FileProblems) {
    this.#problems = problems;
  }

  take(parts: readonly PhysicalRecord[]): Bai2Record | undefined {
    const cursor = new FieldCursor(parts, this.#problems);
    const code = parts[0]?.code ?? "";
    this.#checkStart(code, cursor.line);
    this.#checkEnds(parts);
    switch (code) {
      case "01":
        this.#openFile(cursor, parts.length);
        return undefined;
      case "02":
        this.#openGroup(cursor, parts.length);
        return undefined;
      case "03":
        return this.#openAccount(cursor, parts.length);
      case "16":
        return this.#takeTransaction(cursor, parts.length);
      case "49":
        this.#closeAccount(cursor, parts.length);
        return undefined;
      case "98":
        this.#closeGroup(cursor, parts.length);
        return undefined;
      case "99":
        this.#closeFile(cursor, parts.length);
        return undefined;
      case continuationCode:
        this.#problems.error(cursor.line, 1, "a continuation (88) must follow a record");
        return undefined;
      default:
        this.#problems.error(
          cursor.line,
          1,
          "a record must begin with 01, 02, 03, 16, 49, 88, 98 or 99",
        );
        return undefined;
    }
  }

  #checkStart(code: string, line: number): void {
    if (!this.#isStarted && code !== "01") {
      this.#problems.error(line, 1, "a file must begin with a file header (01)");
    }
    if (this.#isEnded) this.#problems.error(line, 1, "nothing may follow the file trailer (99)");
    this.#isStarted = true;
  }

  /** A text may go on to the end of its line; other records end with a slash. */
  #checkEnds(parts: readonly PhysicalRecord[]): void {
    if (parts[0]?.code === "16") return;
    for (const { isEnded, line, column, content } of parts) {
      if (isEnded) continue;
      this.#problems.warning(line, column + content.length, "a record should end with a slash");
    }
  }

  #openFile(cursor: FieldCursor, records: number): void {
    if (this.#hasHeader) {
      this.#problems.error(cursor.line, 1, "a file must have one file header (01)");
    }
    this.#hasHeader = true;
    this.#closeOpen("group");
    this.#file.records += records;
    for (const label of ["sender", "receiver"]) {
      const field = cursor.next();
      if (field.text === "") cursor.report("warning", field, label, "given");
    }
    readDateAndTime(cursor, "creation");
    const id = cursor.next();
    if (id.text === "") cursor.report("warning", id, "file identification", "given");
    // The lengths of records and blocks are those of tapes.
    cursor.next();
    cursor.next();
    const version = cursor.next();
    if (version.text !== "2") cursor.report("warning", version, "version", "2");
  }

  #openGroup(cursor: FieldCursor, records: number): void {
    this.#closeOpen("group");
    this.#group = new Bai2Sums(cursor.line);
    this.#group.records = records;
    cursor.next();
    const originator = cursor.next();
    if (originator.text === "") cursor.report("warning", originator, "originator", "given");
    const status = cursor.next();
    if (!/^[1-4]$/.test(status.text)) cursor.report("warning", status, "group status", "1 to 4");
    const asOfDate = readDateAndTime(cursor, "as-of");
    this.#groupCurrency = readCurrency(cursor, defaultCurrency);
    const asOfModifier = cursor.next().text;
    this.#groupFacts = { asOfDate, groupStatus: status.text, asOfModifier };
  }

  #openAccount(cursor: FieldCursor, records: number): Bai2Account {
    this.#requireOpen(this.#group, cursor, "an account", "a group (02)");
    this.#closeOpen("account");
    const sums = new Bai2Sums(cursor.line);
    sums.records = records;
    this.#account = sums;
    const number = cursor.next();
    if (number.text === "") cursor.report("error", number, "account number", "given");
    const account: Bai2Account = {
      kind: "account",
      line: cursor.line,
      accountNumber: number.text,
      currency: readCurrency(cursor, this.#groupCurrency),
      ...this.#groupFacts,
      summaries: [],
    };
    while (!cursor.isAtEnd) this.#takeSummary(cursor, account, sums);
    this.#lastAccount = account;
    return account;
  }

  #takeSummary(cursor: FieldCursor, account: Bai2Account, sums: Bai2Sums): void {
    const field = cursor.next();
    // An account without balances has empty fields.
    if (field.text === "" && cursor.isAtEnd) return;
    if (field.text !== "" && !/^\d{3}$/.test(field.text)) {
      cursor.report("error", field, "type code", "3 digits");
    }
    const amount = cursor.amount("amount");
    const items = cursor.next();
    if (!/^\d*$/.test(items.text)) cursor.report("warning", items, "number of items", "digits");
    readFunds(cursor, amount);
    sums.total += amount.value;
    if (field.text !== "") {
      account.summaries.push({ typeCode: field.text, amount: amount.value });
    }
  }

  #takeTransaction(cursor: FieldCursor, records: number): Bai2Transaction {
    this.#requireOpen(this.#account, cursor, "a transaction", "an account (03)");
    const typeCode = readTypeCode(cursor);
    const amount = cursor.amount("amount");
    if (/^[+-]/.test(amount.field.text)) {
      cursor.report("warning", amount.field, "amount", "without a sign");
    }
    const valueDate = readFunds(cursor, amount);
    if (this.#account) {
      this.#account.total += amount.value;
      this.#account.records += records;
    }
    return {
      kind: "transaction",
      line: cursor.line,
      account: this.#account && this.#lastAccount,
      currency: this.#lastAccount?.currency ?? this.#groupCurrency,
      typeCode,
      direction: bai2Direction(typeCode),
      amount: amount.value,
      valueDate,
      bankReference: cursor.next().text,
      customerReference: cursor.next().text,
      text: cursor.rest(),
    };
  }

  #closeAccount(cursor: FieldCursor, records: number): void {
    this.#requireOpen(this.#account, cursor, "an account trailer", "an account (03)");
    if (!this.#account) return;
    this.#account.records += records;
    this.#account.compare("account", cursor);
    this.#group?.add(this.#account);
    this.#account = undefined;
  }

  #closeGroup(cursor: FieldCursor, records: number): void {
    this.#closeOpen("account");
    this.#requireOpen(this.#group, cursor, "a group trailer", "a group (02)");
    if (!this.#group) return;
    this.#group.records += records;
    this.#group.compare("group", cursor);
    this.#file.add(this.#group);
    this.#group = undefined;
  }

  #closeFile(cursor: FieldCursor, records: number): void {
    this.#closeOpen("group");
    this.#isEnded = true;
    this.#file.records += records;
    this.#file.compare("file", cursor);
  }

  #requireOpen(open: Bai2Sums | undefined, { line }: FieldCursor, what: string, inside: string) {
    if (!open) this.#problems.error(line, 1, `${what} must be inside of ${inside}`);
  }

  /** Closes levels that lack their trailer, so that the sums above still count them. */
  #closeOpen(level: "account" | "group"): void {
    if (this.#account) {
      const message = "an account must end with an account trailer (49)";
      this.#problems.error(this.#account.line, 1, message);
      this.#group?.add(this.#account);
      this.#account = undefined;
    }
    if (level === "account" || !this.#group) return;
    this.#problems.error(this.#group.line, 1, "a group must end with a group trailer (98)");
    this.#file.add(this.#group);
    this.#group = undefined;
  }

  finish(): void {
    if (!this.#isEnded) {
      this.#closeOpen("group");
      this.#problems.error(0, 0, "a file must end with a file trailer (99)");
    }
  }
}

/** The date as YYYY-MM-DD; empty where it is none. */
function readDateAndTime(cursor: FieldCursor, label: string): string {
  const date = cursor.next();
  if (!isBai2Date(date.text)) cursor.report("warning", date, `${label} date`, "a date as YYMMDD");
  const time = cursor.next();
  if (!isBai2Time(time.text)) cursor.report("warning", time, `${label} time`, "a time as HHMM");
  return toBai2Date(date.text);
}

function readCurrency(cursor: FieldCursor, otherwise: string): string {
  const field = cursor.next();
  if (field.text === "") return otherwise;
  if (!isCurrency(field.text)) cursor.report("warning", field, "currency", "one such as USD");
  return /^[A-Z]{3}$/.test(field.text) ? field.text : otherwise;
}
