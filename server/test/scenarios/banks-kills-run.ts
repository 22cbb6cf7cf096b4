// Bank files under kill -9 of the processes that send them, of those that freeze, approve and apply inbound files, and
// of PostgreSQL. The bank is an SFTP server that is never killed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { putConnection } from "../../src/banking/connections/save-connection.ts";
import { fund } from "../../src/money/ledger/fund.ts";
import { connect, type Db } from "../../src/platform/db/connect.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { type Seal, sealWith } from "../../src/platform/encryption/seal.ts";
import { ensureInstallation } from "../../src/tenants/installation/installation.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { startPostgres } from "../support/own-postgres.ts";
import { clientOf, newPerson } from "../support/payers.ts";
import { type Running, serve } from "../support/process.ts";
import { programPath } from "../support/programs.ts";
import { sftpPassword, startSftpServer, type TestSftpServer } from "../support/sftp-server.ts";
import { bankComplaints, returnsToCome } from "./banks-kills-check.ts";
import { randomOf } from "./seeded-draw.ts";

type BanksKills = {
  masterKey: Buffer;
  kills: number;
  seed: number;
  onKill?: (killed: number) => void;
};

export type BanksKillsSeen = {
  killed: Record<"worker" | "clerk" | "database", number>;
  payouts: number;
  files: number;
  discarded: number;
  /** Files that a process was sending when it was killed. */
  interrupted: number;
  inboundFiles: number;
  complaints: string[];
};

const payoutsPerKill = 4;
const payoutsPerFile = 3;
/** The time limit for the files that remain after the last kill. */
const drainMs = 400_000;

export async function killBanks(options: BanksKills): Promise<BanksKillsSeen> {
  const postgres = await startPostgres();
  const db = connect({ connection: postgres.connection, poolMax: 4 });
  const bank = await startSftpServer();
  // Processes start often, so they share a compile cache.
  const compiled = mkdtempSync(join(tmpdir(), "disburse-banks-kills-"));
  const environment = {
    NODE_COMPILE_CACHE: compiled,
    NODE_ENV: "production",
    DATABASE_URL: postgres.url,
    DISBURSE_MASTER_KEY: options.masterKey.toString("base64"),
    POSTBACK_ADDRESSES: "loopback",
    RATE_LIMIT_PER_S: "0",
    LOG_LEVEL: "silent",
  };
  const crew = newCrew(environment);
  try {
    await postgres.ready();
    await migrate(db);
    const seal = sealWith(options.masterKey);
    await ensureInstallation(db, seal);
    const ids = await makePayouts({ db, seal }, environment, bank, options.kills * payoutsPerKill);
    // Responses are delayed, so that many kills happen while a file is being sent.
    bank.setFaults({ delayMs: 20 });
    const killed = await killAll(crew, postgres, options);
    bank.setFaults({});
    await drain(db, drainMs);
    await crew.end();
    return { killed, ...(await see(db, bank, ids)) };
  } finally {
    await crew.end();
    await bank.close();
    await db.close();
    await postgres.close();
    rmSync(compiled, { recursive: true, force: true });
  }
}

/** A live subaccount whose payouts go to this bank. Returns the ids of its payouts. */
async function makePayouts(
  { db, seal }: { db: Db; seal: Seal },
  environment: Record<string, string>,
  bank: TestSftpServer,
  count: number,
): Promise<string[]> {
  const { subaccountId, key, secret } = await createSubaccount(
    { db, seal },
    { name: "Pays", mode: "live" },
  );
  const amount = 1_000_000n;
  const money = { subaccountId, currency: "AUD", amount, reference: "first", who: "test", atMs: 1 };
  await db.transaction((tx) => fund(tx, money));
  const connection = {
    name: "bank",
    format: "pain.001.001.03-aud",
    settings: { debtor_name: "ACME", account_number: "12345678", clearing_code: "062000" },
    success_when: "sent",
    file_count_max: payoutsPerFile,
    travels: "sftp",
    sftp: {
      host: "127.0.0.1",
      port: bank.port,
      user: "acme",
      password: sftpPassword,
      host_key: bank.fingerprint,
    },
  };
  await db.transaction((tx) =>
    putConnection({ tx, seal }, connection, { who: "operator:admin", atMs: Date.now() }),
  );
  const serving = await serve(environment, ["--role", "api"]);
  const { receivers, receiverAccounts, payouts } = clientOf(
    { apiKey: key, apiSecret: secret },
    serving.baseUrl,
  );
  const { receiver_id } = await receivers.create(newPerson());
  await db.pool.query("update receiver set status = 'active', kyc_status = 'completed'");
  const details = { account_type: "I" as const, bsb: "083047", account_number: "111111111" };
  const { account_id } = await receiverAccounts.create({ receiver_id, ...details });
  const to = { receiver_id, account_id, currency: "AUD", allow_duplicate: true };
  const ids: string[] = [];
  const left = Array(count).keys();
  const make = async () => {
    for (const each of left) {
      const amount = 1 + (each % 9);
      ids.push((await payouts.create({ ...to, amount, reference: `PO-${each}` })).payout_id);
    }
  };
  await Promise.all(Array.from({ length: 8 }, make));
  await serving.end();
  return ids;
}

