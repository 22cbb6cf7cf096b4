// Idempotency keys under stress: races within and between processes, a key that another request holds, kill -9 at any
// moment, lost responses, and random sequences of requests.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Disburse } from "@disburse/client";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { newId } from "../../src/platform/base/ids.ts";
import { connect, type Db } from "../../src/platform/db/connect.ts";
import { onceInBatch } from "../../src/platform/idempotency/once.ts";
import { Refusal } from "../../src/platform/refusals/refusals.ts";
import { quietMs, scale } from "../scenarios/scale.ts";
import { startCuttingProxy, watchReplays } from "../support/cutting-proxy.ts";
import { type Serving, serve } from "../support/process.ts";
import { openWire, type RawAnswer, requestBytes } from "../support/raw-http.ts";
import {
  ada,
  newCaller,
  newDatabase,
  settingsOf,
  sign,
  type TestCaller,
} from "../support/service.ts";
import { service, useService } from "../support/service-setup.ts";

await useService();

/** A new database, and a function that starts processes on it. The end of the test removes them all. */
async function newDeployment() {
  const database = await newDatabase();
  const started: Promise<Serving>[] = [];
  onTestFinished(async () => {
    for (const process of started) await (await process).end("SIGKILL");
    await database.db.close();
  });
  const start = () => {
    const process = serve({
      ...settingsOf(database),
      RATE_LIMIT_PER_S: "0",
      LOG_LEVEL: "error",
    });
    started.push(process);
    return process;
  };
  const caller = await newCaller({ ...database, baseUrl: "http://unused" });
  return { db: database.db, start, caller };
}

const receivers = "/api/receiver";
const validation = "/api/receiveraccount/validate";
const australian = { account_type: "I", account_number: "12345999", bsb: "062000", country: "AUS" };
type Shot = { key?: string | undefined; body: object; path?: string; indent?: number };

function bytesOf({ key, secret }: TestCaller, shot: Shot, version: 1 | 2): Buffer {
  const { path = receivers } = shot;
  const body = JSON.stringify(shot.body, null, shot.indent);
  const headers = {
    "x-api-key": key,
    signature: sign({ key, secret, method: "POST", path, body, version }),
    "content-type": "application/json",
    ...(shot.key !== undefined && { "idempotency-key": shot.key }),
  };
  return requestBytes({ method: "POST", path, headers: Object.entries(headers), body });
}

/** The outcome of a call: done, replayed, or the status and code of its refusal. */
function read({ status, headers, text }: RawAnswer) {
  const { error, payload } = JSON.parse(text);
  const isReplay = headers.get("idempotent-replayed") === "true";
  const outcome = status === 200 ? (isReplay ? "replayed" : "done") : `${status} ${error[0].code}`;
  return { outcome, text, headers, receiverId: payload?.receiver_id as string | undefined };
}
type ReadAnswer = ReturnType<typeof read>;

/** Fires all shots over kept-alive connections, one at a time on each, and returns the responses in order. */
async function fire(caller: TestCaller, shots: Shot[], ports: number[], width = 200) {
  const answers: ReadAnswer[] = [];
  let next = 0;
  const worker = async (_: unknown, index: number) => {
    const wire = await openWire(ports[index % ports.length] as number);
    while (next < shots.length) {
      const own = next++;
      wire.write(bytesOf(caller, shots[own] as Shot, own % 3 === 0 ? 2 : 1));
      answers[own] = read((await wire.answer()) as RawAnswer);
    }
    wire.socket.destroy();
  };
  await Promise.all(Array.from({ length: Math.min(width, shots.length) }, worker));
  return answers;
}

const portOf = ({ baseUrl }: Serving) => Number(new URL(baseUrl).port);
const outcomesOf = (answers: ReadAnswer[]) => new Set(answers.map(({ outcome }) => outcome));

async function idsByEmail({ pool }: Db, { subaccountId }: TestCaller) {
  const text = "select email, id from receiver where subaccount_id = $1";
  const { rows } = await pool.query<{ email: string; id: string }>(text, [subaccountId]);
  return new Map(rows.map(({ email, id }) => [email, id]));
}

