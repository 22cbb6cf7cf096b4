// The formats that a bank connection can have: the settings that each needs, and what is usual for it.

import Type, { type Static, type TObject } from "typebox";
import { abaFormat } from "../bank-formats/aba/write.ts";
import type { PaymentFormat } from "../bank-formats/format.ts";
import type { CalendarName } from "../calendars/calendars.ts";

export type BankFormat = {
  // A table of formats, each with settings of its own, has no type that fits all of them.
  format: PaymentFormat<object>;
  /** Facts of our own account, by their names on the wire. `account_number` is among them in every format. */
  settings: TObject;
  fileEnding: string;
  usual: {
    currency: string;
    countries: readonly string[];
    calendar: CalendarName;
    timeZone: string;
    bankCutoff: string;
    successDays: number;
  };
};

type Entry<Settings extends object, Schema extends TObject> = Omit<
  BankFormat,
  "format" | "settings"
> & {
  format: PaymentFormat<Settings>;
  settings: Schema;
  toSettings(given: Static<Schema>): Settings;
};

/** Its settings are stored by their names on the wire, and read as the format names them. */
function bankFormat<Settings extends object, Schema extends TObject>({
  format,
  settings,
  toSettings,
  fileEnding,
  usual,
}: Entry<Settings, Schema>): BankFormat {
  const read = (given: object) => toSettings(given as Static<Schema>);
  return {
    settings,
    fileEnding,
    usual,
    format: {
      ...format,
      problemsOf: (payment, given) => format.problemsOf(payment, read(given)),
      open: (facts, given) => format.open(facts, read(given)),
    },
  };
}

const line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: "^[\\x20-\\x7E]*$", description });
const digits = (min: number, max: number, description: string) =>
  Type.String({ pattern: `^[0-9]{${min},${max}}$`, description });

const aba = bankFormat({
  format: abaFormat,
  fileEnding: "aba",
  usual: {
    currency: "AUD",
    countries: ["AUS"],
    calendar: "becs",
    timeZone: "Australia/Sydney",
    bankCutoff: "18:00",
    successDays: 2,
  },
  settings: Type.Object({
    bank: Type.String({
      pattern: "^[A-Z]{3}$",
      description: "The bank's abbreviation, such as CBA",
    }),
    user_id: digits(1, 6, "Direct Entry User ID"),
    user_name: line(26, "Our name as the bank knows it"),
    bsb: digits(6, 6, "BSB of our account"),
    account_number: digits(5, 9, "Number of our account"),
    description: line(12, "What the files are about, such as PAYOUTS"),
    remitter: line(16, "The payer's name that receivers see"),
    balanced: Type.Boolean({
      description: "The bank wants a last record that debits our account",
      default: false,
    }),
  }),
  toSettings: (given) => ({
    mnemonic: given.bank,
    userId: given.user_id,
    userName: given.user_name,
    bsb: given.bsb,
    accountNumber: given.account_number,
    description: given.description,
    remitter: given.remitter,
    isBalanced: given.balanced,
  }),
});

export const bankFormats: ReadonlyMap<string, BankFormat> = new Map([["aba", aba]]);
