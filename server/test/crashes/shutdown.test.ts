// Shutdown: running requests are answered, acknowledged writes are stored, and then the process exits.

import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { limits } from "../../src/platform/limits/limits.ts";
import { type Serving, serve } from "../support/process.ts";
import { openWire, requestBytes, type Wire } from "../support/raw-http.ts";
import { ada, newCaller, newDatabase, settingsOf, type TestCaller } from "../support/service.ts";
import { closes, signed } from "../support/steady-load.ts";

const exitMsMax = 30_000;

async function startProcess() {
  const database = await newDatabase();
  const serving = await serve({
    ...settingsOf(database),
    RATE_LIMIT_PER_S: "0",
    NODE_ENV: "production",
  });
  onTestFinished(async () => {
    await serving.end("SIGKILL");
    await database.db.close();
  });
  const caller = await newCaller({ ...database, baseUrl: serving.baseUrl });
  const port = Number(new URL(serving.baseUrl).port);
  return { serving, database, caller, port };
}

/** Sends requests on one connection, one after the other, until the service sends `connection: close`. */
async function load(wire: Wire, caller: TestCaller, kind: "read" | "create", count: Count) {
  let ended = false;
  count.unanswered += 1;
  let hasReceived = false;
  wire.socket.on("end", () => {
    ended = true;
  });
  while (!ended) {
    const bytes =
      kind === "read"
        ? signed(caller, "GET", "/api/receiver?limit=20")
        : signed(caller, "POST", "/api/receiver", JSON.stringify(ada()));
    wire.write(bytes);
    count.asked += 1;
    try {
      const answer = await wire.answer();
      if (!answer) throw new Error("closed without an answer");
      count.answered += 1;
      if (!hasReceived) count.unanswered -= 1;
      hasReceived = true;
      count.statuses.add(answer.status);
      if (kind === "create") count.created.push(JSON.parse(answer.text).payload.receiver_id);
      if (closes(answer)) break;
    } catch (error) {
      count.cut.push(String(error));
      break;
    }
  }
  wire.socket.end();
}

type Count = {
  /** Connections without a response yet: the kernel may have accepted them before the process did. */
  unanswered: number;
  asked: number;
  answered: number;
  cut: string[];
  created: string[];
  statuses: Set<number>;
};

/** Sends the signal and waits for the exit. Returns the exit code and the duration. */
async function end({ process }: Serving, signal: NodeJS.Signals) {
  const startMs = performance.now();
  process.kill(signal);
  const [code] = (await once(process, "close")) as [number | null];
  return { code, ms: performance.now() - startMs };
}

const logOf = (serving: Serving) =>
  serving
    .output()
    .stdout.split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { msg?: string; why?: string });

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s under load on 64 connections: every response is complete, and every acknowledged create is stored",
  async (signal) => {
    const { serving, database, caller, port } = await startProcess();
    const wires = await Promise.all(Array.from({ length: 64 }, () => openWire(port)));
    const count: Count = {
      ...{ unanswered: 0, asked: 0, answered: 0 },
      cut: [],
      created: [],
      statuses: new Set(),
    };
    const loads = wires.map((wire, index) =>
      load(wire, caller, index % 2 === 0 ? "read" : "create", count),
    );
    await expect.poll(() => count.unanswered).toBe(0);
    await expect.poll(() => count.answered).toBeGreaterThan(10 * wires.length);
    const before = count.answered;

    const [{ code, ms }] = await Promise.all([end(serving, signal), ...loads]);

    console.info(
      `${signal} under load on 64 connections: ${count.asked} requests, ${count.answered} whole answers ` +
        `(${count.answered - before} after the signal), ${count.cut.length} cut off; ` +
        `${count.created.length} creates answered; exit ${code} after ${Math.round(ms)} ms`,
    );
    expect(count.cut).toEqual([]);
    expect(count.answered).toBe(count.asked);
    expect(count.statuses).toEqual(new Set([200]));
    expect(before).toBeGreaterThan(64);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(exitMsMax);
    const { rows } = await database.db.pool.query(
      "select count(*)::int as kept from receiver where subaccount_id = $1 and id = any($2)",
      [caller.subaccountId, count.created],
    );
    expect(rows).toEqual([{ kept: count.created.length }]);
    // The log has the reason for the stop, and its regular end.
    const log = logOf(serving);
    expect(log.some(({ why }) => why === signal)).toBe(true);
    expect(log.at(-1)?.msg).toBe("stopped");
    expect(serving.output().stderr).not.toMatch(/error|warn/i);
  },
);

/** Locks the table of receivers, so that a create has to wait. */
async function holdReceivers(url: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query("begin; lock table receiver in access exclusive mode");
  return async () => {
    await holder.query("commit");
    await holder.end();
  };
}

/** Waits until a request waits for the table that `holdReceivers` locks. */
async function untilRequestWaits(url: string): Promise<void> {
  const watching = new pg.Client({ connectionString: url });
  await watching.connect();
  const waiting = "select from pg_locks where relation = 'receiver'::regclass and not granted";
  await expect.poll(async () => (await watching.query(waiting)).rowCount).toBeGreaterThan(0);
  await watching.end();
}

