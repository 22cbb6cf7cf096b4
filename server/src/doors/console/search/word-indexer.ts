// Writes the words of receivers and payouts: when a user searches, the newest rows first, in short transactions. The
// caller waits a moment; a long run continues in the background. Creating a row writes no words.

import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, firstIdOf, idTimeMs, toDecimal } from "../../../platform/base/index.ts";
import { type Db, oldestTransactionMs, type Tx } from "../../../platform/db/index.ts";
import {
  findSearchProgress,
  insertRowWords,
  insertSubaccountWords,
  listSubaccountsWithoutWords,
  lockSearchWords,
  nameWords,
  payoutWords,
  type RowWord,
  receiverWords,
  type SearchProgress,
  saveSearchProgress,
} from "../../../platform/search-words/index.ts";
import { searchLimits } from "./search-limits.ts";
import { listPayoutsToIndex, listReceiversToIndex, type WordedPayout } from "./word-queries.ts";

export const lowestId = "00000000-0000-0000-0000-000000000000";

export type WordIndexer = {
  /** Resolves when old rows have their words, or after a moment. */
  catchUp(subaccountId: string): Promise<SearchProgress | undefined>;
  /** The same for the names of subaccounts, at most once a minute, in the background. */
  catchUpSubaccounts(): void;
  close(): Promise<void>;
};

type IndexerParts = { db: Db; clock: Clock; onError: (error: unknown) => void };

/** Rows from before it have no words yet. Undefined: all have. */
export function indexedSinceMs(progress: SearchProgress | undefined): number | undefined {
  if (!progress) return undefined;
  const froms = [progress.receivers_from, progress.payouts_from].filter((id) => id !== lowestId);
  return froms.length === 0 ? undefined : Math.max(...froms.map(idTimeMs));
}

export function wordIndexer({ db, clock, onError }: IndexerParts): WordIndexer {
  const runs = new Map<string, Promise<void>>();
  let isClosed = false;
  let subaccounts: Promise<void> = Promise.resolve();
  let subaccountsAtMs = Number.NEGATIVE_INFINITY;
  /** One page at a time, in turn: a large subaccount does not hold up the others. */
  let queue: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  }

  function begin(subaccountId: string): Promise<void> {
    const running = runs.get(subaccountId);
    if (running) return running;
    const run = indexAll(subaccountId)
      .catch(onError)
      .finally(() => runs.delete(subaccountId));
    runs.set(subaccountId, run);
    return run;
  }

  async function indexAll(subaccountId: string): Promise<void> {
    const startMs = performance.now();
    const nowMs = clock();
    const oldestMs = (await oldestTransactionMs(db)) ?? nowMs;
    const untilId = firstIdOf(Math.min(nowMs - searchLimits.lagMs, oldestMs - searchLimits.lagMs));
    for (let isMore = true; isMore && !isClosed; ) {
      const pageMs = performance.now();
      isMore = await inTurn(() => indexSearchPage(db.background, subaccountId, untilId));
      const tookMs = performance.now() - pageMs;
      // A long run leaves the database to others for half of the time.
      if (isMore && performance.now() - startMs > searchLimits.waitMs) await sleep(tookMs);
    }
  }

  return {
    async catchUp(subaccountId) {
      const progress = await findSearchProgress(db, subaccountId);
      const isComplete = progress && indexedSinceMs(progress) === undefined;
      const toMs = progress ? Math.min(...tosOf(progress).map(idTimeMs)) : 0;
      if (isComplete && toMs > clock() - searchLimits.lagMs - searchLimits.staleMs) return progress;
      const run = begin(subaccountId);
      // The newest rows are scanned, so only old ones are worth a wait.
      if (isComplete) return progress;
      const waiting = new AbortController();
      const moment = sleep(searchLimits.waitMs, undefined, { signal: waiting.signal, ref: false });
      await Promise.race([run, moment.catch(() => {})]);
      waiting.abort();
      return findSearchProgress(db, subaccountId);
    },
    catchUpSubaccounts() {
      if (clock() - subaccountsAtMs < searchLimits.subaccountsMs) return;
      subaccountsAtMs = clock();
      subaccounts = subaccounts.then(() => indexSubaccounts(db.background)).catch(onError);
    },
    async close() {
      isClosed = true;
      await Promise.all([...runs.values(), subaccounts]);
    },
  };
}

