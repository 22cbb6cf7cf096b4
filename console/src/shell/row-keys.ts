// J and K walk the rows of the lists on a page, and Enter opens one, because the focus is on its link.

import { useHotkeys } from "@mantine/hooks";

/** What opens each row that can be seen, in the order of the page. */
export function rowLinks(): readonly HTMLElement[] {
  const rows = document.querySelectorAll<HTMLElement>("main [data-walked] tbody tr");
  return [...rows].flatMap((row) => {
    const link =
      row.querySelector<HTMLElement>("[data-row-link]") ?? row.querySelector("td a, td button");
    return link instanceof HTMLElement && row.checkVisibility() ? [link] : [];
  });
}

/** Pages that walk their cards or cases by these keys themselves. */
export const hasOwnKeys = (): boolean =>
  document.querySelector('main [aria-keyshortcuts~="J"]') !== null;

/** From the row that has the focus; else to the first row. */
function move(step: 1 | -1): void {
  if (document.querySelector("[role=dialog]") || hasOwnKeys()) return;
  const links = rowLinks();
  const row = document.activeElement?.closest("tr");
  const at = links.findIndex((link) => row?.contains(link));
  const next = links[at === -1 ? 0 : at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** The hook ignores keys that are typed into a field. */
export function useRowKeys(): void {
  useHotkeys([
    ["J", () => move(1), { preventDefault: false }],
    ["K", () => move(-1), { preventDefault: false }],
  ]);
}
