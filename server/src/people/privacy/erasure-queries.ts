// The SQL of erasure: overwrites every place of the person, and records the erasure in the journal.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { ReceiverKey } from "../receivers/index.ts";
import { type PersonIds, places } from "./erased-column-queries.ts";
import type { PersonPlace } from "./erased-values.ts";

const parameterTypes: Record<keyof PersonIds, string> = {
  subaccount: "uuid",
  receiver: "uuid",
  accounts: "uuid[]",
  payouts: "uuid[]",
  batches: "uuid[]",
  files: "uuid[]",
  lines: "uuid[]",
  items: "uuid[]",
  events: "uuid[]",
  words: "text[]",
};

type PlaceStatement = { text: string; parameters: (keyof PersonIds)[] };

function toStatement(table: string, { rows, overwrites, deletes }: PersonPlace): PlaceStatement[] {
  if (rows === undefined) return [];
  const parameters: (keyof PersonIds)[] = [];
  const where = rows.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const name = word as keyof PersonIds;
    if (!parameters.includes(name)) parameters.push(name);
    return `$${parameters.indexOf(name) + 1}::${parameterTypes[name]}`;
  });
  if (deletes !== undefined) {
    return [{ text: `delete from ${table} where ${where}`, parameters }];
  }
  const values = Object.entries(overwrites ?? {}).map(([column, value]) => `${column} = ${value}`);
  return [{ text: `update ${table} set ${values.join(", ")} where ${where}`, parameters }];
}

const erasing = Object.entries(places).flatMap(([table, place]) =>
  toStatement(table, place).map(({ text, parameters }) => {
    const change = statement<never>(`erase-${table}`, text);
    // Its rows name their subaccount_id, or ids that were found by it.
    return { table, parameters, change };
  }),
);

/** Overwrites or deletes the words of the person in every place of the table. */
export async function overwritePlaces(tx: Tx, ids: PersonIds): Promise<void> {
  for (const { change, parameters } of erasing) {
    await tx.run(
      change,
      parameters.map((name) => ids[name]),
    );
  }
}

/** The same in some places, for rows that were kept long enough. Returns nothing: rows may be empty already. */
export async function overwriteOldRows(
  tx: Tx,
  tables: readonly (keyof typeof places)[],
  ids: Partial<PersonIds>,
): Promise<void> {
  for (const { table, change, parameters } of erasing) {
    if (!tables.includes(table)) continue;
    await tx.run(
      change,
      parameters.map((name) => ids[name] ?? []),
    );
  }
}

const emptyReferences = statement<never>(
  "erase-transfers",
  // Only the owner of the tables may do this to the books: $1 is the subaccount_id.
  "select empty_transfer_references($1, $2)",
);

/** The transfers of these payouts lose their texts. */
export async function emptyTransferReferences(
  tx: Tx,
  subaccountId: string,
  payouts: readonly string[],
): Promise<void> {
  if (payouts.length > 0) await tx.run(emptyReferences, [subaccountId, payouts]);
}

const findObstacles = statement<{
  has_pending: boolean;
  has_review: boolean;
  last_ms: string | null;
}>(
  "erasure-obstacles",
  // A confirmed hit restricts the receiver as an open one does, until its evidence has been kept long enough.
  `select exists (select from payout p where p.subaccount_id = $1 and p.id = any($3::uuid[]) and p.status = 'pending')
            as has_pending,
          exists (select from screening_hit h where h.subaccount_id = $1 and h.receiver_id = $2
                    and (h.status = 'open' or (h.status = 'same' and h.decided_at_ms >= $4)))
          or exists (select from payout_hold h where h.subaccount_id = $1 and h.payout_id = any($3::uuid[])
                       and h.decision is null) as has_review,
          (select max(p.updated_at_ms) from payout p where p.subaccount_id = $1 and p.id = any($3::uuid[])) as last_ms`,
);

export type Obstacles = {
  hasPending: boolean;
  hasReview: boolean;
  lastPayoutMs: number | undefined;
};

export async function findErasureObstacles(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
  { payouts, keptSinceMs }: { payouts: readonly string[]; keptSinceMs: number },
): Promise<Obstacles> {
  const [row] = await db.run(findObstacles, [subaccountId, id, payouts, keptSinceMs]);
  if (!row) throw new Error("a select of facts has one row");
  return {
    hasPending: row.has_pending,
    hasReview: row.has_review,
    lastPayoutMs: row.last_ms === null ? undefined : Number(row.last_ms),
  };
}

type SealedRow = { kind: "number" | "proposal"; id: string; version: number; sealed: Buffer };

const listSealedRows = statement<SealedRow>(
  "erasure-sealed",
  `select 'number' as kind, account_id as id, version, account_number_sealed as sealed from bank_details
   where subaccount_id = $1 and account_id = any($3::uuid[])
   union all
   select 'proposal', id, 0, proposal_sealed from bank_details_change where subaccount_id = $1 and receiver_id = $2`,
);

/** The encrypted values of a receiver. */
export function listSealed(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
  accounts: readonly string[],
): Promise<SealedRow[]> {
  return db.run(listSealedRows, [subaccountId, id, accounts]);
}

const setNumber = statement<never>(
  "erase-number",
  "update bank_details set account_number_sealed = $4 where subaccount_id = $1 and account_id = $2 and version = $3",
);
const setProposal = statement<never>(
  "erase-proposal",
  "update bank_details_change set proposal_sealed = $3 where subaccount_id = $1 and id = $2",
);

export async function updateSealed(tx: Tx, subaccountId: string, row: SealedRow): Promise<void> {
  const { kind, id, version, sealed } = row;
  if (kind === "number") await tx.run(setNumber, [subaccountId, id, version, sealed]);
  else await tx.run(setProposal, [subaccountId, id, sealed]);
}

export type ErasureRow = {
  subaccount_id: string;
  receiver_id: string;
  erased_at_ms: number;
  erased_by: string;
  email_hash: string;
};

const record = statement<never>(
  "erasure-insert",
  `with marked as (
     update receiver set erased_at_ms = $3 where subaccount_id = $1 and id = $2
   )
   insert into erasure (subaccount_id, receiver_id, erased_at_ms, erased_by, email_hash)
   values ($1, $2, $3, $4, $5) on conflict (subaccount_id, receiver_id) do nothing`,
);

/** Marks the receiver, if it exists, and writes the journal. */
export async function insertErasure(tx: Tx, row: ErasureRow): Promise<void> {
  const { subaccount_id, receiver_id, erased_at_ms, erased_by, email_hash } = row;
  await tx.run(record, [subaccount_id, receiver_id, erased_at_ms, erased_by, email_hash]);
}

const listJournal = statement<Omit<ErasureRow, "erased_at_ms"> & { erased_at_ms: string }>(
  "erasure-journal",
  `select subaccount_id, receiver_id, erased_at_ms, erased_by, email_hash from erasure
   where (subaccount_id, receiver_id) > ($1, $2) order by subaccount_id, receiver_id limit $3`,
);

/** A page of the journal, in the order of its keys. */
export async function listErasures(
  db: Runner,
  after: Pick<ErasureRow, "subaccount_id" | "receiver_id">,
  limit: number,
): Promise<ErasureRow[]> {
  const rows = await db.run(listJournal, [after.subaccount_id, after.receiver_id, limit]);
  return rows.map((row) => ({ ...row, erased_at_ms: Number(row.erased_at_ms) }));
}
