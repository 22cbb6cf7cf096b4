// The SQL of replication for a move: publication and slot at the source, subscription at the target, and the marker.

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Db, type Runner, statement } from "../../platform/db/index.ts";
import { replicationName } from "./move.ts";
import { columnOf, movedTables } from "./tables.ts";

const markerTable = "subaccount_move_marker";
const slotTriesMax = 100;
const slotPauseMs = 100;

/** The rows of one subaccount, of partitioned tables as well, and the marker. */
export async function createPublication({ pool }: Db, subaccountId: string): Promise<void> {
  const name = replicationName(subaccountId);
  const there = await pool.query("select from pg_publication where pubname = $1", [name]);
  if (there.rowCount) return;
  const tables = [...movedTables, { table: markerTable }].map(
    (moved) => `table ${moved.table} where (${columnOf(moved)} = '${subaccountId}')`,
  );
  await pool.query(
    `create publication ${name} for ${tables.join(", ")} with (publish_via_partition_root = true)`,
  );
}

/** It waits for the transactions that are open. */
export async function createSlot({ pool }: Db, subaccountId: string): Promise<void> {
  const name = replicationName(subaccountId);
  await withoutTimeout(
    pool,
    `select pg_create_logical_replication_slot('${name}', 'pgoutput')
     where not exists (select from pg_replication_slots where slot_name = '${name}')`,
  );
}

async function withoutTimeout(pool: Db["pool"], text: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query(text);
  } finally {
    // With its setting.
    client.release(true);
  }
}

/**
 * The slot is created before, by itself: then a killed command leaves nothing that it does not know, and both databases
 * may be on one server.
 */
export async function createSubscription(
  { pool }: Db,
  subaccountId: string,
  sourceConnection: string,
): Promise<void> {
  const name = replicationName(subaccountId);
  if (await hasSubscription(pool, name)) return;
  const connection = pg.escapeLiteral(sourceConnection);
  await withoutTimeout(
    pool,
    `create subscription ${name} connection ${connection} publication ${name}
     with (create_slot = false, slot_name = '${name}', copy_data = true)`,
  );
}

async function hasSubscription(pool: Db["pool"], name: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_subscription where subname = $1
       and subdbid = (select oid from pg_database where datname = current_database())`,
    [name],
  );
  return rowCount === 1;
}

/** Without the source: its slot is dropped separately. */
export async function dropSubscription({ pool }: Db, subaccountId: string): Promise<void> {
  const name = replicationName(subaccountId);
  if (!(await hasSubscription(pool, name))) return;
  await pool.query(`alter subscription ${name} disable`);
  // Tables that are still being copied have slots of their own, which the drop removes where it can.
  const { rows } = await pool.query<{ is_copied: boolean }>(
    `select bool_and(r.srsubstate = 'r') as is_copied
     from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid where s.subname = $1`,
    [name],
  );
  if (rows[0]?.is_copied) await pool.query(`alter subscription ${name} set (slot_name = none)`);
  await pool.query(`drop subscription ${name}`);
}

/** The slot, those of unfinished copies, and the publication. A slot can be dropped once its reader has gone. */
export async function dropPublication({ pool }: Db, subaccountId: string): Promise<void> {
  const name = replicationName(subaccountId);
  for (let triesLeft = slotTriesMax; ; triesLeft -= 1) {
    try {
      await pool.query(
        "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1",
        [name],
      );
      break;
    } catch (error) {
      const isActive = error instanceof pg.DatabaseError && error.code === "55006";
      if (!isActive || triesLeft === 0) throw error;
      await sleep(slotPauseMs);
    }
  }
  await pool.query(`drop publication if exists ${name}`);
}

/** How many tables are copied and follow, of how many. */
export async function readCopyState(
  { pool }: Db,
  subaccountId: string,
): Promise<{ ready: number; tables: number }> {
  const { rows } = await pool.query<{ ready: number; tables: number }>(
    `select count(*) filter (where r.srsubstate = 'r')::int as ready, count(*)::int as tables
     from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid
     where s.subname = $1 and s.subdbid = (select oid from pg_database where datname = current_database())`,
    [replicationName(subaccountId)],
  );
  return rows[0] ?? { ready: 0, tables: 0 };
}

const mark = statement<{ number: string }>(
  "move-mark",
  `insert into subaccount_move_marker as m (subaccount_id, number) values ($1, 1)
   on conflict (subaccount_id) do update set number = m.number + 1 returning number`,
);

/** Replication keeps the order of commits: once the target has this number, it has all that came before it. */
export async function writeMarker(db: Runner, subaccountId: string): Promise<bigint> {
  return BigInt((await db.run(mark, [subaccountId]))[0]?.number ?? 0);
}

const readMark = statement<{ number: string }>(
  "move-marker",
  "select number from subaccount_move_marker where subaccount_id = $1",
);

export async function readMarker(db: Runner, subaccountId: string): Promise<bigint> {
  return BigInt((await db.run(readMark, [subaccountId]))[0]?.number ?? 0);
}
