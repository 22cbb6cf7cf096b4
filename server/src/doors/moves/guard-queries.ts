// The SQL of a move's guards: triggers on each table, for the rows of one subaccount, and only while it moves. They fire
// for the service, and not for replication.

import { setTimeout as sleep } from "node:timers/promises";
import { type Db, isLockTimeout, statement } from "../../platform/db/index.ts";
import { columnOf, type MovedTable, movedTables } from "./tables.ts";

const triggers = ["write", "delete"] as const;

/** A waiting lock makes the writers behind it wait, so it gives up soon and tries again. */
const lockWait = "200ms";
const lockTriesMax = 150;
const lockPauseMs = 200;

const guardName = (subaccountId: string, which: (typeof triggers)[number]) =>
  `move_${subaccountId.replaceAll("-", "")}_${which}`;

const columns = statement<{ name: string; columns: string[] }>(
  "move-columns",
  // Two installations may have added columns in another order. Rows are compared by subaccount_id.
  `select t.name, array_agg(a.attname::text order by a.attname) as columns
   from unnest($1::text[]) as t(name) join pg_attribute a on a.attrelid = t.name::regclass
   where a.attnum > 0 and not a.attisdropped group by t.name`,
);

/** Of each table, in the order of their names. */
export async function listColumns(
  db: Db,
  tables: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db.run(columns, [tables]);
  return new Map(rows.map((row) => [row.name, row.columns]));
}

/** Creates the missing triggers of all tables, each in its own short transaction. */
export async function addGuards(db: Db, subaccountId: string): Promise<void> {
  for (const moved of movedTables) {
    const guarded = moved.unguarded && (await guardedColumns(db, moved));
    const of = guarded ? ` of ${guarded.map((name) => `"${name}"`).join(", ")}` : "";
    const column = columnOf(moved);
    const [write, removal] = triggers.map((which) => guardName(subaccountId, which));
    await whenUnlocked(db, async (run) => {
      const there = await run(
        `select tgname::text as name from pg_trigger
         where tgrelid = '${moved.table}'::regclass and tgname in ('${write}', '${removal}')`,
      );
      const names = new Set(there.map(({ name }) => name));
      if (!names.has(write)) {
        await run(`create trigger ${write} before insert or update${of} on ${moved.table} for each row
          when (new.${column} = '${subaccountId}') execute function refuse_moving_rows('${subaccountId}')`);
      }
      if (!names.has(removal)) {
        const kind = moved.expires ? ", 'expires'" : "";
        await run(`create trigger ${removal} before delete on ${moved.table} for each row
          when (old.${column} = '${subaccountId}') execute function refuse_moving_rows('${subaccountId}'${kind})`);
      }
    });
  }
}

async function guardedColumns(db: Db, { table, unguarded = [] }: MovedTable): Promise<string[]> {
  const all = (await listColumns(db, [table])).get(table) ?? [];
  return all.filter((name) => !unguarded.includes(name));
}

export async function dropGuards(db: Db, subaccountId: string): Promise<void> {
  for (const { table } of movedTables) {
    for (const which of triggers) {
      await whenUnlocked(db, (run) =>
        run(`drop trigger if exists ${guardName(subaccountId, which)} on ${table}`),
      );
    }
  }
}

type Run = (text: string) => Promise<{ name?: string }[]>;

async function whenUnlocked(db: Db, work: (run: Run) => Promise<unknown>): Promise<void> {
  for (let triesLeft = lockTriesMax; ; triesLeft -= 1) {
    const client = await db.pool.connect();
    try {
      await client.query("begin");
      await client.query(`set local lock_timeout = '${lockWait}'`);
      await work(async (text) => (await client.query(text)).rows);
      await client.query("commit");
      return;
    } catch (error) {
      await client.query("rollback").catch(() => {});
      if (!isLockTimeout(error) || triesLeft === 0) throw error;
    } finally {
      client.release();
    }
    await sleep(lockPauseMs);
  }
}