type Race = { db: Db; caller: TestCaller; ports: number[]; keys: number; keysAtOnce: number };

const [racedKeys, kills] = [scale(2, 100), scale(1, 30)];
const [cuts, sequences] = [scale(20, 200), scale(20, 150)];

/** 200 calls under each key and some without a key, 200 at once. Then other requests under the used keys. */
async function race({ db, caller, ports, keys, keysAtOnce }: Race) {
  const calls = Array.from({ length: keys }, () => ({ key: randomUUID(), body: ada() }));
  const order = calls
    .flatMap((call, index) => Array.from({ length: 200 }, () => ({ call, index })))
    .map(({ call, index }) => ({ call, at: Math.floor(index / keysAtOnce) + Math.random() }))
    .sort((one, other) => one.at - other.at);
  const shots: Shot[] = order.flatMap(({ call }, index) =>
    index % 20 === 0 ? [call, { body: ada() }] : [call],
  );
  const startedMs = performance.now();
  const answers = await fire(caller, shots, ports);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const made = await idsByEmail(db, caller);
  for (const call of calls) {
    const own = answers.filter((_, index) => shots[index] === call);
    expect(own.map(({ outcome }) => outcome).sort()).toEqual([
      "done",
      ...Array(199).fill("replayed"),
    ]);
    expect(new Set(own.map(({ text }) => text)).size).toBe(1);
    expect(own[0]?.receiverId).toBe(made.get(call.body.email));
  }
  const free = answers.filter((_, index) => shots[index]?.key === undefined);
  expect(outcomesOf(free)).toEqual(new Set(["done"]));
  expect(made.size).toBe(keys + free.length);

  const changed = calls.flatMap(({ key, body }) => [
    { key, body, indent: 1 },
    { key, body: ada() },
    { key, body: australian, path: validation },
  ]);
  const refused = await fire(caller, changed, ports);
  expect(outcomesOf(refused)).toEqual(new Set(["422 IDEM102"]));
  expect((await idsByEmail(db, caller)).size).toBe(made.size);
  console.info(
    `${order.length} calls under ${keys} keys, ${free.length} without, ${ports.length} process(es), ` +
      `${seconds} s: ${made.size} receivers; then ${refused.length} changed requests: all IDEM102`,
  );
}

test("of 200 calls at once under one key, one is done and all get the same bytes", async () => {
  const { db, port, newCaller } = service;
  await race({ db, caller: await newCaller(), ports: [port], keys: scale(2, 20), keysAtOnce: 1 });
});

test(`calls to two processes under ${racedKeys} keys are each done once`, async () => {
  const { db, start, caller } = await newDeployment();
  const ports = (await Promise.all([start(), start()])).map(portOf);
  await race({ db, caller, ports, keys: racedKeys, keysAtOnce: 10 });
});

/** Locks a key like a running request of another process, until the returned function is called. */
async function hold(caller: TestCaller, key: string): Promise<() => Promise<void>> {
  const db = connect({ connection: { connectionString: service.url }, poolMax: 1 });
  const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const idempotency = { key, requestHash: "of another request" };
  const holder = { ...caller, requestId: newId(), nonce: undefined, idempotency };
  const ended = db
    .transaction(async (tx) => {
      await onceInBatch(tx, [{ caller: holder, answer: "" }], async () => {
        held.resolve();
        await end.promise;
        throw new Refusal("REVR101");
      });
    })
    .catch(() => {});
  await held.promise;
  return async () => {
    end.resolve();
    await ended;
    await db.close();
  };
}

