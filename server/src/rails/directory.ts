// The rails of this installation, and the payouts that each of them pays.

import type { Mode } from "../caller.ts";
import type { Rail } from "./rail.ts";

/** A rail and the payouts that it pays. Without currencies or countries, it pays to all. */
type RailEntry = {
  mode: Mode;
  rail: Rail;
  currencies?: readonly string[];
  countries?: readonly string[];
};

type RailRoute = { mode: Mode; currency: string; country: string };

export type RailDirectory = {
  /** The first entry that matches decides. Undefined: no bank is connected for such payouts. */
  railFor(route: RailRoute): Rail | undefined;
  findRail(id: string): Rail | undefined;
  hasRail(mode: Mode): boolean;
  /** Each rail once. The payout worker serves all of them. */
  readonly rails: readonly Rail[];
};

export function railDirectory(entries: readonly RailEntry[]): RailDirectory {
  const byId = new Map<string, Rail>();
  for (const { rail } of entries) {
    // Payouts name their rail by its id, so two banks behind one id would get each other's payouts.
    if ((byId.get(rail.id) ?? rail) !== rail) throw new Error(`two rails have the id ${rail.id}`);
    byId.set(rail.id, rail);
  }
  return {
    railFor({ mode, currency, country }) {
      for (const entry of entries) {
        if (entry.mode !== mode) continue;
        if (entry.currencies && !entry.currencies.includes(currency)) continue;
        if (entry.countries && !entry.countries.includes(country)) continue;
        return entry.rail;
      }
      return undefined;
    },
    findRail: (id) => byId.get(id),
    hasRail: (mode) => entries.some((entry) => entry.mode === mode),
    rails: [...byId.values()],
  };
}
