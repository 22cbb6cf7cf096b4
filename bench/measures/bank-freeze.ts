// Freezing payouts into a bank file, against PostgreSQL alone: one transaction that updates and inserts the same rows.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BankConnection, openWindow } from "../../server/src/banks/connection.ts";
import { connectBanks } from "../../server/src/banks/connections.ts";
import { freezeBatches } from "../../server/src/banks/freeze.ts";
import { putConnection } from "../../server/src/banks/save-connection.ts";
import { railDirectory } from "../../server/src/rails/directory.ts";
import { sealWith } from "../../server/src/seal.ts";
import { type Database, type Postgres, settle } from "../database.ts";
import type { Measure } from "../measure.ts";
import { addPayee, type Payer } from "../payees.ts";
import { findPgbench } from "../pgbench.ts";
import { atMost } from "../requirement.ts";
import { interleave } from "../rounds.ts";
import { addPayouts } from "./payout-growth.ts";

const amount = 100;
const settings = {
  bank: "CBA",
  user_id: "301500",
  user_name: "ACME PAYOUTS PTY LTD",
  bsb: "062000",
  account_number: "12345678",
  description: "PAYOUTS",
  remitter: "ACME PAYOUTS",
};

type Side = { database: Database; payer: Payer; connection: BankConnection };

export const measureBankFreeze: Measure = async ({ postgres, scale }) => {
  const { freezeRounds: rounds, frozenMany, frozenFew, payoutsFew, payoutsMany } = scale;
  const pgbench = findPgbench();
  const alone = await newSide(postgres, "bank_alone", 0);
  const sides = [
    await newSide(postgres, "bank_few", payoutsFew),
    await newSide(postgres, "bank_many", payoutsMany),
  ] as const;
  const noTime = { rounds, roundMs: 0, warmUpMs: 0 };

  const against = await interleave(
    [
      { name: "frozen into a file", run: () => freezing(alone, frozenMany) },
      ...(pgbench
        ? [
            {
              name: "pgbench, the same rows",
              run: () => updating(pgbench, postgres, alone, frozenMany),
            },
          ]
        : []),
    ],
    noTime,
  );
  const growth = await interleave(
    sides.map((side, index) => ({
      name: `frozen, among ${index === 0 ? payoutsFew : payoutsMany}`,
      run: () => freezing(side, frozenFew),
    })),
    noTime,
  );
  const [few = 0, many = 0] = Object.values(growth).map(({ perSecond }) => perSecond);
  const [frozen = 0, bare] = Object.values(against).map(({ perSecond }) => perSecond);
  return {
    title: "Freezing payouts into bank files",
    how: `${frozenMany} payouts in one file; ${frozenFew} among ${payoutsMany} against ${payoutsFew} payouts in the table`,
    figures: [...Object.values(against), ...Object.values(growth)],
    requirements: [
      ...(bare === undefined ? [] : [atMost("frozen: time / pgbench", bare / frozen, 2)]),
      atMost("frozen: time grown", few / many, 1.25),
    ],
    notes: pgbench ? [] : ["pgbench is not installed: only the growth was measured"],
  };
};

async function newSide(postgres: Postgres, name: string, payouts: number): Promise<Side> {
  const database = await postgres.createDatabase(name);
  const { db, masterKey, caller } = database;
  const seal = sealWith(masterKey);
  const payer = await addPayee(database, caller);
  if (payouts > 0) await addPayouts(database, payer, payouts);
  await db.transaction((tx) =>
    putConnection(
      { tx, seal },
      { name: "Bench", format: "aba", settings },
      { who: "bench", atMs: 1 },
    ),
  );
  const [connection] = await connectBanks({ db, seal, rails: railDirectory([]) });
  return { database, payer, connection: connection as BankConnection };
}