test.each([receivers, validation])(
  "IDEM103: forty calls for locked keys, POST %s, are refused after a short wait, and no other call waits",
  async (path) => {
    const [caller, stranger] = [await service.newCaller(), await service.newCaller()];
    const { port } = service;
    const holders = await Promise.all([..."abcd"].map((key) => hold(caller, key)));
    const shots = Array.from({ length: 40 }, (_, index) => {
      const body = path === receivers ? ada() : { ...australian, account_number: `12345${index}` };
      return { path, key: "abcd"[index % 4] as string, body };
    });
    const startedMs = performance.now();
    const holding = fire(caller, shots, [port]);
    const neighboursMs: number[] = [];
    while (performance.now() < startedMs + 1_000) {
      const askedMs = performance.now();
      const neighbours = [{ key: randomUUID(), body: ada() }, { body: ada() }];
      expect(outcomesOf(await fire(stranger, neighbours, [port]))).toEqual(new Set(["done"]));
      neighboursMs.push(performance.now() - askedMs);
    }
    const answers = await holding;
    const ms = Math.round(performance.now() - startedMs);
    for (const release of holders) await release();
    const slowestMs = Math.round(Math.max(...neighboursMs));
    console.info(
      `forty calls for four held keys, POST ${path}: all refused after ${ms} ms; ` +
        `${neighboursMs.length} pairs of others meanwhile, the slowest ${slowestMs} ms`,
    );
    expect(outcomesOf(answers)).toEqual(new Set(["409 IDEM103"]));
    for (const { headers } of answers) expect(headers.get("retry-after")).toBe("1");
    expect(ms).toBeLessThan(quietMs(6_000));
    expect(slowestMs).toBeLessThan(quietMs(1_500));
    // The requests that held the keys failed, so the keys are free.
    expect(outcomesOf(await fire(caller, shots.slice(0, 4), [port]))).toEqual(new Set(["done"]));
  },
);

test("every create is done exactly once while the process and its connections are killed", async () => {
  const { db, start, caller } = await newDeployment();
  // Ends normally, so that it writes its compile cache.
  await (await start()).end();
  let live = start();
  const done: { shot: Shot; email: string; answer: ReadAnswer }[] = [];
  const counts = { killed: 0, broken: 0, lost: 0 };
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });

  /** Retries until there is a response, as a caller would. */
  async function retryUntilDone(shot: Shot): Promise<ReadAnswer | undefined> {
    while (!isOver) {
      const [answer] = await fire(caller, [shot], [portOf(await live)]).catch(() => []);
      if (answer?.receiverId) return answer;
      if (answer) expect(["409 IDEM103", "503 SYST503"]).toContain(answer.outcome);
      counts.broken += 1;
      await sleep(5);
    }
    return undefined;
  }
  const worker = async () => {
    while (counts.killed < kills) {
      const body = ada();
      const shot = { key: randomUUID(), body };
      const answer = await retryUntilDone(shot);
      if (!answer) return;
      if (answer.outcome === "replayed") counts.lost += 1;
      done.push({ shot, email: body.email, answer });
    }
  };
  await live;
  const workers = Array.from({ length: 16 }, worker);
  const cutAll = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  for (let round = 0; round < kills; round++) {
    await sleep(10 + Math.random() * 50);
    await db.pool.query(cutAll);
  }
  expect((await live).process.exitCode).toBeNull();
  const spares = [start(), start()];
  for (; counts.killed < kills; counts.killed += 1) {
    const process = await live;
    await sleep(20 + Math.random() * 150);
    live = spares.shift() as Promise<Serving>;
    if (counts.killed + spares.length + 1 < kills) spares.push(start());
    await process.end("SIGKILL");
  }
  await Promise.all(workers);
  const made = await idsByEmail(db, caller);
  expect(made.size).toBe(done.length);
  for (const { email, answer } of done) expect(answer.receiverId).toBe(made.get(email));
  // The next process repeats the responses of a killed one with the same bytes.
  const shots = done.map(({ shot }) => shot);
  const again = await fire(caller, shots, [portOf(await live)], 50);
  expect(outcomesOf(again)).toEqual(new Set(["replayed"]));
  expect(again.map(({ text }) => text)).toEqual(done.map(({ answer }) => answer.text));
  console.info(
    `${kills} cuts from the database, ${kills} kills -9: ${done.length} creates done once each; ${counts.broken} tries broke, and ` +
      `${counts.lost} creates had been committed when their answer was lost`,
  );
});

