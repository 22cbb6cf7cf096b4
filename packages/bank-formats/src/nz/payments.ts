// What the formats of New Zealand ask of a payment.

import { type CharacterSet, toBankText } from "../characters.ts";
import type { Payment, PaymentProblem } from "../format.ts";
import { format } from "../money.ts";
import { splitNewZealandAccount, wholeAccountNumber } from "./accounts.ts";

export function newZealandProblems(
  payment: Payment,
  amountMax: bigint,
  characters: CharacterSet,
): PaymentProblem[] {
  const problems: PaymentProblem[] = [];
  const refuse = (field: keyof Payment, message: string) => problems.push({ field, message });
  if (payment.currency !== "NZD") refuse("currency", "This format carries NZD only.");
  if (payment.country !== "NZL") {
    refuse("country", "This format reaches accounts in New Zealand only.");
  }
  if (payment.amount <= 0n || payment.amount > amountMax) {
    refuse("amount", `This format carries amounts up to ${format(amountMax, "NZD")}.`);
  }
  const account = wholeAccountNumber(payment);
  if (![15, 16].includes(account.length) || !splitNewZealandAccount(account)) {
    refuse("accountNumber", "An account number in New Zealand has 15 or 16 digits.");
  }
  if (toBankText(payment.payeeName, characters, 1) === "") {
    refuse("payeeName", "Nothing of the name can be written in the characters of this format.");
  }
  if (toBankText(payment.statementReference, characters, 1) === "") {
    const message = "Nothing of the reference can be written in the characters of this format.";
    refuse("statementReference", message);
  }
  return problems;
}

const days = new Intl.DateTimeFormat("en-NZ", {
  timeZone: "Pacific/Auckland",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** YYYY-MM-DD: the day in New Zealand, which banks there compare with their own. */
export function newZealandDate(timeMs: number): string {
  const parts = new Map(days.formatToParts(timeMs).map(({ type, value }) => [type, value]));
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}
