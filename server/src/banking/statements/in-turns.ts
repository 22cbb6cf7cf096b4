// Work on the lines of a large statement, during which others are served.

import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "../../platform/limits/index.ts";

export function* inPages<Item>(items: readonly Item[]): Generator<Item[], void, void> {
  for (let start = 0; start < items.length; start += limits.bankPageMax) {
    yield items.slice(start, start + limits.bankPageMax);
  }
}

/** Yields them one by one, and lets others be served between pages. */
export async function* inTurns<Item>(items: readonly Item[]): AsyncGenerator<Item, void, void> {
  for (const page of inPages(items)) {
    yield* page;
    if (page.length === limits.bankPageMax) await nextTurn();
  }
}

/** As `map`. */
export async function mapInTurns<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    made.push(make(item, made.length));
    if (made.length % limits.bankPageMax === 0) await nextTurn();
  }
  return made;
}
