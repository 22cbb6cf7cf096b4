// The SQL that lists entries of the audit log. Each page scans an index up to a limit of entries; filters that the index
// does not cover apply to those only.

import { type Runner, statement } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type AuditEntryRow, type ChainedEntry, entryColumns, toAuditEntry } from "./queries.ts";

export type AuditFilter = {
  who?: string | undefined;
  action?: string | undefined;
  objectId?: string | undefined;
  subaccountId?: string | undefined;
  fromMs?: number | undefined;
  /** Before this time. */
  toMs?: number | undefined;
  /** Without sign-ins, sign-outs and confirmed identities. */
  withoutSessions?: boolean | undefined;
};

/** By time, or by a field: then the newest entries of the filter are sorted. */
export type AuditOrder =
  | { by: "time"; isDescending: boolean; after: number | undefined }
  | {
      by: "who" | "action";
      isDescending: boolean;
      /** The last entry of the page before, and the newest entry that was sorted for it. */
      after: { number: number; top: number } | undefined;
    };

type TimeOrder = Extract<AuditOrder, { by: "time" }>;
const newestFirst: TimeOrder = { by: "time", isDescending: true, after: undefined };

type AuditEntryPage = AuditFilter & { order: AuditOrder; limit: number };

type AuditEntries = {
  entries: ChainedEntry[];
  /** The last entry of the scan, if there may be more. */
  end: number | undefined;
  /** How many entries were scanned, and the newest of them. */
  scanned: number;
  top: number | undefined;
};

const bounds = statement<{ first: string | null; last: string | null }>(
  "audit-head-bounds",
  // Numbers and times grow together.
  `select (select number from audit_entry where at_ms >= $1 order by at_ms, number limit 1) as first,
          (select number from audit_entry where at_ms < $2 order by at_ms desc, number desc limit 1) as last`,
);

// One statement per index, because a prepared plan must be good for all values. A pair is compared as a whole, which
// only the index of the pair supports: otherwise PostgreSQL assumes that a range of numbers is short, and scans it.
const pair = (column: string, value: string) =>
  `(${column}, number) >= (${value}, $1) and (${column}, number) <= (${value}, $2)`;
const ways = {
  all: { column: undefined, where: "number >= $1 and number <= $2" },
  subaccount: { column: "subaccount_id", where: pair("subaccount_id", "$4::uuid") },
  object: { column: "object_id", where: pair("object_id", "$5") },
  who: { column: "who", where: pair("who", "$6") },
  action: { column: "action", where: pair("action", "$7") },
};
type Way = keyof typeof ways;

type ScannedRow = Partial<AuditEntryRow> & {
  end_number: string | null;
  scanned: number;
  top: string | null;
};

const pageOf = (way: Way, by: AuditOrder["by"], isDescending: boolean) => {
  const { column, where } = ways[way];
  const isByTime = by === "time";
  // A sort by a field scans the newest entries.
  const scanDown = isByTime && !isDescending ? "" : " desc";
  const [down, after] = isDescending ? [" desc", "<"] : ["", ">"];
  const order = isByTime ? `order by number${down}` : `order by ${by}${down}, number${down}`;
  return statement<ScannedRow>(
    `audit-page-${way}-${by}-${isDescending ? "desc" : "asc"}`,
    `with scanned as materialized (
       select number, who, action, object_id, subaccount_id from audit_entry
       where ${where} order by ${column ? `${column}${scanDown}, ` : ""}number${scanDown} limit $8
     ), picked as (
       select number from scanned
       where coalesce(subaccount_id = $4, $4::uuid is null) and coalesce(object_id = $5, true)
         and coalesce(who = $6, true) and coalesce(action = $7, true)
         and (not $9 or action not like 'session.%')
         ${isByTime ? "" : `and ($10::bigint is null or (${by}, number) ${after} ((select ${by} from audit_entry where number = $10), $10))`}
       ${order} limit $3
     )
     select scan.end_number, scan.scanned, scan.top, e.*
     from (select (select number from scanned order by number${scanDown} offset $8 - 1 limit 1) as end_number,
                  (select count(*)::int from scanned) as scanned, (select max(number) from scanned) as top) scan
     left join lateral (
       select e.* from picked k cross join lateral (
         select ${entryColumns} from audit_entry where number = k.number limit 1
       ) e
     ) e on true ${order}`,
  );
};
const pages = new Map<string, ReturnType<typeof pageOf>>();

