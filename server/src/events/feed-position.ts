// How far a feed has come in a table whose ids are made before their rows are committed: an id may appear after
// one that is younger. So the feed looks back a while each time, and remembers what of that it has sent.

import { firstIdOf } from "../cursor.ts";
import { idTimeMs } from "../ids.ts";
import { limits } from "../limits.ts";
import type { Place } from "./feed-queries.ts";

export class FeedPosition {
  readonly #beginId: string;
  #lastId: string;
  readonly #sent = new Set<string>();

  constructor(beginId: string) {
    this.#beginId = beginId;
    this.#lastId = beginId;
  }

  /** Whether it is to be sent: true only once. */
  take(id: string): boolean {
    if (this.#sent.has(id)) return false;
    this.#sent.add(id);
    if (id > this.#lastId) this.#lastId = id;
    return true;
  }

  /** Where it stands, with all of the window that was sent. What is older is forgotten. */
  place(nowMs: number): Place & { sent: readonly string[] } {
    // By our clock where the last one comes from a clock that is ahead: those behind it are not late.
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
