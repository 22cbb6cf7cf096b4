// The schema of a bank connection, as users give it.

import Type, { type Static } from "typebox";
import {
  calendarNames,
  isTimeZone,
} from "../../../../packages/bank-formats/src/calendars/index.ts";
import { feeBearers, percentPattern } from "../../money/rails/index.ts";
import { modes } from "../../platform/base/index.ts";
import {
  defineFormat,
  type FieldCodes,
  line,
  type SchemaExtras,
} from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { bankFormats } from "./formats/formats.ts";

defineFormat("time-zone", isTimeZone);

const codes = { invalid: "BANK201" } satisfies FieldCodes;
const required = { missing: "BANK201", invalid: "BANK201" } satisfies FieldCodes;
const minorUnits = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number(limits.amountMax), codes, description });
const timeOfDay = "^([01][0-9]|2[0-3]):[0-5][0-9]$";

export const NewConnection = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: line,
      codes: required,
      description: "Your name for it",
    }),
    format: Type.String({
      enum: [...bankFormats.keys()],
      codes: required,
      description: "The format of its files",
    }),
    mode: Type.Optional(
      Type.String({
        enum: [...modes],
        codes,
        description:
          "test: for the test subaccounts that it lists, with the bank simulator. live if absent; it can't be changed",
      }),
    ),
    currency: Type.Optional(
      Type.String({ format: "currency", codes, description: "ISO 4217; usually the format's" }),
    ),
    countries: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{3}$" }), {
        minItems: 1,
        codes,
        description: "The countries of accounts that it reaches, ISO 3166 alpha-3",
      }),
    ),
    calendar: Type.Optional(
      Type.String({ enum: [...calendarNames], codes, description: "Its banking days" }),
    ),
    closed_days: Type.Optional(
      Type.Array(Type.String({ format: "date" }), {
        codes,
        description: "Days on which the bank is closed beside its calendar, YYYY-MM-DD",
      }),
    ),
    time_zone: Type.Optional(
      Type.String({
        format: "time-zone",
        codes,
        description: "IANA name, such as Australia/Sydney",
      }),
    ),
    bank_cutoff: Type.Optional(
      Type.String({
        pattern: timeOfDay,
        codes,
        description: "HH:MM, until when the bank takes a file for the day",
      }),
    ),
    freeze_at: Type.Optional(
      Type.String({
        pattern: timeOfDay,
        codes,
        description: "HH:MM, when the day's file is written; an hour before the cut-off if absent",
      }),
    ),
    success_when: Type.Optional(
      Type.String({
        enum: ["days", "confirmed", "sent"],
        codes,
        description:
          "When a payout counts as paid: after success_days without a return, when the bank confirms it, or when it is sent",
      }),
    ),
    success_days: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 30, codes, description: "Banking days" }),
    ),
    releasers: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2, codes, description: "How many users release a file" }),
    ),
    subaccount_ids: Type.Optional(
      Type.Union([Type.Null(), Type.Array(Type.String({ format: "known-id" }), { minItems: 1 })], {
        codes,
        description: "The subaccounts that use it, all of its mode; all live ones if absent",
      }),
    ),
    file_count_max: Type.Optional(
      Type.Integer({ minimum: 1, codes, description: "The most payouts in a file" }),
    ),
    file_total_max: Type.Optional(
      Type.Integer({ minimum: 1, codes, description: "The largest sum of a file, in minor units" }),
    ),
    fee_fixed: Type.Optional(
      minorUnits("What a payout costs, in minor units; without it and fee_percent: nothing"),
    ),
    fee_percent: Type.Optional(
      Type.String({
        pattern: percentPattern,
        codes,
        description:
          "Percent of the amount, as a text with at most 4 decimals, such as 0.25. It is added to fee_fixed",
      }),
    ),
    fee_min: Type.Optional(minorUnits("The least that a payout costs, in minor units")),
    fee_max: Type.Optional(minorUnits("The most that a payout costs, in minor units")),
    fee_bearer: Type.Optional(
      Type.String({
        enum: [...feeBearers],
        codes,
        description:
          "subaccount: it pays the fee on top of the amount. receiver: the fee is taken out of the amount. subaccount if absent",
      }),
    ),
    travels: Type.Optional(
      Type.String({
        enum: ["download", "sftp"],
        codes,
        description:
          "How its files travel: a user downloads them and uploads them at the bank, or the service sends them. Unchanged if absent",
      }),
    ),
    sftp: Type.Optional(
      Type.Object({}, { codes, description: "The bank's SFTP server, if files travel by sftp" }),
    ),
    settings: Type.Object(
      {},
      { codes: required, description: "Facts of our own account, by format" },
    ),
  },
  { title: "NewConnection", ...({ unknownField: "BANK201" } satisfies SchemaExtras) },
);
export type NewConnection = Static<typeof NewConnection>;
