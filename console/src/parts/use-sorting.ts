// The sort of a list, in its address. The usual order of the list is not in the address.

import { useFilters } from "../state/filters.ts";
import type { Sorting } from "./sorting.ts";

export function useSorting(usual: string): Sorting {
  const [{ sort }, setFilters] = useFilters();
  return {
    value: sort ?? usual,
    onChange: (next) => setFilters({ sort: next === usual ? undefined : next }),
  };
}
