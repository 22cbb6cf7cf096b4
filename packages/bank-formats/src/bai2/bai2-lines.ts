// The lines of BAI2 files: each account of a group is a statement of one day.

import type { FileReport } from "../report.ts";
import {
  emptyStatementLine,
  type StatementEnd,
  type StatementForm,
  type StatementLine,
  type StatementRecord,
} from "../statement-records.ts";
import { StatementSums } from "../statement-sums.ts";
import { bai2Direction } from "./amounts.ts";
import { readBai2 } from "./read.ts";
import type { Bai2Account, Bai2Summary, Bai2Transaction } from "./records.ts";

/** Ledger balances. 040 and 045 are what is available, which is another amount. */
const openingCode = "010";
const closingCode = "015";
/** The sums of all credits and of all debits. Other totals are parts of them. */
const totalCodes: ReadonlySet<string> = new Set(["100", "400"]);

/** Individual payments that came back to us: by ACH, rejected, and others. */
const returnCodes: ReadonlySet<string> = new Set(["257", "261", "266"]);
/** A debit that is taken back, and a credit. */
const reversalCodes: ReadonlySet<string> = new Set(["252", "552"]);

export function* readBai2Lines(text: string): Generator<StatementRecord, FileReport, void> {
  const records = readBai2(text);
  let account: Bai2Account | undefined;
  let sums = new AccountSums();
  for (;;) {
    const { done, value } = records.next();
    if (account && (done || value.kind === "account")) yield statementEnd(account, sums);
    if (done) return value;
    if (value.kind === "account") {
      account = value;
      sums = new AccountSums();
    } else {
      const line = lineOf(value, sums);
      if (line) yield line;
    }
  }
}

class AccountSums extends StatementSums {
  readonly credit = { total: 0n };
  readonly debit = { total: 0n };
}

/** Undefined for records that move no money. */
function lineOf(record: Bai2Transaction, sums: AccountSums): StatementLine | undefined {
  const { account, direction, typeCode, bankReference, customerReference } = record;
  if (!account || !direction || record.amount === 0n) return undefined;
  sums[direction].total += record.amount;
  const text = record.text.replace(/\s+/g, " ").trim();
  const facts = {
    day: account.asOfDate || record.valueDate,
    amount: direction === "credit" ? record.amount : -record.amount,
    currency: record.currency,
    isReversal: reversalCodes.has(typeCode),
  };
  const line: StatementLine = {
    ...emptyStatementLine,
    ...facts,
    place: { line: record.line, column: 1 },
    account: account.accountNumber,
    valueDay: record.valueDate,
    returnReason: returnCodes.has(typeCode) ? { code: "", text: "" } : undefined,
    code: typeCode,
    bankReference,
    customerReference,
    text,
    entryReference: bankReference,
    // The reference alone is that of a batch at some banks.
    entryKey: sums.keyOf(facts, "", [typeCode, bankReference, customerReference, text]),
  };
  sums.add(line);
  return line;
}

function statementEnd(account: Bai2Account, sums: AccountSums): StatementEnd {
  const { accountNumber, currency, asOfDate } = account;
  const closing = balanceOf(account, closingCode);
  // Some banks list no transactions, or only the large ones.
  const canCompute = closing !== undefined && hasAllLines(account, sums);
  const computed = canCompute ? closing - sums.sum(currency) : undefined;
  return {
    kind: "statement",
    place: { line: account.line, column: 1 },
    form: formOf(account),
    account: accountNumber,
    currency,
    bankId: "",
    sequence: "",
    fromDay: asOfDate || sums.firstDay,
    toDay: asOfDate || sums.lastDay,
    opening: balanceOf(account, openingCode) ?? computed,
    closing,
    lines: sums.lines,
  };
}

function balanceOf({ summaries }: Bai2Account, code: string): bigint | undefined {
  return summaries.find(({ typeCode }) => typeCode === code)?.amount;
}

/** Whether the totals of the account leave no room for transactions that are not listed. */
function hasAllLines(account: Bai2Account, sums: AccountSums): boolean {
  const isListed = ({ typeCode, amount }: Bai2Summary) => {
    const direction = bai2Direction(typeCode);
    if (!direction) return true;
    const { total } = sums[direction];
    return totalCodes.has(typeCode) ? amount === total : amount <= total;
  };
  return account.summaries.every(isListed);
}

/** Interim figures are repeated by final ones. A deletion or a test must not be booked. */
function formOf({ groupStatus, asOfModifier }: Bai2Account): StatementForm {
  return /^[24]$/.test(groupStatus) || /^[13]$/.test(asOfModifier) ? "report" : "statement";
}
