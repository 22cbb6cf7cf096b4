// The filters by time: a named period, or days, which replace it.

import { optionsOf } from "../state/options.ts";
import type { Filter } from "./filter-bar.tsx";

const periods = {
  today: "Today",
  yesterday: "Yesterday",
  last_7_days: "Last 7 days",
  last_30_days: "Last 30 days",
  this_month: "This month",
  last_month: "Last month",
  this_year: "This year",
} as const;

export const periodFilters: readonly Filter[] = [
  { name: "period", label: "Period", kind: "choice", options: optionsOf(periods) },
  { name: "from", label: "From", kind: "day", isExtra: true },
  { name: "to", label: "To", kind: "day", isExtra: true },
];
