// The filter by a named period. It replaces the filters by days.

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

export const periodFilter: Filter = {
  name: "period",
  label: "Period",
  kind: "choice",
  options: optionsOf(periods),
};
