// A database with a bank connection, and payouts that wait for its next file.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BankConnection, openWindow } from "../server/src/banking/connections/connection.ts";
import { connectBanks } from "../server/src/banking/connections/connections.ts";
import { putConnection } from "../server/src/banking/connections/save-connection.ts";
import { findBatch } from "../server/src/banking/files/batch-queries.ts";
import { freezeBatches } from "../server/src/banking/files/freeze.ts";
import { approveBatch, recordSent } from "../server/src/banking/files/release.ts";
import { railDirectory } from "../server/src/money/rails/directory.ts";
import { type Seal, sealWith } from "../server/src/platform/encryption/seal.ts";
import { type Database, type Postgres, settle } from "./database.ts";
import type { Measure, Measured } from "./measure.ts";
import { addPayouts } from "./measures/payout-growth.ts";
import { addPayee, type Payer } from "./payees.ts";
import { findPgbench } from "./pgbench.ts";
import { atMost } from "./requirement.ts";
import { interleave } from "./rounds.ts";

/** Of every payout, in cents. */
export const amount = 100;

const settings = {
  bank: "CBA",
  user_id: "301500",
  user_name: "ACME PAYOUTS PTY LTD",
  bsb: "062000",
  account_number: "12345678",
  description: "PAYOUTS",
  remitter: "ACME PAYOUTS",
};

export type BankSide = {
  database: Database;
  seal: Seal;
  payer: Payer;
  connection: BankConnection;
};

export async function newBankSide(
  postgres: Postgres,
  name: string,
  payouts: number,
): Promise<BankSide> {
  const database = await postgres.createDatabase(name);
  const { masterKey, caller } = database;
  const seal = sealWith(masterKey);
  const payer = await addPayee(database, caller);
  if (payouts > 0) await addPayouts(database, payer, payouts);
  return { database, seal, payer, connection: await addConnection(database) };
}

export async function addConnection({ db, masterKey }: Database): Promise<BankConnection> {
  const seal = sealWith(masterKey);
  await db.transaction((tx) =>
    putConnection(
      { tx, seal },
      { name: "Bench", format: "aba", settings },
      { who: "bench", atMs: 1 },
    ),
  );
  const [connection] = await connectBanks({ db, seal, rails: railDirectory([]) });
  return connection as BankConnection;
}

type Waiting = { stage: "queued" | "submitted"; prefix?: string };

/** Adds payouts of the connection: queued with their money held, or submitted with it in clearing. */
export async function addBankPayouts(
  { database, payer, connection }: BankSide,
  count: number,
  { stage, prefix = "invoice " }: Waiting,
) {
  const { db } = database;
  const window = openWindow(connection, Date.now());
  const { subaccountId } = payer.caller;
  await db.pool.query(
    `insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency, reference,
       note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms, created_by,
       due_at_ms, process_date)
     select $1::uuid, uuidv7(), $2::uuid, $3::uuid, 1, $4::bigint, 'AUD', $9::text || n, '', 'pending', $10::text,
       '', '', $5::text, '', 0, 0, 'bench', $6::bigint, $7::text
     from generate_series(1, $8::int) n`,
    [
      subaccountId,
      payer.receiverId,
      payer.accountId,
      amount,
      connection.rail,
      window.freezesAtMs,
      window.processDate,
      count,
      prefix,
      stage,
    ],
  );
  const account = stage === "queued" ? "held" : "clearing";
  await db.pool.query(
    `update ledger_balance set ${account} = ${account} + $2::bigint, bank = bank + $2::bigint
     where subaccount_id = $1 and currency = 'AUD'`,
    [subaccountId, amount * count],
  );
  await settle(db);
  return window;
}

/** Freezes all that wait into one file. Returns its id. */
export async function freezeAll(
  { database, seal, connection }: BankSide,
  window: ReturnType<typeof openWindow>,
): Promise<string> {
  const request = { who: "bench", atMs: Date.now(), window };
  const [id, ...others] = await freezeBatches({ db: database.db, seal }, connection, request);
  if (!id || others.length > 0) throw new Error("all payouts must be in one file");
  return id;
}

/** Approves and sends a file. Returns its process date. */
export async function sendBatch(
  { database: { db }, connection }: BankSide,
  id: string,
): Promise<string> {
  const atMs = Date.now();
  const batch = await findBatch(db, id);
  if (!batch) throw new Error("the batch must exist");
  for (const who of ["operator:first", "operator:second"]) {
    const approval = { who, atMs, sha256: batch.file_sha256 };
    const left = await db.transaction((tx) =>
      approveBatch(tx, { id, row: connection.row }, approval),
    );
    if (left === 0) break;
  }
  const sent = { id, bankReference: "", who: "operator:sender", atMs };
  await db.transaction((tx) => recordSent(tx, connection, sent));
  return batch.process_date;
}

