// The whole database as text: every row of every table, and the content of what is encrypted in files.

import { readFile } from "../../src/banking/files/batch-file.ts";
import { inboundChunkIdentity } from "../../src/banking/inbound-files/inbound.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";

/** In lower case. */
export async function databaseText({ db, seal }: { db: Db; seal: Seal }): Promise<string> {
  const { rows: tables } = await db.pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'",
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.pool.query(`select t::text as row from ${name} t`);
    parts.push(...rows.map(({ row }) => row as string));
  }
  const { rows: batches } = await db.pool.query<{ id: string }>("select id from bank_batch");
  for (const { id } of batches) {
    for await (const text of readFile({ db, seal }, id)) parts.push(text);
  }
  const { rows: chunks } = await db.pool.query("select * from bank_inbound_chunk");
  for (const { file_id, number, sealed } of chunks) {
    parts.push(seal.decrypt(sealed, inboundChunkIdentity(file_id, number)));
  }
  return parts.join("\n").toLowerCase();
}

/** The tables in which a row has one of the words, in the order of their names. Partitions count as their table. */
export async function findTables({ pool }: Db, words: readonly string[]): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const found = new Set<string>();
  for (const { name } of tables) {
    const { rowCount } = await pool.query(
      `select from ${name} t where exists (
         select from unnest($1::text[]) word where strpos(lower(t::text), lower(word)) > 0) limit 1`,
      [words],
    );
    if (rowCount) found.add(name.replace(/_(default|\d{8})$/, ""));
  }
  return [...found].sort();
}

/** The words that the database has. */
export async function findWords(
  parts: { db: Db; seal: Seal },
  words: readonly string[],
): Promise<string[]> {
  const text = await databaseText(parts);
  return words.filter((word) => text.includes(word.toLowerCase()));
}
