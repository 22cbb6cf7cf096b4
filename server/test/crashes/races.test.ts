// Races: the unique index decides between creates, two processes agree, and each call of a batch gets its own
// response.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kycProviders } from "../../src/people/kyc-providers/providers.ts";
import { receiverCreator } from "../../src/people/receivers/create.ts";
import { receiverFinder } from "../../src/people/receivers/find.ts";
import {
  insertReceivers,
  type ReceiverToInsert,
} from "../../src/people/receivers/insert-queries.ts";
import { emailKey } from "../../src/people/receivers/receiver.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import type { Caller } from "../../src/platform/base/caller.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { batch } from "../../src/platform/batching/batch.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { revokeKey } from "../../src/tenants/api-keys/revoke.ts";
import { quietMs } from "../scenarios/scale.ts";
import { rotateKey } from "../support/keys.ts";
import { type Serving, serve } from "../support/process.ts";
import {
  ada,
  call,
  newCaller,
  newDatabase,
  settingsOf,
  sign,
  type TestCaller,
} from "../support/service.ts";
import { service, useService } from "../support/service-setup.ts";

await useService();

function callerOf({ subaccountId, key, mode }: TestCaller): Caller {
  return { subaccountId, key, mode, requestId: newId(), nonce: undefined };
}

async function emailsOf({ subaccountId }: TestCaller): Promise<string[]> {
  const text = "select email_key from receiver where subaccount_id = $1 order by email_key";
  const { rows } = await service.db.pool.query<{ email_key: string }>(text, [subaccountId]);
  return rows.map(({ email_key }) => email_key);
}

describe("two processes on one database", () => {
  let database: Awaited<ReturnType<typeof newDatabase>>;
  let one: Serving;
  let two: Serving;
  const start = () =>
    serve({
      ...settingsOf(database),
      RATE_LIMIT_PER_S: "0",
      NODE_ENV: "production",
    });
  beforeAll(async () => {
    database = await newDatabase();
    [one, two] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all([one.end("SIGKILL"), two.end("SIGKILL")]);
    await database.db.close();
  });
  const newRacer = () => newCaller({ ...database, baseUrl: one.baseUrl });

  test("REVR201: of 1,000 creates with one email in any spelling, one wins", async () => {
    const [racer, bystander] = [await newRacer(), await newRacer()];
    const spellings = [
      "ada@example.com",
      "ADA@example.com",
      " Ada@Example.COM ",
      "\tada@EXAMPLE.com",
    ];
    const create = ({ key, secret }: TestCaller, index: number) => {
      const { baseUrl } = index % 2 === 0 ? one : two;
      const email = spellings[index % spellings.length] as string;
      // Half of them are signed with version 2, so that nonces race too.
      const version = index % 4 < 2 ? 1 : 2;
      return call({ baseUrl, key, secret }, "POST", "/api/receiver", {
        body: ada({ email }),
        version,
      });
    };

    const racing = Array.from({ length: 1_000 }, (_, index) => create(racer, index));
    const free = await create(bystander, 500);
    const answers = await Promise.all(racing);

    const won = answers.filter(({ status }) => status === 200);
    const taken = answers.filter(
      ({ status, json }) => status === 400 && json.error[0].code === "REVR201",
    );
    console.info(
      `1,000 creates for one email over two processes: ${won.length} won, ${taken.length} REVR201`,
    );
    expect([won.length, taken.length]).toEqual([1, 999]);
    // Another subaccount may use the same email.
    expect(free.status).toBe(200);
    const { rows } = await database.db.pool.query(
      "select subaccount_id, id from receiver where subaccount_id in ($1, $2)",
      [racer.subaccountId, bystander.subaccountId],
    );
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({
      subaccount_id: racer.subaccountId,
      id: won[0]?.json.payload.receiver_id,
    });
  });

  test("a revoked key stops working in both processes", async () => {
    const lastTakenMs: number[] = [];
    for (let round = 0; round < 5; round++) {
      const { key, secret } = await newRacer();
      const use = async ({ baseUrl }: Serving) => {
        const askedMs = performance.now();
        const { status } = await call({ baseUrl, key, secret }, "GET", "/api/subaccount");
        return { askedMs, status };
      };
      expect([(await use(one)).status, (await use(two)).status]).toEqual([200, 200]);
      await revokeKey(database.db, key);
      const revokedMs = performance.now();
      const watch = async (process: Serving) => {
        let last = 0;
        // The latest time at which a request was sent and still accepted.
        for (;;) {
          const { askedMs, status } = await use(process);
          if (status === 200) last = askedMs - revokedMs;
          // The first refusal ends the watch.
          else return last;
          await sleep(5);
        }
      };
      lastTakenMs.push(...(await Promise.all([watch(one), watch(two)])));
    }
    const ms = Math.round(Math.max(...lastTakenMs));
    console.info(`5 revocations in two processes: the last call taken was ${ms} ms after`);
    expect(ms).toBeLessThan(quietMs(1_000));
  });

  test("after a rotation both secrets work in both processes, and the old one ends with its grace period", async () => {
    const { key, secret: first } = await newRacer();
    const codes = async (secret: string) => {
      const read = ({ baseUrl }: Serving) =>
        call({ baseUrl, key, secret }, "GET", "/api/subaccount");
      const answers = await Promise.all([read(one), read(two)]);
      return answers.map(({ json }) => json.error?.[0].code ?? "served");
    };
    const [served, refused] = [Array(2).fill("served"), Array(2).fill("AUTH105")];
    const rotate = async (graceMs: number) => {
      const secret = (await rotateKey(database, { key, graceMs })) as string;
      expect(await codes(secret)).toEqual(served);
      return secret;
    };
    expect(await codes(first)).toEqual(served);

    const second = await rotate(60_000);
    expect(await Promise.all([first, second].map(codes))).toEqual([served, served]);
    // At most two secrets are valid: this rotation ends the first one, before its grace period is over.
    const third = await rotate(2_000);
    const until = { timeout: 60_000 };
    await expect.poll(() => codes(first), until).toEqual(refused);
    expect(await codes(third)).toEqual(served);
    await expect.poll(() => codes(second), until).toEqual(refused);
    expect(await codes(third)).toEqual(served);
    const fourth = await rotate(0);
    await expect.poll(() => codes(third), until).toEqual(refused);
    expect(await codes(fourth)).toEqual(served);
  });

  test("AUTH107: of a hundred identical writes at once one is done, and none is repeated after a kill -9", async () => {
    const { key, secret } = await newRacer();
    const body = JSON.stringify(ada());
    const path = "/api/receiver";
    const headers = { signature: sign({ key, secret, method: "POST", path, body, version: 2 }) };
    const through = async ({ baseUrl }: Serving) => {
      const { json } = await call({ baseUrl, key, secret }, "POST", path, { raw: body, headers });
      return json.error?.[0].code ?? "served";
    };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => through(index % 2 === 0 ? one : two)),
    );
    expect(answers.filter((answer) => answer === "served")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "AUTH107")).toHaveLength(99);

    await one.end("SIGKILL");
    expect(await through(two)).toBe("AUTH107");
    one = await start();
    expect(await through(one)).toBe("AUTH107");
    const made = "select count(*)::int as made from receiver where email_key = $1";
    const { rows } = await database.db.pool.query(made, [JSON.parse(body).email]);
    expect(rows).toEqual([{ made: 1 }]);
  });
});

