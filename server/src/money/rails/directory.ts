// The rails of this installation, and the payouts that each of them pays.

import type { Mode } from "../../platform/base/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import type { DirectRail, Rail } from "./rail.ts";

/** A rail and the payouts that it pays. Where no currencies, countries or subaccounts are given, it pays for all. */
export type RailEntry<Kind extends Rail = Rail> = {
  mode: Mode;
  rail: Kind;
  currencies?: readonly string[];
  countries?: readonly string[];
  subaccountIds?: readonly string[];
};

type RailRoute = { mode: Mode; currency: string; country: string; subaccountId: string };

export type RailDirectory = {
  /** The first entry that matches decides. Undefined: no bank is connected for such payouts. */
  railFor(route: RailRoute): Rail | undefined;
  findRail(id: string): Rail | undefined;
  hasRail(mode: Mode): boolean;
  /** Each direct rail once. The payout worker serves all of them. */
  readonly directRails: readonly DirectRail[];
  /**
   * The bank connections, which may change while the service runs, and how to load them again. They come before the
   * direct rails: the sandbox takes every test payout, so a test connection would get none after it.
   */
  connect(entries: readonly RailEntry[], load: Load): void;
  /** A connection may be newer than the last load. */
  reload(db: Runner): Promise<void>;
};

type Load = (db: Runner) => Promise<unknown>;

export function railDirectory(direct: readonly RailEntry<DirectRail>[]): RailDirectory {
  let entries: readonly RailEntry[] = direct;
  let byId: ReadonlyMap<string, Rail> = railsById(direct);
  let reload: Load = async () => {};
  return {
    railFor({ mode, currency, country, subaccountId }) {
      for (const entry of entries) {
        if (entry.mode !== mode) continue;
        if (entry.currencies && !entry.currencies.includes(currency)) continue;
        if (entry.countries && !entry.countries.includes(country)) continue;
        if (entry.subaccountIds && !entry.subaccountIds.includes(subaccountId)) continue;
        return entry.rail;
      }
      return undefined;
    },
    findRail: (id) => byId.get(id),
    hasRail: (mode) => entries.some((entry) => entry.mode === mode),
    directRails: [...railsById(direct).values()],
    connect(connected, load) {
      entries = [...connected, ...direct];
      byId = railsById(entries);
      reload = load;
    },
    async reload(db) {
      await reload(db);
    },
  };
}

function railsById<Kind extends Rail>(entries: readonly RailEntry<Kind>[]): Map<string, Kind> {
  const byId = new Map<string, Kind>();
  for (const { rail } of entries) {
    // Payouts name their rail by its id, so two banks behind one id would get each other's payouts.
    if ((byId.get(rail.id) ?? rail) !== rail) throw new Error(`two rails have the id ${rail.id}`);
    byId.set(rail.id, rail);
  }
  return byId;
}
