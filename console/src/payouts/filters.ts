// The filters of payouts: from the address to the pills and the query.

import type { Query } from "../api/call.ts";
import type { Filter, FilterOption } from "../parts/filter-bar.tsx";
import { periodFilters } from "../parts/period-filter.ts";
import { momentsOf } from "../state/day-range.ts";
import type { Filters } from "../state/filters.ts";
import { dateFormat } from "../state/locale.ts";
import { amountExample, amountText, moneyHint, readMoney } from "../state/money.ts";
import { optionsOf } from "../state/options.ts";
import { whoText } from "../state/who.ts";
import { timeZoneOf, type Zone } from "../state/zone.ts";
import { payoutsTexts } from "../texts/payouts.ts";

/** Payouts that can be cancelled. */
export const unsentStages = "on_hold,awaiting_approval,queued";

const stages = optionsOf({
  [unsentStages]: "Not sent yet",
  "batched,submitted": "At the bank",
  "rejected,cancelled": "Rejected or cancelled",
  on_hold: "On hold",
  awaiting_approval: "Awaiting approval",
  queued: "Queued",
  batched: "In bank file",
  submitted: "Sent to bank",
  settled: payoutsTexts.successful,
  rejected: "Rejected",
  cancelled: "Cancelled",
  returned: "Returned",
});

const names = [
  ...["status", "stage", "currency", "amount_min", "amount_max", "receiver_id"],
  ...["receiver_account_id", "reference", "batch_id", "created_by", "cause", "metadata"],
] as const;

/** An account and a batch have a pill only while they are set. */
export function filtersOf(
  value: Filters,
  { currencies, me, currency }: { currencies: readonly string[]; me: string; currency: string },
): Filter[] {
  const problemOf = (text: string) =>
    readMoney(text, currency) === undefined ? moneyHint(currency) : undefined;
  const all: (Filter | false | undefined)[] = [
    { name: "stage", label: payoutsTexts.status, kind: "choice", options: stages },
    ...periodFilters,
    {
      name: "currency",
      label: payoutsTexts.currency,
      isExtra: true,
      kind: "choice",
      options: currencies.map((code) => ({ value: code, label: code })),
    },
    {
      name: "amount_min",
      label: "Min amount",
      isExtra: true,
      kind: "number",
      placeholder: amountExample(currency),
      problemOf,
    },
    {
      name: "amount_max",
      label: "Max amount",
      isExtra: true,
      kind: "number",
      placeholder: amountExample(currency),
      problemOf,
    },
    {
      name: "reference",
      label: payoutsTexts.reference,
      kind: "text",
      placeholder: "Exact reference",
    },
    { name: "receiver_id", label: payoutsTexts.receiver, kind: "receiver" },
    { name: "metadata", label: "Metadata", kind: "text", placeholder: "order=77", isExtra: true },
    {
      name: "created_by",
      label: payoutsTexts.createdBy,
      isExtra: true,
      kind: "choice",
      options: makers(value, me),
    },
    !!value.cause && {
      name: "cause",
      label: "Cause",
      kind: "text",
      placeholder: "Exact cause",
    },
    !!value.receiver_account_id && {
      name: "receiver_account_id",
      label: payoutsTexts.bankAccount,
      kind: "text",
      placeholder: "Account ID",
    },
    !!value.batch_id && {
      name: "batch_id",
      label: payoutsTexts.batch,
      kind: "text",
      placeholder: "Batch ID",
    },
  ];
  return all.filter((filter) => !!filter);
}

function makers({ created_by }: Filters, me: string): FilterOption[] {
  const mine = { value: me, label: "Me" };
  return created_by && created_by !== me
    ? [mine, { value: created_by, label: whoText(created_by) }]
    : [mine];
}

/** For the pills: days, and amounts in units of their currency. */
export function toPills(value: Filters, currency: string, zone: Zone): Filters {
  const shown: Filters = { ...value };
  for (const name of ["from", "to"]) {
    const text = value[name];
    if (text && isMoment(text)) shown[name] = momentText(Number(text), zone);
  }
  for (const name of ["amount_min", "amount_max"]) {
    const text = value[name];
    if (text) shown[name] = amountText(Number(text), currency);
  }
  return shown;
}

/** An invalid amount removes the filter. */
export function fromPills(
  changes: Record<string, string | undefined>,
  currency: string,
): Record<string, string | undefined> {
  const read = { ...changes };
  for (const name of ["amount_min", "amount_max"]) {
    const text = changes[name];
    if (text !== undefined) read[name] = readMoney(text, currency)?.toString();
  }
  return read;
}

/** The query. A time in the address may be a day, or a timestamp (in links). */
export function queryOf(value: Filters, zone: Zone): Query {
  const days = momentsOf(value, zone);
  const moment = (text: string | undefined) => (text && isMoment(text) ? text : undefined);
  return {
    ...Object.fromEntries(names.map((name) => [name, value[name]])),
    from: days.from ?? moment(value.from),
    to: days.to ?? moment(value.to),
  };
}

export function isFiltered(query: Query): boolean {
  return Object.values(query).some((value) => value !== undefined);
}

function isMoment(text: string): boolean {
  return /^\d{5,15}$/.test(text);
}

function momentText(ms: number, zone: Zone): string {
  const format = dateFormat({
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: timeZoneOf(zone),
  } as Intl.DateTimeFormatOptions);
  return format.format(ms);
}