/** A name without words has an empty one, so that it is not looked at again. */
async function indexSubaccounts(db: Db): Promise<void> {
  const limit = searchLimits.pageMax;
  for (let afterId: string | undefined = lowestId; afterId !== undefined; ) {
    const page = await listSubaccountsWithoutWords(db, { afterId, limit });
    const { rows } = page;
    const words = rows.flatMap(({ id, name }) =>
      (nameWords(name)[0] === undefined ? [""] : nameWords(name)).map((word) => ({ id, word })),
    );
    if (words.length > 0) await insertSubaccountWords(db, words);
    afterId = page.nextId;
  }
}

const tosOf = ({ receivers_to, payouts_to }: SearchProgress) => [receivers_to, payouts_to];

/** Writes the words of the next rows of each kind. Returns whether there are more. */
export function indexSearchPage(db: Db, subaccountId: string, untilId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const before = await lockSearchWords(tx, subaccountId, untilId);
    const receivers = await indexRows(tx, subaccountId, untilId, {
      range: { from: before.receivers_from, to: before.receivers_to },
      list: listReceiversToIndex,
      wordsOf: receiverWords,
      table: "receiver",
    });
    const payouts = await indexRows(tx, subaccountId, untilId, {
      range: { from: before.payouts_from, to: before.payouts_to },
      list: listPayoutsToIndex,
      wordsOf: wordsOfPayout,
      table: "payout",
    });
    await saveSearchProgress(tx, subaccountId, {
      receivers_from: receivers.from,
      receivers_to: receivers.to,
      payouts_from: payouts.from,
      payouts_to: payouts.to,
    });
    return receivers.isMore || payouts.isMore;
  });
}

export function wordsOfPayout({ reference, amount, currency }: WordedPayout): string[] {
  return payoutWords({ reference, amount: toDecimal(BigInt(amount), currency) });
}

type Rows<Row> = {
  range: { from: string; to: string };
  list: (
    tx: Tx,
    subaccountId: string,
    range: { fromId: string; toId: string; direction: "up" | "down" },
  ) => Promise<Row[]>;
  wordsOf: (row: Row) => string[];
  table: "receiver" | "payout";
};

/** New rows first, then one page of older ones. */
async function indexRows<Row extends { id: string }>(
  tx: Tx,
  subaccountId: string,
  untilId: string,
  { range: { from, to }, list, wordsOf, table }: Rows<Row>,
): Promise<{ from: string; to: string; isMore: boolean }> {
  const isUp = to < untilId;
  const newer = isUp
    ? await list(tx, subaccountId, { fromId: to, toId: untilId, direction: "up" })
    : [];
  const hasNewer = newer.length === searchLimits.pageMax;
  const isDown = !hasNewer && from !== lowestId;
  const older = isDown
    ? await list(tx, subaccountId, { fromId: lowestId, toId: from, direction: "down" })
    : [];
  const hasOlder = older.length === searchLimits.pageMax;
  const words = [...newer, ...older].flatMap((row): RowWord[] =>
    wordsOf(row).map((word) => ({ id: row.id, word })),
  );
  await insertRowWords(tx, table, subaccountId, words);
  return {
    // The last row is read again: it is the bound.
    to: isUp ? (hasNewer ? (newer.at(-1)?.id ?? to) : untilId) : to,
    from: isDown ? (hasOlder ? (older.at(-1)?.id ?? from) : lowestId) : from,
    isMore: hasNewer || hasOlder || (!isDown && from !== lowestId),
  };
}
