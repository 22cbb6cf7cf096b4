// Versions of sanctions lists and their changed entries, as the screen shows them. Pure.

import {
  type FileListName,
  fileLists,
  type ListEntry,
  type ListName,
} from "../../../people/list-files/index.ts";
import type { EntryChange, VersionRow } from "../../../people/sanctions-lists/index.ts";
import type { ChangedEntry, ListVersion } from "./schema.ts";

export function titleOf(list: ListName): { title: string; publisher: string } {
  if (list === "embargo") return { title: "Embargoed countries", publisher: "Your own list" };
  const { title, publisher } = fileLists[list satisfies FileListName];
  return { title, publisher };
}

export function presentVersion(row: VersionRow): ListVersion {
  const { id, list, status, published_day, entries, names, added, changed, removed, hash } = row;
  const { made_by, at_ms, first_approved_by, decided_by, decided_at_ms, set_id } = row;
  const isKept = status === "waiting" || set_id !== null;
  return {
    ...{ id, list, status, published_day, entries, names, added, changed, removed, hash },
    ...{ made_by, made_at: Number(at_ms), first_approved_by, decided_by },
    decided_at: decided_at_ms === null ? null : Number(decided_at_ms),
    has_changes: isKept && added + changed + removed > 0,
  };
}

export function presentChange({ key, before, after }: EntryChange): ChangedEntry {
  const { kind, names, program } = (after ?? before) as ListEntry;
  return {
    key,
    name: names[0]?.text ?? key,
    more_names: Math.max(names.length - 1, 0),
    kind,
    program,
    changes: before && after ? changesBetween(before, after) : [],
  };
}

const parts: readonly (readonly [what: string, textOf: (entry: ListEntry) => string])[] = [
  ["Kind", ({ kind }) => kind],
  [
    "Names",
    ({ names }) => names.map(({ text, isWeak }) => text + (isWeak ? " (weak)" : "")).join("; "),
  ],
  ["Dates of birth", ({ birthDates }) => birthDates.join(", ")],
  ["Countries", ({ countries }) => countries.join(", ")],
  ["Programme", ({ program }) => program],
  ["Remarks", ({ remarks }) => remarks],
];

function changesBetween(before: ListEntry, after: ListEntry): ChangedEntry["changes"] {
  return parts
    .map(([what, textOf]) => ({ what, before: textOf(before), after: textOf(after) }))
    .filter((one) => one.before !== one.after);
}
