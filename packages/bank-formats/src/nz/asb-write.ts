// Writes ASB's MT9 files of direct credits.

import { writeFileDate } from "../file-dates.ts";
import type { FileFacts, FileWriter, Payment, PaymentFormat, PaymentProblem } from "../format.ts";
import { toFieldText, writeFixed } from "../record-layout.ts";
import { HashTotal, splitNewZealandAccount, wholeAccountNumber } from "./accounts.ts";
import {
  asbCharacters,
  asbCreditCode,
  asbFileTypes,
  asbHeaderLayout,
  asbLimits,
  asbPaymentLayout,
  asbTrailerLayout,
} from "./asb-layouts.ts";
import { newZealandProblems } from "./payments.ts";
import type { NzRecord } from "./records.ts";

/** What the bank told us about our account. */
export type AsbSettings = {
  /** 15 or 16 digits. */
  accountNumber: string;
  /** The payer's name that receivers see. */
  ourName: string;
};

/** The line of a record, without its end. */
export function writeAsbRecord(record: NzRecord): string {
  if (record.kind === "header") {
    const { ourAccount, ourName, dueDate, dueDateOrder, other } = record;
    return writeFixed(asbHeaderLayout, {
      ...other,
      ...splitParts(ourAccount),
      dueDate: writeFileDate(dueDate, dueDateOrder),
      ourName,
    });
  }
  if (record.kind === "trailer") {
    const { credit, debit, hashTotal } = record;
    const total = (credit + debit).toString();
    return writeFixed(asbTrailerLayout, { recordType: "13", key: "99", hashTotal, total });
  }
  const { account, amount, other, ...texts } = record;
  return writeFixed(asbPaymentLayout, {
    ...texts,
    ...other,
    ...splitParts(account),
    recordType: "13",
    amount: amount.toString(),
  });
}

function splitParts(account: string) {
  return {
    bank: account.slice(0, 2),
    branch: account.slice(2, 6),
    base: account.slice(6, 13),
    suffix: account.slice(13),
  };
}

export const asbFormat: PaymentFormat<AsbSettings> = {
  name: "nz-asb",
  problemsOf,
  limits: asbLimits,
  toReference: (text) => toText("payeeReference", text),
  open,
};

/** ASB's last record has 99 where others have the bank's number. */
const trailerBank = "99";

function problemsOf(payment: Payment): PaymentProblem[] {
  const problems = newZealandProblems(payment, asbLimits.amount, asbCharacters);
  if (wholeAccountNumber(payment).startsWith(trailerBank)) {
    const message = "ASB's files can't carry the bank number 99, which marks their last record.";
    problems.push({ field: "accountNumber", message });
  }
  return problems;
}

function open(facts: FileFacts, settings: AsbSettings): FileWriter {
  const hash = new HashTotal();
  const ourName = toText("ourName", settings.ourName);
  let total = 0n;
  return {
    header: () =>
      toLine({
        kind: "header",
        line: 0,
        // ASB's suffixes have two digits, of which a third would be the wrong one.
        ourAccount: settings.accountNumber.slice(0, 13) + settings.accountNumber.slice(-2),
        ourName,
        dueDate: facts.processDate,
        dueDateOrder: "YYYYMMDD",
        createdDate: "",
        other: { recordType: asbFileTypes.credit },
      }),
    payment(payment) {
      const account = wholeAccountNumber(payment);
      const parts = splitNewZealandAccount(account);
      if (parts) hash.add(parts);
      total += payment.amount;
      const reference = toText("payeeReference", payment.statementReference);
      return toLine({
        kind: "payment",
        line: 0,
        account,
        transactionCode: asbCreditCode,
        direction: "credit",
        amount: payment.amount,
        payeeName: toText("payeeName", payment.payeeName),
        payeeParticulars: "",
        payeeCode: "",
        payeeReference: reference,
        ourName: toText("ourName", payment.statementName) || ourName,
        ourParticulars: "",
        ourCode: "",
        ourReference: reference,
        other: {},
      });
    },
    trailer: () =>
      toLine({
        kind: "trailer",
        line: 0,
        credit: total,
        debit: 0n,
        count: undefined,
        hashTotal: hash.digits,
      }),
  };
}

function toText(field: "payeeName" | "payeeReference" | "ourName", text: string): string {
  return toFieldText(asbPaymentLayout, field, text, asbCharacters);
}

function toLine(record: NzRecord): string {
  return `${writeAsbRecord(record)}\r\n`;
}
