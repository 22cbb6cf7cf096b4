// Payouts under failures: kill -9 of the service, restarts of PostgreSQL, and lost responses. A caller that retries
// with the same key gets one payout, and the ledger has no other.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Disburse, DisburseError } from "@disburse/client";
import { expect, onTestFinished, test } from "vitest";
import { verifyLedger } from "../../src/money/ledger/verify.ts";
import { connect, type Db } from "../../src/platform/db/connect.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { ensureInstallation } from "../../src/tenants/installation/installation.ts";
import { contradictions } from "../scenarios/payouts-books.ts";
import { scale } from "../scenarios/scale.ts";
import { startPostgres } from "../support/own-postgres.ts";
import { newPayee } from "../support/payers.ts";
import { disburse as command, type Serving, serve } from "../support/process.ts";
import { childrenOf } from "../support/processes.ts";
import {
  masterKey,
  newCaller,
  newDatabase,
  settingsOf,
  type TestCaller,
} from "../support/service.ts";

const environmentOf = (url: string) => ({
  NODE_ENV: "production",
  ...settingsOf({ url }),
  KYC_SANDBOX_DELAY_MS: "86400000",
  SANDBOX_BANK_DELAY_MS: "50",
  RATE_LIMIT_PER_S: "0",
  LOG_LEVEL: "error",
});

const payee = ({ disburse }: TestCaller, accountNumber: string) =>
  newPayee(disburse, accountNumber);

const fund = ({ disburse }: TestCaller, amount: number) =>
  disburse.testHelpers.fund({ amount, currency: "AUD", reference: randomUUID() });

/** Verifies the books here and with `disburse ledger verify` in its own process. */
async function expectSound(db: Db, url: string): Promise<void> {
  expect(await contradictions(db)).toEqual([]);
  expect((await verifyLedger(db)).differences).toEqual([]);
  expect(await command(["ledger", "verify"], environmentOf(url))).toMatchObject({ code: 0 });
}

type Stored = { id: string; reference: string; stage: string };

async function payoutsOf({ pool }: Db, { subaccountId }: TestCaller): Promise<Stored[]> {
  const text = "select id, reference, stage from payout where subaccount_id = $1";
  return (await pool.query<Stored>(text, [subaccountId])).rows;
}

const kills = scale(1, 50);
const restarts = scale(1, 10);
/** By then a process has started, or has ended. */
const startMs = 30_000;

