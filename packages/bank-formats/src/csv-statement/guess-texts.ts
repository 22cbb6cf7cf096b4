// Which columns of a CSV statement are texts: descriptions, references, the other party.

import type { ColumnFacts } from "./column-facts.ts";
import type { GuessNotes } from "./guess-notes.ts";
import type { ColumnUse } from "./header-words.ts";

/** In the order in which they choose their column. */
const textUses = [
  "party_account",
  "party_name",
  "bank_reference",
  "reference",
  "code",
  "account",
] as const satisfies ColumnUse[];
type TextUse = (typeof textUses)[number];

export type GuessedTexts = {
  description: ColumnFacts[];
  status: { column: ColumnFacts; booked: string[] } | undefined;
} & { [use in TextUse]: ColumnFacts | undefined };

const bookedWords =
  /^(booked|posted|completed|settled|cleared|final|done|executed|gebucht|verbucht|comptabilise|contabilizado|geboekt)$/i;
const iban = /^[A-Z]{2}\d{2}[A-Z0-9 ]{11,40}$/;
const fitMin = 2;

export function guessTexts(columns: readonly ColumnFacts[], notes: GuessNotes): GuessedTexts {
  const free = new Set(columns.filter(({ cells }) => cells.some((cell) => cell !== "")));
  const status = guessStatus(free, notes);
  if (status) free.delete(status.column);
  const named = new Map<TextUse, ColumnFacts>();
  for (const use of textUses) {
    const column = best(free, use);
    if (!column) continue;
    named.set(use, column);
    free.delete(column);
    notes.add(use, "likely", "the header says so");
  }
  const description = guessDescription(free, notes);
  correctAccounts(named, free, notes);
  return {
    description,
    status,
    party_account: named.get("party_account"),
    party_name: named.get("party_name"),
    bank_reference: named.get("bank_reference"),
    reference: named.get("reference"),
    code: named.get("code"),
    account: named.get("account"),
  };
}

/** The column whose header fits best, unless it fits something else better. */
function best(free: ReadonlySet<ColumnFacts>, use: ColumnUse): ColumnFacts | undefined {
  const fitting = [...free].filter(({ uses }) => {
    const fit = uses.get(use) ?? 0;
    return fit >= fitMin && fit >= Math.max(...uses.values());
  });
  const [first] = fitting.toSorted(
    (one, other) => (other.uses.get(use) ?? 0) - (one.uses.get(use) ?? 0),
  );
  return first;
}

/** One IBAN on every line is our own account. */
function correctAccounts(
  named: Map<TextUse, ColumnFacts>,
  free: ReadonlySet<ColumnFacts>,
  notes: GuessNotes,
): void {
  const party = named.get("party_account");
  const isOurs = ({ words, cells }: ColumnFacts) =>
    cells.length > 1 && words.length === 1 && cells.every((cell) => cell !== "");
  if (!party || named.has("account") || !isOurs(party) || !iban.test(party.words[0] ?? "")) return;
  named.delete("party_account");
  named.set("account", party);
  notes.add("account", "likely", "the same account on every line");
  const other = [...free].find(({ cells }) => cells.some((cell) => iban.test(cell)));
  if (!other) return;
  named.set("party_account", other);
  notes.add("party_account", "likely", "the values are IBANs");
}

function guessDescription(free: Set<ColumnFacts>, notes: GuessNotes): ColumnFacts[] {
  const named = [...free].filter(({ uses }) => (uses.get("description") ?? 0) > 0);
  if (named.length > 0) {
    notes.add("description", "likely", "the header says so");
    return named;
  }
  const longest = [...free]
    .filter(({ cells }) => cells.some((cell) => /\p{L}{3}/u.test(cell)))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
    .slice(0, 1);
  if (longest.length > 0) notes.add("description", "unsure", "the column with the longest texts");
  else notes.add("description", "unsure", "no column looks like a description");
  return longest;
}

function lengthOf({ cells }: ColumnFacts): number {
  return cells.reduce((sum, cell) => sum + cell.length, 0);
}

function guessStatus(free: ReadonlySet<ColumnFacts>, notes: GuessNotes) {
  const column = best(free, "status");
  const booked =
    column?.words.filter((word) =>
      bookedWords.test(word.normalize("NFD").replace(/\p{M}/gu, "")),
    ) ?? [];
  if (!column || booked.length === 0) return undefined;
  notes.add("status", "likely", `only rows with ${booked.join(" or ")} are booked`);
  return { column, booked };
}
