// The SQL statements that find subaccounts for the console. Each reads a bounded number of rows of an index.

import type { Mode } from "../../platform/base/index.ts";
import { type Runner, statement } from "../../platform/db/index.ts";

export type SubaccountRow = {
  id: string;
  name: string;
  mode: Mode;
  is_closed: boolean;
  needs_second_user: boolean;
};

/** The subaccounts that a user sees. Undefined: all of them. */
export type Seen = readonly string[] | undefined;

const columns = `s.id, s.suba_name as name, s.mode, s.closed_at is not null as is_closed,
  s.mode = 'live' or s.needs_second_user as needs_second_user`;
const nameKey = `lower(s.suba_name) collate "C"`;
const everyone = "from subaccount s where true";
const ofIds = "from subaccount s where s.id = any($1::uuid[])";

const byIds = statement<SubaccountRow>("console-subaccounts-by-id", `select ${columns} ${ofIds}`);

export function findSubaccounts(db: Runner, ids: readonly string[]): Promise<SubaccountRow[]> {
  return db.run(byIds, [ids]);
}

const oldestOfIds = statement<SubaccountRow>(
  "console-subaccounts-oldest-of",
  `select ${columns} ${ofIds} order by is_closed, s.id limit $2`,
);
const oldestOpen = statement<SubaccountRow>(
  "console-subaccounts-oldest-open",
  `select ${columns} from subaccount s where s.closed_at is null order by s.id limit $1`,
);
const oldestClosed = statement<SubaccountRow>(
  "console-subaccounts-oldest-closed",
  `select ${columns} from subaccount s where s.closed_at is not null order by s.id limit $1`,
);

/** The oldest open ones first; closed ones only if the limit allows more. */
export async function listOldest(db: Runner, seen: Seen, limit: number): Promise<SubaccountRow[]> {
  if (seen) return db.run(oldestOfIds, [seen, limit]);
  const open = await db.run(oldestOpen, [limit]);
  if (open.length === limit) return open;
  return [...open, ...(await db.run(oldestClosed, [limit - open.length]))];
}

/** $1 is the array of ids or null, $2 the prefix of the name, $3 and $4 the start of the page. */
// One lower bound: of two, PostgreSQL may start at the smaller one and read all names before the prefix.
const named = (source: string) =>
  `select ${columns} ${source} and ${nameKey} < (lower($2) || chr(1114111)) collate "C"
     and (${nameKey}, s.id) > (greatest($3::text collate "C", lower($2) collate "C"), $4::uuid)
   order by ${nameKey}, s.id limit $5`;
const namedOfAll = statement<SubaccountRow>(
  "console-subaccounts-named",
  named(`${everyone} and $1::uuid[] is null`),
);
const namedOfIds = statement<SubaccountRow>("console-subaccounts-named-of", named(ofIds));

const findPlace = statement<{ name_key: string }>(
  "console-subaccount-place",
  `select ${nameKey} as name_key from subaccount s where s.id = $1`,
);

type NamePage = { begins: string; afterId: string | undefined; limit: number };

/** Subaccounts whose name has the prefix, by name. */
export async function listNamed(
  db: Runner,
  seen: Seen,
  { begins, afterId, limit }: NamePage,
): Promise<SubaccountRow[]> {
  const [place] = afterId ? await db.run(findPlace, [afterId]) : [];
  const from = place && afterId ? [place.name_key, afterId] : ["", lowestId];
  return db.run(seen ? namedOfIds : namedOfAll, [seen ?? null, begins, ...from, limit]);
}

const lowestId = "00000000-0000-0000-0000-000000000000";

const between = (source: string) =>
  `select ${columns} ${source} and s.id between $2 and $3 order by s.id limit $4`;
const betweenOfAll = statement<SubaccountRow>(
  "console-subaccounts-between",
  between(`${everyone} and $1::uuid[] is null`),
);
const betweenOfIds = statement<SubaccountRow>("console-subaccounts-between-of", between(ofIds));

export function listBetween(
  db: Runner,
  seen: Seen,
  { first, last, limit }: { first: string; last: string; limit: number },
): Promise<SubaccountRow[]> {
  return db.run(seen ? betweenOfIds : betweenOfAll, [seen ?? null, first, last, limit]);
}

const wordedOfAll = statement<SubaccountRow>(
  "console-subaccounts-worded",
  // One word of the search; the caller compares the others.
  `select ${columns} from (
     select distinct w.subaccount_id from (
       select w.subaccount_id from subaccount_word w
       where w.word >= $1 collate "C" and w.word < ($1 || chr(1114111)) collate "C"
       order by w.word, w.subaccount_id limit $2
     ) w
   ) w join subaccount s on s.id = w.subaccount_id order by ${nameKey}, s.id`,
);

/** Subaccounts with a word that starts with this one, among all. */
export function listWorded(db: Runner, word: string, limit: number): Promise<SubaccountRow[]> {
  return db.run(wordedOfAll, [word, limit]);
}

const idsBefore = (source: string) =>
  `select s.id ${source} and s.id < $2 order by s.id desc limit $3`;
const idsBeforeOfAll = statement<{ id: string }>(
  "console-subaccount-ids",
  idsBefore(`${everyone} and $1::uuid[] is null`),
);
const idsBeforeOfIds = statement<{ id: string }>("console-subaccount-ids-of", idsBefore(ofIds));

export async function listIdsBefore(
  db: Runner,
  seen: Seen,
  { beforeId, limit }: { beforeId: string; limit: number },
): Promise<string[]> {
  const values = [seen ?? null, beforeId, limit];
  const rows = await db.run(seen ? idsBeforeOfIds : idsBeforeOfAll, values);
  return rows.map(({ id }) => id);
}
