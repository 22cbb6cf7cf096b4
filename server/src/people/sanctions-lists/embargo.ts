// Embargoed countries: a list like the others, changed one by one. A country is added at once; to remove one needs a
// second user.

import type { Runner, Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import {
  countryTitle,
  hashEntries,
  hashOfEntries,
  isCountryCode,
  type ListEntry,
  tidyEntry,
} from "../list-files/index.ts";
import { type ImportOutcome, importVersion } from "./import.ts";
import { findEntriesOfList, listVersions, lockLists } from "./version-queries.ts";

export type Embargo = {
  country: string;
  name: string;
  /** The law or the decision. */
  source: string;
  /** YYYY-MM-DD */
  since: string;
};

export function isCalendarDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(ms)) return false;
  return new Date(ms).toISOString().startsWith(text);
}

export async function listEmbargoes(db: Runner): Promise<Embargo[]> {
  return (await findEntriesOfList(db, "embargo")).map(({ key, names, program, remarks }) => ({
    country: key,
    name: names[0]?.text ?? key,
    source: program,
    since: remarks.replace(/^Since /, ""),
  }));
}

type Changing = { who: string; atMs: number };

export async function addEmbargo(
  tx: Tx,
  { country, source, since }: Omit<Embargo, "name">,
  changing: Changing,
): Promise<ImportOutcome> {
  if (!isCountryCode(country)) throw new Refusal("LIST206");
  const entries = await entriesToChange(tx);
  if (entries.some(({ key }) => key === country)) throw new Refusal("LIST204");
  const entry = tidyEntry({
    key: country,
    kind: "country",
    names: [{ text: countryTitle(country), isWeak: false }],
    birthDates: [],
    countries: [country],
    program: source,
    remarks: `Since ${since}`,
  });
  return save(tx, [...entries, entry], changing);
}

export async function removeEmbargo(
  tx: Tx,
  country: string,
  changing: Changing,
): Promise<ImportOutcome> {
  const entries = await entriesToChange(tx);
  const left = entries.filter(({ key }) => key !== country);
  if (left.length === entries.length) throw new Refusal("LIST205");
  if (left.length === 0) throw new Refusal("LIST207");
  return save(tx, left, changing);
}

/** A change that waits starts from the countries in force, so it has to be decided first. */
async function entriesToChange(tx: Tx): Promise<ListEntry[]> {
  await lockLists(tx);
  const waiting = await listVersions(tx, ["waiting"], 100);
  if (waiting.some(({ list }) => list === "embargo")) throw new Refusal("LIST203");
  return findEntriesOfList(tx, "embargo");
}

function save(tx: Tx, entries: ListEntry[], changing: Changing): Promise<ImportOutcome> {
  const hash = hashOfEntries(entries);
  const version = { list: "embargo" as const, hash, reader: 1, publishedDay: "" };
  return importVersion(tx, { ...version, entries: hashEntries(entries) }, changing);
}
