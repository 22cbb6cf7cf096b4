// Writes Westpac's Deskbank files, with commas or fixed columns.

import { writeFileDate } from "../file-dates.ts";
import type { FileFacts, FileWriter, PaymentFormat } from "../format.ts";
import {
  type RecordLayout,
  type RecordValues,
  toFieldText,
  writeDelimited,
  writeFixed,
} from "../record-layout.ts";
import { splitNewZealandAccount, wholeAccountNumber } from "./accounts.ts";
import { newZealandProblems } from "./payments.ts";
import type { NzHeader, NzPayment } from "./records.ts";
import {
  delimitedForm,
  westpacCharacters,
  westpacHeaderLayout,
  westpacLimits,
  westpacPaymentLayout,
} from "./westpac-layouts.ts";

/** What the bank told us about our account. */
export type WestpacSettings = {
  /** 15 or 16 digits. */
  accountNumber: string;
  /** The payer's name that receivers see. */
  ourName: string;
  /** What our own statement shows for the whole file. */
  description: string;
  /** Whether fields stand at fixed columns instead of between commas. */
  isFixedLength: boolean;
};

/** The line of a record, without its end. */
export function writeWestpacRecord(record: NzHeader | NzPayment, isFixedLength: boolean): string {
  if (record.kind === "header") {
    const { ourAccount, ourName, dueDate, dueDateOrder, other } = record;
    return writeEither(
      westpacHeaderLayout,
      isFixedLength,
      {
        ...other,
        recordType: "A",
        bank: ourAccount.slice(0, 2),
        branch: ourAccount.slice(2, 6),
        customerName: ourName,
        dueDate: writeFileDate(dueDate, dueDateOrder),
      },
      record.fieldCount,
    );
  }
  const { account, amount, other, ...texts } = record;
  const payee = splitNewZealandAccount(account);
  const ours = splitNewZealandAccount(other.ourAccount ?? "");
  return writeEither(
    westpacPaymentLayout,
    isFixedLength,
    {
      ...texts,
      ...other,
      ...payee,
      recordType: "D",
      amount: amount.toString(),
      ourBank: ours?.bank ?? "",
      ourBranch: ours?.branch ?? "",
      ourBase: ours?.base ?? "",
      ourSuffix: ours?.suffix ?? "",
    },
    record.fieldCount,
  );
}

function writeEither<Name extends string>(
  layout: RecordLayout<Name>,
  isFixedLength: boolean,
  values: RecordValues<Name>,
  fieldCount?: number,
): string {
  if (isFixedLength) return writeFixed(layout, values);
  return writeDelimited(delimitedForm(layout), values, fieldCount);
}

export const westpacFormat: PaymentFormat<WestpacSettings> = {
  name: "nz-westpac",
  problemsOf: (payment) => newZealandProblems(payment, westpacLimits.amount, westpacCharacters),
  limits: westpacLimits,
  toReference: (text) => toUpperText("payeeReference", text),
  open,
};

function open(facts: FileFacts, settings: WestpacSettings): FileWriter {
  const { accountNumber, isFixedLength } = settings;
  const ourName = toUpperText("ourName", settings.ourName);
  const toLine = (record: NzHeader | NzPayment) =>
    `${writeWestpacRecord(record, isFixedLength)}\r\n`;
  // The header has the first number.
  let sequence = 1;
  const nextSequence = () => {
    sequence += 1;
    return String(sequence);
  };
  return {
    header: () =>
      toLine({
        kind: "header",
        line: 0,
        ourAccount: accountNumber,
        ourName: toHeaderText("customerName", settings.ourName),
        dueDate: facts.processDate,
        dueDateOrder: "DDMMYY",
        createdDate: "",
        other: {
          sequence: "1",
          description: toHeaderText("description", settings.description),
        },
      }),
    payment: (payment) =>
      toLine({
        kind: "payment",
        line: 0,
        account: wholeAccountNumber(payment),
        transactionCode: "50",
        direction: "credit",
        amount: payment.amount,
        payeeName: toFieldText(
          westpacPaymentLayout,
          "payeeName",
          payment.payeeName,
          westpacCharacters,
        ),
        payeeParticulars: "",
        payeeCode: "",
        payeeReference: toUpperText("payeeReference", payment.statementReference),
        ourName: toUpperText("ourName", payment.statementName) || ourName,
        ourParticulars: "",
        ourCode: "",
        ourReference: "",
        other: { sequence: nextSequence(), source: "DC", ourAccount: accountNumber },
      }),
    // The files have no trailer.
    trailer: () => "",
  };
}

/** Westpac asks for capital letters in all texts but the payee's name. */
function toUpperText(field: "payeeReference" | "ourName", text: string): string {
  return toFieldText(westpacPaymentLayout, field, text, westpacCharacters).toUpperCase();
}

function toHeaderText(field: "customerName" | "description", text: string): string {
  return toFieldText(westpacHeaderLayout, field, text, westpacCharacters).toUpperCase();
}
