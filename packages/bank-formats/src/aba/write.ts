// Writes ABA files (Direct Entry) of credits, with or without the debit of our own account that balances them.

import { writeFileDate } from "../file-dates.ts";
import type { FileFacts, FileWriter, Payment, PaymentFormat, PaymentProblem } from "../format.ts";
import { type RecordLayout, type RecordValues, toFieldText, writeFixed } from "../record-layout.ts";
import {
  abaCharacters,
  abaCountMax,
  abaHeaderLayout,
  abaPaymentLayout,
  abaTotalMax,
  abaTrailerLayout,
  debitCode,
  generalCreditCode,
  trailerBsb,
} from "./layouts.ts";

/** What the bank told us about our account. */
export type AbaSettings = {
  /** The bank's abbreviation, such as CBA. */
  mnemonic: string;
  /** Direct Entry User ID: up to six digits. */
  userId: string;
  /** Our name as the bank knows it. */
  userName: string;
  /** Six digits. */
  bsb: string;
  accountNumber: string;
  /** What the file is about, such as PAYOUTS. */
  description: string;
  /** The payer's name that receivers see. */
  remitter: string;
  /** Whether the bank wants a last record that debits our account. */
  isBalanced: boolean;
};

export const abaFormat: PaymentFormat<AbaSettings> = {
  name: "aba",
  problemsOf,
  // One record is left for the debit of our account.
  limits: { count: abaCountMax - 1, total: abaTotalMax },
  toReference: (text) => toText("reference", text),
  open,
};

function problemsOf(payment: Payment): PaymentProblem[] {
  const problems: PaymentProblem[] = [];
  const refuse = (field: keyof Payment, message: string) => problems.push({ field, message });
  if (payment.currency !== "AUD") refuse("currency", "ABA files carry AUD only.");
  if (payment.country !== "AUS") refuse("country", "ABA files reach accounts in Australia only.");
  if (payment.amount <= 0n || payment.amount > abaTotalMax) {
    refuse("amount", "ABA files carry amounts from 0.01 to 99,999,999.99.");
  }
  if (!/^\d{6}$/.test(payment.bsb)) refuse("bsb", "A BSB has 6 digits.");
  const account = withoutHyphens(payment.accountNumber);
  if (!/^[0-9A-Za-z]{1,9}$/.test(account) || /^0+$/.test(account)) {
    refuse("accountNumber", "ABA files carry account numbers of up to 9 digits or letters.");
  }
  if (toText("title", payment.payeeName) === "") {
    refuse("payeeName", "Nothing of the name can be written in the characters of ABA files.");
  }
  if (toText("reference", payment.statementReference) === "") {
    const message = "Nothing of the reference can be written in the characters of ABA files.";
    refuse("statementReference", message);
  }
  return problems;
}

function open({ processDate }: FileFacts, settings: AbaSettings): FileWriter {
  const { isBalanced, bsb, accountNumber } = settings;
  const description = toFieldText(
    abaHeaderLayout,
    "description",
    settings.description,
    abaCharacters,
  );
  const remitter = toText("remitter", settings.remitter);
  const ours = {
    recordType: "1",
    traceBsb: toBsb(bsb),
    traceAccount: withoutHyphens(accountNumber),
    withholdingTax: "0",
  };
  let count = 0;
  let total = 0n;

  function balance(): string {
    count += 1;
    return writeLine(abaPaymentLayout, {
      ...ours,
      bsb: ours.traceBsb,
      account: ours.traceAccount,
      transactionCode: debitCode,
      amount: total.toString(),
      title: toText("title", settings.userName),
      reference: description,
      remitter,
    });
  }

  return {
    header: () =>
      writeLine(abaHeaderLayout, {
        recordType: "0",
        reel: "1",
        mnemonic: settings.mnemonic,
        userName: toFieldText(abaHeaderLayout, "userName", settings.userName, abaCharacters),
        userId: settings.userId,
        description,
        processDate: writeFileDate(processDate, "DDMMYY"),
      }),
    payment(payment) {
      count += 1;
      total += payment.amount;
      return writeLine(abaPaymentLayout, {
        ...ours,
        bsb: toBsb(payment.bsb),
        account: withoutHyphens(payment.accountNumber),
        transactionCode: generalCreditCode,
        amount: payment.amount.toString(),
        title: toText("title", payment.payeeName),
        reference: toText("reference", payment.statementReference),
        remitter: toText("remitter", payment.statementName) || remitter,
      });
    },
    trailer() {
      const last = isBalanced ? balance() : "";
      const trailer = writeLine(abaTrailerLayout, {
        recordType: "7",
        bsb: trailerBsb,
        net: isBalanced ? "0" : total.toString(),
        credit: total.toString(),
        debit: isBalanced ? total.toString() : "0",
        count: count.toString(),
      });
      return last + trailer;
    },
  };
}

function toText(field: "title" | "reference" | "remitter", text: string): string {
  return toFieldText(abaPaymentLayout, field, text, abaCharacters);
}

function toBsb(digits: string): string {
  return `${digits.slice(0, 3)}-${digits.slice(3)}`;
}

function withoutHyphens(account: string): string {
  return account.replaceAll("-", "");
}

function writeLine<Name extends string>(
  layout: RecordLayout<Name>,
  values: RecordValues<Name>,
): string {
  return `${writeFixed(layout, values)}\r\n`;
}
