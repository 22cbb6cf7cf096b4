// The SQL that reads words, and the rows that they are made from. Each statement reads a bounded number of rows.

import { type Runner, statement } from "../../../platform/db/index.ts";
import type { NamedReceiver } from "../../../platform/search-words/index.ts";
import { searchLimits } from "./search-limits.ts";

export type SearchedReceiver = NamedReceiver & { id: string; kyc_status: string };
export type SearchedPayout = {
  id: string;
  amount: string;
  currency: string;
  status: string;
  reference: string;
  cause_code: string;
  first_name: string;
  last_name: string;
};

/** A row that has a word: the very word, or one that starts with it. */
export type WordMatch = { number: number; id: string; is_exact: boolean };

// The very word newest first. Words that start with it follow in their order, because only that order is bounded. The ids
// come as one text: a thousand rows would take the driver longer than PostgreSQL takes to find them.
const matches = (table: "receiver" | "payout") => `
  select wanted.number::int as number, found.is_exact, found.ids
  from unnest($2::text[]) with ordinality as wanted(word, number) cross join lateral (
    select true as is_exact, string_agg(exact.id::text, ',') as ids from (
      select w.${table}_id as id from ${table}_word w
      where w.subaccount_id = $1 and w.word = wanted.word collate "C"
      order by w.${table}_id desc limit $3
    ) exact
    union all
    select false, string_agg(longer.id::text, ',') from (
      select w.${table}_id as id from ${table}_word w
      where w.subaccount_id = $1 and w.word > wanted.word collate "C"
        and w.word < (wanted.word || chr(1114111)) collate "C"
      order by w.word, w.${table}_id limit $3
    ) longer
  ) found
  where found.ids is not null
  order by wanted.number, found.is_exact desc`;

type MatchesOfWord = Pick<WordMatch, "number" | "is_exact"> & { ids: string };
const receiverMatches = statement<MatchesOfWord>("search-receiver-words", matches("receiver")); // subaccount_id
const payoutMatches = statement<MatchesOfWord>("search-payout-words", matches("payout")); // subaccount_id

export async function listWordMatches(
  db: Runner,
  table: "receiver" | "payout",
  { subaccountId, words, limit }: { subaccountId: string; words: readonly string[]; limit: number },
): Promise<WordMatch[]> {
  const query = table === "receiver" ? receiverMatches : payoutMatches;
  const found = await db.run(query, [subaccountId, words, limit]);
  return found.flatMap(({ number, is_exact, ids }) =>
    ids.split(",").map((id) => ({ number, id, is_exact })),
  );
}

const amountMatches = statement<SearchedPayout>(
  "search-payout-amounts",
  `select ${payoutFields()} from unnest($2::text[]) as wanted(word) cross join lateral (
     select w.payout_id as id from payout_word w
     where w.subaccount_id = $1 and w.word = wanted.word collate "C"
     order by w.payout_id desc limit ${searchLimits.wordRowsMax}
   ) found ${payoutJoins("found.id")}
   where $3::text is null or p.currency = $3
   order by p.id desc limit ${searchLimits.hitsOfKindMax}`,
);

/** Payouts of one of these amounts, in units of their currency. */
export function listOfAmounts(
  db: Runner,
  subaccountId: string,
  { amounts, currency }: { amounts: readonly string[]; currency: string | undefined },
): Promise<SearchedPayout[]> {
  return db.run(amountMatches, [subaccountId, amounts, currency ?? null]);
}

const receiverFields =
  "r.id, r.first_name, r.middle_name, r.last_name, r.email, r.reference, r.kyc_status";

const receiversById = statement<SearchedReceiver>(
  "search-receivers-by-id",
  `select ${receiverFields} from unnest($2::uuid[]) as key(id)
   cross join lateral (select * from receiver r where r.subaccount_id = $1 and r.id = key.id limit 1) r`,
);

export function listReceiversById(
  db: Runner,
  subaccountId: string,
  ids: readonly string[],
): Promise<SearchedReceiver[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.run(receiversById, [subaccountId, ids]);
}

function payoutFields(): string {
  return "p.id, p.amount, p.currency, p.status, p.reference, p.cause_code, r.first_name, r.last_name";
}