test("slow requests that are running at the signal are finished: one in the database, one still arriving", async () => {
  const { serving, database, caller, port } = await startProcess();
  const [slow, arriving, idle] = [await openWire(port), await openWire(port), await openWire(port)];
  idle.write(requestBytes({ path: "/readyz" }));
  await idle.answer();
  const release = await holdReceivers(database.url);
  slow.write(signed(caller, "POST", "/api/receiver", JSON.stringify(ada())));
  const bytes = signed(caller, "POST", "/api/receiver", JSON.stringify(ada()));
  arriving.write(bytes.subarray(0, bytes.length - 20));
  await untilRequestWaits(database.url);

  const ended = end(serving, "SIGTERM");
  // Idle connections are closed now.
  expect(await idle.answer()).toBeUndefined();
  arriving.write(bytes.subarray(bytes.length - 20));
  await release();
  const answers = await Promise.all([slow.answer(), arriving.answer()]);

  expect(answers.map((answer) => answer?.status)).toEqual([200, 200]);
  expect(await ended).toMatchObject({ code: 0 });
  // Otherwise the caller would send its next request on a connection that is closing.
  expect(answers.map((answer) => answer && closes(answer))).toEqual([true, true]);
  const { rows } = await database.db.pool.query("select count(*)::int as kept from receiver");
  expect(rows).toEqual([{ kept: 2 }]);
});

test("during a shutdown /readyz gives the reason on an open connection, and new ones are refused", async () => {
  const { serving, port } = await startProcess();
  const wire = await openWire(port);
  wire.write(requestBytes({ path: "/readyz" }));
  const ready = await wire.answer();
  expect(JSON.parse(ready?.text ?? "")).toEqual({ status: "ready", reasons: [] });
  // Half a request before the signal and half after it: a connection that is in use is not closed.
  wire.write("GET /readyz HTTP/1.1\r\n");

  const ended = end(serving, "SIGTERM");
  await expect.poll(() => logOf(serving).some(({ why }) => why), { interval: 5 }).toBe(true);
  // The port closes a moment later, so that connections already waiting for it are not cut off.
  const knock = () =>
    openWire(port).then(
      ({ socket }) => void socket.destroy(),
      ({ code }) => code,
    );
  await expect.poll(knock, { interval: 20 }).toBe("ECONNREFUSED");
  wire.write("host: a\r\n\r\n");
  const draining = await wire.answer();

  expect(draining?.status).toBe(503);
  expect(JSON.parse(draining?.text ?? "")).toEqual({
    status: "unavailable",
    reasons: ["shutting down"],
  });
  expect(await ended).toMatchObject({ code: 0 });
});

test("idle connections don't delay the shutdown", async () => {
  const { serving, port } = await startProcess();
  const idle = await Promise.all(Array.from({ length: 64 }, () => openWire(port)));
  const [used] = idle as [Wire];
  used.write(requestBytes({ path: "/healthz" }));
  await used.answer();
  const { code, ms } = await end(serving, "SIGTERM");
  expect(code).toBe(0);
  expect(ms).toBeLessThan(exitMsMax / 2);
});

test("a second signal ends the process at once", async () => {
  const { serving, database, caller, port } = await startProcess();
  const release = await holdReceivers(database.url);
  const wire = await openWire(port);
  wire.write(signed(caller, "POST", "/api/receiver", JSON.stringify(ada())));
  await untilRequestWaits(database.url);
  const first = end(serving, "SIGTERM");
  await expect.poll(() => logOf(serving).some(({ why }) => why), { interval: 5 }).toBe(true);
  await sleep(limits.signalEchoMs + 200);
  serving.process.kill("SIGTERM");
  // The table is still held, so the request can't have been finished before.
  const { code } = await first;
  expect(code).toBe(1);
  await release();
  expect(await wire.answer().catch(() => undefined)).toBeUndefined();
});

test("Ctrl-C, which arrives twice through npm, still finishes running requests", async () => {
  const { serving, database, caller, port } = await startProcess();
  const release = await holdReceivers(database.url);
  const wire = await openWire(port);
  wire.write(signed(caller, "POST", "/api/receiver", JSON.stringify(ada())));
  await untilRequestWaits(database.url);
  const ended = end(serving, "SIGINT");
  serving.process.kill("SIGINT");
  serving.process.kill("SIGINT");
  await release();
  expect((await wire.answer())?.status).toBe(200);
  expect(await ended).toMatchObject({ code: 0 });
});

test("SIGTERM ends the process without an error when its database is down", async () => {
  const { serving, database, caller, port } = await startProcess();
  const wire = await openWire(port);
  wire.write(signed(caller, "GET", "/api/subaccount"));
  expect((await wire.answer())?.status).toBe(200);
  await shutDownDatabase(database.url);

  const { code } = await end(serving, "SIGTERM");

  expect(serving.output().stderr).not.toContain("Error");
  expect(code).toBe(0);
  expect(logOf(serving).at(-1)?.msg).toBe("stopped");
});

/** Ends all connections and refuses new ones, as if the database server were switched off. */
async function shutDownDatabase(url: string): Promise<void> {
  const { database: name } = new pg.Client({ connectionString: url });
  const administrator = new pg.Client({ ...inject("postgres"), database: "postgres" });
  await administrator.connect();
  await administrator.query(`alter database ${name} allow_connections false`);
  await administrator.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
    [name],
  );
  await administrator.end();
}
