// A database as a version before has left it: with the first migrations only.

import type { Db } from "../../src/platform/db/connect.ts";
import { type readMigrations, statementsOf } from "../../src/platform/db/migrate.ts";

export async function applyMigrations(
  { pool }: Db,
  migrations: ReturnType<typeof readMigrations>,
  version: string | null,
): Promise<void> {
  await pool.query(
    "create table migration (name text primary key, checksum text not null, version text)",
  );
  for (const { name, text, checksum } of migrations) {
    const isOutside = /^-- outside a transaction$/m.test(text);
    for (const statement of isOutside ? statementsOf(text) : [text]) await pool.query(statement);
    const row = [name, checksum, version];
    await pool.query("insert into migration (name, checksum, version) values ($1, $2, $3)", row);
  }
}