type Crew = ReturnType<typeof newCrew>;
type Role = "worker" | "clerk";

/** Workers and clerks. A killed process is replaced at once. */
function newCrew(environment: Record<string, string>) {
  const up: { role: Role; running: Running }[] = [];
  const starting = new Set<Promise<void>>();
  let isOver = false;
  const start = (role: Role) =>
    role === "worker" ? serve(environment, ["--role", "worker"]) : startClerk(environment);
  async function raise(role: Role): Promise<void> {
    // Retries while PostgreSQL is down.
    while (!isOver) {
      try {
        const running = await start(role);
        if (isOver) await running.end("SIGKILL");
        else up.push({ role, running });
        return;
      } catch {
        await sleep(100);
      }
    }
  }
  return {
    up,
    raise(role: Role): void {
      const work: Promise<void> = raise(role).finally(() => starting.delete(work));
      starting.add(work);
    },
    async end(): Promise<void> {
      isOver = true;
      await Promise.all(starting);
      await Promise.all(up.splice(0).map(({ running }) => running.end("SIGKILL")));
    },
  };
}

async function startClerk(environment: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [programPath("bank-clerk")], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const isReady = await Promise.race([
    once(child.stdout as NodeJS.ReadableStream as never, "data").then(() => true),
    ended.then(() => false),
  ]);
  if (!isReady) throw new Error("the clerk ended");
  return {
    process: child,
    output: () => ({ stdout: "", stderr: "" }),
    ended,
    end(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

async function killAll(
  crew: Crew,
  postgres: Awaited<ReturnType<typeof startPostgres>>,
  { kills, seed, onKill }: BanksKills,
): Promise<BanksKillsSeen["killed"]> {
  const random = randomOf(seed);
  const killed = { worker: 0, clerk: 0, database: 0 };
  for (const role of ["worker", "worker", "worker", "clerk", "clerk", "clerk"] as const)
    crew.raise(role);
  for (let count = 1; count <= kills; count += 1) {
    const has = (role: Role) => crew.up.some((one) => one.role === role);
    while (!has("worker") || !has("clerk")) await sleep(20);
    await sleep(50 + random() * 700);
    if (count % 10 === 3) {
      await postgres.restart(count % 20 === 3 ? "SIGKILL" : "SIGQUIT");
      killed.database += 1;
    } else {
      const index = Math.floor(random() * crew.up.length);
      const [victim] = crew.up.splice(index, 1);
      if (!victim) throw new Error("no process is running");
      await victim.running.end("SIGKILL");
      killed[victim.role] += 1;
      crew.raise(victim.role);
    }
    onKill?.(count);
  }
  return killed;
}

/** Waits until every payout is paid or returned, and every file is acknowledged. */
async function drain(db: Db, limitMs: number): Promise<void> {
  for (const endMs = Date.now() + limitMs; Date.now() < endMs; await sleep(500)) {
    const { rows } = await db.pool.query(
      `select 1 from payout where stage not in ('settled', 'returned')
       union all select 1 from bank_batch where status not in ('accepted', 'discarded') limit 1`,
    );
    if (rows.length === 0 && (await returnsToCome(db)).length === 0) return;
  }
}

async function see(db: Db, { files }: TestSftpServer, ids: readonly string[]) {
  const { rows } = await db.pool.query<Record<"discarded" | "interrupted" | "inbound", string>>(
    `select (select count(*) from bank_batch where status = 'discarded') as discarded,
            (select count(*) from bank_batch_send where tries > 1) as interrupted,
            (select count(*) from bank_inbound_file) as inbound`,
  );
  const [counts] = rows;
  return {
    payouts: ids.length,
    files: files.size,
    discarded: Number(counts?.discarded),
    interrupted: Number(counts?.interrupted),
    inboundFiles: Number(counts?.inbound),
    complaints: await bankComplaints(db, files, ids),
  };
}
