// Applies migrations: numbered SQL files, each applied once, in order, and never edited afterwards.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { version } from "../base/index.ts";
import { type Applied, adopt, countOthers, isEarlier } from "./adopt.ts";
import type { Db } from "./connect.ts";
import { MigrationError } from "./migration-error.ts";

const folder = join(import.meta.dirname, "migrations");
const migrationLock = 4_242_002;
const lockTimeoutMs = 5_000;
const lockPauseMs = 50;

type Queryable = pg.Pool | pg.PoolClient;
type Migration = { name: string; text: string; checksum: string };

export function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    });
}

/** Applies the missing migrations and returns their names. Several processes may call it at once. */
export async function migrate(db: Db): Promise<string[]> {
  const client = await db.pool.connect();
  try {
    if (!(await mayChangeSchema(client))) {
      await requireMigrated(client);
      return [];
    }
    await lockMigrations(client);
    await client.query(`
      create table if not exists migration (
        name text primary key, checksum text not null, applied_at timestamptz not null default now(),
        version text
      )`);
    await adopt(client, await appliedBy(client), readMigrations()[0]);
    await refuseUnknown(client);
    const applied = await appliedBy(client);
    const missing = compare(applied);
    const breaking = applied.length > 0 ? missing.find(({ text }) => isBreaking(text)) : undefined;
    if (breaking) await refuseBesideOthers(client, breaking);
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ name }) => name);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [migrationLock]).catch(() => {});
    client.release();
  }
}

/** A runtime role may not: then the owner migrates first. */
async function mayChangeSchema(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query(
    "select has_schema_privilege('public', 'create') as may_change",
  );
  return rows[0].may_change;
}

async function requireMigrated(client: pg.PoolClient): Promise<void> {
  if (await hasMigrations(client)) await refuseUnknown(client);
  const [missing] = await pendingMigrations(client);
  if (!missing) return;
  throw new MigrationError(
    `${missing} is not applied, and the role in DATABASE_URL may not change the schema.\n` +
      "Run disburse migrate as the owner of the tables first.",
  );
}

/** For commands that do not migrate. Their statements fit one state of the schema only. */
export async function requireSameSchema({ pool }: Db): Promise<void> {
  const at = (await refuseUnknown(pool)).at(-1);
  const missing = await pendingMigrations(pool);
  if (missing.length === 0) return;
  const by = at?.version ? ` of Disburse ${at.version}` : "";
  throw new MigrationError(
    `The database is at migration ${at?.name ?? "none"}${by}. This program is Disburse ${version} and needs ${missing.at(-1)}.\n` +
      `Migrations to apply: ${missing.length}. Only disburse migrate and disburse serve apply them, so nothing was changed.\n` +
      "Run disburse migrate first (docs/operate/upgrade.md), or use the program of the version that the database is at.",
  );
}

/** The names of migrations that are not applied yet. */
export async function pendingMigrations(queryable: Queryable): Promise<string[]> {
  const applied = (await hasMigrations(queryable)) ? await appliedBy(queryable) : [];
  return compare(applied).map(({ name }) => name);
}

/** Whether this is a Disburse database. */
export async function hasMigrations(queryable: Queryable): Promise<boolean> {
  const { rows } = await queryable.query("select to_regclass('migration') is not null as exists");
  return rows[0].exists;
}

/** The line by which a migration says that the version before can't run beside it. */
const isBreaking = (text: string) => text.startsWith("-- BREAKING: ");

/** Processes that are about to migrate use this name, so that two of them don't refuse each other. */
export const migratorName = "disburse migration";

async function refuseBesideOthers(client: pg.PoolClient, { name }: Migration): Promise<void> {
  const count = await countOthers(client);
  if (count === 0) return;
  throw new MigrationError(
    `${name} is breaking: the version before can't run beside it, and ${count} connections of Disburse are open.\n` +
      "Stop every process of the version before, then migrate and start.",
  );
}

type AppliedVersion = { name: string; version: string | null };

/**
 * The applied migrations in their order. A running process continues while a newer version migrates, but an older version
 * must not start afterwards: it would write by outdated rules.
 */
async function refuseUnknown(queryable: Queryable): Promise<AppliedVersion[]> {
  if (isEarlier(await appliedBy(queryable))) {
    throw new MigrationError(
      "The database is from before 0.1.0. Run disburse migrate (docs/operate/upgrade.md): it takes the database over, or says what is missing.",
    );
  }
  const { rows: applied } = await queryable.query<AppliedVersion>(
    "select name, version from migration order by name",
  );
  const known = new Set(readMigrations().map(({ name }) => name));
  const newer = applied.findLast(({ name }) => !known.has(name));
  if (!newer) return applied;
  const needed = newer.version ? `Disburse ${newer.version} or newer` : "a newer Disburse";
  throw new MigrationError(
    `The database is at migration ${newer.name}, which this program, Disburse ${version} at ${readMigrations().at(-1)?.name}, does not know.\n` +
      `Start ${needed}, or restore a backup from before it was applied.`,
  );
}

async function appliedBy(queryable: Queryable): Promise<Applied[]> {
  const { rows } = await queryable.query<Applied>("select name, checksum from migration");
  return rows;
}

function compare(applied: Applied[]): Migration[] {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  return readMigrations().filter(({ name, checksum }) => {
    const known = checksums.get(name);
    if (known !== undefined && known !== checksum) {
      throw new MigrationError(`${name} was changed after it had been applied. Restore the file.`);
    }
    return known === undefined;
  });
}

/** Polls instead of waiting in PostgreSQL: `create index concurrently` would wait for the waiting transaction. */
async function lockMigrations(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as is_ours", [
      migrationLock,
    ]);
    if (rows[0].is_ours) return;
    await sleep(lockPauseMs);
  }
}

/**
 * A migration with this line runs its statements one by one, outside a transaction, to build indexes of large tables
 * `concurrently`. After an interruption it runs again from its first statement.
 */
const isOutside = (text: string) => /^-- outside a transaction$/m.test(text);

export function statementsOf(text: string): string[] {
  const bare = text.replace(/^\s*--.*$/gm, "");
  return bare.split(/;\s*$/m).flatMap((statement) => statement.trim() || []);
}

async function applyOutside(client: pg.PoolClient, { text }: Migration): Promise<void> {
  await client.query("set statement_timeout = 0");
  try {
    for (const statement of statementsOf(text)) await client.query(statement);
  } finally {
    await client.query("reset statement_timeout");
  }
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  const { name, text, checksum } = migration;
  try {
    if (isOutside(text)) await applyOutside(client, migration);
    await client.query("begin");
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await client.query("set local statement_timeout = 0");
    if (!isOutside(text)) await client.query(text);
    await client.query("insert into migration (name, checksum, version) values ($1, $2, $3)", [
      name,
      checksum,
      version,
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw new MigrationError(`${name} could not be applied: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
