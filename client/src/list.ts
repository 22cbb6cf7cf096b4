// Lists in pages. A `link` header names the next page, and a List follows it.

import { DisburseError } from "./errors.ts";

/** One page, with a function that fetches the next. */
export type Page<Item> = {
  items: Item[];
  /** Names the next page, for a later process too; null on the last. */
  nextCursor: string | null;
  /** Fetches the next page; null on the last. */
  next(): Promise<Page<Item> | null>;
};

type FetchPage<Item> = (
  cursor: string | undefined,
) => Promise<{ items: Item[]; nextCursor: string | null }>;

export class List<Item> implements AsyncIterable<Item> {
  readonly #cursor: string | undefined;
  readonly #fetchPage: FetchPage<Item>;

  constructor(cursor: string | undefined, fetchPage: FetchPage<Item>) {
    this.#cursor = cursor;
    this.#fetchPage = fetchPage;
  }

  /** The first page only. */
  page(): Promise<Page<Item>> {
    return this.#pageAt(this.#cursor);
  }

  /** Every item of every page; a page is fetched when all items of the page before have been read. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let page: Page<Item> | null = await this.page();
    while (page) {
      yield* page.items;
      page = await page.next();
    }
  }

  /** The items in an array, at most `max` of them. */
  async toArray({ max = Number.POSITIVE_INFINITY } = {}): Promise<Item[]> {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }

  async #pageAt(cursor: string | undefined): Promise<Page<Item>> {
    const { items, nextCursor } = await this.#fetchPage(cursor);
    if (nextCursor !== null && nextCursor === cursor) {
      // Otherwise such a server would keep a `for await` running without end.
      throw new DisburseError("the list does not end: a page names itself as the next one", {
        code: "UNREADABLE_RESPONSE",
        status: 200,
      });
    }
    const next = async () => (nextCursor === null ? null : this.#pageAt(nextCursor));
    return { items, nextCursor, next };
  }
}

/** The cursor in `link: <…?cursor=…>; rel="next"`, or null when no page follows. */
export function nextCursorOf(headers: Headers): string | null {
  for (const [, target, parameters] of (headers.get("link") ?? "").matchAll(/<([^>]*)>([^<]*)/g)) {
    if (
      !target ||
      !/;\s*rel="?(?:[^";,]*\s)?next(?:\s[^";,]*)?"?\s*(?:[;,]|$)/i.test(parameters ?? "")
    ) {
      continue;
    }
    // Only the cursor is taken. The address itself is whatever the server believes its own to be,
    // which behind a proxy is wrong, and a signed request must never go where a header says.
    return new URL(target, "http://unused").searchParams.get("cursor");
  }
  return null;
}
