// Finds subaccounts by the beginning of their name or id, among those that a user sees.

import { readCursor } from "../../cursor.ts";
import type { Runner } from "../../db/connect.ts";
import { cursorOfId, cutPage } from "../../db/page.ts";
import { listBetween, listNamed, type Seen } from "../../subaccounts/find-queries.ts";
import type { SubaccountPage } from "./schema.ts";

type FindPage = { text: string; cursor: string | undefined; limit: number };

/** Ordered by name. Matches by id come last. */
export async function findPage(
  db: Runner,
  seen: Seen,
  { text, cursor, limit }: FindPage,
): Promise<SubaccountPage> {
  const begins = text.trim();
  const afterId = cursor && readCursor(cursor);
  const named = await listNamed(db, seen, { begins, afterId, limit: limit + 1 });
  const page = await cutPage(named, limit, cursorOfId);
  const ids = idsThatBegin(begins);
  if (page.next !== null || !ids) return page;
  const known = new Set(page.rows.map(({ id }) => id));
  const found = await listBetween(db, seen, { ...ids, limit });
  const rows = [...page.rows, ...found.filter(({ id }) => !known.has(id))];
  return { rows: rows.slice(0, limit), next: null };
}

const idCharsMin = 4;

/** The lowest and highest id with this prefix. Undefined: it is no prefix of an id, or too short. */
function idsThatBegin(text: string): { first: string; last: string } | undefined {
  const hex = text.toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]+$/.test(hex) || hex.length < idCharsMin || hex.length > 32) return undefined;
  const idOf = (digits: string) =>
    digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { first: idOf(hex.padEnd(32, "0")), last: idOf(hex.padEnd(32, "f")) };
}
