// Data that a released version has made: its rows as SQL, and what a test needs to use them.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Db } from "../../src/platform/db/connect.ts";
import { readMigrations } from "../../src/platform/db/migrate.ts";

/** The keys of the data, and its objects. */
export type ReleaseFacts = {
  masterKey: string;
  key: string;
  secret: string;
  subaccountId: string;
  receiverId: string;
  accountId: string;
  dob: string;
  accountNumber: string;
  user: { email: string; password: string };
  changeId: string;
  webhookSecret: string;
  repeated: { path: string; key: string; body: object; response: object };
};

const fileOf = (version: string) =>
  join(import.meta.dirname, "..", "fixtures", `data-${version}.sql`);

/** Short-lived, or built again from other rows. */
const leftOut = `'migration', 'api_nonce', 'request_log', 'request_shape', 'delivery_attempt', 'delivery_worker',
  'user_session', 'user_verification', 'login_failure', 'rollup_cursor', 'payout_rollup', 'payout_failure_rollup',
  'delivery_rollup', 'delivery_rollup_cursor'`;

const numbered = [
  ["screening_set", "id"],
  ["payout_rule_set", "version"],
];

export async function writeReleaseData(
  { pool }: Db,
  version: string,
  facts: ReleaseFacts,
): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and c.relname not in (${leftOut})
     group by c.relname order by c.relname`,
  );
  const parts = [
    `-- Data of ${version}, written by npm run release-data. Never edited.`,
    `-- ${JSON.stringify(facts)}`,
  ];
  for (const { name, columns } of tables) {
    const values = columns.map((column) => `quote_nullable("${column}"::text)`).join(", ");
    const { rows } = await pool.query<{ row: string }>(
      `select '(' || concat_ws(',', ${values}) || ')' as row from "${name}" order by 1`,
    );
    if (rows.length === 0) continue;
    const names = columns.map((column) => `"${column}"`).join(",");
    const lines = rows.map(({ row }) => row).join(",\n");
    parts.push(`insert into ${name} (${names}) overriding system value values\n${lines};`);
  }
  writeFileSync(fileOf(version), `${parts.join("\n")}\n`);
}

export function readReleaseFacts(version: string): ReleaseFacts {
  return JSON.parse(readFileSync(fileOf(version), "utf8").split("\n")[1]?.slice(3) ?? "");
}

/** Makes an empty database one that 0.1.0 has used: its schema, and the rows of the file. */
export async function loadReleaseData({ pool }: Db, version: string): Promise<void> {
  const [first] = readMigrations();
  if (!first) throw new Error("there is no first migration");
  const rows = readFileSync(fileOf(version), "utf8");
  const tables = [...rows.matchAll(/^insert into (\w+) \(/gm)].map(([, table]) => table);
  const client = await pool.connect();
  try {
    await client.query(
      `create table migration (name text primary key, checksum text not null,
         applied_at timestamptz not null default now(), version text)`,
    );
    await client.query(first.text);
    const applied = [first.name, first.checksum, version];
    await client.query(
      "insert into migration (name, checksum, version) values ($1, $2, $3)",
      applied,
    );
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    await client.query(`truncate ${tables.join(", ")} cascade`);
    await client.query(rows);
    await client.query(
      "select setval('event_number', (select coalesce(max(number), 0) + 1 from event), false)",
    );
    for (const [table, column] of numbered) {
      await client.query(
        `select setval(pg_get_serial_sequence('${table}', '${column}'),
                       (select coalesce(max(${column}), 0) + 1 from ${table}), false)`,
      );
    }
    await client.query("commit");
  } finally {
    client.release();
  }
}
