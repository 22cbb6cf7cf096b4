// The index of a set of list entries in memory: finds the entries that a subject may be.

import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type FoundName,
  indexNames,
  type NameIndex,
  prepareName,
} from "../../../../packages/name-matching/src/index.ts";
import type { StoredEntry } from "../list-files/index.ts";
import { weighEvidence } from "./evidence.ts";
import type { Evidence, NewHit, Subject } from "./hit.ts";
import { hashOfSubject } from "./subject.ts";

export type ScreeningIndex = {
  /** How many names it has. Embargoed countries are not counted. */
  readonly names: number;
  /** The hits of each subject, in their order. At most one for each entry: the best of its names. */
  screen(subjects: readonly Subject[]): NewHit[][];
};

/** What is kept of an entry. */
type Indexed = Pick<StoredEntry, "list" | "key" | "hash" | "birthDates" | "countries">;
type IndexedName = { entry: Indexed; text: string; isWeak: boolean };

/** Names prepared before other work of the process has its turn. */
const namesPerTurn = 200;

export async function buildScreeningIndex(entries: Iterable<StoredEntry>): Promise<ScreeningIndex> {
  const names: { entry: IndexedName; name: ReturnType<typeof prepareName> }[] = [];
  const countries = new Map<string, Indexed[]>();
  for (const { list, key, hash, birthDates, countries: places, kind, names: texts } of entries) {
    const entry: Indexed = { list, key, hash, birthDates, countries: places };
    if (kind === "country") {
      for (const country of places)
        countries.set(country, [...(countries.get(country) ?? []), entry]);
      continue;
    }
    for (const { text, isWeak } of texts) {
      const name = prepareName(text, kind === "person" ? "person" : "organisation");
      names.push({ entry: { entry, text, isWeak }, name });
      if (names.length % namesPerTurn === 0) await nextTurn();
    }
  }
  const index = indexNames(names);
  return {
    names: index.size,
    screen: (subjects) => screen({ index, countries }, subjects),
  };
}

type Tables = { index: NameIndex<IndexedName>; countries: ReadonlyMap<string, Indexed[]> };

const none: NewHit[] = [];

function screen({ index, countries }: Tables, subjects: readonly Subject[]): NewHit[][] {
  // Without a list, only countries are compared.
  const found = index.size === 0 ? [] : findNames(index, subjects);
  return subjects.map((subject, at) => toHits(countries, subject, found[at] ?? []));
}

/** All names are prepared, then all are looked for. One after the other, both would take longer. */
function findNames(index: Tables["index"], subjects: readonly Subject[]): Found[][] {
  const prepared = subjects.map(({ names }) =>
    names.map(({ text, kind }) => prepareName(text, kind)),
  );
  return prepared.map((names) =>
    names.flatMap((name) => index.find(name).map((match) => ({ text: name.text, match }))),
  );
}

type Found = { text: string; match: FoundName<IndexedName> };

function toHits(
  countries: Tables["countries"],
  subject: Subject,
  found: readonly Found[],
): NewHit[] {
  const embargoed = countries.get(subject.country) ?? [];
  // Nearly always.
  if (found.length === 0 && embargoed.length === 0) return none;

  const subjectHash = hashOfSubject(subject);
  const { dob, country } = subject;
  const best = new Map<string, NewHit>();
  const add = (entry: Indexed, hit: Pick<NewHit, "score" | "explanation">) => {
    const key = `${entry.list} ${entry.key}`;
    if ((best.get(key)?.score ?? -1) >= hit.score) return;
    const { list, key: entryKey, hash: entryHash } = entry;
    best.set(key, { list, entryKey, entryHash, subjectHash, ...hit });
  };
  const evidenceOfSubject = { dob, countries: country === "" ? [] : [country] };
  for (const { text: name, match } of found) {
    const { entry, text: listed_name, isWeak: is_weak } = match.entry;
    const weighed = weighEvidence(match, evidenceOfSubject, { ...entry, isWeak: is_weak });
    if (!weighed.isHit) continue;
    const score = Math.round(weighed.score * 1000) / 1000;
    const words = match.reasons;
    const evidence = { dob: weighed.dob, country: weighed.country };
    const explanation = {
      subject: { name, dob, country },
      listed_name,
      is_weak,
      words,
      ...evidence,
    };
    add(entry, { score, explanation });
  }
  for (const entry of embargoed) {
    const name = subject.names[0]?.text ?? "";
    const evidence = { dob: unknown, country: { says: "same", listed: entry.countries } as const };
    const explanation = { listed_name: "", is_weak: false, words: [], ...evidence };
    add(entry, { score: 1, explanation: { subject: { name, dob, country }, ...explanation } });
  }
  return [...best.values()];
}

const unknown: Evidence = { says: "unknown", listed: [] };