/** One transaction in pgbench. Resolves to its milliseconds. */
export async function timeInPgbench(
  program: string,
  { folder }: Postgres,
  { database }: BankSide,
  statements: readonly string[],
): Promise<number> {
  const script = join(folder, "bank.pgbench");
  writeFileSync(script, ["begin;", ...statements, "commit;", ""].join("\n"));
  const { host, port, user, password, database: name } = database.connection;
  const env = {
    ...process.env,
    PGHOST: String(host),
    PGPORT: String(port),
    PGUSER: String(user),
    PGPASSWORD: String(password),
    PGDATABASE: String(name),
  };
  const startMs = performance.now();
  await promisify(execFile)(program, ["-n", "-c", "1", "-t", "1", "-f", script], { env });
  return performance.now() - startMs;
}

/** The connection's rail, as an SQL expression: pgbench takes a colon for the start of a variable. */
export const railSql = ({ connection }: BankSide) => `'bank' || chr(58) || '${connection.id}'`;

type BankWork = {
  title: string;
  /** The participle for the figures: "frozen". */
  verb: string;
  databases: string;
  /** Resolves to the milliseconds that the service took for this number of payouts. */
  run(side: BankSide, count: number): Promise<number>;
  /** The same rows by PostgreSQL alone. */
  runInPgbench(pgbench: string, side: BankSide, count: number): Promise<number>;
};

/** Measures the service against pgbench, and its growth from a small table to a large one. */
export async function measureBankWork(
  { postgres, scale }: Parameters<Measure>[0],
  { title, verb, databases, run, runInPgbench }: BankWork,
): Promise<Measured> {
  const { bankRounds: rounds, bankPayoutsMany, bankPayoutsFew, payoutsFew, payoutsMany } = scale;
  const pgbench = findPgbench();
  const alone = await newBankSide(postgres, `${databases}_alone`, 0);
  const few = await newBankSide(postgres, `${databases}_few`, payoutsFew);
  const many = await newBankSide(postgres, `${databases}_many`, payoutsMany);
  const noTime = { rounds, roundMs: 0, warmUpMs: 0 };
  const variant = (name: string, count: number, time: () => Promise<number>) => ({
    name,
    run: async () => ({ perSecond: (count * 1000) / (await time()) }),
  });

  const against = await interleave(
    [
      variant(`${verb} by the service`, bankPayoutsMany, () => run(alone, bankPayoutsMany)),
      ...(pgbench
        ? [
            variant("pgbench, the same rows", bankPayoutsMany, () =>
              runInPgbench(pgbench, alone, bankPayoutsMany),
            ),
          ]
        : []),
    ],
    noTime,
  );
  const memoryMb = await peakMemoryMb(() => run(alone, bankPayoutsMany));
  const growth = await interleave(
    [
      variant(`${verb}, among ${payoutsFew}`, bankPayoutsFew, () => run(few, bankPayoutsFew)),
      variant(`${verb}, among ${payoutsMany}`, bankPayoutsFew, () => run(many, bankPayoutsFew)),
    ],
    noTime,
  );
  const [amongFew = 0, amongMany = 0] = Object.values(growth).map(({ perSecond }) => perSecond);
  const [served = 0, bare] = Object.values(against).map(({ perSecond }) => perSecond);
  return {
    title,
    how: `${bankPayoutsMany} payouts in one file; ${bankPayoutsFew} among ${payoutsMany} against ${payoutsFew} payouts in the table`,
    figures: [...Object.values(against), ...Object.values(growth)],
    requirements: [
      ...(bare === undefined ? [] : [atMost(`${verb}: time / pgbench`, bare / served, 2)]),
      atMost(`${verb}: time grown`, amongFew / amongMany, 1.25),
    ],
    notes: [
      `the memory of the process grew by at most ${memoryMb} MB during a file of ${bankPayoutsMany} payouts`,
      ...(pgbench ? [] : ["pgbench is not installed: only the growth was measured"]),
    ],
  };
}

/** By how many megabytes the resident memory grew at most while the work ran. */
async function peakMemoryMb(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const sample = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  try {
    await work();
  } finally {
    clearInterval(sample);
  }
  return Math.round((peak - before) / 2 ** 20);
}
