// What requests are filtered by, between the address, the pills, and what the server is asked.

import type { Query } from "../api/call.ts";
import type { Filter, FilterOption } from "../parts/filter-bar.tsx";
import { momentsOf } from "../state/day-range.ts";
import type { Filters } from "../state/filters.ts";
import type { Zone } from "../state/zone.ts";

const statuses: readonly FilterOption[] = [
  { value: "2xx", label: "2xx", hint: "done" },
  { value: "4xx", label: "4xx", hint: "refused" },
  { value: "5xx", label: "5xx", hint: "our failure" },
  { value: "401", label: "401", hint: "key or signature" },
  { value: "429", label: "429", hint: "too many" },
];
const methods = ["GET", "POST", "PATCH", "DELETE"];

export const requestFilters: readonly Filter[] = [
  { name: "status", label: "Status", kind: "choice", options: statuses },
  {
    ...{ name: "method", label: "Method", kind: "choice" },
    options: methods.map((value) => ({ value, label: value })),
  },
  { name: "route", label: "Address", kind: "text", placeholder: "/api/receiver/:id" },
  { name: "code", label: "Code", kind: "text", placeholder: "REVR201" },
  { name: "key", label: "Key", kind: "text", placeholder: "ak_…" },
  { name: "object", label: "About", kind: "text", placeholder: "Id of a payout, receiver, …" },
  { name: "from", label: "From", kind: "day" },
  { name: "to", label: "To", kind: "day" },
];

export const filterNames = requestFilters.map(({ name }) => name);

export function requestQueryOf(values: Filters, zone: Zone): Query {
  const { status, method, route, code, key, object, from, to } = values;
  return { status, method, route, code, key, object, ...momentsOf({ from, to }, zone) };
}
