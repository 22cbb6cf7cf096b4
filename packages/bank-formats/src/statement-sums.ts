// What the lines of one statement come to, and what tells its entries apart.

import type { StatementLine } from "./statement-records.ts";

type EntryFacts = Pick<StatementLine, "day" | "amount" | "currency" | "isReversal">;

export class StatementSums {
  lines = 0;
  /** The first and the last day of the lines, YYYY-MM-DD; empty where there are none. */
  firstDay = "";
  lastDay = "";
  readonly #sums = new Map<string, bigint>();
  readonly #entries = new Map<string, number>();

  /** Call it once for each line, in the order of the lines. */
  add({ day, amount, currency }: StatementLine): void {
    this.lines += 1;
    if (this.firstDay === "" || day < this.firstDay) this.firstDay = day;
    if (day > this.lastDay) this.lastDay = day;
    this.#sums.set(currency, this.sum(currency) + amount);
  }

  sum(currency: string): bigint {
    return this.#sums.get(currency) ?? 0n;
  }

  /** The currency of the lines, if all have the same; empty otherwise. */
  get currency(): string {
    const [first = "", ...others] = this.#sums.keys();
    return others.length === 0 ? first : "";
  }

  /**
   * Call it once for each entry, oldest first. `content` tells an entry apart that has no reference of the bank. Entries
   * that are equal in everything are numbered, so that each has a key of its own.
   */
  keyOf({ day, amount, currency, isReversal }: EntryFacts, reference: string, content: string[]) {
    const facts = [day, String(amount), currency, isReversal];
    const key = JSON.stringify(reference === "" ? [...facts, ...content] : [...facts, reference]);
    const count = (this.#entries.get(key) ?? 0) + 1;
    this.#entries.set(key, count);
    return count === 1 ? key : `${key} ${count}`;
  }
}

/** Where the bank gives one balance, the other follows from the lines, if all of them are there. */
export function completeBalances(
  { opening, closing }: { opening: bigint | undefined; closing: bigint | undefined },
  sum: bigint,
): { opening: bigint | undefined; closing: bigint | undefined } {
  if (opening === undefined && closing !== undefined) return { opening: closing - sum, closing };
  if (closing === undefined && opening !== undefined) return { opening, closing: opening + sum };
  return { opening, closing };
}
