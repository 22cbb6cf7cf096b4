// The filter by a named period. It replaces the filters by days.

import { optionsOf } from "../state/options.ts";
import { listsTexts } from "../texts/lists.ts";
import type { Filter } from "./filter-bar.tsx";

export const periodFilter: Filter = {
  name: "period",
  label: listsTexts.period,
  kind: "choice",
  options: optionsOf(listsTexts.periods),
};