test(`after ${kills} kills of the service and ${restarts} of PostgreSQL, every payout exists once`, async () => {
  const postgres = await startPostgres();
  const db = connect({ connection: postgres.connection, poolMax: 4 });
  const started: Promise<Serving>[] = [];
  const up: Serving[] = [];
  const counts = { killed: 0, restarted: 0, broken: 0, replays: 0, failedStarts: 0 };
  let isOver = false;
  let isHanging = false;
  /** Resolves when PostgreSQL is up after its latest restart. */
  let back = Promise.resolve();
  onTestFinished(async () => {
    isOver = true;
    // Also processes that never became ready. The shell belongs to PostgreSQL.
    const processes = childrenOf(process.pid).filter(({ command }) => command !== "sh");
    for (const { pid } of processes) process.kill(pid, "SIGKILL");
    await Promise.allSettled(started);
    await db.close();
    await postgres.close();
  });
  await postgres.ready();
  await migrate(db);
  const seal = sealWith(masterKey);
  await ensureInstallation(db, seal);

  /** Starts a process, and retries while PostgreSQL is down. */
  async function startOne(): Promise<void> {
    while (!isOver) {
      await back;
      const process = serve(environmentOf(postgres.url));
      started.push(process);
      try {
        const late = sleep(startMs, undefined, { ref: false });
        const serving = await Promise.race([process, late]);
        if (serving) up.push(serving);
        else isHanging = true;
        return;
      } catch {
        counts.failedStarts += 1;
        await sleep(50);
      }
    }
  }
  await startOne();
  const caller = await newCaller({ db, seal, baseUrl: (up[0] as Serving).baseUrl });
  const accounts = ["12345999", "12345111", "12345444", "12345888"];
  const payees = await Promise.all(accounts.map((number) => payee(caller, number)));
  await fund(caller, 1_000_000_000);
  // Ends normally, so that it writes its compile cache.
  await (up.shift() as Serving).end();
  const startingOnes = new Set(Array.from({ length: 4 }, startOne));

  const watched = async (...words: Parameters<typeof fetch>) => {
    const response = await fetch(...words);
    if (response.headers.get("idempotent-replayed") === "true") counts.replays += 1;
    return response;
  };
  const clients = new Map<string, Disburse>();
  const clientOf = (baseUrl: string) => {
    const keys = { apiKey: caller.key, apiSecret: caller.secret };
    const settings = { ...keys, baseUrl, maxRetries: 0, timeoutMs: 8_000, fetch: watched };
    const client = clients.get(baseUrl) ?? new Disburse(settings);
    clients.set(baseUrl, client);
    return client;
  };
  /** Retries until one of the running processes responds, as a caller would. */
  async function retryUntilDone<Answer>(
    work: (client: Disburse) => Promise<Answer>,
  ): Promise<Answer> {
    while (!isOver) {
      const process = up[Math.floor(Math.random() * up.length)];
      try {
        if (process) return await work(clientOf(process.baseUrl));
      } catch (error) {
        if (!(error instanceof DisburseError)) throw error;
        // No response, or a refusal that allows a retry.
        const said = error.status === null ? "nothing" : error.code;
        if (!["nothing", "IDEM103", "SYST503"].includes(`${said}`)) throw error;
        counts.broken += 1;
      }
      await sleep(10);
    }
    throw new Error("the test is over");
  }

  type Done = { key: string; body: Parameters<Disburse["payouts"]["create"]>[0]; id: string };
  const done: Done[] = [];
  const cancelled = new Map<string, boolean>();
  const create = ({ key, body }: Omit<Done, "id">) =>
    retryUntilDone(
      async ({ payouts }) => (await payouts.create(body, { idempotencyKey: key })).payout_id,
    );
  const cancel = (id: string, key: string) =>
    retryUntilDone(async ({ payouts }) => {
      try {
        return (await payouts.cancel(id, { idempotencyKey: key })).stage === "cancelled";
      } catch (error) {
        if (error instanceof DisburseError && error.code === "PAYO301") return false;
        throw error;
      }
    });
  const worker = async () => {
    while (counts.killed < kills) {
      const key = randomUUID();
      const to = payees[Math.floor(Math.random() * payees.length)] as (typeof payees)[number];
      const amount = 1 + Math.floor(Math.random() * 1_000);
      const body = { ...to, amount, currency: "AUD", reference: key };
      const id = await create({ key, body });
      done.push({ key, body, id });
      if (done.length % 8 === 0) cancelled.set(id, await cancel(id, randomUUID()));
      // Leaves processor time for the processes that start.
      await sleep(Math.random() * 30);
    }
  };
  const workers = Promise.all(Array.from({ length: 8 }, worker));

  const startedMs = performance.now();
  const kill = async () => {
    while (counts.killed < kills) {
      const made = done.length;
      // Kills only while another process runs and payouts were created since the last kill.
      while (up.length < 2 || done.length < made + 12) await Promise.race([sleep(10), workers]);
      await sleep(Math.random() * 50);
      const victim = up.shift() as Serving;
      if (counts.killed % (kills / restarts) === 2) {
        // Some restarts end before the process is killed, others run at the same time.
        back = postgres.restart(counts.restarted % 2 === 0 ? "SIGQUIT" : "SIGKILL");
        if (counts.restarted % 3 === 0) await back;
        await Promise.all([victim.end("SIGKILL"), back]);
        counts.restarted += 1;
      } else await victim.end("SIGKILL");
      counts.killed += 1;
      const again: Promise<void> = startOne().finally(() => startingOnes.delete(again));
      startingOnes.add(again);
    }
  };
  await kill();
  await workers;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  await Promise.all(startingOnes);
  expect(isHanging).toBe(false);
  const { replays: lost, ...seen } = { ...counts };

  // New processes repeat the responses of killed ones.
  const sample = done.slice(-500);
  const before = counts.replays;
  expect(await Promise.all(sample.map(create))).toEqual(sample.map(({ id }) => id));
  expect(counts.replays - before).toBe(sample.length);
  for (const process of up.splice(0)) await process.end("SIGKILL");

  const stored = await payoutsOf(db, caller);
  const pair = ({ reference, id }: Stored) => `${reference} ${id}`;
  expect(stored.map(pair).sort()).toEqual(done.map(({ key, id }) => `${key} ${id}`).sort());
  const stageOf = new Map(stored.map(({ id, stage }) => [id, stage]));
  for (const [id, isBack] of cancelled) expect(stageOf.get(id) === "cancelled").toBe(isBack);
  await expectSound(db, postgres.url);
  const stages: Record<string, number> = {};
  for (const { stage } of stored) stages[stage] = (stages[stage] ?? 0) + 1;
  console.info(
    `${seen.killed} kills -9 of the service, ${seen.restarted} of PostgreSQL (SIGQUIT and SIGKILL in turn), ` +
      `${seconds} s: ${done.length} payouts made once each, ${cancelled.size} cancels; ${seen.broken} tries broke, ` +
      `${seen.failedStarts} starts too, and ${lost} writes had been committed when their answer was lost; ` +
      JSON.stringify(stages),
  );
}, 300_000);

