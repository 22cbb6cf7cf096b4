// NACHA files, for accounts in the United States.

import Type from "typebox";
import { isRoutingNumber } from "../../../../../packages/bank-formats/src/account-numbers/index.ts";
import { nachaFormat } from "../../../../../packages/bank-formats/src/index.ts";
import { bankFormat, settingDigits, settingLine } from "./bank-format.ts";

/** With its last digit, which fits the others. */
function routingNumberOf(odfi: string): string {
  const numbers = Array.from({ length: 10 }, (_, digit) => `${odfi}${digit}`);
  return numbers.find(isRoutingNumber) as string;
}

export const nacha = bankFormat({
  format: nachaFormat,
  fileEnding: "ach",
  clearing: "fedach",
  // Its effective date is the banking day after.
  debitDays: 1,
  usual: {
    currency: "USD",
    countries: ["USA"],
    calendar: "fedach",
    timeZone: "America/New_York",
    bankCutoff: "20:00",
    successDays: 2,
  },
  settings: Type.Object({
    immediate_destination: settingDigits(9, 9, "Routing number of the bank that takes the file"),
    destination_name: settingLine(23, "Name of that bank"),
    immediate_origin: settingDigits(9, 10, "Who sends the file, as the bank wants it"),
    origin_name: settingLine(23, "Our name as the bank knows it"),
    company_name: settingLine(16, "The payer's name that receivers see"),
    company_id: settingLine(10, "Given by the bank, often 1 and the tax number"),
    entry_description: settingLine(10, "What receivers see beside the name, such as PAYROLL"),
    odfi: settingDigits(8, 8, "The first 8 digits of our bank's routing number"),
    account_number: settingDigits(4, 17, "Number of our account"),
  }),
  toSettings: (given) => ({
    immediateDestination: given.immediate_destination,
    destinationName: given.destination_name,
    immediateOrigin: given.immediate_origin,
    originName: given.origin_name,
    companyName: given.company_name,
    companyId: given.company_id,
    entryDescription: given.entry_description,
    odfi: given.odfi,
  }),
  toOwnAccount: (given) => ({
    holderName: given.origin_name,
    accountNumber: given.account_number,
    bankCode: routingNumberOf(given.odfi),
  }),
});
