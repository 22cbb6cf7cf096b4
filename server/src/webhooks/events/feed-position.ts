// The position of a feed in a table. Ids are made before their rows are committed, so a row may appear after one with a
// later id. The feed therefore rereads a short window each time, and remembers which rows of it were sent.

import { firstIdOf, idTimeMs } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Place } from "./feed-queries.ts";

export class FeedPosition {
  readonly #beginId: string;
  #lastId: string;
  readonly #sent = new Set<string>();

  constructor(beginId: string) {
    this.#beginId = beginId;
    this.#lastId = beginId;
  }

  /** Returns true the first time it sees an id: the event is to be sent. */
  take(id: string): boolean {
    if (this.#sent.has(id)) return false;
    this.#sent.add(id);
    if (id > this.#lastId) this.#lastId = id;
    return true;
  }

  /** The position, with the ids of the window that were sent. Forgets older ids. */
  place(nowMs: number): Place & { sent: readonly string[] } {
    // If the last id comes from a clock that is ahead, our own clock counts.
    const lastMs = Math.min(idTimeMs(this.#lastId), nowMs);
    const from = firstIdOf(Math.max(0, lastMs - limits.feedLookBackMs));
    const windowId = from > this.#beginId ? from : this.#beginId;
    for (const id of this.#sent) if (id <= windowId) this.#sent.delete(id);
    return { windowId, lastId: this.#lastId, sent: [...this.#sent] };
  }

  get lastId(): string {
    return this.#lastId;
  }
}