function payoutJoins(id: string): string {
  return `cross join lateral (
     select * from payout p where p.subaccount_id = $1 and p.id = ${id} limit 1
   ) p cross join lateral (
     select first_name, last_name from receiver r where r.subaccount_id = $1 and r.id = p.receiver_id limit 1
   ) r`;
}

const payoutsById = statement<SearchedPayout>(
  "search-payouts-by-id",
  `select ${payoutFields()} from unnest($2::uuid[]) as key(id) ${payoutJoins("key.id")}
   where p.subaccount_id = $1`,
);

export function listPayoutsById(
  db: Runner,
  subaccountId: string,
  ids: readonly string[],
): Promise<SearchedPayout[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.run(payoutsById, [subaccountId, ids]);
}

const newestReceivers = statement<SearchedReceiver>(
  "search-receivers-newest",
  `select ${receiverFields} from receiver r where r.subaccount_id = $1 and r.id >= $2 order by r.id desc limit $3`,
);
const newestPayouts = statement<{
  id: string;
  reference: string;
  amount: string;
  currency: string;
}>(
  "search-payouts-newest",
  `select id, reference, amount, currency from payout where subaccount_id = $1 and id >= $2 order by id desc limit $3`,
);

type Newest = { fromId: string; limit: number };

export function listNewestReceivers(
  db: Runner,
  subaccountId: string,
  { fromId, limit }: Newest,
): Promise<SearchedReceiver[]> {
  return db.run(newestReceivers, [subaccountId, fromId, limit]);
}

export type WordedPayout = { id: string; reference: string; amount: string; currency: string };

export function listNewestPayouts(
  db: Runner,
  subaccountId: string,
  { fromId, limit }: Newest,
): Promise<WordedPayout[]> {
  return db.run(newestPayouts, [subaccountId, fromId, limit]);
}

const pageOf = (select: string, direction: "up" | "down") =>
  `select ${select} where subaccount_id = $1 and id >= $2 and id < $3
   order by id ${direction === "up" ? "asc" : "desc"} limit $4`;
const receiverPage = "id, first_name, middle_name, last_name, email, reference from receiver";
const payoutPage = "id, reference, amount, currency from payout";
const pages = {
  receiver: {
    up: statement<NamedReceiver & { id: string }>(
      "search-index-receivers",
      pageOf(receiverPage, "up"),
    ), // subaccount_id
    down: statement<NamedReceiver & { id: string }>(
      "search-index-receivers-down",
      pageOf(receiverPage, "down"),
    ), // subaccount_id
  },
  payout: {
    up: statement<WordedPayout>("search-index-payouts", pageOf(payoutPage, "up")), // subaccount_id
    down: statement<WordedPayout>("search-index-payouts-down", pageOf(payoutPage, "down")), // subaccount_id
  },
};

export type IdRange = { fromId: string; toId: string; direction: "up" | "down" };

export function listReceiversToIndex(
  db: Runner,
  subaccountId: string,
  { fromId, toId, direction }: IdRange,
): Promise<(NamedReceiver & { id: string })[]> {
  const values = [subaccountId, fromId, toId, searchLimits.pageMax];
  return db.run(pages.receiver[direction], values);
}

export function listPayoutsToIndex(
  db: Runner,
  subaccountId: string,
  { fromId, toId, direction }: IdRange,
): Promise<WordedPayout[]> {
  return db.run(pages.payout[direction], [subaccountId, fromId, toId, searchLimits.pageMax]);
}

const failedWithCode = statement<SearchedPayout>(
  "search-payout-code",
  `select ${payoutFields()} from (
     select p.id from payout p
     where p.subaccount_id = $1 and p.cause_code <> ''
       and lower(p.cause_code) collate "C" = lower($2) collate "C"
     order by p.id desc limit ${searchLimits.hitsOfKindMax}
   ) found ${payoutJoins("found.id")} order by p.id desc`,
);

/** The newest failed payouts with this code of a bank. */
export function listFailedWithCode(
  db: Runner,
  subaccountId: string,
  code: string,
): Promise<SearchedPayout[]> {
  return db.run(failedWithCode, [subaccountId, code]);
}
