// The fee in the form of a bank connection, as texts, and the fields that it sends. Pure.

import type { ConnectionFields } from "@server/doors/console/banks/schema.ts";
import { amountText, readMoney } from "../state/money.ts";

/** Amounts in units of the currency. Empty: not set. */
export type FeeForm = {
  fee_fixed: string;
  fee_percent: string;
  fee_min: string;
  fee_max: string;
  fee_bearer: string;
};

export const feeAmounts = ["fee_fixed", "fee_min", "fee_max"] as const;
export type FeeAmount = (typeof feeAmounts)[number];

export const blankFee: FeeForm = {
  fee_fixed: "",
  fee_percent: "",
  fee_min: "",
  fee_max: "",
  fee_bearer: "subaccount",
};

export function formOfFee(fields: ConnectionFields): FeeForm {
  const amount = (name: FeeAmount) => {
    const units = fields[name];
    return units === null ? "" : amountText(units, fields.currency);
  };
  return {
    fee_fixed: amount("fee_fixed"),
    fee_percent: fields.fee_percent ?? "",
    fee_min: amount("fee_min"),
    fee_max: amount("fee_max"),
    fee_bearer: fields.fee_bearer ?? "subaccount",
  };
}

/** Null: not set. Undefined: it can't be read. */
export function readFeeAmount(text: string, currency: string): number | null | undefined {
  return text.trim() === "" ? null : readMoney(text, currency);
}

/** Null takes a field away. */
export function bodyOfFee(form: FeeForm, currency: string): Record<string, unknown> {
  const percent = form.fee_percent.trim().replace(",", ".").replace(/\s*%$/, "");
  const hasFee = percent !== "" || form.fee_fixed.trim() !== "";
  return {
    ...Object.fromEntries(feeAmounts.map((name) => [name, readFeeAmount(form[name], currency)])),
    fee_percent: percent === "" ? null : percent,
    fee_bearer: hasFee ? form.fee_bearer : null,
  };
}
