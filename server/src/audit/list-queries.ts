// The SQL that lists entries of the audit log, newest first.

import { type Runner, statement } from "../db/connect.ts";
import { type AuditEntryRow, type ChainedEntry, entryColumns, toAuditEntry } from "./queries.ts";

export type AuditFilter = {
  who?: string | undefined;
  action?: string | undefined;
  objectId?: string | undefined;
  subaccountId?: string | undefined;
  fromMs?: number | undefined;
  /** Before this time. */
  toMs?: number | undefined;
};

type AuditEntryPage = AuditFilter & {
  /** Only entries before this number. */
  before: number;
  limit: number;
};

const bounds = statement<{ first: string | null; last: string | null }>(
  "audit-head-bounds",
  // Numbers and times grow together.
  `select (select number from audit_entry where at_ms >= $1 order by at_ms, number limit 1) as first,
          (select number from audit_entry where at_ms < $2 order by at_ms desc, number desc limit 1) as last`,
);

// One statement per index, because a prepared plan must be good for all values. A pair is compared as a whole, which
// only the index of the pair supports: otherwise PostgreSQL assumes that a range of numbers is short, and scans it.
const walk = (column: string, value: string) =>
  `(${column}, number) >= (${value}, $1) and (${column}, number) <= (${value}, $2)`;
const newestFirst = (column: string) => `order by ${column} desc, number desc limit $3`;
// Not written as "is null or": PostgreSQL would expect almost no rows from it, and would collect and sort all of them.
const others = `
  and coalesce(object_id = $5, true) and coalesce(who = $6, true) and coalesce(action = $7, true)`;

const all = statement<AuditEntryRow>(
  "audit-page",
  `select ${entryColumns} from audit_entry
   where number >= $1 and number <= $2 and coalesce(subaccount_id = $4, $4::uuid is null) ${others}
   order by number desc limit $3`,
);

const ofSubaccount = statement<AuditEntryRow>(
  "audit-page-of-subaccount",
  `select ${entryColumns} from audit_entry
   where ${walk("subaccount_id", "$4::uuid")} ${others} ${newestFirst("subaccount_id")}`,
);

const ofObject = statement<AuditEntryRow>(
  "audit-page-of-object",
  `select ${entryColumns} from audit_entry
   where ${walk("object_id", "$5")} and coalesce(subaccount_id = $4, $4::uuid is null) ${others}
   ${newestFirst("object_id")}`,
);

const byWho = statement<AuditEntryRow>(
  "audit-page-by-who",
  `select ${entryColumns} from audit_entry
   where ${walk("who", "$6")} and coalesce(subaccount_id = $4, $4::uuid is null) ${others}
   ${newestFirst("who")}`,
);

const byAction = statement<AuditEntryRow>(
  "audit-page-by-action",
  `select ${entryColumns} from audit_entry
   where ${walk("action", "$7")} and coalesce(subaccount_id = $4, $4::uuid is null) ${others}
   ${newestFirst("action")}`,
);

export async function listAuditEntries(db: Runner, page: AuditEntryPage): Promise<ChainedEntry[]> {
  const { subaccountId, objectId, who, action, fromMs, toMs, limit } = page;
  const [first, last] = await numbersOf(db, fromMs, toMs);
  const way =
    (objectId !== undefined && ofObject) ||
    (who !== undefined && byWho) ||
    (action !== undefined && byAction) ||
    (subaccountId !== undefined && ofSubaccount) ||
    all;
  const rows = await db.run(way, [
    ...[first, Math.min(last, page.before - 1), limit],
    ...[subaccountId ?? null, objectId ?? null, who ?? null, action ?? null],
  ]);
  return rows.map(toAuditEntry);
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
