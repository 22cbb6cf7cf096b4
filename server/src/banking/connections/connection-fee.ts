// The fee of a bank connection: its fields, its rule, and its words. Pure.

import { type FeeBearer, type FeeRule, rateOf } from "../../money/rails/index.ts";
import { format } from "../../platform/base/index.ts";
import type { Problem } from "../../platform/refusals/index.ts";
import type { ConnectionRow } from "./connection-queries.ts";
import type { NewConnection } from "./connection-schema.ts";
import { settingProblem } from "./settings-check.ts";

type FeeField = "fee_fixed" | "fee_percent" | "fee_min" | "fee_max" | "fee_bearer";
type FeeColumns = Pick<ConnectionRow, FeeField>;
type GivenFee = Pick<NewConnection, FeeField>;

/** What is wrong between the fields of a fee. Each is valid on its own. */
export function feeProblems({ fee_fixed, fee_percent, fee_min, fee_max, fee_bearer }: GivenFee) {
  const problems: Problem[] = [];
  if (fee_fixed === undefined && fee_percent === undefined) {
    const given = Object.entries({ fee_min, fee_max, fee_bearer });
    for (const [field, value] of given) {
      if (value === undefined) continue;
      problems.push(settingProblem(field, "is only for a fee: give fee_fixed or fee_percent"));
    }
  }
  if (fee_min !== undefined && fee_max !== undefined && fee_min > fee_max) {
    problems.push(settingProblem("fee_max", "is below fee_min"));
  }
  return problems;
}

/** As they are stored. */
export function feeColumnsOf(given: GivenFee): FeeColumns {
  const { fee_fixed, fee_percent, fee_min, fee_max } = given;
  const units = (amount: number | undefined) => (amount === undefined ? null : String(amount));
  const hasFee = fee_fixed !== undefined || fee_percent !== undefined;
  return {
    fee_fixed: units(fee_fixed),
    fee_percent: fee_percent ?? null,
    fee_min: units(fee_min),
    fee_max: units(fee_max),
    fee_bearer: hasFee ? ((given.fee_bearer ?? "subaccount") as FeeBearer) : null,
  };
}

/** Undefined: payouts cost nothing. */
export function feeRuleOf(row: FeeColumns): FeeRule | undefined {
  if (row.fee_bearer === null) return undefined;
  return {
    fixed: BigInt(row.fee_fixed ?? 0),
    rate: row.fee_percent === null ? 0n : rateOf(row.fee_percent),
    min: BigInt(row.fee_min ?? 0),
    max: row.fee_max === null ? undefined : BigInt(row.fee_max),
    bearer: row.fee_bearer,
  };
}

/** In one line, as two users compare it. */
export function feeInWords(row: FeeColumns & Pick<ConnectionRow, "currency">): string {
  if (row.fee_bearer === null) return "none";
  const money = (units: string) => format(BigInt(units), row.currency);
  const parts = [
    row.fee_fixed !== null && money(row.fee_fixed),
    row.fee_percent !== null && `${row.fee_percent} %`,
  ].filter((part) => part !== false);
  const rest = [
    row.fee_min !== null && `at least ${money(row.fee_min)}`,
    row.fee_max !== null && `at most ${money(row.fee_max)}`,
    row.fee_bearer === "receiver" ? "taken out of the amount" : "on top of the amount",
  ].filter((part) => part !== false);
  return [parts.join(" + "), ...rest].join(", ");
}

/** The fields that save the fee unchanged. Null: not set. */
export function givenFeeOf(row: FeeColumns) {
  const units = (text: string | null) => (text === null ? null : Number(text));
  return {
    fee_fixed: units(row.fee_fixed),
    fee_percent: row.fee_percent,
    fee_min: units(row.fee_min),
    fee_max: units(row.fee_max),
    fee_bearer: row.fee_bearer,
  };
}
