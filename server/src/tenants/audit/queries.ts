// The SQL of the audit log.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { AuditEntry, AuditJson, ChainLink } from "./entry.ts";

type HeadRow = { number: string; hash: string; now_ms: string };

const lock = statement<HeadRow>(
  "audit-head-lock",
  // The time is read after the row is locked, and from one clock for all processes.
  `with head as materialized (select number, at_ms, hash from audit_head for no key update)
   select number, hash, greatest(at_ms, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms
   from head`,
);

/** The end of the chain. It stays locked until this transaction ends. */
export async function lockHead(tx: Tx): Promise<ChainLink & { nowMs: number }> {
  const [head] = await tx.run(lock);
  if (!head) throw new Error("the audit has no head");
  return { number: Number(head.number), hash: head.hash, nowMs: Number(head.now_ms) };
}

const append = statement<never>(
  "audit-append",
  `with entry as (
     insert into audit_entry (number, at_ms, who, action, object_kind, object_id, subaccount_id, before, after, ip,
                              request_id, previous_hash, hash, token)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $15)
     returning number, at_ms, hash
   )
   update audit_head h set number = e.number, at_ms = e.at_ms, hash = e.hash, mark = $14 from entry e`,
);

type Chained = AuditEntry & { previousHash: string; hash: string; headMark: string };

export async function appendEntry(tx: Tx, entry: Chained): Promise<void> {
  const { number, atMs, who, action, objectKind, objectId, subaccountId } = entry;
  const { before, after, ip, requestId, token, previousHash, hash, headMark } = entry;
  const what = [who, action, objectKind, objectId, subaccountId, before, after];
  const chained = [previousHash, hash, headMark];
  await tx.run(append, [number, atMs, ...what, ip, requestId, ...chained, token]);
}

const end = statement<{ number: string; at_ms: string; hash: string; mark: string; last: string }>(
  "audit-head-end",
  // One statement, so that both values are from the same moment.
  `select h.number, h.at_ms, h.hash, h.mark, coalesce((select max(number) from audit_entry), 0) as last
   from audit_head h`,
);

type Head = ChainLink & { atMs: number; mark: string };

/** The recorded end of the chain, and the number of the last entry that exists. */
export async function findEnd(db: Runner): Promise<{ head: Head; last: number }> {
  const [row] = await db.run(end);
  if (!row) throw new Error("the audit has no head");
  const { number, at_ms, hash, mark, last } = row;
  return {
    head: { number: Number(number), atMs: Number(at_ms), hash, mark },
    last: Number(last),
  };
}

export type AuditEntryRow = {
  number: string;
  at_ms: string;
  who: string;
  action: string;
  object_kind: string;
  object_id: string;
  subaccount_id: string | null;
  before: AuditJson;
  after: AuditJson;
  ip: string;
  request_id: string;
  previous_hash: string;
  hash: string;
  redaction_mark: string | null;
  token: string | null;
};

export const entryColumns = `number, at_ms, who, action, object_kind, object_id, subaccount_id, before, after, ip, request_id,
  previous_hash, hash, redaction_mark, token`;

const chain = statement<AuditEntryRow>(
  "audit-chain",
  // Over all subaccounts: subaccount_id is one of the fields that are chained.
  `select ${entryColumns} from audit_entry where number > $1 and number <= $2 order by number limit $3`,
);

export type ChainedEntry = AuditEntry & {
  previousHash: string;
  hash: string;
  /** Set when its content was removed. The hash is that of the content before. */
  redactionMark: string | null;
};

/** The oldest first. */
export async function listChain(
  db: Runner,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<ChainedEntry[]> {
  const rows = await db.run(chain, [after, upTo, limit]);
  return rows.map(toAuditEntry);
}

export function toAuditEntry(row: AuditEntryRow): ChainedEntry {
  return {
    number: Number(row.number),
    atMs: Number(row.at_ms),
    who: row.who,
    action: row.action,
    objectKind: row.object_kind,
    objectId: row.object_id,
    subaccountId: row.subaccount_id,
    before: row.before,
    after: row.after,
    ip: row.ip,
    requestId: row.request_id,
    token: row.token,
    previousHash: row.previous_hash,
    hash: row.hash,
    redactionMark: row.redaction_mark,
  };
}

const audited = statement<{ has_acts: boolean }>(
  "audit-head-has-acts",
  // The first start may create one subaccount, without an entry.
  `select exists (select from console_user)
          or (select count(*) from (select from subaccount limit 2) s) > 1 as has_acts`,
);

/** Whether there are users or subaccounts, which are only created together with an entry. */
export async function hasActs(db: Runner): Promise<boolean> {
  return (await db.run(audited))[0]?.has_acts ?? false;
}

export type Verification = {
  atMs: number;
  /** The last entry that was right, with its hash: later verifications must find it. */
  number: number;
  /** Empty in a result of the version before. */
  hash: string;
  fault: string;
  mark: string;
};

const noteVerified = statement<never>(
  "audit-head-verified",
  `insert into audit_verified (verified_at_ms, number, hash, fault, mark) values ($1, $2, $3, $4, $5)
   on conflict (is_only) do update set verified_at_ms = excluded.verified_at_ms, number = excluded.number,
     hash = excluded.hash, fault = excluded.fault, mark = excluded.mark`,
);

export async function upsertVerification(db: Runner, said: Verification): Promise<void> {
  await db.run(noteVerified, [said.atMs, said.number, said.hash, said.fault, said.mark]);
}

const findVerified = statement<{
  verified_at_ms: string;
  number: string;
  hash: string;
  fault: string;
  mark: string;
}>(
  "audit-head-last-verified",
  "select verified_at_ms, number, hash, fault, mark from audit_verified",
);

export async function findVerification(db: Runner): Promise<Verification | undefined> {
  const [row] = await db.run(findVerified);
  if (!row) return undefined;
  const { verified_at_ms, number, ...rest } = row;
  return { atMs: Number(verified_at_ms), number: Number(number), ...rest };
}
