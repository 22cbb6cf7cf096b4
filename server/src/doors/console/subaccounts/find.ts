// Finds subaccounts by the beginning of a word of their name, or of their id, among those that a user sees.

import { readCursor } from "../../../platform/base/index.ts";
import { cursorOfId, cutPage, type Runner } from "../../../platform/db/index.ts";
import { nameWords, queryWords } from "../../../platform/search-words/index.ts";
import {
  findSubaccounts,
  listBetween,
  listNamed,
  listWorded,
  type Seen,
  type SubaccountRow,
} from "../../../tenants/subaccounts/index.ts";
import { weightOf } from "../search/find-by-words.ts";
import { searchLimits } from "../search/search-limits.ts";
import type { SubaccountPage } from "./schema.ts";

type FindPage = { text: string; cursor: string | undefined; limit: number };

/** Ordered by name. Matches by a later word of the name, and by id, come last. */
export async function findPage(
  db: Runner,
  seen: Seen,
  { text, cursor, limit }: FindPage,
): Promise<SubaccountPage> {
  const begins = text.trim();
  const afterId = cursor && readCursor(cursor);
  const named = await listNamed(db, seen, { begins, afterId, limit: limit + 1 });
  const page = await cutPage(named, limit, cursorOfId);
  if (page.next !== null || begins === "") return page;
  const ids = idsThatBegin(begins, idCharsMin);
  const found = [
    ...(await findByWords(db, seen, begins)),
    ...(ids ? await listBetween(db, seen, { ...ids, limit }) : []),
  ];
  // A later page starts after the names that begin with the text.
  const known = new Set(page.rows.map(({ id }) => id));
  const rows = [...page.rows];
  for (const row of found) {
    if (known.has(row.id) || isBefore(row.name, begins, afterId)) continue;
    known.add(row.id);
    rows.push(row);
  }
  return { rows: rows.slice(0, limit), next: null };
}

/** Names that begin with the text are on the pages before. */
function isBefore(name: string, begins: string, afterId: string | undefined): boolean {
  return afterId !== undefined && name.toLowerCase().startsWith(begins.toLowerCase());
}

/** By the start of any word of their names, without accents. */
async function findByWords(db: Runner, seen: Seen, text: string): Promise<SubaccountRow[]> {
  const words = queryWords(text);
  const [rarest] = words.toSorted((one, other) => weightOf(other) - weightOf(one));
  if (rarest === undefined) return [];
  const rows = seen
    ? await findSubaccounts(db, seen)
    : await listWorded(db, rarest, searchLimits.wordsRowsMax);
  return rows.filter(({ name }) => {
    const own = nameWords(name);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  });
}

const idCharsMin = 4;

/** The lowest and highest id with this prefix. Undefined: it is no prefix of an id, or too short. */
export function idsThatBegin(
  text: string,
  charsMin: number,
): { first: string; last: string } | undefined {
  const hex = text.toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]+$/.test(hex) || hex.length < charsMin || hex.length > 32) return undefined;
  const idOf = (digits: string) =>
    digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { first: idOf(hex.padEnd(32, "0")), last: idOf(hex.padEnd(32, "f")) };
}
