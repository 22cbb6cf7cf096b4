// The SQL of the request log.

import { firstIdOf } from "../../platform/base/index.ts";
import { copyIn, type Db, type Runner, statement } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type Chunk, columns, copyEnd, copyHead } from "./chunk.ts";
import { unfolded } from "./redact.ts";

// Does not wait for the disk: after a crash of PostgreSQL, the last rows may be missing.
const insertion = `set local synchronous_commit = off;
  copy request_log (${columns}) from stdin (format binary)`;

export function insertRequests(db: Db, chunks: readonly Chunk[]): Promise<void> {
  const parts = chunks.map((chunk) => chunk.part());
  return copyIn(db, insertion, [copyHead, ...parts, copyEnd]);
}

const insertShape = statement<{ id: number }>(
  "request-shape-keep",
  `with inserted as (
     insert into request_shape (fields)
     select $1 where (select count(*) from request_shape) < ${limits.requestShapesMax}
     on conflict (fields) do nothing returning id
   )
   select id from inserted union all select id from request_shape where fields = $1`,
);

/** Returns the number of a shape, and creates it if needed. Undefined: there are too many shapes. */
export async function keepShape(db: Runner, fields: string): Promise<number | undefined> {
  return (await db.run(insertShape, [fields]))[0]?.id;
}

const keepPartitions = statement<never>(
  "request-partitions-keep",
  "select keep_partitions_of('request_log', 1, $1)",
);

/** Creates the partitions of the next days and drops those that are too old. */
export async function keepRequestPartitions(db: Runner, keptDays: number): Promise<void> {
  await db.run(keepPartitions, [keptDays]);
}

export type RequestRow = {
  id: string;
  key: string;
  method: string;
  route: string;
  object_id: string | null;
  status: number;
  took_us: number;
  ip: string | null;
  agent: string | null;
  query: string | null;
  codes: string | null;
};

const shown =
  "r.id, r.key, r.method, r.route, r.object_id, r.status, r.took_us, r.ip, r.agent, r.query, r.codes";

const findOne = statement<RequestRow & { detail: string | null; fields: string | null }>(
  "request-by-id",
  `select ${shown}, r.detail, s.fields from request_log r
   left join request_shape s on s.id = (r.detail::json ->> 'shape')::int
   where r.subaccount_id = $1 and r.id = $2`,
);

type RequestKey = { subaccountId: string; id: string };

export async function findRequest(db: Runner, { subaccountId, id }: RequestKey) {
  const [found] = await db.run(findOne, [subaccountId, id]);
  if (!found) return undefined;
  const { fields, detail, ...row } = found;
  return { ...row, detail: detail && fields ? unfolded(detail, fields) : detail };
}

export type RequestScan = {
  subaccountId: string;
  /** Only requests before `beforeId`, down to `fromId`. */
  beforeId: string;
  fromId: string;
  method: string | undefined;
  /** A prefix of the route. */
  route: string | undefined;
  statusMin: number;
  statusMax: number;
  code: string | undefined;
  key: string | undefined;
  objectId: string | undefined;
  limit: number;
  /** Rows to scan at most, even if few of them match, and which first. */
  scannedMax: number;
  direction: "newest" | "oldest";
};

/** Failures have a short index of their own. */
type Way = "all" | "failed";
type Direction = RequestScan["direction"];
const orders: Record<Direction, string> = { newest: "order by r.id desc", oldest: "order by r.id" };

const scanOf = (way: Way, direction: Direction) => `
  select ${shown} from request_log r
  where r.subaccount_id = $1 and r.id < $2 and r.id >= $3 ${way === "failed" ? "and r.status >= 400" : ""}
  ${orders[direction]} limit $4`;
const isWanted = `r.status between $6 and $7
       and ($8::text is null or r.method = $8) and ($9::text is null or starts_with(r.route, $9))
       and ($10::text is null or $10 = any (string_to_array(r.codes, ' ')))
       and ($11::text is null or r.key = $11) and ($12::uuid is null or r.object_id = $12)`;

// Reads only as far as the page needs.
const statementsOf = (way: Way, direction: Direction) => ({
  page: statement<RequestRow>(
    `requests-page-${way}-${direction}`,
    `select * from (${scanOf(way, direction)}) r where ${isWanted} ${orders[direction]} limit $5`,
  ), // subaccount_id
  end: statement<{ id: string }>(
    `requests-page-end-${way}-${direction}`,
    `select r.id from (${scanOf(way, direction)}) r ${orders[direction]} offset $4 - 1`,
  ), // subaccount_id
});
const statements = {
  newest: { all: statementsOf("all", "newest"), failed: statementsOf("failed", "newest") },
  oldest: { all: statementsOf("all", "oldest"), failed: statementsOf("failed", "oldest") },
};

const wayOf = ({ statusMin, code }: RequestScan): Way =>
  statusMin >= 400 || code !== undefined ? "failed" : "all";
const rangeOf = (scan: RequestScan) => [
  scan.subaccountId,
  scan.beforeId,
  scan.fromId,
  scan.scannedMax,
];
const valuesOf = (scan: RequestScan) => [
  ...rangeOf(scan),
  scan.limit,
  scan.statusMin,
  scan.statusMax,
  scan.method ?? null,
  scan.route ?? null,
  scan.code ?? null,
  scan.key ?? null,
  scan.objectId ?? null,
];

