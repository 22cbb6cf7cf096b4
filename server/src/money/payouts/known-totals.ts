// The running totals that this process knows, so that they need not be read again for every payout.
//
// They are valid while no other process has changed the balance: its number of transfers, which is read under its lock,
// is the one that this process left there.

import type { Runner } from "../../platform/db/index.ts";
import type { BalanceState } from "./payout.ts";

const balancesMax = 20_000;
const subjectsMax = 100_000;

/** What was last known of a balance. All totals of one generation belong together. */
type KnownBalance = { transfers: number; generation: number };

export class KnownTotals<Totals> {
  readonly #balances = new Map<string, KnownBalance>();
  readonly #subjects = new Map<string, { totals: Totals; generation: number }>();
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

  find(subject: string, generation: number): Totals | undefined {
    const known = this.#subjects.get(subject);
    return known?.generation === generation ? known.totals : undefined;
  }

  /** After the commit of a change of the balance. It is ignored where another transaction was faster. */
  advance(balance: string, from: KnownBalance, transfers: number): boolean {
    const known = this.#balances.get(balance);
    if (known?.generation !== from.generation || known.transfers !== from.transfers) return false;
    known.transfers = transfers;
    return true;
  }

  keep(subject: string, totals: Totals, generation: number): void {
    if (this.#subjects.size >= subjectsMax) this.#subjects.clear();
    this.#subjects.set(subject, { totals, generation });
  }
}

/** One kind of totals for each server. */
export function totalsByServer<Totals>(): (db: Runner) => KnownTotals<Totals> {
  const known = new WeakMap<object, KnownTotals<Totals>>();
  return ({ listeners: { server } }) => {
    const found = known.get(server) ?? new KnownTotals<Totals>();
    known.set(server, found);
    return found;
  };
}

type Kept<Totals> = { name: string; balance: string; totals: Totals };

/** What this process knows of locked balances, by `subaccountId currency`. */
export function knownBalances<Totals>(
  known: KnownTotals<Totals>,
  names: Iterable<string>,
  balances: ReadonlyMap<string, BalanceState>,
) {
  const before = new Map<string, KnownBalance>();
  for (const balance of new Set(names)) {
    const transfers = balances.get(balance)?.transfers ?? 0;
    before.set(balance, { transfers, generation: known.generationOf(balance, transfers) });
  }
  return {
    find: (balance: string, name: string): Totals | undefined =>
      known.find(name, before.get(balance)?.generation ?? 0),
    /** To be called after the commit, with the balances as they are now. */
    keeper(subjects: Iterable<Kept<Totals>>): () => void {
      const after = [...before].map(([balance, from]) => {
        return { balance, from, transfers: balances.get(balance)?.transfers ?? 0 };
      });
      return () => {
        const kept = new Set<string>();
        for (const { balance, from, transfers } of after) {
          if (known.advance(balance, from, transfers)) kept.add(balance);
        }
        for (const { name, balance, totals } of subjects) {
          if (kept.has(balance)) known.keep(name, totals, before.get(balance)?.generation ?? 0);
        }
      };
    },
  };
}