const providers = kycProviders(readConfig({}).kyc);

describe("calls of one batch", () => {
  test("a call that the database refuses fails alone, and the others are committed", async () => {
    const caller = await service.newCaller();
    const create = receiverCreator({
      db: service.db,
      seal: service.seal,
      providers,
      screener: noScreening,
    });
    const inputs = Array.from({ length: 60 }, (_, index) =>
      // PostgreSQL refuses a NUL, which fails the whole statement. Validation would normally refuse it first.
      index % 20 === 7 ? ada({ first_name: "A\u0000da" }) : ada(),
    );
    const outcomes = await Promise.allSettled(
      inputs.map((input) => create(callerOf(caller), input)),
    );

    const failed = outcomes.flatMap(({ status }, index) => (status === "rejected" ? [index] : []));
    expect(failed).toEqual([7, 27, 47]);
    const whole = inputs.filter((_, index) => !failed.includes(index));
    expect(await emailsOf(caller)).toEqual(whole.map(({ email }) => emailKey(email)).sort());
    // Each call got its own id.
    const find = receiverFinder(service);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === "rejected") continue;
      const id = JSON.parse(outcome.value.body).payload.receiver_id;
      const found = await find({ subaccountId: caller.subaccountId, id });
      expect(JSON.parse(found ?? "null").payload.email).toBe(inputs[index]?.email);
    }
  });

  test("a taken email or used nonce affects only its own call", async () => {
    const caller = await service.newCaller();
    const create = receiverCreator({
      db: service.db,
      seal: service.seal,
      providers,
      screener: noScreening,
    });
    const nonce = { value: "a-nonce-that-comes-twice", expiresAtMs: Date.now() + 300_000 };
    const twice = ada();
    const outcomes = await Promise.allSettled([
      create(callerOf(caller), ada()),
      create(callerOf(caller), twice),
      create(callerOf(caller), ada()),
      create(callerOf(caller), { ...twice, email: twice.email.toUpperCase() }),
      create({ ...callerOf(caller), nonce }, ada()),
      create({ ...callerOf(caller), nonce }, ada()),
      create(callerOf(caller), ada()),
    ]);
    const outcomeCodes = outcomes.map((outcome) =>
      outcome.status === "fulfilled" ? "created" : outcome.reason.message,
    );
    // The database decides which of two equal calls succeeds.
    expect([...outcomeCodes.slice(0, 4)].sort()).toEqual([
      "REVR201",
      "created",
      "created",
      "created",
    ]);
    expect([...outcomeCodes.slice(4, 6)].sort()).toEqual(["AUTH107", "created"]);
    expect(outcomeCodes[6]).toBe("created");
    expect(await emailsOf(caller)).toHaveLength(5);
  });

  test("a statement that timed out is not retried call by call", async () => {
    let statements = 0;
    const sleeping = batch(async (calls: number[]) => {
      statements += 1;
      await service.db.transaction(async (tx) => {
        await tx.run({ name: "", text: "set local statement_timeout = 50" });
        await tx.run({ name: "", text: "select pg_sleep(5)" });
      });
      return calls;
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 21 }, (_, call) => sleeping(call)),
    );
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(statements).toBe(1);
  });

  test("two batches with the same emails in opposite order wait for each other and don't deadlock", async () => {
    const caller = await service.newCaller();
    const rounds = 40;
    let created = 0;
    for (let round = 0; round < rounds; round++) {
      const rows = Array.from({ length: 64 }, () => toRow(callerOf(caller), ada()));
      const again = rows.map((row) => ({ ...row, id: newId(), requestId: newId() })).reverse();
      const answers = await Promise.all([
        insertReceivers(service.db, rows),
        insertReceivers(service.db, again),
      ]);
      created += answers.flat().filter((answer) => answer === "created").length;
      expect(answers.flat().filter((answer) => answer === "email-taken")).toHaveLength(64);
    }
    expect(created).toBe(rounds * 64);
    await service.db.pool.query("select pg_stat_force_next_flush()");
    const { rows } = await service.db.pool.query(
      "select deadlocks::int from pg_stat_database where datname = current_database()",
    );
    console.info(`${rounds} pairs of opposite batches: ${rows[0].deadlocks} deadlocks`);
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });

  test("500 mixed reads at once each return the requested record", async () => {
    const callers = await Promise.all(Array.from({ length: 5 }, () => service.newCaller()));
    const known = await Promise.all(
      callers.flatMap((caller) =>
        Array.from({ length: 10 }, async () => {
          const input = ada();
          const { json } = await caller.call("POST", "/api/receiver", { body: input });
          return { caller, id: json.payload.receiver_id as string, email: input.email };
        }),
      ),
    );
    const reads = Array.from({ length: 500 }, async (_, index) => {
      const one = known[(index * 7) % known.length] as (typeof known)[number];
      const stranger = callers.find((caller) => caller !== one.caller) as TestCaller;
      const kinds = [
        async () => {
          const { json } = await one.caller.call("GET", `/api/receiver/${one.id}`);
          return json.payload?.id === one.id && json.payload?.email === one.email;
        },
        async () => {
          const { json } = await one.caller.call("GET", `/api/receiveraccount/receiver/${one.id}`);
          return Array.isArray(json.payload) && json.payload.length === 0;
        },
        async () => {
          const { json } = await stranger.call("GET", `/api/receiver/${one.id}`);
          return json.error?.[0].code === "REVR101";
        },
        async () => {
          const { json } = await one.caller.call("GET", "/api/receiver?limit=10");
          return json.payload.every(({ id }: { id: string }) =>
            known.some((other) => other.caller === one.caller && other.id === id),
          );
        },
        async () => {
          const { json } = await one.caller.call("GET", "/api/subaccount");
          return json.payload.id === one.caller.subaccountId;
        },
      ];
      return kinds[index % kinds.length]?.();
    });
    const right = (await Promise.all(reads)).filter(Boolean).length;
    console.info(`500 mixed reads at once: ${right} answered with their own record`);
    expect(right).toBe(500);
  });
});

function toRow(caller: Caller, input: ReturnType<typeof ada>): ReceiverToInsert {
  return {
    subaccount_id: caller.subaccountId,
    id: newId(),
    created_at_ms: Date.now(),
    request_id: caller.requestId,
    api_key: caller.key,
    person_key: undefined,
    person_sealed: undefined,
    nonce: caller.nonce?.value,
    nonce_expires_at_ms: caller.nonce?.expiresAtMs,
    screening_set_id: undefined,
    ...input,
    middle_name: "",
    email_key: emailKey(input.email),
    reference: "",
    applicant_id: "applicant",
    status: "pending",
    kyc_status: "pending",
    created_by: "service",
    kyc_provider: "sandbox",
    kyc_step: undefined,
    kyc_due_at_ms: undefined,
    idempotency_key: undefined,
    request_hash: undefined,
    answer: undefined,
    answer_expires_at_ms: undefined,
  };
}
