// Writes a file of credits for a bank in New Zealand. Each bank has its own header, and its own form of a record.

import { writeFileDate } from "../file-dates.ts";
import type { FileWriter, Payment } from "../format.ts";
import { HashTotal, splitNewZealandAccount, wholeAccountNumber } from "./accounts.ts";
import type { NzHeader, NzPayment, NzRecord } from "./records.ts";

/** The fields of a record as texts. A layout takes those that it has. */
export function valuesOf(record: NzRecord): Record<string, string> {
  if (record.kind === "header") {
    const { ourAccount, ourName, dueDate, createdDate, dueDateOrder, other } = record;
    return {
      ...other,
      ourAccount,
      ourName,
      dueDate: writeFileDate(dueDate, dueDateOrder),
      createdDate: writeFileDate(createdDate, dueDateOrder),
    };
  }
  if (record.kind === "trailer") {
    const { credit, debit, count, hashTotal } = record;
    return {
      credit: String(credit),
      debit: String(debit),
      total: String(credit + debit),
      count: String(count ?? ""),
      hashTotal,
    };
  }
  const { kind, line, fieldCount, direction, amount, other, ...texts } = record;
  return { ...texts, ...other, amount: String(amount) };
}

export type NzFile = {
  /** The line of a record, without its end. */
  write(record: NzRecord): string;
  header: Partial<NzHeader> & Pick<NzHeader, "dueDate" | "dueDateOrder" | "other">;
  /** What a payment has besides account and amount. The first has the number 1. */
  credit(payment: Payment, number: number): Partial<NzPayment>;
  /** As the trailer has it. Missing where files have no trailer. */
  hashTotal?(hash: HashTotal): string;
};

export function openNzFile({ write, header, credit, hashTotal }: NzFile): FileWriter {
  const toLine = (record: NzRecord) => `${write(record)}\r\n`;
  const hash = new HashTotal();
  let count = 0;
  let total = 0n;
  return {
    header: () =>
      toLine({ kind: "header", line: 0, ourAccount: "", ourName: "", createdDate: "", ...header }),
    payment(payment) {
      const account = wholeAccountNumber(payment);
      const parts = splitNewZealandAccount(account);
      if (parts) hash.add(parts);
      count += 1;
      total += payment.amount;
      const facts = { account, transactionCode: "50", amount: payment.amount };
      return toLine({ ...emptyCredit, ...facts, ...credit(payment, count) });
    },
    trailer: () =>
      hashTotal
        ? toLine({
            kind: "trailer",
            line: 0,
            credit: total,
            debit: 0n,
            count,
            hashTotal: hashTotal(hash),
          })
        : "",
  };
}

const emptyCredit = {
  kind: "payment",
  line: 0,
  direction: "credit",
  payeeName: "",
  payeeParticulars: "",
  payeeCode: "",
  payeeReference: "",
  ourName: "",
  ourParticulars: "",
  ourCode: "",
  ourReference: "",
  other: {},
} as const;
