// Writes the comma-separated files of BNZ, Kiwibank and ANZ.

import { writeFileDate } from "../file-dates.ts";
import type { FileFacts, FileWriter, Payment, PaymentFormat } from "../format.ts";
import { toFieldText, writeDelimited } from "../record-layout.ts";
import { HashTotal, splitNewZealandAccount, wholeAccountNumber } from "./accounts.ts";
import { anzProfile, bnzProfile, type MtsProfile, mtsBatchTypes } from "./mts-layouts.ts";
import { newZealandDate, newZealandProblems } from "./payments.ts";
import type { NzRecord } from "./records.ts";

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
  if (record.kind === "header") {
    const { ourAccount, dueDate, createdDate, dueDateOrder, other } = record;
    return writeDelimited(
      profile.header,
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
    const total = (credit + debit).toString();
    return writeDelimited(
      profile.trailer,
      {
        recordType: "3",
        total,
        count: String(count),
        hashTotal,
      },
      record.fieldCount,
    );
  }
  const { amount, other, ...texts } = record;
  return writeDelimited(
    profile.payment,
    {
      ...texts,
      ...other,
      recordType: "2",
      amount: amount.toString(),
    },
    record.fieldCount,
  );
}

function defineMtsFormat(profile: MtsProfile): PaymentFormat<MtsSettings> {
  const { characters, limits } = profile;
  const toText = (field: "payeeName" | "payeeReference" | "ourName", text: string) =>
    toFieldText(profile.payment, field, text, characters);

  function open(facts: FileFacts, settings: MtsSettings): FileWriter {
    const hash = new HashTotal();
    const ourName = toText("ourName", settings.ourName);
    const toLine = (record: NzRecord) => `${writeMtsRecord(record, profile)}\r\n`;
    let count = 0;
    let total = 0n;
    return {
      header: () =>
        toLine({
          kind: "header",
          line: 0,
          ourAccount: profile.usesHeader ? settings.accountNumber : "",
          ourName: "",
          dueDate: facts.processDate,
          dueDateOrder: profile.dateOrder,
          createdDate: newZealandDate(facts.createdAtMs),
          other: profile.usesHeader
            ? {
                batchType: mtsBatchTypes.credit,
                indicator: settings.showsEachPayment ? "I" : "",
              }
            : {},
        }),
      payment(payment: Payment) {
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
          count,
          hashTotal: profile.fillsHashTotal ? hash.digits : hash.value,
        }),
    };
  }

  return {
    name: profile.format,
    problemsOf: (payment) => newZealandProblems(payment, limits.amount, characters),
    limits,
    toReference: (text) => toText("payeeReference", text),
    open,
  };
}

/** BNZ and Kiwibank. */
export const bnzFormat = defineMtsFormat(bnzProfile);
export const anzFormat = defineMtsFormat(anzProfile);
