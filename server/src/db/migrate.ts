// Brings the database forward: numbered SQL files, each applied once, in order, and never edited after.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import type { Db } from "./connect.ts";

const folder = join(import.meta.dirname, "migrations");
const migrationLock = 4_242_002;
const lockTimeoutMs = 5_000;

export type Migration = { name: string; text: string; checksum: string };

export class MigrationError extends Error {}

export function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    });
}

/** Applies what is missing and returns the names. Several processes may call it at once. */
export async function migrate(db: Db): Promise<string[]> {
  const client = await db.pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await client.query(`
      create table if not exists migration (
        name text primary key, checksum text not null, applied_at timestamptz not null default now()
      )`);
    const missing = compare(await appliedBy(client));
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ name }) => name);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [migrationLock]).catch(() => {});
    client.release();
  }
}

/** The names of migrations that are not applied yet. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const { rows } = await db.pool.query("select to_regclass('migration') is not null as exists");
  const applied = rows[0].exists ? await appliedBy(db.pool) : [];
  return compare(applied).map(({ name }) => name);
}

type Applied = { name: string; checksum: string };

async function appliedBy(queryable: pg.Pool | pg.PoolClient): Promise<Applied[]> {
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

async function apply(client: pg.PoolClient, { name, text, checksum }: Migration): Promise<void> {
  try {
    await client.query("begin");
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await client.query("set local statement_timeout = 0");
    await client.query(text);
    await client.query("insert into migration (name, checksum) values ($1, $2)", [name, checksum]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw new MigrationError(`${name} could not be applied: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
