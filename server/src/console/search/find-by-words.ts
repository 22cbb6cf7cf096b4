// Finds receivers and payouts by words: rows that may fit by their words, then each row is compared with what was typed.
// So a word that is out of date never shows a row.

import type { Runner } from "../../db/connect.ts";
import { toDecimal } from "../../money.ts";
import type { SearchProgress } from "../../search-words/queries.ts";
import {
  fold,
  foldedWords,
  isLongEnough,
  queryName,
  queryWords,
  receiverText,
  receiverWords,
} from "../../search-words/words.ts";
import type { SearchedAmount } from "./amounts.ts";
import { searchLimits } from "./search-limits.ts";
import { lowestId, wordsOfPayout } from "./word-indexer.ts";
import {
  listNewestPayouts,
  listNewestReceivers,
  listOfAmounts,
  listPayoutsById,
  listReceiversById,
  listWordMatches,
  type SearchedPayout,
  type SearchedReceiver,
  type WordedPayout,
  type WordMatch,
} from "./word-queries.ts";

export type WordSearch = {
  subaccountId: string;
  text: string;
  limit: number;
  /** Which rows have words. Undefined: none. */
  progress: SearchProgress | undefined;
};

/** Rows with the very words first, then the newest. */
export function searchReceivers(db: Runner, wanted: WordSearch): Promise<SearchedReceiver[]> {
  const { subaccountId, progress } = wanted;
  return findRows<SearchedReceiver>(db, wanted, {
    table: "receiver",
    toId: progress?.receivers_to,
    textOf: receiverText,
    wordsOf: (row) => [...receiverWords(row), ...foldedWords(row.email)],
    newest: (range) => listNewestReceivers(db, subaccountId, range),
    byIds: (ids) => listReceiversById(db, subaccountId, ids),
  });
}

/** By words of the reference. */
export async function searchPayouts(db: Runner, wanted: WordSearch): Promise<SearchedPayout[]> {
  const { subaccountId, progress } = wanted;
  const found = await findRows<WordedPayout>(db, wanted, {
    table: "payout",
    toId: progress?.payouts_to,
    textOf: ({ reference }) => fold(reference),
    wordsOf: wordsOfPayout,
    newest: (range) => listNewestPayouts(db, subaccountId, range),
    byIds: (ids) => listPayoutsById(db, subaccountId, ids),
  });
  const rows = await listPayoutsById(
    db,
    subaccountId,
    found.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ id }) => byId.get(id) ?? []);
}

/** By amount, newest first. */
export async function searchPayoutsOfAmount(
  db: Runner,
  { subaccountId, progress }: Pick<WordSearch, "subaccountId" | "progress">,
  wanted: SearchedAmount,
): Promise<SearchedPayout[]> {
  const { amounts, currency } = wanted;
  const fromId = progress?.payouts_to ?? lowestId;
  const [tail, worded] = await Promise.all([
    listNewestPayouts(db, subaccountId, { fromId, limit: searchLimits.tailMax }),
    listOfAmounts(db, subaccountId, wanted),
  ]);
  const newest = tail.filter(
    (row) =>
      (currency === undefined || row.currency === currency) &&
      amounts.includes(toDecimal(BigInt(row.amount), row.currency)),
  );
  const ids = newest.slice(0, searchLimits.hitsOfKindMax).map(({ id }) => id);
  const rows = await listPayoutsById(db, subaccountId, ids);
  return [...rows, ...worded].sort((one, other) => (one.id < other.id ? 1 : -1));
}

type Source<Row> = {
  table: "receiver" | "payout";
  toId: string | undefined;
  /** All that is compared, folded. */
  textOf: (row: Row) => string;
  wordsOf: (row: Row) => readonly string[];
  newest: (range: { fromId: string; limit: number }) => Promise<Row[]>;
  byIds: (ids: readonly string[]) => Promise<Row[]>;
};