export async function listAuditEntries(db: Runner, page: AuditEntryPage): Promise<AuditEntries> {
  const { subaccountId, objectId, who, action, fromMs, toMs, limit, order } = page;
  const withoutSessions = page.withoutSessions ?? false;
  const { by, isDescending } = order;
  const [first, last] = rangeOf(order, await numbersOf(db, fromMs, toMs));
  const way: Way =
    (objectId !== undefined && "object") ||
    (who !== undefined && "who") ||
    (action !== undefined && "action") ||
    (subaccountId !== undefined && "subaccount") ||
    "all";
  const asked = [subaccountId, objectId, who, action].filter((one) => one !== undefined).length;
  // One filter is what the index covers, so every entry of its range matches.
  const isExact = by === "time" && asked <= 1 && !withoutSessions;
  const name = [way, by, isDescending].join();
  const statementOf = pages.get(name) ?? pageOf(way, by, isDescending);
  pages.set(name, statementOf);
  const found = await db.run(statementOf, [
    ...[first, last, limit],
    ...[subaccountId ?? null, objectId ?? null, who ?? null, action ?? null],
    isExact ? limit : Math.max(limit, limits.auditScannedMax),
    withoutSessions,
    ...(order.by === "time" ? [] : [order.after?.number ?? null]),
  ]);
  const rows = found.filter((row): row is ScannedRow & AuditEntryRow => row.number != null);
  const [scan] = found;
  return {
    entries: rows.map(toAuditEntry),
    end: scan?.end_number ? Number(scan.end_number) : undefined,
    scanned: scan?.scanned ?? 0,
    top: scan?.top ? Number(scan.top) : undefined,
  };
}

const actions = statement<{ action: string }>(
  "audit-head-actions",
  // From one action to the next in their index, however many entries each has.
  `with recursive found as (
     (select action from audit_entry order by action, number limit 1)
     union all
     select (select e.action from audit_entry e where e.action > f.action order by e.action, e.number limit 1)
     from found f where f.action is not null
   )
   select action from found where action is not null`,
);

/** The actions that the log has, by name. */
export async function listAuditActions(db: Runner): Promise<string[]> {
  return (await db.run(actions, [])).map(({ action }) => action);
}

/** Newest first, over as many scans as it takes. */
export async function listNewestEntries(
  db: Runner,
  filter: AuditFilter,
  limit: number,
): Promise<ChainedEntry[]> {
  const entries: ChainedEntry[] = [];
  for (let order: TimeOrder = newestFirst; entries.length < limit; ) {
    const found = await listAuditEntries(db, { ...filter, order, limit: limit - entries.length });
    entries.push(...found.entries);
    if (found.end === undefined) break;
    order = { ...newestFirst, after: found.end };
  }
  return entries;
}

/** The numbers of the time range, from the end of the page before on. */
function rangeOf(order: AuditOrder, [first, last]: [number, number]): [number, number] {
  if (order.after === undefined) return [first, last];
  if (order.by !== "time") return [first, Math.min(last, order.after.top)];
  const { after, isDescending } = order;
  return isDescending ? [first, Math.min(last, after - 1)] : [Math.max(first, after + 1), last];
}

async function numbersOf(
  db: Runner,
  fromMs: number | undefined,
  toMs: number | undefined,
): Promise<[first: number, last: number]> {
  if (fromMs === undefined && toMs === undefined) return [1, Number.MAX_SAFE_INTEGER];
  const [found] = await db.run(bounds, [fromMs ?? 0, toMs ?? Number.MAX_SAFE_INTEGER]);
  return [Number(found?.first ?? Number.MAX_SAFE_INTEGER), Number(found?.last ?? 0)];
}
