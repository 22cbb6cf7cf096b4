// An entry of a sanctions list, the same for every list, and its hash. Pure.

import { createHash } from "node:crypto";

export const listNames = [
  "ofac-sdn",
  "ofac-consolidated",
  "un",
  "dfat",
  "eu",
  "uk",
  "embargo",
] as const;
export type ListName = (typeof listNames)[number];

export const entryKinds = ["person", "organisation", "vessel", "country"] as const;
export type EntryKind = (typeof entryKinds)[number];

export type ListedName = {
  text: string;
  /** The publisher calls the name weak, or of low quality: alone it says little. */
  isWeak: boolean;
};

export type ListEntry = {
  /** The publisher's own number, which stays the same from version to version. */
  key: string;
  kind: EntryKind;
  /** The first is the main name. */
  names: ListedName[];
  /** YYYY, YYYY-MM, YYYY-MM-DD, or years from and to, as YYYY/YYYY. */
  birthDates: string[];
  /** Alpha-3: nationality, citizenship, birth and addresses. */
  countries: string[];
  /** The sanctions programme, as the publisher calls it. */
  program: string;
  remarks: string;
};

/** An entry with its list and its hash, as it is kept. */
export type StoredEntry = ListEntry & { list: ListName; hash: string };

/** The entries of a version that is not imported yet. */
export type NewList = {
  list: ListName;
  hash: string;
  reader: number;
  publishedDay: string;
  entries: readonly HashedEntry[];
};

/** Each part has a fixed place in a list, so that no two entries have the same text. */
export function entryHash(entry: ListEntry): string {
  const { key, kind, names, birthDates, countries, program, remarks } = entry;
  const named = names.map(({ text, isWeak }) => [text, isWeak]);
  return sha256(JSON.stringify([key, kind, named, birthDates, countries, program, remarks]));
}

export type HashedEntry = { hash: string; entry: ListEntry };

export function hashEntries(entries: readonly ListEntry[]): HashedEntry[] {
  return entries.map((entry) => ({ hash: entryHash(entry), entry }));
}

/** The hash of entries that come from no file. */
export function hashOfEntries(entries: readonly ListEntry[]): string {
  return sha256(JSON.stringify(entries.map(entryHash).sort()));
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Every process keeps all entries in memory. */
const remarksCharsMax = 1_000;

/**
 * An entry in the form in which it is compared and kept: space is single, nothing is there twice, and what has no order
 * of its own is sorted. So an entry that a publisher only wrote in another order is unchanged.
 */
export function tidyEntry(entry: ListEntry): ListEntry {
  return {
    key: tidyText(entry.key),
    kind: entry.kind,
    names: tidyNames(entry.names),
    birthDates: [...new Set(entry.birthDates)].sort(),
    countries: [...new Set(entry.countries)].sort(),
    program: tidyText(entry.program),
    remarks: tidyText(entry.remarks).slice(0, remarksCharsMax).toWellFormed().trim(),
  };
}

/** PostgreSQL stores neither unpaired surrogates nor the character zero. */
export function tidyText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/** The main name stays first. A name that is there twice is weak only if it is so each time. */
function tidyNames(names: readonly ListedName[]): ListedName[] {
  const byText = new Map<string, boolean>();
  for (const { text, isWeak } of names) {
    const tidy = tidyText(text);
    if (tidy !== "") byText.set(tidy, isWeak && (byText.get(tidy) ?? true));
  }
  const [main, ...others] = [...byText].map(([text, isWeak]) => ({ text, isWeak }));
  if (!main) return [];
  return [main, ...others.sort((a, b) => (a.text < b.text ? -1 : 1))];
}
