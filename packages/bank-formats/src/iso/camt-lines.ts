// The lines of camt statements, reports and notifications: an entry, or the transactions that it is made of.

import type { FileReport } from "../report.ts";
import {
  emptyStatementLine,
  type StatementEnd,
  type StatementForm,
  type StatementLine,
  type StatementRecord,
} from "../statement-records.ts";
import { completeBalances, StatementSums } from "../statement-sums.ts";
import { type CamtMessage, readCamt } from "./camt-reader.ts";
import type { EntryTransaction, StatementEntry, StatementSummary } from "./camt-records.ts";

const forms: Readonly<Record<CamtMessage["kind"], StatementForm>> = {
  "camt.052": "report",
  "camt.053": "statement",
  "camt.054": "notification",
};

export function* readCamtLines(
  text: string,
  message: CamtMessage,
): Generator<StatementRecord, FileReport, void> {
  const records = readCamt(text, message);
  const form = forms[message.kind];
  let sums = new StatementSums();
  let transactions: EntryTransaction[] = [];
  for (;;) {
    const { done, value } = records.next();
    if (done) return value;
    if (value.kind === "transaction") {
      transactions.push(value);
    } else if (value.kind === "entry") {
      // What is not booked may never be.
      if (value.status === "BOOK") yield* linesOf(value, transactions, sums);
      transactions = [];
    } else {
      yield statementEnd(value, form, sums);
      sums = new StatementSums();
    }
  }
}

function* linesOf(
  entry: StatementEntry,
  transactions: readonly EntryTransaction[],
  sums: StatementSums,
): Generator<StatementLine, void, void> {
  const parts = partsOf(entry, transactions);
  const isSplit = parts.length > 1;
  const only = isSplit ? undefined : parts[0];
  const common = {
    ...emptyStatementLine,
    account: entry.account,
    day: entry.bookingDate || entry.valueDate || entry.createdOn,
    valueDay: entry.valueDate,
    currency: entry.currency,
    isReversal: entry.isReversal,
    // Some banks give it to the transaction alone.
    entryReference:
      (entry.references.accountServicerReference || only?.references.accountServicerReference) ??
      "",
    entryLines: Math.max(parts.length, 1),
  };
  const entryKey = sums.keyOf(
    { ...common, amount: signedAmount(entry) },
    common.entryReference,
    contentOf(entry, only),
  );
  for (let index = 0; index < common.entryLines; index += 1) {
    const part = parts[index];
    const source = part ?? entry;
    const { messageId, paymentInformationId, instructionId, endToEndId, uetr } = source.references;
    const line: StatementLine = {
      ...common,
      place: { line: source.line, column: source.column },
      // A single transaction may be in the currency of the payer. The entry is what moved on our account.
      amount: signedAmount(isSplit && part ? part : entry),
      returnReason: source.returnReason,
      code: source.transactionCode,
      bankReference: source.references.accountServicerReference,
      endToEndId,
      instructionId,
      messageId,
      paymentInformationId,
      uetr,
      customerReference: part?.creditorReference ?? "",
      ...(part && partyOf(part)),
      text: textOf(entry, part, isSplit),
      entryKey,
      entryLine: index + 1,
    };
    // A line moves money.
    if (line.amount === 0n) continue;
    sums.add(line);
    yield line;
  }
}

/**
 * The transactions that the entry is made of, if they add up to it. One that is listed for an entry of several is none:
 * it says nothing about the others.
 */
function partsOf(
  entry: StatementEntry,
  transactions: readonly EntryTransaction[],
): readonly EntryTransaction[] {
  const { announcedTransactions = transactions.length } = entry;
  if (transactions.length === 1) return announcedTransactions > 1 ? [] : transactions;
  const isSameCurrency = transactions.every(({ currency }) => currency === entry.currency);
  const sum = transactions.reduce((before, part) => before + signedAmount(part), 0n);
  return isSameCurrency && sum === signedAmount(entry) ? transactions : [];
}

function signedAmount({ amount, direction }: StatementEntry | EntryTransaction): bigint {
  return direction === "credit" ? amount : -amount;
}

function contentOf(entry: StatementEntry, only: EntryTransaction | undefined): string[] {
  const { messageId, paymentInformationId, instructionId, endToEndId } = (only ?? entry).references;
  const references = [messageId, paymentInformationId, instructionId, endToEndId];
  return [entry.transactionCode, ...references, textOf(entry, only, false)];
}

/** What the bank writes about the entry belongs to a transaction of several only where it has no text of its own. */
function textOf(entry: StatementEntry, part: EntryTransaction | undefined, isSplit: boolean) {
  const own = [part?.remittance ?? "", part?.information ?? ""].filter((text) => text !== "");
  const texts = isSplit && own.length > 0 ? own : [...own, entry.information];
  return texts.join(" ").replace(/\s+/g, " ").trim();
}

type Party = Pick<StatementLine, "partyName" | "partyAccount">;

/** The payee of a debit and the payer of a credit. In a return the parties may stay as they were, or be swapped. */
function partyOf(part: EntryTransaction): Party {
  const debtor = { partyName: part.debtorName, partyAccount: part.debtorAccount };
  const creditor = { partyName: part.creditorName, partyAccount: part.creditorAccount };
  const isReturn = part.returnReason !== undefined || part.isReversal;
  const isDebtorFirst = part.direction === "credit" && !isReturn;
  const [first, second] = isDebtorFirst ? [debtor, creditor] : [creditor, debtor];
  return isOther(first, part) || !isOther(second, part) ? first : second;
}

/** Whether it is given, and is not us. */
function isOther({ partyName, partyAccount }: Party, { account }: EntryTransaction): boolean {
  return (partyName !== "" || partyAccount !== "") && partyAccount !== account;
}

function statementEnd(
  summary: StatementSummary,
  form: StatementForm,
  sums: StatementSums,
): StatementEnd {
  const { balances } = summary;
  const booked = balances.filter(({ code }) => /^(OPBD|PRCD|CLBD|ITBD)$/.test(code));
  const currency = summary.currency || booked[0]?.currency || sums.currency;
  const given = balancesOf(summary, currency, sums.sum(currency));
  const days = booked.map(({ date }) => date).filter((day) => day !== "");
  return {
    kind: "statement",
    place: { line: summary.line, column: summary.column },
    form,
    account: summary.account,
    currency,
    bankId: summary.id,
    sequence: summary.sequence,
    fromDay: summary.fromDay || sums.firstDay || days.toSorted()[0] || summary.createdOn,
    toDay: summary.toDay || days.toSorted().at(-1) || sums.lastDay || summary.createdOn,
    ...(form === "statement" ? completeBalances(given, sums.sum(currency)) : given),
    lines: sums.lines,
  };
}

/** The booked balances. Those of a page are interim, and taken only where the lines lead from one to the other. */
function balancesOf({ balances }: StatementSummary, currency: string, sum: bigint) {
  const of = (code: string) =>
    balances.filter((balance) => balance.code === code && balance.currency === currency);
  const only = (code: string) => {
    const amounts = new Set(of(code).map(({ amount }) => amount));
    return amounts.size === 1 ? [...amounts][0] : undefined;
  };
  const opening = only("OPBD") ?? only("PRCD");
  const closing = only("CLBD");
  if (opening !== undefined && closing !== undefined) return { opening, closing };
  const interim = of("ITBD").map(({ amount }) => amount);
  const openings = opening === undefined ? interim : [opening];
  for (const start of openings) {
    const end = start + sum;
    if (closing === end || (closing === undefined && interim.includes(end))) {
      return { opening: start, closing: end };
    }
  }
  return { opening, closing };
}
