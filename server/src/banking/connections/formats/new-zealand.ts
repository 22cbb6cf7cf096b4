// The files of banks in New Zealand.

import Type from "typebox";
import {
  anzFormat,
  anzFullFormat,
  asbFormat,
  bnzFormat,
  westpacFormat,
} from "../../../../../packages/bank-formats/src/index.ts";
import { bankFormat, settingDigits, settingFlag, settingLine } from "./bank-format.ts";

const usual = {
  currency: "NZD",
  countries: ["NZL"],
  calendar: "nz",
  timeZone: "Pacific/Auckland",
  bankCutoff: "22:00",
  successDays: 2,
} as const;

const ourName = settingLine(20, "The payer's name that receivers see");
const accountNumber = settingDigits(15, 16, "Number of our account, with bank, branch and suffix");
const showsEach = settingFlag("Our statement shows a line for each payment");

/** Bank and branch are inside the number. */
function toOwnAccount(given: { account_number: string; our_name: string }) {
  return { holderName: given.our_name, accountNumber: given.account_number };
}

const mts = {
  usual,
  fileEnding: "txt",
  clearing: "nz" as const,
  settings: Type.Object({
    account_number: accountNumber,
    our_name: ourName,
    show_each_payment: showsEach,
  }),
  toSettings: (given: {
    account_number: string;
    our_name: string;
    show_each_payment: boolean;
  }) => ({
    accountNumber: given.account_number,
    ourName: given.our_name,
    showsEachPayment: given.show_each_payment,
  }),
  toOwnAccount,
};

export const nzAnz = bankFormat({ ...mts, format: anzFormat });
export const nzBnz = bankFormat({ ...mts, format: bnzFormat });

export const nzAnzFull = bankFormat({
  format: anzFullFormat,
  usual,
  fileEnding: "txt",
  clearing: "nz" as const,
  settings: Type.Object({
    account_number: settingDigits(15, 15, "Number of our account, 15 digits"),
    batch_name: settingLine(20, "The name of the batch on ANZ's screen"),
    show_each_payment: showsEach,
  }),
  toSettings: (given) => ({
    accountNumber: given.account_number,
    batchName: given.batch_name,
    showsEachPayment: given.show_each_payment,
  }),
  // Its settings do not say in whose name the account is.
  toOwnAccount: (given) => ({ holderName: "", accountNumber: given.account_number }),
});

export const nzAsb = bankFormat({
  format: asbFormat,
  usual,
  fileEnding: "mt9",
  clearing: "nz" as const,
  settings: Type.Object({ account_number: accountNumber, our_name: ourName }),
  toSettings: (given) => ({ accountNumber: given.account_number, ourName: given.our_name }),
  toOwnAccount,
});

export const nzWestpac = bankFormat({
  format: westpacFormat,
  usual,
  fileEnding: "csv",
  clearing: "nz" as const,
  settings: Type.Object({
    account_number: accountNumber,
    our_name: ourName,
    description: settingLine(12, "What our own statement shows for the whole file"),
    fixed_length: settingFlag("Fields stand at fixed columns instead of between commas"),
  }),
  toSettings: (given) => ({
    accountNumber: given.account_number,
    ourName: given.our_name,
    description: given.description,
    isFixedLength: given.fixed_length,
  }),
  toOwnAccount,
});