/** A proxy that cuts off the first response for each key before its first byte. `lost` has the ids in them. */
async function startCuttingProxy(port: number) {
  const lost = new Map<string, string>();
  const server = createServer((client) => {
    const upstream = dial({ port, host: "127.0.0.1" });
    let key = "";
    client.on("data", (chunk: Buffer) => {
      key = /^idempotency-key: (\S+)/im.exec(chunk.toString("latin1"))?.[1] ?? key;
      upstream.write(chunk);
    });
    const cut = () => [client, upstream].map((socket) => socket.destroy());
    upstream.on("data", (chunk: Buffer) => {
      if (lost.has(key)) return client.write(chunk);
      // When the response starts, the commit is done.
      lost.set(key, /"payout_id":"([^"]+)"/.exec(chunk.toString("latin1"))?.[1] ?? "");
      return cut();
    });
    for (const socket of [client, upstream]) socket.on("close", cut).on("error", cut);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost };
}

const cuts = scale(60, 500);

test(`a response that is cut off after the commit arrives with the retry: ${cuts} payouts, each once`, async () => {
  const database = await newDatabase();
  onTestFinished(() => database.db.close());
  const serving = await serve(environmentOf(database.url));
  onTestFinished(async () => void (await serving.end("SIGKILL")));
  const caller = await newCaller({ ...database, baseUrl: serving.baseUrl });
  const to = await payee(caller, "12345888");
  await fund(caller, cuts * 1_000);
  const { baseUrl, lost } = await startCuttingProxy(Number(new URL(serving.baseUrl).port));
  const replays: (string | null)[] = [];
  let tries = 0;
  const watched = async (...words: Parameters<typeof fetch>) => {
    tries += 1;
    const response = await fetch(...words);
    replays.push(response.headers.get("idempotent-replayed"));
    return response;
  };
  const keys = { apiKey: caller.key, apiSecret: caller.secret };
  const { payouts } = new Disburse({ ...keys, baseUrl, fetch: watched });
  const requests = Array.from({ length: cuts }, () => randomUUID());
  const answered = new Map<string, string>();
  const startedMs = performance.now();
  const left = requests.values();
  const worker = async () => {
    for (const key of left) {
      const body = { ...to, amount: 1_000, currency: "AUD", reference: key };
      answered.set(key, (await payouts.create(body, { idempotencyKey: key })).payout_id);
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);

  expect(tries).toBe(cuts * 2);
  expect(answered.size).toBe(cuts);
  expect(lost).toEqual(answered);
  expect(replays).toEqual(Array(cuts).fill("true"));
  const stored = await payoutsOf(database.db, caller);
  expect(stored).toHaveLength(cuts);
  expect(new Map(stored.map(({ reference, id }) => [reference, id]))).toEqual(answered);
  // The funds covered these payouts, and no other.
  const over = payouts.create({ ...to, amount: 1, currency: "AUD" }, { idempotencyKey: "over" });
  await expect(over).rejects.toMatchObject({ code: "PAYO227" });
  await serving.end("SIGKILL");
  await expectSound(database.db, database.url);
  console.info(
    `${cuts} answers cut off after the commit, ${seconds} s: ${cuts} payouts, ${cuts} replays`,
  );
});
