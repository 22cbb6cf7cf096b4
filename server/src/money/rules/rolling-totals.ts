// The sums and counts of one subject over rolling windows, in memory, as the table payout_count has them. Pure.

export type WindowTotals = { count: number; sum: bigint };

/** Entries that nothing needs any more are removed when there are this many, and they are half of all. */
const removedAtOnce = 64;

/** Running totals: the sum of a window is the newest total minus the newest one at or before the start of the window. */
export class RollingTotals {
  #times: number[] = [];
  #totals: bigint[] = [];
  /** The index of the first entry that is kept; those before wait to be removed. */
  #first = 0;
  /** The total before the first entry. */
  #before = 0n;

  /** The time never falls: an earlier one counts as the newest. */
  timeOf(atMs: number): number {
    return Math.max(atMs, this.newestMs);
  }

  get newestMs(): number {
    return this.#times.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  add(atMs: number, amount: bigint): void {
    const total = this.#totals.at(-1) ?? this.#before;
    this.#times.push(this.timeOf(atMs));
    this.#totals.push(total + amount);
  }

  /** Everything that was added after this time. */
  after(startMs: number): WindowTotals {
    const place = this.#placeAfter(startMs);
    const before = place === 0 ? this.#before : (this.#totals[place - 1] ?? 0n);
    const total = this.#totals.at(-1) ?? this.#before;
    return { count: this.#times.length - place, sum: total - before };
  }

  /** Forgets what was added up to this time. No window may start earlier any more. */
  forget(untilMs: number): void {
    this.#first = this.#placeAfter(untilMs);
    if (this.#first < removedAtOnce || this.#first * 2 < this.#times.length) return;
    this.#before = this.#totals[this.#first - 1] ?? this.#before;
    this.#times.splice(0, this.#first);
    this.#totals.splice(0, this.#first);
    this.#first = 0;
  }

  /** Whether everything was forgotten. */
  get isEmpty(): boolean {
    return this.#first === this.#times.length;
  }

  #placeAfter(startMs: number): number {
    let [low, high] = [this.#first, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] as number) <= startMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
