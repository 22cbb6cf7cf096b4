// Finds receivers and payouts by words: rows that may fit by their words, then each row is compared with what was typed.
// So a word that is out of date never shows a row.

import { toDecimal } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import {
  fold,
  foldedWords,
  isLongEnough,
  queryName,
  queryWords,
  receiverText,
  receiverWords,
  type SearchProgress,
} from "../../../platform/search-words/index.ts";
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
  return findRows(db, wanted, receiverSource(db, wanted));
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

/** Receivers by their words, and by everything that is compared. */
function receiverSource(db: Runner, { subaccountId, progress }: WordSearch) {
  const source: Source<SearchedReceiver> = {
    table: "receiver",
    toId: progress?.receivers_to,
    textOf: receiverText,
    wordsOf: (row) => [...receiverWords(row), ...foldedWords(row.email)],
    newest: (range) => listNewestReceivers(db, subaccountId, range),
    byIds: (ids) => listReceiversById(db, subaccountId, ids),
  };
  return source;
}

async function findRows<Row extends { id: string }>(
  db: Runner,
  wanted: WordSearch,
  source: Source<Row>,
): Promise<Row[]> {
  const { limit } = wanted;
  const words = queryWords(wanted.text);
  if (words.length === 0) return [];
  const { tail, lists } = candidatesOf(db, wanted, source);
  const [rows, first] = await Promise.all([tail(), lists[0]()]);
  let found = rank(rows, words, source.wordsOf);
  const known = new Set<string>();
  for (const find of [async () => first, ...lists.slice(1)]) {
    if (found.length >= limit) break;
    const ids = (await find()).filter((id) => !known.has(id));
    for (let at = 0; at < ids.length && found.length < limit; at += searchLimits.comparedMax) {
      const some = ids.slice(at, at + searchLimits.comparedMax);
      for (const id of some) known.add(id);
      rows.push(...(await source.byIds(some)));
      found = rank(rows, words, source.wordsOf);
    }
  }
  if (found.length > 0 || !words.some(isLongEnough)) return found.slice(0, limit);
  return (await findContaining(words, source)).slice(0, limit);
}

type Candidates<Row> = {
  /** The newest rows, which have no words yet. */
  tail: () => Promise<Row[]>;
  /** The ids of others: by whole names, then by words. Where many have either name, the words alone find too much. */
  lists: [FindIds, ...FindIds[]];
};
type FindIds = () => Promise<string[]>;

/** Rows that may fit. */
function candidatesOf<Row>(
  db: Runner,
  { subaccountId, text, limit }: WordSearch,
  { table, toId, textOf, newest }: Source<Row>,
): Candidates<Row> {
  const words = queryWords(text);
  const name = queryName(text);
  const ofOne = Math.max(limit, searchLimits.wordRowsMax);
  const perWord = words.length > 1 ? searchLimits.wordsRowsMax : ofOne;
  const listOf = async (those: readonly string[], most: number) =>
    toId ? listWordMatches(db, table, { subaccountId, words: those, limit: most }) : [];
  const tail = async () => {
    const rows = await newest({ fromId: toId ?? lowestId, limit: searchLimits.tailMax });
    // Names in another script have words that their text does not contain.
    return rows.filter((row) => containsAll(textOf(row), words) || !isAscii.test(textOf(row)));
  };
  const byWords: FindIds = async () => {
    const matches = await listOf(words, perWord);
    const found = new Set(matches.map(({ number }) => number));
    // All that is compared of a payout has a word. Ends of email addresses have none.
    if (table === "payout" && found.size < words.length) return [];
    return likelyIds(matches, words, perWord);
  };
  if (table !== "receiver" || !name) return { tail, lists: [byWords] };
  const byName: FindIds = async () => (await listOf([name], ofOne)).map(({ id }) => id);
  return { tail, lists: [byName, byWords] };
}

/** Nothing starts with it. The newest rows may contain it. */
async function findContaining<Row>(
  words: readonly string[],
  { newest, textOf }: Source<Row>,
): Promise<Row[]> {
  const scanned = await newest({ fromId: lowestId, limit: searchLimits.scannedMax });
  return scanned.filter((row) => containsAll(textOf(row), words));
}

const containsAll = (text: string, words: readonly string[]) =>
  words.every((word) => text.includes(word));

export type MatchPage = {
  /** In the order of their ids. */
  isOldestFirst: boolean;
  /** Only ids of the time range, from the end of the page before on. */
  isWanted: (id: string) => boolean;
  count: number;
};

/** The receivers that a text finds, by age. Only as many are read and compared as the page needs. */
export async function listReceiverMatches(
  db: Runner,
  wanted: WordSearch,
  { isOldestFirst, isWanted, count }: MatchPage,
): Promise<{ ids: string[]; isMore: boolean }> {
  const source = receiverSource(db, wanted);
  const words = queryWords(wanted.text);
  if (words.length === 0) return { ids: [], isMore: false };
  const { tail, lists } = candidatesOf(db, wanted, source);
  const [newest, ...found] = await Promise.all([tail(), ...lists.map((find) => find())]);
  const known = new Map(newest.map((row) => [row.id, row]));
  const candidates = new Set([...known.keys(), ...found.flat()]);
  const inOrder = [...candidates].sort();
  if (!isOldestFirst) inOrder.reverse();

  async function fittingOf(ids: readonly string[]): Promise<string[]> {
    const unread = ids.filter((id) => !known.has(id));
    for (const row of await source.byIds(unread)) known.set(row.id, row);
    const rows = ids.flatMap((id) => known.get(id) ?? []);
    const ranked = new Set(rank(rows, words, source.wordsOf).map(({ id }) => id));
    return ids.filter((id) => ranked.has(id));
  }

  /** The first ones that fit, up to `most`. */
  async function firstOf(ids: readonly string[], most: number): Promise<string[]> {
    const first: string[] = [];
    for (let at = 0; at < ids.length && first.length < most; at += searchLimits.comparedMax) {
      first.push(...(await fittingOf(ids.slice(at, at + searchLimits.comparedMax))));
    }
    return first;
  }

  const fitting = await firstOf(inOrder.filter(isWanted), count + 1);
  const isContained = fitting.length === 0 && words.some(isLongEnough);
  if (!isContained || (await firstOf(inOrder, 1)).length > 0) return cut(fitting, count);
  const containing = (await findContaining(words, source)).map(({ id }) => id).filter(isWanted);
  return cut(isOldestFirst ? containing.reverse() : containing, count);
}

function cut(ids: readonly string[], count: number): { ids: string[]; isMore: boolean } {
  return { ids: ids.slice(0, count), isMore: ids.length > count };
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
  const likeliest = groups.sort((one, other) => weightOf(other.word) - weightOf(one.word))[0];
  const counts = new Map<string, number>();
  for (const { ids } of groups) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const ofSeveral = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
  return [...new Set([...ofSeveral, ...(likeliest?.ids ?? [])])].slice(
    0,
    searchLimits.wordsRowsMax,
  );
}

/** A long word says more than a short one, and a number more than a word. */
export function weightOf(word: string): number {
  return word.length + (/\d/.test(word) ? 100 : 0);
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
