// Writes the comma-separated files of BNZ, Kiwibank and ANZ.

import type { FileFacts, PaymentFormat } from "../format.ts";
import { toFieldText, writeDelimited } from "../record-layout.ts";
import { anzProfile, bnzProfile, type MtsProfile, mtsBatchTypes } from "./mts-layouts.ts";
import { newZealandDate, newZealandProblems } from "./payments.ts";
import { numberedTypes } from "./reader.ts";
import type { NzRecord } from "./records.ts";
import { openNzFile, valuesOf } from "./writer.ts";

/** What the bank told us about our account. */
export type MtsSettings = {
  /** 15 or 16 digits. */
  accountNumber: string;
  /** The payer's name that receivers see. */
  ourName: string;
  /** BNZ only: whether our statement shows a line for each payment. */
  showsEachPayment: boolean;
};

/** The line of a record, without its end. */
export function writeMtsRecord(record: NzRecord, profile: MtsProfile): string {
  const values = { ...valuesOf(record), recordType: numberedTypes[record.kind] };
  return writeDelimited<string>(profile[record.kind], values, record.fieldCount);
}

function defineMtsFormat(profile: MtsProfile): PaymentFormat<MtsSettings> {
  const { characters, limits, usesHeader } = profile;
  const toText = (field: "payeeName" | "payeeReference" | "ourName", text: string) =>
    toFieldText(profile.payment, field, text, characters);
  const header = (facts: FileFacts, { accountNumber, showsEachPayment }: MtsSettings) => ({
    dueDate: facts.processDate,
    dueDateOrder: profile.dateOrder,
    createdDate: newZealandDate(facts.createdAtMs),
    ...(usesHeader && { ourAccount: accountNumber }),
    other: usesHeader
      ? { batchType: mtsBatchTypes.credit, indicator: showsEachPayment ? "I" : "" }
      : {},
  });

  return {
    name: profile.format,
    problemsOf: (payment) => newZealandProblems(payment, limits.amount, characters),
    limits,
    toReference: (text) => toText("payeeReference", text),
    open(facts, settings) {
      const ourName = toText("ourName", settings.ourName);
      return openNzFile({
        write: (record) => writeMtsRecord(record, profile),
        header: header(facts, settings),
        credit({ payeeName, statementReference, statementName }) {
          const reference = toText("payeeReference", statementReference);
          return {
            payeeName: toText("payeeName", payeeName),
            payeeReference: reference,
            ourName: toText("ourName", statementName) || ourName,
            ourReference: reference,
          };
        },
        hashTotal: ({ digits, value }) => (profile.fillsHashTotal ? digits : value),
      });
    },
  };
}

/** BNZ and Kiwibank. */
export const bnzFormat = defineMtsFormat(bnzProfile);
export const anzFormat = defineMtsFormat(anzProfile);
