// Writes ANZ's full file import: one batch of credits.

import { writeFileDate } from "../file-dates.ts";
import type { FileFacts, FileWriter, PaymentFormat } from "../format.ts";
import { toFieldText, writeDelimited } from "../record-layout.ts";
import { HashTotal, splitNewZealandAccount, wholeAccountNumber } from "./accounts.ts";
import {
  anzBatchTypes,
  anzFullHeaderLayout,
  anzFullLimits,
  anzFullPaymentLayout,
  anzFullTrailerLayout,
  anzReportingMethods,
} from "./anz-full-layouts.ts";
import { anzProfile } from "./mts-layouts.ts";
import { newZealandDate, newZealandProblems } from "./payments.ts";
import type { NzRecord } from "./records.ts";

const { characters } = anzProfile;

/** What the bank told us about our account. */
export type AnzFullSettings = {
  /** 15 digits. */
  accountNumber: string;
  /** What the batch is called on ANZ's screen. */
  batchName: string;
  /** Whether our statement shows a line for each payment. */
  showsEachPayment: boolean;
};

/** The line of a record, without its end. */
export function writeAnzFullRecord(record: NzRecord): string {
  if (record.kind === "header") {
    const { ourAccount, dueDate, createdDate, dueDateOrder, other } = record;
    return writeDelimited(
      anzFullHeaderLayout,
      {
        ...other,
        recordType: "1",
        ourAccount,
        dueDate: writeFileDate(dueDate, dueDateOrder),
        createdDate: writeFileDate(createdDate, dueDateOrder),
      },
      record.fieldCount,
    );
  }
  if (record.kind === "trailer") {
    const { credit, debit, count, hashTotal } = record;
    return writeDelimited(
      anzFullTrailerLayout,
      {
        recordType: "3",
        debit: debit.toString(),
        credit: credit.toString(),
        count: String(count),
        hashTotal,
      },
      record.fieldCount,
    );
  }
  const { amount, ...texts } = record;
  return writeDelimited(
    anzFullPaymentLayout,
    {
      ...texts,
      recordType: "2",
      amount: amount.toString(),
    },
    record.fieldCount,
  );
}

export const anzFullFormat: PaymentFormat<AnzFullSettings> = {
  name: "nz-anz-full",
  problemsOf: (payment) => newZealandProblems(payment, anzFullLimits.amount, characters),
  limits: anzFullLimits,
  toReference: (text) => toText("payeeReference", text),
  open,
};

function open(facts: FileFacts, settings: AnzFullSettings): FileWriter {
  const { accountNumber, batchName, showsEachPayment } = settings;
  const hash = new HashTotal();
  let count = 0;
  let total = 0n;
  return {
    header: () =>
      toLine({
        kind: "header",
        line: 0,
        ourAccount: accountNumber,
        ourName: "",
        dueDate: facts.processDate,
        dueDateOrder: "YYYYMMDD",
        createdDate: newZealandDate(facts.createdAtMs),
        other: {
          batchType: anzBatchTypes.credit,
          reporting: showsEachPayment ? anzReportingMethods.multiple : anzReportingMethods.single,
          dishonourAccount: accountNumber,
          batchName: toFieldText(anzFullHeaderLayout, "batchName", batchName, characters),
        },
      }),
    payment(payment) {
      const account = wholeAccountNumber(payment);
      const parts = splitNewZealandAccount(account);
      if (parts) hash.add(parts);
      count += 1;
      total += payment.amount;
      const reference = toText("payeeReference", payment.statementReference);
      return toLine({
        kind: "payment",
        line: 0,
        account,
        transactionCode: "50",
        direction: "credit",
        amount: payment.amount,
        payeeName: toText("payeeName", payment.payeeName),
        payeeParticulars: "",
        payeeCode: "",
        payeeReference: reference,
        ourName: "",
        ourParticulars: "",
        ourCode: "",
        ourReference: reference,
        other: {},
      });
    },
    trailer: () =>
      toLine({ kind: "trailer", line: 0, credit: total, debit: 0n, count, hashTotal: hash.value }),
  };
}

function toText(field: "payeeName" | "payeeReference", text: string): string {
  return toFieldText(anzFullPaymentLayout, field, text, characters);
}

function toLine(record: NzRecord): string {
  return `${writeAnzFullRecord(record)}\r\n`;
}
