// Several processes on one port, under a supervisor: kills, rolling restarts and shutdown under load.

import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect } from "vitest";
import { connectionTo } from "../../src/platform/embedded/embedded-folder.ts";
import { orderedSteps } from "../support/ordered-steps.ts";
import { exampleCaller, type Serving, serve } from "../support/process.ts";
import { isAlive, supervisedBy } from "../support/processes.ts";
import { openWire } from "../support/raw-http.ts";
import { signed, startSteadyLoad } from "../support/steady-load.ts";
import { openWireOfEach, valuesByProcess } from "../support/wire-of-each.ts";

const connections = 8;
const dataDir = mkdtempSync(join(tmpdir(), "disburse-processes-"));
const acknowledged: string[] = [];
let serving: Serving;
let port: number;
let caller: { key: string; secret: string };

afterAll(async () => {
  if (serving) await serving.end("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

type Line = { msg?: string; process?: number | string };
const log = (): Line[] =>
  serving
    .output()
    .stdout.split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
const hasLogged = (text: string) => log().some(({ msg }) => msg === text);

const processIds = () => supervisedBy(serving.process.pid as number);

const valuesOf = (series: string, labels?: Record<string, string>) =>
  valuesByProcess(serving.metricsUrl, series, labels);

const readyProcesses = async () =>
  (await valuesOf("disburse_processes", { state: "ready" })).get("");

/** How many processes do the work that only one does, such as the screening of all receivers. */
const leaders = async () => (await valuesOf("disburse_screening_records_behind")).size;

const step = orderedSteps();

step("two processes answer on one port, and the metrics show each of them", async () => {
  serving = await serve({ DATA_DIR: dataDir }, ["--processes", "2"]);
  port = Number(new URL(serving.baseUrl).port);
  const { stderr } = serving.output();
  caller = exampleCaller(serving);
  expect(stderr).toMatch(/Processes\s+2\n/);
  expect(processIds()).toHaveLength(2);

  const wires = await Promise.all(Array.from({ length: connections }, () => openWire(port)));
  for (const wire of wires) {
    wire.write(signed(caller, "GET", "/api/receiver"));
    expect((await wire.answer())?.status).toBe(200);
    wire.socket.destroy();
  }

  const requests = await valuesOf("disburse_http_requests_total", { route: "/api/receiver" });
  expect([...requests.values()].reduce((sum, count) => sum + count, 0)).toBe(connections);
  const wireOfEach = await openWireOfEach(serving);
  for (const { socket } of wireOfEach) socket.destroy();
  expect(wireOfEach).toHaveLength(2);
  const memory = await valuesOf("process_resident_memory_bytes");
  expect([...memory.keys()].sort()).toEqual(["1", "2", "supervisor"]);
  const started = log().filter(({ msg }) => msg?.startsWith("Server listening"));
  expect(started.map(({ process }) => process).sort()).toEqual([1, 2]);
  await expect.poll(leaders).toBe(1);
  const admin = new URL("/readyz", serving.metricsUrl);
  expect(await (await fetch(admin)).json()).toEqual({ status: "ready", reasons: [] });
});

step("after kill -9 of one process the other goes on, and it is started again", async () => {
  const load = startSteadyLoad(port, caller, connections);
  await expect.poll(() => load.answered).toBeGreaterThan(10 * connections);
  const [killed, other] = processIds() as [number, number];

  process.kill(killed, "SIGKILL");
  await expect.poll(() => isAlive(killed)).toBe(false);
  const atKill = load.answered;
  await expect.poll(() => load.answered).toBeGreaterThan(atKill + 10 * connections);
  await expect.poll(readyProcesses).toBe(2);
  await load.stop();

  // Only requests that the killed process was working on.
  expect(load.cut.length).toBeLessThanOrEqual(connections);
  expect(load.statuses).toEqual(new Set([200]));
  expect(processIds()).toContain(other);
  expect(processIds()).not.toContain(killed);
  expect((await valuesOf("disburse_process_restarts_total")).get("")).toBe(1);
  // The other process does the work that only one does, or the new one does: never both, and never none.
  await expect.poll(leaders).toBe(1);
  acknowledged.push(...load.created);
});

step("SIGHUP under a steady load replaces every process, and no request fails", async () => {
  const load = startSteadyLoad(port, caller, connections);
  await expect.poll(() => load.answered).toBeGreaterThan(10 * connections);
  const before = processIds();

  serving.process.kill("SIGHUP");
  await expect.poll(() => hasLogged("rolling restart: done"), { timeout: 120_000 }).toBe(true);
  const after = load.answered;
  await expect.poll(() => load.answered).toBeGreaterThan(after + 10 * connections);
  await load.stop();

  expect(load.cut).toEqual([]);
  expect(load.statuses).toEqual(new Set([200]));
  expect(processIds()).toHaveLength(2);
  expect(processIds().filter((pid) => before.includes(pid))).toEqual([]);
  expect((await valuesOf("disburse_process_restarts_total")).get("")).toBe(1);
  acknowledged.push(...load.created);
});

step("a rolling restart stops when a new process can't start, and the old ones go on", async () => {
  const before = processIds();
  const key = join(dataDir, "master.key");
  renameSync(key, `${key}.kept`);
  serving.process.kill("SIGHUP");
  const stopped = "rolling restart: stopped, because a new process did not start; the others go on";
  await expect.poll(() => hasLogged(stopped)).toBe(true);
  renameSync(`${key}.kept`, key);

  await expect.poll(() => processIds().sort()).toEqual(before.sort());
  const load = startSteadyLoad(port, caller, connections);
  await expect.poll(() => load.answered).toBeGreaterThan(connections);
  await load.stop();
  expect(load.cut).toEqual([]);
  acknowledged.push(...load.created);
});

step("SIGTERM under load ends all processes, and every acknowledged create is stored", async () => {
  const load = startSteadyLoad(port, caller, connections);
  await expect.poll(() => load.answered).toBeGreaterThan(10 * connections);
  const before = processIds();

  const [code] = await Promise.all([serving.end("SIGTERM"), load.untilClosed()]);

  expect(code).toBe(0);
  expect(load.cut).toEqual([]);
  expect(load.statuses).toEqual(new Set([200]));
  expect(before.filter(isAlive)).toEqual([]);
  expect(log().at(-1)).toMatchObject({ process: "supervisor", msg: "stopped" });
  acknowledged.push(...load.created);

  // A single process uses the same data.
  serving = await serve({ DATA_DIR: dataDir });
  const client = new pg.Client(connectionTo(dataDir, join(dataDir, "postgres")));
  await client.connect();
  const { rows } = await client.query(
    "select count(*)::int as kept from receiver where id = any($1)",
    [acknowledged],
  );
  await client.end();
  expect(rows).toEqual([{ kept: acknowledged.length }]);
  expect(acknowledged.length).toBeGreaterThan(connections);
  expect(await serving.end()).toBe(0);
});
