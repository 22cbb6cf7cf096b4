// The SQL of the words: which rows have them, and how they are written and deleted.

import { type Runner, statement, type Tx } from "../db/index.ts";

export type WordTable = "receiver" | "payout";

/** One word of one row. */
export type RowWord = { id: string; word: string };

export type SearchProgress = {
  receivers_from: string;
  receivers_to: string;
  payouts_from: string;
  payouts_to: string;
};

const columns = "receivers_from, receivers_to, payouts_from, payouts_to";

const findOne = statement<SearchProgress>(
  "search-progress",
  `select ${columns} from search_progress where subaccount_id = $1`,
);

/** Undefined: no user has searched there yet. */
export async function findSearchProgress(
  db: Runner,
  subaccountId: string,
): Promise<SearchProgress | undefined> {
  return (await db.run(findOne, [subaccountId]))[0];
}

const insertOne = statement<never>(
  "search-progress-insert",
  `insert into search_progress (subaccount_id, ${columns}) values ($1, $2, $2, $2, $2) on conflict do nothing`,
);
const lockOne = statement<SearchProgress>(
  "search-progress-lock",
  `select ${columns} from search_progress where subaccount_id = $1 for update`,
);

/**
 * Until the end of the transaction nobody else reads rows of the subaccount to write their words. Erasure takes it too:
 * otherwise words that were read before could be written after it. A new progress starts at `startId`.
 */
export async function lockSearchWords(
  tx: Tx,
  subaccountId: string,
  startId: string,
): Promise<SearchProgress> {
  const [found] = await tx.run(lockOne, [subaccountId]);
  if (found) return found;
  await tx.run(insertOne, [subaccountId, startId]);
  const [inserted] = await tx.run(lockOne, [subaccountId]);
  if (!inserted) throw new Error("the progress of a search was inserted");
  return inserted;
}

const saveOne = statement<never>(
  "search-progress-save",
  `update search_progress set receivers_from = $2, receivers_to = $3, payouts_from = $4, payouts_to = $5
   where subaccount_id = $1`,
);

export async function saveSearchProgress(
  tx: Tx,
  subaccountId: string,
  { receivers_from, receivers_to, payouts_from, payouts_to }: SearchProgress,
): Promise<void> {
  const ids = [receivers_from, receivers_to, payouts_from, payouts_to];
  await tx.run(saveOne, [subaccountId, ...ids]);
}

const idColumns = { receiver: "receiver_id", payout: "payout_id" } as const;

const insertSql = (table: WordTable) =>
  // In the order of the index, so that one page of it takes many of them.
  `insert into ${table}_word (subaccount_id, word, ${idColumns[table]})
   select $1, new.word, new.id from unnest($2::text[], $3::uuid[]) as new(word, id)
   order by new.word collate "C", new.id on conflict do nothing`;
const inserts = {
  receiver: statement<never>("receiver-words-insert", insertSql("receiver")), // subaccount_id first
  payout: statement<never>("payout-words-insert", insertSql("payout")), // subaccount_id first
};

export async function insertRowWords(
  db: Runner,
  table: WordTable,
  subaccountId: string,
  words: readonly RowWord[],
): Promise<void> {
  if (words.length === 0) return;
  const values = [words.map(({ word }) => word), words.map(({ id }) => id)];
  await db.run(inserts[table], [subaccountId, ...values]);
}

const deleteOther = statement<never>(
  "receiver-words-delete",
  `delete from receiver_word where subaccount_id = $1 and receiver_id = $2 and word <> all ($3::text[])`,
);

/** A receiver that has changed is found by its new words alone. */
export async function replaceReceiverWords(
  tx: Tx,
  key: { subaccountId: string; id: string },
  words: readonly string[],
): Promise<void> {
  const { subaccountId, id } = key;
  await tx.run(deleteOther, [subaccountId, id, words]);
  await insertRowWords(
    tx,
    "receiver",
    subaccountId,
    words.map((word) => ({ id, word })),
  );
}

const deletePayouts = statement<never>(
  "payout-words-delete",
  `delete from payout_word where subaccount_id = $1 and payout_id = any($2::uuid[])`,
);

/** Of payouts whose texts were kept long enough. */
export async function deletePayoutWords(
  tx: Tx,
  subaccountId: string,
  payoutIds: readonly string[],
): Promise<void> {
  await tx.run(deletePayouts, [subaccountId, payoutIds]);
}

const unworded = statement<{ id: string; name: string; has_words: boolean }>(
  "subaccounts-without-words",
  `select s.id, s.suba_name as name,
          (select true from subaccount_word w where w.subaccount_id = s.id limit 1) is true as has_words
   from subaccount s where s.id > $1 order by s.id limit $2`,
);

type NamedSubaccount = { id: string; name: string };

/** Subaccounts that have no words yet, among the next ones after an id: new ones, and those from another cell. */
export async function listSubaccountsWithoutWords(
  db: Runner,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<{ rows: NamedSubaccount[]; nextId: string | undefined }> {
  const found = await db.run(unworded, [afterId, limit]);
  return {
    rows: found.filter(({ has_words }) => !has_words),
    nextId: found.length === limit ? found.at(-1)?.id : undefined,
  };
}

const insertSubaccounts = statement<never>(
  "subaccount-words-insert",
  `insert into subaccount_word (subaccount_id, word)
   select new.id, new.word from unnest($1::uuid[], $2::text[]) as new(id, word) on conflict do nothing`,
);

export async function insertSubaccountWords(db: Runner, words: readonly RowWord[]): Promise<void> {
  await db.run(insertSubaccounts, [words.map(({ id }) => id), words.map(({ word }) => word)]);
}
