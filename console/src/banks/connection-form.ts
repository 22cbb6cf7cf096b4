// The form of a bank connection as texts, and the fields that it sends. Pure.

import type {
  ConnectionFields,
  FormatList,
  SettingField,
} from "@server/doors/console/banks/schema.ts";
import { amountText, readMoney } from "../state/money.ts";
import {
  blankFee,
  bodyOfFee,
  type FeeForm,
  feeAmounts,
  formOfFee,
  readFeeAmount,
} from "./fee-form.ts";
import { blankSftp, bodyOfSftp, formOfSftp, type SftpForm, textsOf } from "./sftp-form.ts";

export type ConnectionForm = FeeForm & {
  name: string;
  mode: string;
  format: string;
  currency: string;
  countries: string;
  calendar: string;
  time_zone: string;
  bank_cutoff: string;
  freeze_at: string;
  success_when: string;
  success_days: number;
  releasers: number;
  subaccount_ids: string[];
  file_count_max: string;
  file_total_max: string;
  settings: Record<string, string>;
  closed_days: string;
  travels: string;
  sftp: SftpForm;
};

export function blankForm({ format, usual }: FormatList["rows"][number]): ConnectionForm {
  return {
    name: "",
    mode: "live",
    format,
    currency: usual.currency,
    countries: usual.countries.join(", "),
    calendar: usual.calendar,
    time_zone: usual.time_zone,
    bank_cutoff: usual.bank_cutoff,
    freeze_at: "",
    success_when: "days",
    success_days: usual.success_days,
    releasers: 2,
    subaccount_ids: [],
    file_count_max: "",
    file_total_max: "",
    ...blankFee,
    settings: {},
    closed_days: "",
    travels: "download",
    sftp: blankSftp,
  };
}

export function formOf(fields: ConnectionFields): ConnectionForm {
  const { account: _account, settings, file_count_max, file_total_max, ...more } = fields;
  const { sftp_secrets: _secrets, ...rest } = more;
  return {
    ...rest,
    countries: fields.countries.join(", "),
    subaccount_ids: fields.subaccount_ids ?? [],
    file_count_max: file_count_max === null ? "" : String(file_count_max),
    file_total_max: file_total_max === null ? "" : amountText(file_total_max, fields.currency),
    ...formOfFee(fields),
    settings: textsOf(settings),
    closed_days: fields.closed_days.join(", "),
    sftp: formOfSftp(fields),
  };
}

/** Null: no limit of our own. Undefined: it can't be read. */
export function readTotal({
  file_total_max,
  currency,
}: Pick<ConnectionForm, "file_total_max" | "currency">): number | null | undefined {
  return file_total_max.trim() === "" ? null : readMoney(file_total_max, currency);
}

/** An amount that can't be read. */
export function isAmountWrong(form: ConnectionForm): boolean {
  return (
    readTotal(form) === undefined ||
    feeAmounts.some((name) => readFeeAmount(form[name], form.currency) === undefined)
  );
}

export function bodyOf(
  form: ConnectionForm,
  settings: readonly SettingField[],
  isChange: boolean,
): Record<string, unknown> {
  const { countries, subaccount_ids, file_count_max, freeze_at, closed_days, sftp, ...rest } = form;
  const count = file_count_max.trim();
  const fields: Record<string, unknown> = {
    ...rest,
    countries: countries.toUpperCase().match(/[A-Z]+/g) ?? [],
    subaccount_ids: subaccount_ids.length > 0 ? subaccount_ids : null,
    freeze_at: freeze_at.trim() === "" ? null : freeze_at.trim(),
    file_count_max: count === "" ? null : Number(count),
    file_total_max: readTotal(form),
    ...bodyOfFee(form, form.currency),
    settings: settingsOf(form.settings, settings),
    closed_days: closed_days.split(/[\s,;]+/).filter((day) => day !== ""),
    sftp: rest.travels === "sftp" ? bodyOfSftp(sftp, isChange) : null,
  };
  // A new connection leaves out what it does not set; a change takes a limit away with null.
  return isChange
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function settingsOf(
  given: Record<string, string>,
  fields: readonly SettingField[],
): Record<string, unknown> {
  const filled = fields.flatMap(({ name, kind, is_required, default: usual }) => {
    const text = (given[name] ?? usual).trim();
    // A required one that is empty stays as it is: the account number. Others can be emptied.
    if (text === "") return is_required || kind !== "text" ? [] : [[name, ""]];
    const value = kind === "yes_no" ? text === "true" : kind === "number" ? Number(text) : text;
    return [[name, value]];
  });
  return Object.fromEntries(filled);
}