async function findRows<Row extends { id: string }>(
  db: Runner,
  { subaccountId, text, limit }: WordSearch,
  { table, toId, textOf, wordsOf, newest, byIds }: Source<Row>,
): Promise<Row[]> {
  const words = queryWords(text);
  if (words.length === 0) return [];
  const perWord =
    words.length > 1 ? searchLimits.wordsRowsMax : Math.max(limit, searchLimits.wordRowsMax);
  const name = queryName(text);
  const listOf = (those: readonly string[], most: number) =>
    toId ? listWordMatches(db, table, { subaccountId, words: those, limit: most }) : [];
  const [matches, named, tail] = await Promise.all([
    listOf(words, perWord),
    table === "receiver" && name ? listOf([name], Math.max(limit, searchLimits.wordRowsMax)) : [],
    newest({ fromId: toId ?? lowestId, limit: searchLimits.tailMax }),
  ]);
  const contains = (row: Row) => {
    const own = textOf(row);
    return words.every((word) => own.includes(word));
  };
  // Names in another script have words that their text does not contain.
  const rows = tail.filter((row) => contains(row) || !isAscii.test(textOf(row)));
  const ids = [...new Set([...named.map(({ id }) => id), ...likelyIds(matches, words, perWord)])];
  let found = rank(rows, words, wordsOf);
  for (let at = 0; at < ids.length && found.length < limit; at += searchLimits.comparedMax) {
    rows.push(...(await byIds(ids.slice(at, at + searchLimits.comparedMax))));
    found = rank(rows, words, wordsOf);
  }
  if (found.length > 0 || !words.some(isLongEnough)) return found.slice(0, limit);
  // Nothing starts with it. The newest rows may contain it.
  const scanned = await newest({ fromId: lowestId, limit: searchLimits.scannedMax });
  return scanned.filter(contains).slice(0, limit);
}

const isAscii = /^[ -~]*$/;

/** The rows of the word that finds the fewest, without those that another word rules out. */
function likelyIds(
  matches: readonly WordMatch[],
  words: readonly string[],
  perWord: number,
): string[] {
  const groups = words
    .map((word, index) => {
      const found = matches.filter(({ number }) => number === index + 1);
      const exact = found.filter(({ is_exact }) => is_exact).map(({ id }) => id);
      const longer = found.filter(({ is_exact }) => !is_exact).map(({ id }) => id);
      const isComplete = exact.length < perWord && longer.length < perWord;
      // The very word newest first; then the newest of the longer ones.
      const ids = new Set([...exact, ...longer.sort().reverse()]);
      return { word, ids, isComplete };
    })
    // Ends of email addresses have no word. The rows are compared with it.
    .filter(({ ids }) => ids.size > 0);
  const complete = groups.filter(({ isComplete }) => isComplete);
  const [first, ...others] = complete.sort((one, other) => one.ids.size - other.ids.size);
  if (first) return [...first.ids].filter((id) => others.every(({ ids }) => ids.has(id)));
  // Each word finds more than is read: rows that several of them have found come first.
  const longest = groups.sort((one, other) => other.word.length - one.word.length)[0];
  const counts = new Map<string, number>();
  for (const { ids } of groups) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const ofSeveral = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
  return [...new Set([...ofSeveral, ...(longest?.ids ?? [])])].slice(0, searchLimits.wordsRowsMax);
}

/** The rows that fit, each once. */
function rank<Row extends { id: string }>(
  rows: readonly Row[],
  words: readonly string[],
  wordsOf: (row: Row) => readonly string[],
): Row[] {
  const fitting = new Map<string, { row: Row; exact: number }>();
  for (const row of rows) {
    if (fitting.has(row.id)) continue;
    const own = wordsOf(row);
    if (!words.every((word) => own.some((one) => one.startsWith(word)))) continue;
    fitting.set(row.id, { row, exact: words.filter((word) => own.includes(word)).length });
  }
  return [...fitting.values()]
    .sort((one, other) => other.exact - one.exact || (one.row.id < other.row.id ? 1 : -1))
    .map(({ row }) => row);
}
