// The tab of a page, in its address. The usual tab is not in the address, and an unknown one is the usual one.

import { useFilters } from "./filters.ts";

export function useTab<Tab extends string>(
  tabs: readonly [Tab, ...Tab[]],
  {
    name = "tab",
    usual = tabs[0],
    cleared = [],
  }: {
    /** Its parameter in the address. */
    name?: string;
    usual?: Tab;
    /** Parameters that choosing a tab removes, because each tab has its own. */
    cleared?: readonly string[];
  } = {},
): [Tab, (chosen: string | null) => void] {
  const [values, setFilters] = useFilters();
  const tab = tabs.find((one) => one === values[name]) ?? usual;
  const choose = (chosen: string | null) =>
    setFilters({
      ...Object.fromEntries(cleared.map((one) => [one, undefined])),
      [name]: chosen === usual ? undefined : (chosen ?? undefined),
    });
  return [tab, choose];
}