test("a response that is cut off arrives with the client's retry, and each create is done once", async () => {
  const caller = await service.newCaller();
  const baseUrl = await startCuttingProxy(service.port);
  const watched = watchReplays();
  const keys = { apiKey: caller.key, apiSecret: caller.secret };
  const disburse = new Disburse({ ...keys, baseUrl, fetch: watched.fetch });
  const inputs = Array.from({ length: cuts }, () => ada());
  const answers = await Promise.all(inputs.map((input) => disburse.receivers.create(input)));

  const made = await idsByEmail(service.db, caller);
  expect(made.size).toBe(cuts);
  const ids = answers.map(({ receiver_id }) => receiver_id);
  expect(ids).toEqual(inputs.map(({ email }) => made.get(email)));
  expect(watched.replays).toEqual(Array(cuts).fill("true"));
  expect(watched.tries()).toBeGreaterThanOrEqual(cuts * 2);
  console.info(
    `${cuts} creates, ${watched.tries() - cuts} answers cut off: ${cuts} receivers, ${cuts} replays`,
  );
});

type ModelCall = { key: string | undefined; path: string; body: number };
type State = { keys: Map<string, string>; emails: Set<number> };

/** A plain model of idempotent creates. Each two bodies share an email. */
function model(
  { keys, emails }: State,
  { key, path, body }: ModelCall,
): { outcome: string; after: State } {
  const kept = key && keys.get(key);
  const isSame = kept === `${path} ${body}`;
  if (kept) return { outcome: isSame ? "replayed" : "422 IDEM102", after: { keys, emails } };
  const email = path === receivers ? body >> 1 : -1;
  if (emails.has(email)) return { outcome: "400 REVR201", after: { keys, emails } };
  const after = { keys: new Map(keys), emails: new Set(emails) };
  if (key) after.keys.set(key, `${path} ${body}`);
  if (email >= 0) after.emails.add(email);
  return { outcome: "done", after };
}

/** Two calls at once have the result of one of the two orders. */
function modelAtOnce(state: State, calls: ModelCall[]): { outcome: string[]; after: State }[] {
  const orders = calls.length === 1 ? [[0]] : [[0, 1], [1, 0]]; // biome-ignore format: it is short
  return orders.map((order) => {
    const outcome: string[] = [];
    let after = state;
    for (const index of order) {
      ({ outcome: (outcome[index] as string), after } = model(after, calls[index] as ModelCall));
    }
    return { outcome, after };
  });
}

test("every sequence of requests, one or two at a time, is answered as a plain model predicts", async () => {
  let requests = 0;
  const receiverData = ada();
  const call: fc.Arbitrary<ModelCall> = fc.record({
    key: fc.constantFrom("a", "b", "c", undefined),
    path: fc.constantFrom(receivers, receivers, receivers, validation),
    body: fc.nat(5),
  });
  const step = fc.oneof(fc.tuple(call), fc.tuple(call, call)) as fc.Arbitrary<ModelCall[]>;
  const toShot = ({ key, path, body }: ModelCall): Shot => {
    const receiver = {
      ...receiverData,
      email: `${body >> 1}@example.com`,
      address2: `Flat ${body}`,
    };
    const account = { ...australian, account_number: `1234599${body}` };
    return { key, path, body: path === receivers ? receiver : account };
  };
  const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
    const caller = await service.newCaller();
    const kept = new Map<string | undefined, string>();
    let state: State = { keys: new Map(), emails: new Set() };
    for (const calls of steps) {
      const answers = await fire(caller, calls.map(toShot), [service.port]);
      const outcome = answers.map((answer) => answer.outcome);
      const expected = modelAtOnce(state, calls);
      expect(expected.map((one) => one.outcome)).toContainEqual(outcome);
      state = expected.find((one) => `${one.outcome}` === `${outcome}`)?.after as State;
      for (const [index, { outcome, text }] of answers.entries()) {
        if (outcome === "done") kept.set(calls[index]?.key, text);
      }
      for (const [index, { outcome, text }] of answers.entries()) {
        if (outcome === "replayed") expect(text).toBe(kept.get(calls[index]?.key));
      }
      requests += calls.length;
    }
  });
  await fc.assert(property, { numRuns: sequences });
  console.info(`${sequences} random sequences of ${requests} requests: all as the model says`);
});
