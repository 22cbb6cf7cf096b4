// ABA files, for accounts in Australia.

import Type from "typebox";
import { abaFormat } from "../../../../../packages/bank-formats/src/index.ts";
import { bankFormat, bsbPattern, settingDigits, settingFlag, settingLine } from "./bank-format.ts";

export const aba = bankFormat({
  format: abaFormat,
  fileEnding: "aba",
  clearing: "becs",
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
    user_id: settingDigits(1, 6, "Direct Entry User ID"),
    user_name: settingLine(26, "Our name as the bank knows it"),
    bsb: Type.String({
      pattern: `^${bsbPattern}$`,
      description: "BSB of our account, with or without a hyphen",
    }),
    account_number: settingDigits(5, 9, "Number of our account"),
    description: settingLine(12, "What the files are about, such as PAYOUTS"),
    remitter: settingLine(16, "The payer's name that receivers see"),
    balanced: settingFlag("The bank wants a last record that debits our account"),
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
  toOwnAccount: (given) => ({
    holderName: given.user_name,
    accountNumber: given.account_number,
    bsb: given.bsb,
  }),
});
