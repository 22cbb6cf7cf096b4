// The SQL of the audit.

import { statement, type Tx } from "../db/connect.ts";
import type { Entry, Link } from "./entry.ts";

type HeadRow = { number: string; hash: string; now_ms: string };

const lock = statement<HeadRow>(
  "audit-head-lock",
  // The time is read once the row is ours, and from one clock for all processes.
  `with head as materialized (select number, at_ms, hash from audit_head for no key update)
   select number, hash, greatest(at_ms, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms
   from head`,
);

/** The end of the chain, which nobody else adds to before this transaction ends. */
export async function lockHead(tx: Tx): Promise<Link & { nowMs: number }> {
  const [head] = await tx.run(lock);
  if (!head) throw new Error("the audit has no head");
  return { number: Number(head.number), hash: head.hash, nowMs: Number(head.now_ms) };
}

const append = statement<never>(
  "audit-append",
  `with entry as (
     insert into audit_entry (number, at_ms, who, action, object_kind, object_id, subaccount_id, before, after, ip,
                              request_id, previous_hash, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     returning number, at_ms, hash
   )
   update audit_head h set number = e.number, at_ms = e.at_ms, hash = e.hash, mark = $14 from entry e`,
);

export type Chained = Entry & { previousHash: string; hash: string; headMark: string };

export async function appendEntry(tx: Tx, entry: Chained): Promise<void> {
  const { number, atMs, who, action, objectKind, objectId, subaccountId } = entry;
  const { before, after, ip, requestId, previousHash, hash, headMark } = entry;
  const what = [who, action, objectKind, objectId, subaccountId, before, after];
  await tx.run(append, [number, atMs, ...what, ip, requestId, previousHash, hash, headMark]);
}
