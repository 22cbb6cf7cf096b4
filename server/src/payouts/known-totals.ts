// The running totals that this process knows, so that they need not be read again for every payout.
//
// They are valid while no other process has changed the balance: its number of transfers, which is read under its lock,
// is the one that this process left there. The starts of the windows may be old. They only move forward, so a total from
// an old start is too high, never too low: it proves that a limit is not reached, and otherwise the start is read again.

import type { Runner } from "../db/connect.ts";
import type { SubjectTotals } from "./total-queries.ts";

const balancesMax = 20_000;
const subjectsMax = 100_000;

/** What was last known of a balance. All totals of one generation belong together. */
type KnownBalance = { transfers: number; generation: number };

class KnownTotals {
  readonly #balances = new Map<string, KnownBalance>();
  readonly #subjects = new Map<string, SubjectTotals & { generation: number }>();
  #generations = 0;

  /** The generation of a locked balance with this number of transfers. */
  generationOf(balance: string, transfers: number): number {
    const known = this.#balances.get(balance);
    if (known?.transfers === transfers) return known.generation;
    if (this.#balances.size >= balancesMax) this.#balances.clear();
    this.#generations += 1;
    this.#balances.set(balance, { transfers, generation: this.#generations });
    return this.#generations;
  }

  find(subject: string, generation: number): SubjectTotals | undefined {
    const known = this.#subjects.get(subject);
    return known?.generation === generation ? known : undefined;
  }

  /** After the commit of a change of the balance. It is ignored where another transaction was faster. */
  advance(balance: string, from: KnownBalance, transfers: number): boolean {
    const known = this.#balances.get(balance);
    if (known?.generation !== from.generation || known.transfers !== from.transfers) return false;
    known.transfers = transfers;
    return true;
  }

  keep(subject: string, totals: SubjectTotals, generation: number): void {
    if (this.#subjects.size >= subjectsMax) this.#subjects.clear();
    const { newestMs, number, total, before } = totals;
    this.#subjects.set(subject, { newestMs, number, total, before, generation });
  }
}

const known = new WeakMap<object, KnownTotals>();

export function knownTotals({ listeners: { server } }: Runner): KnownTotals {
  const found = known.get(server) ?? new KnownTotals();
  known.set(server, found);
  return found;
}
