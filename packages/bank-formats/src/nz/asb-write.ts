// Writes ASB's MT9 files of direct credits.

import type { FileFacts, FileWriter, Payment, PaymentFormat, PaymentProblem } from "../format.ts";
import { toFieldText, writeFixed } from "../record-layout.ts";
import { wholeAccountNumber } from "./accounts.ts";
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
import { openNzFile, valuesOf } from "./writer.ts";

/** What the bank told us about our account. */
export type AsbSettings = {
  /** 15 or 16 digits. */
  accountNumber: string;
  /** The payer's name that receivers see. */
  ourName: string;
};

/** ASB's last record has 99 where others have the bank's number. */
const trailerBank = "99";

const layouts = { header: asbHeaderLayout, payment: asbPaymentLayout, trailer: asbTrailerLayout };

/** The line of a record, without its end. */
export function writeAsbRecord(record: NzRecord): string {
  const account = { header: "ourAccount", payment: "account", trailer: "" }[record.kind];
  const values: Record<string, string> = {
    recordType: "13",
    key: trailerBank,
    ...valuesOf(record),
  };
  return writeFixed<string>(layouts[record.kind], {
    ...values,
    ...splitParts(values[account] ?? ""),
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

function problemsOf(payment: Payment): PaymentProblem[] {
  const problems = newZealandProblems(payment, asbLimits.amount, asbCharacters);
  if (wholeAccountNumber(payment).startsWith(trailerBank)) {
    const message = "ASB's files can't carry the bank number 99, which marks their last record.";
    problems.push({ field: "accountNumber", message });
  }
  return problems;
}

function open(facts: FileFacts, settings: AsbSettings): FileWriter {
  const ourName = toText("ourName", settings.ourName);
  return openNzFile({
    write: writeAsbRecord,
    header: {
      // ASB's suffixes have two digits, of which a third would be the wrong one.
      ourAccount: settings.accountNumber.slice(0, 13) + settings.accountNumber.slice(-2),
      ourName,
      dueDate: facts.processDate,
      dueDateOrder: "YYYYMMDD",
      other: { recordType: asbFileTypes.credit },
    },
    credit({ payeeName, statementReference, statementName }) {
      const reference = toText("payeeReference", statementReference);
      return {
        transactionCode: asbCreditCode,
        payeeName: toText("payeeName", payeeName),
        payeeReference: reference,
        ourName: toText("ourName", statementName) || ourName,
        ourReference: reference,
      };
    },
    hashTotal: ({ digits }) => digits,
  });
}

function toText(field: "payeeName" | "payeeReference" | "ourName", text: string): string {
  return toFieldText(asbPaymentLayout, field, text, asbCharacters);
}
