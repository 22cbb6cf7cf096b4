// pgbench inserts the same rows, with one statement and one commit each: PostgreSQL without the service.

import { execFile } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Caller, Database, Postgres } from "./database.ts";
import { connectionsUnderLoad } from "./measure.ts";
import type { Payer } from "./payees.ts";
import { sampleReceiver } from "./requests.ts";

/** Of pgbench itself. PostgreSQL uses all cores. */
export const threads = 2;
const versionsFolder = "/usr/lib/postgresql";

/** Undefined if this machine has no pgbench. */
export function findPgbench(): string | undefined {
  const versions = existsSync(versionsFolder) ? readdirSync(versionsFolder).sort().reverse() : [];
  const folders = [
    ...versions.map((version) => join(versionsFolder, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  return folders.map((folder) => join(folder, "pgbench")).find((path) => existsSync(path));
}

export function pgbenchInserting(program: string, database: Database, postgres: Postgres) {
  const script = insertScript(database.caller, newIdIn(postgres));
  return pgbenchRunning(program, database, postgres, { name: "insert", script });
}

/** The usual transaction of one payout: lock, insert, move the balance, commit. */
export function pgbenchPaying(
  program: string,
  database: Database,
  postgres: Postgres,
  payer: Payer,
) {
  const script = payScript(payer, newIdIn(postgres));
  return pgbenchRunning(program, database, postgres, { name: "pay", script });
}

/** The same rows as the service's, with time-ordered ids where PostgreSQL can make them. */
function newIdIn({ version }: Postgres): string {
  return Number.parseInt(version, 10) >= 18 ? "uuidv7()" : "gen_random_uuid()";
}

function pgbenchRunning(
  program: string,
  { connection }: Database,
  { folder }: Postgres,
  { name, script: text }: { name: string; script: string },
) {
  const script = join(folder, `${name}.pgbench`);
  writeFileSync(script, text);
  const { host, port, user, password, database } = connection;
  const environment = {
    ...process.env,
    PGHOST: String(host),
    PGPORT: String(port),
    PGUSER: String(user),
    PGPASSWORD: String(password),
    PGDATABASE: String(database),
  };

  return async (durationMs: number): Promise<{ perSecond: number }> => {
    const words = ["-n", "-M", "prepared", "-c", connectionsUnderLoad, "-j", threads];
    // Its connections may take seconds to open and to prepare the statement.
    const seconds = Math.max(5, Math.round(durationMs / 1000));
    const { stdout } = await promisify(execFile)(
      program,
      [...words, "-T", seconds, "-f", script].map(String),
      { env: environment, timeout: durationMs + 60_000 },
    );
    const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1];
    const perSecond = Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1]);
    if (!(perSecond > 0) || (failed && failed !== "0")) throw new Error(`pgbench said:\n${stdout}`);
    return { perSecond };
  };
}

const sealedFields = ["dialcode", "address", "address2", "city", "state", "postcode"];
const chars = (begin: string, count: number) => begin.padEnd(begin.length + count, "5");

function insertScript({ subaccountId, key }: Caller, newId: string): string {
  const { email: _, ...texts } = sampleReceiver("");
  const columns: Record<string, string> = {
    subaccount_id: `'${subaccountId}'`,
    id: newId,
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, `'${text}'`])),
    // As the service stores a person: encrypted, with the key of the receiver.
    ...Object.fromEntries(sealedFields.map((name) => [name, "''"])),
    dob: "'~a'",
    phone: "'~abc'",
    person_key: `'${chars("\\x", 2 * 53)}'`,
    person_sealed: `'${chars("\\x", 2 * 117)}'`,
    middle_name: "''",
    reference: "''",
    // Two random numbers make an email as long and as unique as those of the requests.
    email: "'ada-' || :first::text || :second::text || '@example.com'",
    email_key: "'ada-' || :first::text || :second::text || '@example.com'",
    applicant_id: "'applicant_' || replace(gen_random_uuid()::text, '-', '')",
    status: "'pending'",
    kyc_status: "'pending'",
    // pgbench would read a colon as the start of a variable.
    created_by: `'key' || chr(58) || '${key}'`,
    kyc_provider: "'sandbox'",
    kyc_step: "'ask'",
    kyc_due_at_ms: "floor(extract(epoch from now()) * 1000)::bigint + 86400000",
    created_at_ms: "floor(extract(epoch from now()) * 1000)::bigint",
  };
  const [low, high] = [10n ** 17n, 10n ** 18n - 1n];
  // pgbench reads a command to the end of its line, and a statement to its semicolon.
  return [
    `\\set first random(${low}, ${high})`,
    `\\set second random(${low}, ${high})`,
    `insert into receiver (${Object.keys(columns).join(", ")})`,
    `values (${Object.values(columns).join(", ")});`,
    "",
  ].join("\n");
}

function payScript({ caller, receiverId, accountId }: Payer, newId: string): string {
  const { subaccountId, key } = caller;
  const balance = `subaccount_id = '${subaccountId}' and currency = 'AUD'`;
  const by = `'key' || chr(58) || '${key}'`;
  const nowMs = "floor(extract(epoch from now()) * 1000)::bigint";
  const body =
    `'{"event"' || chr(58) || '"payoutCreated","amount"' || chr(58) || '100,"currency"' || chr(58) || ` +
    `'"AUD","payout_id"' || chr(58) || '"' || id || '","receiver_id"' || chr(58) || '"${receiverId}"}'`;
  return [
    `\\set reference random(1, 1000000000000)`,
    "begin;",
    `select available from ledger_balance where ${balance} for update;`,
    `with made as (insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, ` +
      "currency, reference, note, status, stage, cause, cause_code, rail, provider_reference, " +
      `created_at_ms, updated_at_ms, created_by, due_at_ms) values ('${subaccountId}', ${newId}, ` +
      `'${receiverId}', '${accountId}', 1, 100, 'AUD', :reference::text, '', 'pending', 'queued', '', '', ` +
      `'sandbox', '', ${nowMs}, ${nowMs}, ${by}, ${nowMs} + 86400000) returning id), ` +
      "inserted_event as (insert into event (subaccount_id, id, order_key, type, body, created_at_ms) " +
      `select '${subaccountId}', ${newId}, id, 'payoutCreated', ${body}, ${nowMs} from made), ` +
      "moved as (update ledger_balance set available = available - 100, held = held + 100, " +
      `transfers = transfers + 1 where ${balance} returning transfers, available, held) ` +
      "insert into ledger_transfer (subaccount_id, currency, number, id, debit, credit, amount, kind, " +
      "payout_id, reference, available_after, held_after, created_at_ms, created_by) " +
      `select '${subaccountId}', 'AUD', transfers, ${newId}, 'available', 'held', 100, 'hold', made.id, ` +
      `:reference::text, available, held, ${nowMs}, ${by} from moved, made;`,
    "commit;",
    "",
  ].join("\n");
}
