// The SQL that writes metadata. It runs only where there is some.

import { hash } from "node:crypto";
import { statement, type Tx } from "../db/index.ts";
import type { Metadata } from "./metadata.ts";

type Kind = "receiver" | "account" | "payout" | "batch";

export type ObjectMetadata = {
  subaccountId: string;
  id: string;
  metadata: Metadata;
  /** The event of its creation, which was inserted before. */
  eventId?: string;
};

const hashBytes = 16;

/** What a filter looks for, as PostgreSQL reads bytes from a text. */
export function metadataHash(kind: Kind, metadata: Metadata): string | undefined {
  const [entry] = Object.entries(metadata);
  return entry && hashOf(kind, ...entry);
}

function hashOf(kind: Kind, key: string, value: string): string {
  return `\\x${hash("sha256", `${kind} ${key}=${value}`).slice(0, 2 * hashBytes)}`;
}

const setIn = (table: string) => `update ${table} o set metadata = input.metadata from input
     where o.subaccount_id = input.subaccount_id and o.id = input.id`;

const writing: Record<Kind, string> = {
  receiver: setIn("receiver"),
  account: setIn("receiver_account"),
  payout: setIn("payout"),
  batch:
    "insert into payout_batch (subaccount_id, id, metadata) select subaccount_id, id, metadata from input on conflict (subaccount_id, id) do update set metadata = excluded.metadata",
};

const statementOf = (kind: Kind) =>
  statement<never>(
    `metadata-write-${kind}`,
    `with input as materialized (
     select * from json_to_recordset($1) as input(
       subaccount_id uuid, id uuid, metadata json, hashes bytea[], event_id uuid)
   ), written as (
     ${writing[kind]}
   ), no_longer as (
     delete from metadata_entry e using input
     where e.subaccount_id = input.subaccount_id and e.object_id = input.id and not e.hash = any(input.hashes)
   ), with_event as (
     update event e set body = left(e.body, -1) || ',"metadata":' || input.metadata || '}'
     from input join subaccount s on s.id = input.subaccount_id and s.event_metadata
     where e.subaccount_id = input.subaccount_id and e.id = input.event_id
   )
   insert into metadata_entry (subaccount_id, hash, object_id)
   select subaccount_id, unnest(hashes), id from input on conflict do nothing`,
  );

const statements: Record<Kind, ReturnType<typeof statementOf>> = {
  receiver: statementOf("receiver"),
  account: statementOf("account"),
  payout: statementOf("payout"),
  batch: statementOf("batch"),
};

/** In the transaction that created or locked the objects. Replaces what they have; empty metadata removes it. */
export async function writeMetadata(
  tx: Tx,
  kind: Kind,
  objects: readonly ObjectMetadata[],
): Promise<void> {
  if (objects.length === 0) return;
  const rows = objects.map(({ subaccountId, id, metadata, eventId }) => {
    const hashes = Object.entries(metadata).map(([key, value]) => hashOf(kind, key, value));
    const isEmpty = hashes.length === 0;
    return {
      subaccount_id: subaccountId,
      id,
      metadata: isEmpty ? undefined : metadata,
      hashes,
      event_id: eventId,
    };
  });
  await tx.run(statements[kind], [JSON.stringify(rows)]);
}