/** In the order of the scan. `endId` is the last request that was scanned, if there may be more. */
export async function listRequests(
  db: Runner,
  scan: RequestScan,
): Promise<{ rows: RequestRow[]; endId: string | undefined }> {
  const { page, end } = statements[scan.direction][wayOf(scan)];
  const rows = await db.run(page, valuesOf(scan));
  // A full page ends with its last row.
  if (rows.length === scan.limit) return { rows, endId: undefined };
  return { rows, endId: (await db.run(end, rangeOf(scan)))[0]?.id };
}

/** What the newest requests of a filter can be sorted by. */
export type RequestSort = { by: "took" | "status"; isDescending: boolean };
const sortColumns = { took: "r.took_us", status: "r.status" };
type SortedRequest = Partial<RequestRow> & { scanned: number; top_id: string | null };

function sortedStatement(way: Way, { by, isDescending }: RequestSort) {
  const [down, after] = isDescending ? [" desc", "<"] : ["", ">"];
  return statement<SortedRequest>(
    `requests-sorted-${way}-${by}-${isDescending ? "desc" : "asc"}`,
    `with scanned as materialized (${scanOf(way, "newest")}), picked as (
       select r.*, ${sortColumns[by]}::bigint as sort_key from scanned r
       where ${isWanted}
         and ($13::uuid is null or (${sortColumns[by]}::bigint, r.id) ${after} ($14::bigint, $13::uuid))
       order by ${sortColumns[by]}${down}, r.id${down} limit $5
     )
     select scan.scanned, scan.top_id, r.*
     from (select count(*)::int as scanned, (select r.id from scanned r order by r.id desc limit 1) as top_id
           from scanned) scan
     left join picked r on true order by r.sort_key${down}, r.id${down}`,
  ); // subaccount_id
}
const sortedStatements = new Map<string, ReturnType<typeof sortedStatement>>();

/** Sorts the matches among the newest requests. `after`: the last request of the page before, and its key. */
export async function sortRequests(
  db: Runner,
  scan: RequestScan,
  { sort, after }: { sort: RequestSort; after: { id: string; key: bigint } | undefined },
): Promise<{ rows: RequestRow[]; scanned: number; topId: string | undefined }> {
  const way = wayOf(scan);
  const name = [way, sort.by, sort.isDescending].join();
  const sorted = sortedStatements.get(name) ?? sortedStatement(way, sort);
  sortedStatements.set(name, sorted);
  const place = [after?.id ?? null, after?.key.toString() ?? null];
  const found = await db.run(sorted, [...valuesOf(scan), ...place]);
  return {
    rows: found.filter((row): row is SortedRequest & RequestRow => row.id != null),
    scanned: found[0]?.scanned ?? 0,
    topId: found[0]?.top_id ?? undefined,
  };
}

const changesAround = statement<RequestRow>(
  "requests-around",
  // There is no index by object. The request that made a change came shortly before it.
  `select r.* from unnest($2::uuid[], $3::uuid[]) as around(from_id, to_id) cross join lateral (
     select r.* from (
       select ${shown} from request_log r
       where r.subaccount_id = $1 and r.id >= around.from_id and r.id < around.to_id
       order by r.id desc limit ${limits.requestsScannedMax}
     ) r
     where r.object_id = any ($4::uuid[]) and r.method <> 'GET' limit 1
   ) r`,
);

type ChangesAsked = {
  subaccountId: string;
  /** The objects that were changed or created. */
  objectIds: readonly string[];
  /** The times of the changes. */
  momentsMs: readonly number[];
};

/** The requests that made these changes, as far as they are kept. */
export async function listRequestsOfChanges(
  db: Runner,
  { subaccountId, objectIds, momentsMs }: ChangesAsked,
): Promise<RequestRow[]> {
  const from = momentsMs.map((ms) => firstIdOf(Math.max(0, ms - limits.requestTimeoutMs)));
  const to = momentsMs.map((ms) => firstIdOf(ms + 1));
  const rows = await db.run(changesAround, [subaccountId, from, to, objectIds]);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

type ErrorGroup = {
  code: string;
  method: string;
  route: string;
  status: number;
  count: number;
  last_id: string;
  /** How many failures were scanned for all groups together. */
  looked_at: number;
};

const groupErrors = statement<ErrorGroup>(
  "request-errors",
  `with scanned as materialized (
     select r.id, r.method, r.route, r.status, coalesce(r.codes, '') as codes from request_log r
     where r.subaccount_id = $1 and r.id >= $2 and r.status >= 400
     order by r.id desc limit $3
   )
   select code, r.method, r.route, r.status, count(*)::int as count, max(r.id::text) as last_id,
          (select count(*)::int from scanned) as looked_at
   from scanned r cross join lateral string_to_table(r.codes, ' ') as code
   group by code, r.method, r.route, r.status
   order by count desc, last_id desc limit ${limits.errorGroupsMax}`,
);

/** Errors since `fromId`, the most frequent first. Scans only the newest failures if there are very many. */
export function listErrorGroups(
  db: Runner,
  subaccountId: string,
  fromId: string,
): Promise<ErrorGroup[]> {
  return db.run(groupErrors, [subaccountId, fromId, limits.requestsScannedMax]);
}
