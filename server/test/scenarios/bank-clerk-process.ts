// A process that does the work of users with bank files until it is killed: it freezes, approves by hash, discards
// some, and applies the files that the bank sends back.

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type BankConnection,
  openWindow,
  toConnection,
} from "../../src/banking/connections/connection.ts";
import { listConnections } from "../../src/banking/connections/connection-queries.ts";
import { readFile } from "../../src/banking/files/batch-file.ts";
import {
  type BankBatchRow,
  findBatch,
  listBatches,
} from "../../src/banking/files/batch-queries.ts";
import { freezeBatches } from "../../src/banking/files/freeze.ts";
import { approveBatch, discardBatch } from "../../src/banking/files/release.ts";
import { applyInbound } from "../../src/banking/inbound-files/inbound.ts";
import { newestId } from "../../src/platform/base/cursor.ts";
import { connect, type Db, type Tx } from "../../src/platform/db/connect.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { Refusal } from "../../src/platform/refusals/refusals.ts";
import { camt054, pain002 } from "../support/inbound-messages.ts";
import { isReturned, returnsToCome } from "./banks-kills-check.ts";

const { DATABASE_URL = "", DISBURSE_MASTER_KEY = "" } = process.env;
const db = connect({ connection: { connectionString: DATABASE_URL }, poolMax: 3 });
const seal = sealWith(Buffer.from(DISBURSE_MASTER_KEY, "base64"));
const openMax = 10;
// Ends with the process that started it.
process.stdin.on("end", () => process.exit()).resume();
process.stdout.write("ready\n");
for (;;) {
  try {
    await work();
  } catch (error) {
    // Another clerk or a worker was faster, or the database is down.
    if (!(error instanceof Refusal)) await sleep(200);
  }
  await sleep(Math.random() * 100);
}

async function work(): Promise<void> {
  const [row] = await listConnections(db);
  const connection = row && toConnection(row, seal);
  if (!connection) return;
  const open = await batchesOf(connection, ["frozen", "approved", "sending"]);
  if (open.length < openMax) {
    const atMs = Date.now();
    const freezing = { who: "rail:x", atMs, window: openWindow(connection, atMs) };
    await freezeBatches({ db: forOneFile(), seal }, connection, freezing);
  }
  for (const batch of open) await release(connection, batch);
  for (const batch of await batchesOf(connection, ["sent"])) {
    await apply(pain002(batch.id, { group: "ACTC" }), connection, batch);
  }
  for (const id of await returnsToCome(db)) {
    await sendBack(connection, (await findBatch(db, id)) as BankBatchRow);
  }
}

/** Freezes only one file per call, so that work remains for all kills. */
function forOneFile(): Db {
  let isFirst = true;
  return {
    ...db,
    async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      if (!isFirst) return undefined as T;
      isFirst = false;
      return db.transaction(work);
    },
  };
}

function batchesOf({ id }: BankConnection, statuses: BankBatchRow["status"][]) {
  return listBatches(db, { connectionId: id, statuses, beforeId: newestId, limit: 20 });
}

async function release(connection: BankConnection, batch: BankBatchRow): Promise<void> {
  const { id, status } = batch;
  const who = Math.random() < 0.5 ? "operator:a" : "operator:b";
  const by = { who, atMs: Date.now() };
  // A worker may begin to send it at the same time.
  if (status !== "sending" && Math.random() < 0.005) {
    await db.transaction((tx) => discardBatch(tx, connection, { id, words: undefined, ...by }));
    return;
  }
  if (status !== "frozen") return;
  const digest = createHash("sha256");
  for await (const text of readFile({ db, seal }, id)) digest.update(text);
  const sha256 = digest.digest("hex");
  const { row } = connection;
  await db.transaction((tx) => approveBatch(tx, { id, row }, { ...by, sha256 }));
}

/** The bank returns some payments: the same ones each time. */
async function sendBack(connection: BankConnection, batch: BankBatchRow): Promise<void> {
  const { rows } = await db.pool.query<{ id: string; amount: string }>(
    `select p.id, p.amount from bank_batch_line l
     join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
     where l.batch_id = $1 order by l.line`,
    [batch.id],
  );
  const back = rows.filter(({ id }) => isReturned(id));
  const { account_number } = connection.settings as { account_number: string };
  const entries = back.map(({ id, amount }) => ({
    payoutId: id,
    amount: `${Math.floor(Number(amount) / 100)}.${String(Number(amount) % 100).padStart(2, "0")}`,
  }));
  await apply(camt054(account_number, batch.process_date, entries), connection, batch);
}

async function apply(text: string, connection: BankConnection, { id }: BankBatchRow) {
  const request = { name: id, connection, who: "operator:a", atMs: Date.now() };
  await applyInbound({ db, seal }, Buffer.from(text), request);
}
