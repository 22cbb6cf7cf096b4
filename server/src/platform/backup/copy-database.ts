// Copies all rows of one database into another that has the same tables and no rows of its own.

import pg from "pg";
import { copyBetween, type Db } from "../db/index.ts";

type Table = { name: string; columns: string[]; refersTo: string[] };

/** Generated columns are computed again. `migration` is written by the migrations of the target. */
const tablesSql = `
  select c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum) as columns,
    array(select distinct f.relname::text from pg_constraint n join pg_class f on f.oid = n.confrelid
      where n.conrelid = c.oid and n.contype = 'f' and n.confrelid <> c.oid) as "refersTo"
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'migration'
  order by c.relname`;

const partitionsSql = `
  select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and p.relkind = 'p'
  order by c.relname`;

const quoted = pg.escapeIdentifier;

export async function readServer({ pool }: Db): Promise<{ version: number; encoding: string }> {
  const { rows } = await pool.query(
    `select current_setting('server_version_num')::int as version,
       current_setting('server_encoding') as encoding`,
  );
  return rows[0];
}

/** One transaction in the target, so that an interrupted copy leaves no rows. Returns their number. */
export async function copyAllRows(
  source: Db,
  target: Db,
  onTable: (name: string) => void,
): Promise<number> {
  const from = await openUnhurried(source);
  const to = await openUnhurried(target);
  try {
    await from.query("begin isolation level repeatable read read only");
    await to.query("begin");
    const withdrawn = await takeWithdrawnRights(to);
    const counts = await copyTables(from, to, onTable);
    for (const { name, rights } of withdrawn) {
      await to.query(`revoke ${rights} on ${quoted(name)} from current_user`);
    }
    const wrong = await findMiscounts(to, counts);
    if (wrong.length > 0) throw new Error(`rows were lost in ${wrong.join(", ")}`);
    // Until the source is marked as moved, only the source may pay.
    await to.query("update installation set quarantined_at = now(), quarantine_reason = 'moving'");
    await to.query("commit");
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

/** Large tables take longer than a statement of the service may. */
async function openUnhurried(db: Db): Promise<pg.Client> {
  const client = await db.openClient();
  await client.query("set statement_timeout = 0");
  await client.query("set idle_in_transaction_session_timeout = 0");
  return client;
}

type WithdrawnRights = { name: string; rights: string };

/**
 * Migrations withdraw rights on the ledger and the audit log also from the owner of the tables, who may give them to
 * himself. They are withdrawn again in the same transaction.
 */
async function takeWithdrawnRights(target: pg.ClientBase): Promise<WithdrawnRights[]> {
  const { rows } = await target.query<WithdrawnRights>(
    `select c.relname as name, string_agg(r.name, ', ') as rights
     from pg_class c cross join (values ('insert'), ('truncate')) r (name)
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not has_table_privilege(c.oid, r.name)
     group by c.relname`,
  );
  for (const { name, rights } of rows) {
    await target.query(`grant ${rights} on ${quoted(name)} to current_user`);
  }
  return rows;
}

/** Returns the rows of each table. */
async function copyTables(
  source: pg.ClientBase,
  target: pg.ClientBase,
  onTable: (name: string) => void,
): Promise<Record<string, number>> {
  const { rows } = await source.query<Table>(tablesSql);
  const tables = inOrderOfReferences(rows);
  const names = tables.map(({ name }) => quoted(name)).join(", ");
  // Migrations leave a few rows.
  await target.query(`truncate ${names}`);
  for (const { name, parent, bound } of (await source.query(partitionsSql)).rows) {
    await target.query(
      `create table if not exists ${quoted(name)} partition of ${quoted(parent)} ${bound}`,
    );
  }
  const counts: Record<string, number> = {};
  for (const { name, columns } of tables) {
    onTable(name);
    const list = columns.map(quoted).join(", ");
    const { read, written } = await copyBetween(
      { client: source, text: `copy (select ${list} from ${quoted(name)}) to stdout` },
      { client: target, text: `copy ${quoted(name)} (${list}) from stdin` },
    );
    if (read !== written) throw new Error(`${name}: ${read} rows were read, ${written} written`);
    counts[name] = written;
  }
  await copySequences(source, target);
  return counts;
}

async function copySequences(source: pg.ClientBase, target: pg.ClientBase): Promise<void> {
  const { rows } = await source.query<{ name: string; last: string }>(
    `select sequencename as name, last_value as last from pg_sequences
     where schemaname = 'public' and last_value is not null`,
  );
  for (const { name, last } of rows) {
    await target.query("select setval(format('public.%I', $1::text)::regclass, $2)", [name, last]);
  }
}

/** A table comes after those that it refers to. */
function inOrderOfReferences(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  const placed = new Set<string>();
  let left = [...tables];
  while (left.length > 0) {
    const next = left.filter(({ refersTo }) => refersTo.every((name) => placed.has(name)));
    if (next.length === 0) throw new Error("tables refer to each other in a circle");
    for (const table of next) placed.add(table.name);
    ordered.push(...next);
    left = left.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}

/** Tables with another number of rows than were copied. */
async function findMiscounts(
  target: pg.ClientBase,
  counts: Record<string, number>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, count] of Object.entries(counts)) {
    const { rows } = await target.query(`select count(*) as count from ${quoted(name)}`);
    if (Number(rows[0].count) !== count) wrong.push(name);
  }
  return wrong;
}
