// The SQL of the checks before a move: what both cells must have in common, and what a subaccount can't take along.

import { type Db, type Runner, statement } from "../../platform/db/index.ts";
import { columnOf, movedTables } from "./tables.ts";

export type CellFacts = {
  /** Empty: the default cell. */
  cell: string;
  merchant_id: string;
  master_key_check: Buffer;
  /** The same for two connections to one database, and different otherwise. */
  identity: string;
  wal_level: string;
  is_quarantined: boolean;
  /** Its keys were rotated, or wrapped by a key service. */
  has_data_keys: boolean;
  migrations: string;
};

const facts = statement<CellFacts>(
  "move-cell-facts",
  // Of the installation, not of a subaccount_id.
  `select i.cell, i.merchant_id, i.master_key_check, current_setting('wal_level') as wal_level,
          i.quarantined_at is not null as is_quarantined, exists (select from data_key) as has_data_keys,
          concat_ws(' ', current_database(), extract(epoch from pg_postmaster_start_time())) as identity,
          (select string_agg(m.name || ' ' || m.checksum, ',' order by m.name) from migration m) as migrations
   from installation i`,
);

export async function readCellFacts(db: Runner): Promise<CellFacts | undefined> {
  return (await db.run(facts))[0];
}

/** The tables in which the target has rows of the subaccount already. */
export async function listOccupiedTables({ pool }: Db, subaccountId: string): Promise<string[]> {
  const parts = movedTables.map(
    (moved) => `select '${moved.table}' as name
      where exists (select from ${moved.table} where ${columnOf(moved)} = $1)`,
  );
  const { rows } = await pool.query<{ name: string }>(parts.join(" union all "), [subaccountId]);
  return rows.map(({ name }) => name);
}

/**
 * Tables whose updates would fail once they are published, because their replica identity lacks the filtered column.
 * Partitions inherit that of their table.
 */
export async function listUnfitTables({ pool }: Db): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select t.name from unnest($1::text[], $2::text[]) as t(name, col)
     join pg_class c on c.oid = t.name::regclass
     where not exists (
       select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
       where i.indrelid = c.oid and a.attname = t.col
         and case c.relreplident when 'd' then i.indisprimary when 'i' then i.indisreplident end)
       and c.relreplident <> 'f'`,
    [movedTables.map(({ table }) => table), movedTables.map(columnOf)],
  );
  return rows.map(({ name }) => name);
}

export type BankObstacles = { with_bank: number; open_recalls: number; rails: string[] };

const obstacles = statement<BankObstacles>(
  "move-bank-obstacles",
  `select count(*) filter (where p.stage in ('batched', 'submitted'))::int as with_bank,
          (select count(*)::int from bank_recall r where r.subaccount_id = $1 and r.outcome = '') as open_recalls,
          coalesce(array_agg(distinct p.rail) filter (where p.stage not in ('batched', 'submitted')), '{}') as rails
   from payout p where p.subaccount_id = $1 and p.status = 'pending' and p.rail like 'bank:%'`,
);

/** Pending payouts that are with a bank, and the bank connections of those that wait to be sent. */
export async function readBankObstacles(db: Runner, subaccountId: string): Promise<BankObstacles> {
  const [row] = await db.run(obstacles, [subaccountId]);
  return row ?? { with_bank: 0, open_recalls: 0, rails: [] };
}

type ConnectionIdentity = { id: string; name: string; format: string; currency: string };

const connections = statement<ConnectionIdentity>(
  "move-bank-connections",
  // Bank connections are the installation's own: they have no subaccount_id.
  "select id, name, format, currency from bank_connection where disabled_at_ms is null or $1::uuid[] @> array[id]",
);

/** The enabled ones, and those with these ids. */
export function listConnectionIdentities(
  db: Runner,
  ids: readonly string[] = [],
): Promise<ConnectionIdentity[]> {
  return db.run(connections, [ids]);
}

const exists = statement<{ closed: boolean }>(
  "move-subaccount",
  "select closed_at is not null as closed from subaccount where id = $1 -- subaccount_id",
);

export async function hasSubaccount(db: Runner, subaccountId: string): Promise<boolean> {
  return (await db.run(exists, [subaccountId])).length > 0;
}
