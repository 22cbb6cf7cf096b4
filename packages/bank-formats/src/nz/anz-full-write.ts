// Writes ANZ's full file import: one batch of credits.

import type { FileFacts, PaymentFormat } from "../format.ts";
import { toFieldText, writeDelimited } from "../record-layout.ts";
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
import { numberedTypes } from "./reader.ts";
import type { NzRecord } from "./records.ts";
import { openNzFile, valuesOf } from "./writer.ts";

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

const layouts = {
  header: anzFullHeaderLayout,
  payment: anzFullPaymentLayout,
  trailer: anzFullTrailerLayout,
};

/** The line of a record, without its end. */
export function writeAnzFullRecord(record: NzRecord): string {
  const values = { ...valuesOf(record), recordType: numberedTypes[record.kind] };
  return writeDelimited<string>(layouts[record.kind], values, record.fieldCount);
}

export const anzFullFormat: PaymentFormat<AnzFullSettings> = {
  name: "nz-anz-full",
  problemsOf: (payment) => newZealandProblems(payment, anzFullLimits.amount, characters),
  limits: anzFullLimits,
  toReference: (text) => toText("payeeReference", text),
  open: (facts, settings) =>
    openNzFile({
      write: writeAnzFullRecord,
      header: header(facts, settings),
      credit({ payeeName, statementReference }) {
        const reference = toText("payeeReference", statementReference);
        return {
          payeeName: toText("payeeName", payeeName),
          payeeReference: reference,
          ourReference: reference,
        };
      },
      hashTotal: ({ value }) => value,
    }),
};

function header(facts: FileFacts, settings: AnzFullSettings) {
  const { accountNumber, batchName, showsEachPayment } = settings;
  return {
    ourAccount: accountNumber,
    dueDate: facts.processDate,
    dueDateOrder: "YYYYMMDD",
    createdDate: newZealandDate(facts.createdAtMs),
    other: {
      batchType: anzBatchTypes.credit,
      reporting: showsEachPayment ? anzReportingMethods.multiple : anzReportingMethods.single,
      dishonourAccount: accountNumber,
      batchName: toFieldText(anzFullHeaderLayout, "batchName", batchName, characters),
    },
  } as const;
}

function toText(field: "payeeName" | "payeeReference", text: string): string {
  return toFieldText(anzFullPaymentLayout, field, text, characters);
}
