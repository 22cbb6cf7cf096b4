// Connections and payments in each currency that pain.001 pays in, and their golden files.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Payment, PaymentFormat, PostalAddress } from "../src/format.ts";
import type { Pain001Settings } from "../src/iso/pain-001-profiles.ts";
import { pain001v03Format, pain001v09Format } from "../src/iso/pain-001-writer.ts";
import { examplePayment } from "./payments.ts";

const sydney: PostalAddress = {
  street: "1 Example Street",
  city: "Sydney",
  state: "NSW",
  postcode: "2000",
  country: "AUS",
};
export const zurich: PostalAddress = {
  street: "Beispielgasse 2",
  city: "Zürich",
  state: "",
  postcode: "8001",
  country: "CHE",
};
export const dublin: PostalAddress = {
  street: "3 Example Quay",
  city: "Dublin",
  state: "",
  postcode: "D02 AF30",
  country: "IRL",
};

export const audSettings: Pain001Settings = {
  currency: "AUD",
  clearing: "bacs",
  debtorName: "Acme Payouts Pty Ltd",
  debtorAddress: sydney,
  organisationId: "301500",
  accountNumber: "12345678",
  clearingCode: "062000",
  bic: "",
  isBatchBooked: true,
  hasUetr: false,
};
export const nzdSettings: Pain001Settings = {
  ...audSettings,
  currency: "NZD",
  debtorName: "Acme Payouts Ltd",
  debtorAddress: undefined,
  organisationId: "",
  accountNumber: "006838900",
  clearingCode: "010902",
  bic: "ANZBNZ22",
};
export const eurSettings: Pain001Settings = {
  ...audSettings,
  currency: "EUR",
  debtorName: "Acme Payouts Europe",
  debtorAddress: dublin,
  organisationId: "",
  accountNumber: "IE29AIBK93115212345678",
  clearingCode: "",
  isBatchBooked: false,
  hasUetr: true,
};
export const gbpSettings: Pain001Settings = {
  ...audSettings,
  currency: "GBP",
  clearing: "faster_payments",
  debtorName: "Acme Payouts UK",
  debtorAddress: undefined,
  organisationId: "",
  accountNumber: "63748472",
  clearingCode: "202959",
};

const secondId = "0193a5f2-7c1e-7d3a-9b0c-5e2f4a6b8c2d";

export const audPayments = [
  examplePayment({ payeeName: "Zoë Łukasz", address: sydney, purpose: "SALA" }),
  examplePayment({
    payoutId: secondId,
    bsb: "062000",
    accountNumber: "001234",
    amount: 2550n,
    payeeName: "O'Brien & Sons Pty Ltd",
    statementReference: "PO-0002",
    statementName: "Harbour Cafe",
  }),
];
export const nzdPayments = [
  examplePayment({
    currency: "NZD",
    country: "NZL",
    bsb: "",
    bankCode: "12",
    accountNumber: "123140017132350",
  }),
];
export const eurPayments = [
  examplePayment({
    currency: "EUR",
    country: "DEU",
    bsb: "",
    accountNumber: "DE89370400440532013000",
    payeeName: "Jürgen Groß",
  }),
  examplePayment({
    payoutId: secondId,
    currency: "EUR",
    country: "CHE",
    bsb: "",
    bankCode: "POFICHBEXXX",
    accountNumber: "CH9300762011623852957",
    amount: 99_999_999_999n,
    payeeName: "Мария Иванова",
    address: zurich,
    statementName: "Harbour Cafe",
  }),
];
export const gbpPayments = [
  examplePayment({
    currency: "GBP",
    country: "GBR",
    bsb: "",
    bankCode: "202959",
    accountNumber: "63748472",
  }),
  examplePayment({
    payoutId: secondId,
    currency: "GBP",
    country: "GBR",
    bsb: "",
    bankCode: "",
    accountNumber: "GB29NWBK60161331926819",
    amount: 1n,
  }),
];

type GoldenFile = {
  name: string;
  format: PaymentFormat<Pain001Settings>;
  settings: Pain001Settings;
  payments: Payment[];
};

export const goldenFiles: GoldenFile[] = [
  {
    name: "pain-001-03-aud",
    format: pain001v03Format,
    settings: audSettings,
    payments: audPayments,
  },
  {
    name: "pain-001-03-nzd",
    format: pain001v03Format,
    settings: nzdSettings,
    payments: nzdPayments,
  },
  {
    name: "pain-001-03-gbp",
    format: pain001v03Format,
    settings: gbpSettings,
    payments: gbpPayments,
  },
  {
    name: "pain-001-09-aud",
    format: pain001v09Format,
    settings: audSettings,
    payments: audPayments,
  },
  {
    name: "pain-001-09-nzd",
    format: pain001v09Format,
    settings: nzdSettings,
    payments: nzdPayments,
  },
  {
    name: "pain-001-09-eur",
    format: pain001v09Format,
    settings: eurSettings,
    payments: eurPayments,
  },
  {
    name: "pain-001-09-gbp",
    format: pain001v09Format,
    settings: gbpSettings,
    payments: gbpPayments,
  },
];

export function readGolden(name: string): string {
  return readFileSync(join(import.meta.dirname, "golden", `${name}.xml`), "utf8");
}
