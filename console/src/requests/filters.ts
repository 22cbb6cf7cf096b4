// The filters of API requests: from the address to the query.

import type { Query } from "../api/call.ts";
import type { Filter, FilterOption } from "../parts/filter-bar.tsx";
import { periodFilters } from "../parts/period-filter.ts";
import { momentsOf } from "../state/day-range.ts";
import type { Filters } from "../state/filters.ts";
import type { Zone } from "../state/zone.ts";
import { requestsTexts } from "../texts/requests.ts";

const statuses: readonly FilterOption[] = [
  { value: "2xx", label: "2xx", hint: "success" },
  { value: "4xx", label: "4xx", hint: "rejected" },
  { value: "5xx", label: "5xx", hint: "server error" },
  { value: "401", label: "401", hint: "key or signature" },
  { value: "429", label: "429", hint: "rate limited" },
];
const methods = ["GET", "POST", "PATCH", "DELETE"];

export const requestFilters: readonly Filter[] = [
  { name: "status", label: requestsTexts.status, kind: "choice", options: statuses },
  {
    name: "method",
    label: "Method",
    kind: "choice",
    isExtra: true,
    options: methods.map((value) => ({ value, label: value })),
  },
  { name: "route", label: requestsTexts.path, kind: "text", placeholder: "/api/receiver/:id" },
  { name: "code", label: requestsTexts.code, kind: "text", placeholder: "REVR201", isExtra: true },
  { name: "key", label: requestsTexts.apiKey, kind: "text", placeholder: "ak_…", isExtra: true },
  {
    name: "object",
    label: "Related object",
    kind: "text",
    placeholder: "ID of a payout, receiver, …",
  },
  ...periodFilters,
];

export const filterNames = requestFilters.map(({ name }) => name);

export function requestQueryOf(values: Filters, zone: Zone): Query {
  const { status, method, route, code, key, object } = values;
  return { status, method, route, code, key, object, ...momentsOf(values, zone) };
}
