// The list in docs/api/conformance.md, made from the table of promises.

import {
  addedPromises,
  basePromises,
  isPublished,
  type Promised,
} from "../../../packages/conformance/src/index.ts";
import { inCell } from "./reference-pages.ts";

/** The promises that the conformance kit checks, by section: first what is published. */
export function promiseTables(): string {
  const published = [...basePromises, ...addedPromises.filter(isPublished)];
  const ours = addedPromises.filter((one) => !isPublished(one));
  return [
    `${published.length} promises are published, ${basePromises.length} of them checked without \`--disburse\`.`,
    ...sectionsOf(published),
    `${ours.length} more are ours.`,
    ...sectionsOf(ours),
  ].join("\n\n");
}

function sectionsOf(promises: readonly Promised[]): string[] {
  const inOrder = promises.toSorted(
    (a, b) => Number.parseFloat(a.section) - Number.parseFloat(b.section) || 0,
  );
  return [...Map.groupBy(inOrder, ({ section }) => section)].map(([section, group]) => {
    const title = /^\d/.test(section) ? `Part ${section}` : section;
    const rows = group.map(({ name, promise }) => `| \`${name}\` | ${inCell(promise)} |`);
    return [`### ${title}\n`, "| line | promise |", "|---|---|", ...rows].join("\n");
  });
}
