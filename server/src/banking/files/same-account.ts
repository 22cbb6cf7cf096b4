// Whether two bank connections pay from one bank account, such as one for Bacs and one for Faster Payments.

import { comparableNumber } from "../../people/accounts/index.ts";
import { type BankConnection, type BankFormat, bankFormats } from "../connections/index.ts";
import { comparableAccount, comparableText } from "./match-key.ts";

/** The other connections of the same bank account, also disabled ones. */
export function connectionsSharing(
  connections: readonly BankConnection[],
  one: BankConnection,
): BankConnection[] {
  return connections.filter((other) => other.id !== one.id && isSameAccount(one, other));
}

function isSameAccount(one: BankConnection, other: BankConnection): boolean {
  if (one.row.mode !== other.row.mode || one.row.currency !== other.row.currency) return false;
  const [own, others] = [ownAccountOf(one), ownAccountOf(other)];
  // Formats write the number with or without the bank's own before it, and only some name the branch apart.
  return (
    (own.number.endsWith(others.number) || others.number.endsWith(own.number)) &&
    own.codes.every((code, place) => {
      const given = others.codes[place];
      return code === "" || given === "" || code === given;
    })
  );
}

function ownAccountOf({ row, settings }: BankConnection) {
  const format = bankFormats.get(row.format) as BankFormat;
  const { accountNumber, bsb, bankCode, bic } = format.ownAccountOf(settings);
  const [country = ""] = format.usual.countries;
  return {
    number: comparableAccount(comparableNumber(country, comparableText(accountNumber))),
    codes: [bsb, bankCode, bic.slice(0, 8)].map(comparableText),
  };
}
