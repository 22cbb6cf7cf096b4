// Every SQL statement about the request log.

import { firstIdOf } from "../cursor.ts";
import { type Db, type Runner, statement } from "../db/connect.ts";
import { copyIn } from "../db/copy.ts";
import { limits } from "../limits.ts";
import { type Chunk, columns, copyEnd, copyHead } from "./chunk.ts";
import { unfolded } from "./redact.ts";

// That a row of the log is on the disk is nothing that anybody waits for: after a crash of PostgreSQL, the last
// moments of it may be missing.
const insertion = `set local synchronous_commit = off;
  copy request_log (${columns}) from stdin (format binary)`;

export function insertRequests(db: Db, chunks: readonly Chunk[]): Promise<void> {
  const parts = chunks.map((chunk) => chunk.part());
  return copyIn(db, insertion, [copyHead, ...parts, copyEnd]);
}

const insertShape = statement<{ id: number }>(
  "request-shape-keep",
  `with made as (
     insert into request_shape (fields)
     select $1 where (select count(*) from request_shape) < ${limits.requestShapesMax}
     on conflict (fields) do nothing returning id
   )
   select id from made union all select id from request_shape where fields = $1`,
);

/** Its number, made where there is none; undefined where there are too many. */
export async function keepShape(db: Runner, fields: string): Promise<number | undefined> {
  return (await db.run(insertShape, [fields]))[0]?.id;
}

const keepPartitions = statement<never>(
  "request-partitions-keep",
  `select keep_partitions_of('request_log', 1, ${limits.requestKeptDays})`,
);

/** Makes room for what comes and drops what is older than it is kept. */
export async function keepRequestPartitions(db: Runner): Promise<void> {
  await db.run(keepPartitions);
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

export type RequestKey = { subaccountId: string; id: string };

export async function findRequest(db: Runner, { subaccountId, id }: RequestKey) {
  const [found] = await db.run(findOne, [subaccountId, id]);
  if (!found) return undefined;
  const { fields, detail, ...row } = found;
  return { ...row, detail: detail && fields ? unfolded(detail, fields) : detail };
}

export type RequestScan = {
  subaccountId: string;
  /** Only requests older than this one, and not older than that. */
  beforeId: string;
  fromId: string;
  method: string | undefined;
  /** How it begins. */
  route: string | undefined;
  statusMin: number;
  statusMax: number;
  code: string | undefined;
  key: string | undefined;
  objectId: string | undefined;
  limit: number;
  /** However few of them fit. */
  lookedAtMax: number;
};

/** Failures have an index of their own, which is short. */
const pageOf = (way: "all" | "failed") =>
  statement<Partial<RequestRow> & { end_id: string | null }>(
    `requests-page-${way}`,
    `with looked as materialized (
       select ${shown} from request_log r
       where r.subaccount_id = $1 and r.id < $2 and r.id >= $3 ${way === "failed" ? "and r.status >= 400" : ""}
       order by r.id desc limit $4
     ), picked as (
       select * from looked r
       where r.status between $6 and $7
         and ($8::text is null or r.method = $8) and ($9::text is null or starts_with(r.route, $9))
         and ($10::text is null or $10 = any (string_to_array(r.codes, ' ')))
         and ($11::text is null or r.key = $11) and ($12::uuid is null or r.object_id = $12)
       order by r.id desc limit $5
     )
     select looking.end_id, r.*
     from (select (select r.id from looked r order by r.id desc offset $4 - 1 limit 1) as end_id) looking
     left join picked r on true order by r.id desc`,
  );
const pages = { all: pageOf("all"), failed: pageOf("failed") };

/** Newest first. `endId` is the last one that was looked at, where there may be more. */
export async function listRequests(
  db: Runner,
  walk: RequestScan,
): Promise<{ rows: RequestRow[]; endId: string | undefined }> {
  const isFailed = walk.statusMin >= 400 || walk.code !== undefined;
  const found = await db.run(pages[isFailed ? "failed" : "all"], [
    ...[walk.subaccountId, walk.beforeId, walk.fromId, walk.lookedAtMax, walk.limit],
    ...[walk.statusMin, walk.statusMax, walk.method ?? null, walk.route ?? null],
    ...[walk.code ?? null, walk.key ?? null, walk.objectId ?? null],
  ]);
  return {
    rows: found.filter((row): row is RequestRow & { end_id: string | null } => !!row.id),
    endId: found[0]?.end_id ?? undefined,
  };
}

const changesAround = statement<RequestRow>(
  "requests-around",
  // There is no index by what a request was about. One that changed something came shortly before the change.
  `select r.* from unnest($2::uuid[], $3::uuid[]) as around(from_id, to_id) cross join lateral (
     select r.* from (
       select ${shown} from request_log r
       where r.subaccount_id = $1 and r.id >= around.from_id and r.id < around.to_id
       order by r.id desc limit ${limits.requestsLookedAtMax}
     ) r
     where r.object_id = any ($4::uuid[]) and r.method <> 'GET' limit 1
   ) r`,
);

export type ChangesAsked = {
  subaccountId: string;
  /** What was changed or made: one of these. */
  objectIds: readonly string[];
  /** When that was. */
  momentsMs: readonly number[];
};

/** The requests that brought changes of these moments about, as far as they are kept. */
export async function listRequestsOfChanges(
  db: Runner,
  { subaccountId, objectIds, momentsMs }: ChangesAsked,
): Promise<RequestRow[]> {
  const from = momentsMs.map((ms) => firstIdOf(Math.max(0, ms - limits.requestTimeoutMs)));
  const to = momentsMs.map((ms) => firstIdOf(ms + 1));
  const rows = await db.run(changesAround, [subaccountId, from, to, objectIds]);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

export type ErrorGroup = {
  code: string;
  method: string;
  route: string;
  status: number;
  count: number;
  last_id: string;
  /** Of all groups together: how many failures were looked at. */
  looked_at: number;
};

const groupErrors = statement<ErrorGroup>(
  "request-errors",
  `with looked as materialized (
     select r.id, r.method, r.route, r.status, coalesce(r.codes, '') as codes from request_log r
     where r.subaccount_id = $1 and r.id >= $2 and r.status >= 400
     order by r.id desc limit ${limits.requestsLookedAtMax}
   )
   select code, r.method, r.route, r.status, count(*)::int as count, max(r.id::text) as last_id,
          (select count(*)::int from looked) as looked_at
   from looked r cross join lateral string_to_table(r.codes, ' ') as code
   group by code, r.method, r.route, r.status
   order by count desc, last_id desc limit ${limits.errorGroupsMax}`,
);

/** What went wrong since, the most frequent first; of very many failures, the newest. */
export function listErrorGroups(
  db: Runner,
  subaccountId: string,
  fromId: string,
): Promise<ErrorGroup[]> {
  return db.run(groupErrors, [subaccountId, fromId]);
}