/** Payouts that wait for the connection's next file, with their money held. */
async function addQueued({ database, payer, connection }: Side, count: number) {
  const { db } = database;
  const window = openWindow(connection, Date.now());
  const { subaccountId } = payer.caller;
  await db.pool.query(
    `insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency, reference,
       note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms, created_by,
       due_at_ms, process_date)
     select $1::uuid, uuidv7(), $2::uuid, $3::uuid, 1, $4::bigint, 'AUD', 'invoice ' || n, '', 'pending', 'queued',
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
    ],
  );
  await db.pool.query(
    `update ledger_balance set held = held + $2::bigint, bank = bank + $2::bigint
     where subaccount_id = $1 and currency = 'AUD'`,
    [subaccountId, amount * count],
  );
  await settle(db);
  return window;
}

async function freezing(side: Side, count: number): Promise<{ perSecond: number }> {
  const window = await addQueued(side, count);
  const { db, masterKey } = side.database;
  const seal = sealWith(masterKey);
  const startMs = performance.now();
  const ids = await freezeBatches({ db, seal }, side.connection, {
    who: "bench",
    atMs: Date.now(),
    window,
  });
  if (ids.length !== 1) throw new Error("all payouts must be in one file");
  return { perSecond: (count * 1000) / (performance.now() - startMs) };
}

/** One transaction: the payouts are moved, and their history, transfers and lines are inserted. */
async function updating(
  program: string,
  { folder }: Postgres,
  side: Side,
  count: number,
): Promise<{ perSecond: number }> {
  await addQueued(side, count);
  const { connection, database, payer } = side;
  const whose = `subaccount_id = '${payer.caller.subaccountId}'`;
  // pgbench takes a colon for the start of a variable.
  const rail = `'bank' || chr(58) || '${connection.id}'`;
  const script = join(folder, "freeze.pgbench");
  writeFileSync(
    script,
    [
      "begin;",
      "with batch as (insert into bank_batch (id, connection_id, sequence, status, process_date, cutoff_ms, payouts, " +
        `total, currency, file_name, file_sha256, file_bytes, frozen_at_ms, frozen_by) select uuidv7(), '${connection.id}', ` +
        "files + 1, 'frozen', '', 0, 1, 1, 'AUD', '', '', 0, 0, 'bench' from bank_connection returning id), " +
        "counted as (update bank_connection set files = files + 1), " +
        "moved as (update payout p set stage = 'batched', due_at_ms = null, updated_at_ms = 1, bank_batch_id = batch.id, " +
        `history_entries = p.history_entries + 1 from batch where p.${whose} and p.rail = ${rail} and p.stage = 'queued' ` +
        "and p.process_date <> '' returning p.subaccount_id, p.id, p.amount, p.reference, batch.id as batch_id), " +
        "history as (insert into payout_history (subaccount_id, payout_id, id, number, at_ms, who, from_status, to_status, " +
        "from_stage, to_stage, reason) select subaccount_id, id, uuidv7(), 2, 1, 'bench', 'pending', 'pending', 'queued', " +
        "'batched', 'frozen into a file of Bench' from moved), " +
        "lines as (insert into bank_batch_line (subaccount_id, payout_id, batch_id, line, file_reference) select " +
        "subaccount_id, id, batch_id, row_number() over (order by id), reference from moved), " +
        "balance as (update ledger_balance b set transfers = b.transfers + s.count, held = b.held - s.amount, " +
        "clearing = b.clearing + s.amount from (select count(*) as count, sum(amount)::bigint as amount from moved) s " +
        `where b.${whose} and b.currency = 'AUD' returning b.transfers - s.count as transfers, b.held) ` +
        "insert into ledger_transfer (subaccount_id, currency, number, id, debit, credit, amount, kind, payout_id, reference, " +
        "available_after, held_after, created_at_ms, created_by) select m.subaccount_id, 'AUD', b.transfers + row_number() " +
        `over (order by m.id), uuidv7(), 'held', 'clearing' || chr(58) || ${rail}, m.amount, 'submit', m.id, m.reference, 0, ` +
        "b.held, 1, 'bench' from moved m, balance b;",
      "commit;",
      "",
    ].join("\n"),
  );
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
  return { perSecond: (count * 1000) / (performance.now() - startMs) };
}
