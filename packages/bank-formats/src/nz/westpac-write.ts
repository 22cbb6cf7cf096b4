// Writes Westpac's Deskbank files, with commas or fixed columns.

import type { FileFacts, FileWriter, PaymentFormat } from "../format.ts";
import { type RecordLayout, toFieldText, writeDelimited, writeFixed } from "../record-layout.ts";
import { splitNewZealandAccount } from "./accounts.ts";
import { newZealandProblems } from "./payments.ts";
import type { NzHeader, NzPayment } from "./records.ts";
import {
  delimitedForm,
  westpacCharacters,
  westpacHeaderLayout,
  westpacLimits,
  westpacPaymentLayout,
} from "./westpac-layouts.ts";
import { openNzFile, valuesOf } from "./writer.ts";

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
  const isHeader = record.kind === "header";
  const layout: RecordLayout<string> = isHeader ? westpacHeaderLayout : westpacPaymentLayout;
  const values = {
    ...valuesOf(record),
    ...(isHeader ? headerParts(record) : accountParts(record)),
  };
  if (isFixedLength) return writeFixed(layout, values);
  return writeDelimited(delimitedForm(layout), values, record.fieldCount);
}

function headerParts({ ourAccount, ourName }: NzHeader) {
  const bank = ourAccount.slice(0, 2);
  return { recordType: "A", bank, branch: ourAccount.slice(2, 6), customerName: ourName };
}

function accountParts({ account, other }: NzPayment) {
  const ours = splitNewZealandAccount(other.ourAccount ?? "");
  return {
    ...splitNewZealandAccount(account),
    recordType: "D",
    ourBank: ours?.bank,
    ourBranch: ours?.branch,
    ourBase: ours?.base,
    ourSuffix: ours?.suffix,
  };
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
  return openNzFile({
    write: (record) => writeWestpacRecord(record as NzHeader | NzPayment, isFixedLength),
    header: {
      ourAccount: accountNumber,
      ourName: toHeaderText("customerName", settings.ourName),
      dueDate: facts.processDate,
      dueDateOrder: "DDMMYY",
      other: { sequence: "1", description: toHeaderText("description", settings.description) },
    },
    credit: ({ payeeName, statementReference, statementName }, number) => ({
      payeeName: toFieldText(westpacPaymentLayout, "payeeName", payeeName, westpacCharacters),
      payeeReference: toUpperText("payeeReference", statementReference),
      ourName: toUpperText("ourName", statementName) || ourName,
      // The header has the first number.
      other: { sequence: String(number + 1), source: "DC", ourAccount: accountNumber },
    }),
  });
}

/** Westpac asks for capital letters in all texts but the payee's name. */
function toUpperText(field: "payeeReference" | "ourName", text: string): string {
  return toFieldText(westpacPaymentLayout, field, text, westpacCharacters).toUpperCase();
}

function toHeaderText(field: "customerName" | "description", text: string): string {
  return toFieldText(westpacHeaderLayout, field, text, westpacCharacters).toUpperCase();
}
