// The SQL by which the request log is written, kept, and asked for its newest row.

import { type Db, type Runner, statement } from "../db/connect.ts";
import { copyIn } from "../db/copy.ts";
import { limits } from "../limits.ts";

/** In the order in which a line has them. */
export const columns = [
  "subaccount_id",
  "id",
  "key",
  "method",
  "route",
  "object_id",
  "status",
  "took_us",
  "ip",
  "agent",
  "query",
  "codes",
  "detail",
] as const;

// That a row of the log is on the disk is nothing that anybody waits for: after a crash of PostgreSQL, the last
// moments of it may be missing.
const insertion = `set local synchronous_commit = off;
  copy request_log (${columns.join(", ")}) from stdin`;

/** Lines of the text format of COPY, in as many parts as there are. */
export function copyRequests(db: Db, parts: readonly Uint8Array[]): Promise<void> {
  return copyIn(db, insertion, parts);
}

const keepPartitions = statement<never>(
  "request-partitions-keep",
  `select keep_partitions_of('request_log', 1, ${limits.requestKeptDays})`,
);

/** Makes room for what comes and drops what is older than it is kept. */
export async function keepRequestPartitions(db: Runner): Promise<void> {
  await db.run(keepPartitions);
}

const newestOf = statement<{ id: string }>(
  "request-newest",
  "select id from request_log where subaccount_id = $1 and id >= $2 order by id desc limit 1",
);

/** Whether a subaccount has been asked something since: another id than before says so. */
export async function findNewestRequest(
  db: Runner,
  subaccountId: string,
  fromId: string,
): Promise<string | undefined> {
  return (await db.run(newestOf, [subaccountId, fromId]))[0]?.id;
}
