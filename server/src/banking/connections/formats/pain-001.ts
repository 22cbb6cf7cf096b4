// ISO 20022 pain.001 files, for AUD, NZD, EUR and GBP. Each currency is a format of its own, with its own usual values.

import Type, { type Static } from "typebox";
import {
  type Pain001Currency,
  type Pain001Settings,
  type PaymentFormat,
  pain001v03Format,
  pain001v09Format,
} from "../../../../../packages/bank-formats/src/index.ts";
import {
  type BankFormat,
  bankFormat,
  bsbPattern,
  settingFlag,
  settingLine,
} from "./bank-format.ts";

const settings = Type.Object({
  debtor_name: settingLine(70, "Our name as the bank knows it"),
  organisation_id: Type.String({ maxLength: 35, default: "", description: "Our id at the bank" }),
  account_number: Type.String({
    pattern: "^[0-9A-Z]{4,34}$",
    description: "Our account: an IBAN, or a number without bank and branch",
  }),
  clearing_code: Type.String({
    pattern: `^(${bsbPattern})?$`,
    default: "",
    description: "BSB, bank and branch, or sort code; empty with an IBAN",
  }),
  bic: Type.String({
    pattern: "^([A-Z0-9]{8}|[A-Z0-9]{11})?$",
    default: "",
    description: "Our bank",
  }),
  street: Type.String({ maxLength: 70, default: "", description: "Our address; may be empty" }),
  city: Type.String({ maxLength: 35, default: "", description: "Needed if there is an address" }),
  postcode: Type.String({ maxLength: 16, default: "", description: "Of our address" }),
  country: Type.String({
    pattern: "^([A-Z]{3})?$",
    default: "",
    description: "Of our address, alpha-3",
  }),
  batch_booked: settingFlag("One debit for the whole file on our statement"),
  uetr: settingFlag("The bank wants a UETR for each payment; version 09 only"),
});

const usuals: Record<Pain001Currency, BankFormat["usual"]> = {
  AUD: {
    currency: "AUD",
    countries: ["AUS"],
    calendar: "becs",
    timeZone: "Australia/Sydney",
    bankCutoff: "18:00",
    successDays: 2,
  },
  NZD: {
    currency: "NZD",
    countries: ["NZL"],
    calendar: "nz",
    timeZone: "Pacific/Auckland",
    bankCutoff: "22:00",
    successDays: 2,
  },
  EUR: {
    currency: "EUR",
    countries: [
      ...["AUT", "BEL", "BGR", "CYP", "DEU", "ESP", "EST", "FIN", "FRA", "GRC", "HRV", "IRL"],
      ...["ITA", "LTU", "LUX", "LVA", "MLT", "NLD", "PRT", "SVK", "SVN"],
    ],
    calendar: "target",
    timeZone: "Europe/Berlin",
    bankCutoff: "16:00",
    successDays: 3,
  },
  GBP: {
    currency: "GBP",
    countries: ["GBR"],
    calendar: "bacs",
    timeZone: "Europe/London",
    bankCutoff: "17:00",
    successDays: 3,
  },
};

const clearings = { AUD: "becs", NZD: "nz", EUR: "sepa" } as const;

function pain001(
  format: PaymentFormat<Pain001Settings>,
  currency: Pain001Currency,
  gbpClearing: Pain001Settings["clearing"] = "bacs",
): BankFormat {
  return bankFormat({
    format,
    settings,
    fileEnding: "xml",
    clearing: currency === "GBP" ? gbpClearing : clearings[currency],
    usual: usuals[currency],
    toSettings: (given: Static<typeof settings>) => ({
      currency,
      clearing: gbpClearing,
      debtorName: given.debtor_name,
      debtorAddress:
        given.city === ""
          ? undefined
          : {
              street: given.street,
              city: given.city,
              state: "",
              postcode: given.postcode,
              country: given.country,
            },
      organisationId: given.organisation_id,
      accountNumber: given.account_number,
      clearingCode: given.clearing_code,
      bic: given.bic,
      isBatchBooked: given.batch_booked,
      hasUetr: given.uetr,
    }),
    toOwnAccount: (given) => ({
      holderName: given.debtor_name,
      accountNumber: given.account_number,
      // In Australia the clearing code is the BSB.
      [currency === "AUD" ? "bsb" : "bankCode"]: given.clearing_code,
      bic: given.bic,
    }),
  });
}

export const pain001Formats: readonly (readonly [name: string, format: BankFormat])[] = [
  ["pain.001.001.03-aud", pain001(pain001v03Format, "AUD")],
  ["pain.001.001.03-nzd", pain001(pain001v03Format, "NZD")],
  ["pain.001.001.03-gbp-bacs", pain001(pain001v03Format, "GBP", "bacs")],
  ["pain.001.001.03-gbp-faster", pain001(pain001v03Format, "GBP", "faster_payments")],
  ["pain.001.001.09-aud", pain001(pain001v09Format, "AUD")],
  ["pain.001.001.09-nzd", pain001(pain001v09Format, "NZD")],
  ["pain.001.001.09-eur", pain001(pain001v09Format, "EUR")],
  ["pain.001.001.09-gbp-bacs", pain001(pain001v09Format, "GBP", "bacs")],
  ["pain.001.001.09-gbp-faster", pain001(pain001v09Format, "GBP", "faster_payments")],
];
