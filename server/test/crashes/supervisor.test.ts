// The supervisor: what its processes share, how it starts and fails, and what happens when it is killed.

import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { restartPauseMs } from "../../src/doors/supervisor/supervisor.ts";
import { consoleUsers } from "../support/console.ts";
import { disburse, serve } from "../support/process.ts";
import { isAlive, supervisedBy } from "../support/processes.ts";
import type { Wire } from "../support/raw-http.ts";
import { ada, newCaller, newDatabase, settingsOf, sign } from "../support/service.ts";
import { closes, signed } from "../support/steady-load.ts";
import { openWireOfEach } from "../support/wire-of-each.ts";

async function startProcesses(environment: Record<string, string> = {}, words: string[] = []) {
  const database = await newDatabase();
  const settings = {
    ...settingsOf(database),
    KYC_SANDBOX_DELAY_MS: "0",
    NODE_ENV: "production",
    ...environment,
  };
  const serving = await serve(settings, ["--processes", "2", ...words]);
  onTestFinished(async () => {
    await serving.end("SIGTERM");
    await database.db.close();
  });
  const { baseUrl } = serving;
  const caller = baseUrl ? await newCaller({ ...database, baseUrl }) : undefined;
  const pids = () => supervisedBy(serving.process.pid as number);
  return { serving, database, caller, pids };
}

test("a key has one allowance, whichever process answers", async () => {
  const burst = 20;
  const { serving, caller } = await startProcesses({
    RATE_LIMIT_PER_S: "1",
    RATE_LIMIT_BURST: String(burst),
  });
  const [one, other] = await openWireOfEach(serving);
  const ask = async (wire: Wire) => {
    wire.write(signed(caller as never, "GET", "/api/receiver"));
    return (await wire.answer())?.status;
  };
  for (let count = 0; count < burst; count += 1) expect(await ask(one)).toBe(200);
  expect(await ask(one)).toBe(429);
  // The other process learns of it within a moment, long before it has allowed as many itself.
  let allowed = 0;
  await expect
    .poll(async () => {
      const status = await ask(other);
      if (status === 200) allowed += 1;
      return status;
    })
    .toBe(429);
  expect(allowed).toBeLessThan(burst / 2);
  for (const { socket } of [one, other]) socket.destroy();
});

test("a session, a feed and a change of one process are known to the other", async () => {
  const { serving, database, caller } = await startProcesses({ RATE_LIMIT_PER_S: "0" });
  const { baseUrl } = serving;
  if (!caller) throw new Error("it serves no API");
  const admin = consoleUsers({ ...database, baseUrl })("admin");
  await admin.ready;
  const wires = await openWireOfEach(serving);
  for (const wire of wires) {
    wire.write(
      `GET /console/api/me HTTP/1.1\r\nhost: localhost\r\ncookie: ${admin.cookie}\r\n\r\n`,
    );
    expect((await wire.answer())?.status).toBe(200);
    wire.socket.destroy();
  }

  const feeds = await Promise.all(Array.from({ length: 6 }, listen));
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  for (const feed of feeds) {
    await expect.poll(() => feed.text).toContain(receiver_id);
  }

  async function listen() {
    const path = "/api/event/feed";
    const { key, secret } = caller as { key: string; secret: string };
    const signature = sign({ key, secret, method: "GET", path, version: 2 });
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const response = await fetch(baseUrl + path, {
      headers: { "x-api-key": key, signature, accept: "text/event-stream" },
      signal: controller.signal,
    });
    expect(response.status).toBe(200);
    const feed = { text: "" };
    const read = async () => {
      const body = response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) feed.text += chunk;
    };
    void read().catch(() => {});
    return feed;
  }
});

test("a process that ends by SIGTERM finishes its requests, and /readyz stays ready on its connections", async () => {
  const { serving, pids } = await startProcesses();
  const wires = await openWireOfEach(serving);
  const ready = "GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n";
  for (const wire of wires) {
    wire.write(ready);
    expect((await wire.answer())?.status).toBe(200);
  }
  const [first] = pids();
  process.kill(first as number, "SIGTERM");
  const stopping = () => serving.output().stdout.includes('"why":"SIGTERM"');
  await expect.poll(stopping).toBe(true);
  const answers = [];
  for (const wire of wires) {
    wire.write(ready);
    answers.push(await wire.answer());
  }
  expect(answers.map((answer) => answer?.status)).toEqual([200, 200]);
  // Only the connection of the process that ends is closed.
  expect(answers.map((answer) => answer && closes(answer)).sort()).toEqual([false, true]);
  await expect.poll(() => isAlive(first as number)).toBe(false);
  await expect.poll(pids).toHaveLength(2);
  for (const { socket } of wires) socket.destroy();
});

test("when the supervisor is killed, its processes end by themselves", async () => {
  const { serving, pids } = await startProcesses();
  const before = pids();
  expect(before).toHaveLength(2);
  await serving.end("SIGKILL");
  await expect.poll(() => before.filter(isAlive)).toEqual([]);
});

test("--processes works with --role worker, which serves no API", async () => {
  const { serving, pids } = await startProcesses({}, ["--role", "worker"]);
  expect(serving.baseUrl).toBe("");
  expect(pids()).toHaveLength(2);
  const text = await (await fetch(serving.metricsUrl)).text();
  expect(text).toContain('disburse_processes{state="ready"} 2');
  expect(text).toMatch(/^disburse_delivery_lanes\{state="owned",process="2"\} 0$/m);
});

test("a port that is taken is reported once, and no process is left", async () => {
  const { url, db } = await newDatabase();
  onTestFinished(() => db.close());
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const { code, stderr } = await disburse(["serve", "--processes", "2"], {
    ...settingsOf({ url }),
    PORT: String(port),
    ADMIN_PORT: "0",
  });
  expect(code).toBe(1);
  const message = `Port ${port} on 127.0.0.1 is in use.`;
  expect(stderr.split(message)).toHaveLength(2);
});

test("a number of processes that makes no sense is refused", async () => {
  for (const words of ["0", "-1", "many", "65"]) {
    const { code, stderr } = await disburse(["serve", "--processes", words]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("PROCESSES must be")]);
  }
});

test("a process that dies again and again is started after growing pauses", () => {
  const pauses = Array.from({ length: 8 }, (_, index) => restartPauseMs(index + 1));
  expect(pauses).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});
