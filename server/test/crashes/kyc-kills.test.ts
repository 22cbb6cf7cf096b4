// Identity checks under failures: Sumsub is down, slow or broken, and the process is killed. No check is lost or done
// twice, and the log has no personal data.

import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { ConnectionError } from "@disburse/client";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { decideKyc } from "../../src/people/kyc/decide.ts";
import { sandboxProvider } from "../../src/people/kyc-providers/sandbox.ts";
import { sumsubProvider } from "../../src/people/kyc-providers/sumsub.ts";
import type { NewReceiver } from "../../src/people/receivers/schema.ts";
import { limits } from "../../src/platform/limits/limits.ts";
import { scale } from "../scenarios/scale.ts";
import { freePort } from "../support/free-port.ts";
import { type Serving, serve } from "../support/process.ts";
import {
  ada,
  newCaller,
  newDatabase,
  type Service,
  settingsOf,
  startService,
  type TestCaller,
} from "../support/service.ts";
import { type Misbehaviour, type SumsubServer, startSumsub } from "../support/sumsub-server.ts";

type Database = Awaited<ReturnType<typeof newDatabase>>;
type Environment = Record<string, string>;

const soon = { timeout: 60_000, interval: 20 };

describe("Sumsub", () => {
  let sumsub: SumsubServer;
  let service: Service;
  let caller: TestCaller;
  let well: Misbehaviour;
  const delayMs = 50;
  beforeAll(async () => {
    sumsub = await startSumsub();
    well = { ...sumsub.mode };
    const live = sumsubProvider({ ...sumsub, pollAfterMs: 86_400_000 });
    service = await startService({ kyc: { test: sandboxProvider({ delayMs }), live } });
    caller = await service.newCaller({ mode: "live" });
  });
  afterEach(() => {
    Object.assign(sumsub.mode, well);
  });
  afterAll(async () => {
    await service.close();
    await sumsub.close();
  });

  const create = async (changes: Partial<NewReceiver> = {}) =>
    (await caller.disburse.receivers.create(ada(changes))).receiver_id;
  const rename = (id: string, first_name: string) =>
    caller.disburse.receivers.update(id, { first_name });
  const applicantsOf = (id: string) =>
    [...sumsub.applicants.values()].filter(({ externalUserId }) => externalUserId === id);
  const nameAt = (id: string) => applicantsOf(id)[0]?.fixedInfo.firstName;

  /** The states since the creation, each `status/kyc`, and the events about them, in order. */
  async function lifeOf(id: string) {
    const { rows } = await service.db.pool.query(
      `select status || '/' || kyc_status as now, applicant_id, kyc_step as step, kyc_attempts as tries,
         array(select from_status || '/' || from_kyc_status from receiver_history
               where receiver_id = r.id order by id) as moved,
         array(select body::json ->> 'status' from event where order_key = r.id order by number) as events
       from receiver r where id = $1`,
      [id],
    );
    const { now, moved, ...rest } = rows[0];
    return { states: [...moved, now] as string[], ...rest };
  }
  const statesOf = async (id: string) => (await lifeOf(id)).states;
  const warningsAbout = (id: string) =>
    service.logged.filter((line) => line.includes("will try again") && line.includes(id));

  /** The applicant was created once, at Sumsub and in the database. */
  async function expectMade(id: string) {
    const made = ["creating/pending", "pending/pending"];
    await expect.poll(() => statesOf(id), soon).toEqual(made);
    const [applicant, ...others] = applicantsOf(id);
    expect(others).toEqual([]);
    const life = { states: made, events: [], step: "ask", tries: 0, applicant_id: applicant?.id };
    expect(await lifeOf(id)).toEqual(life);
  }

  test("is slow: a receiver is created at once and listed as creating, and other checks continue", async () => {
    sumsub.mode.slowMs = limits.kycCallMs - 1_000;
    // A new subaccount, because the whole list is compared.
    const slow = await service.newCaller({ mode: "live" });
    const ids = await Promise.all(
      Array.from(
        { length: limits.kycStepsMax + 6 },
        async () => (await slow.disburse.receivers.create(ada())).receiver_id,
      ),
    );
    const { disburse } = await service.newCaller();
    const tested = await disburse.receivers.create(ada());
    await expect
      .poll(() => statesOf(tested.receiver_id), soon)
      .toEqual(["pending/pending", "active/completed"]);
    // All are created and none has moved on, because Sumsub has not responded yet.
    const listed = await slow.call("GET", "/api/receiver?status=0&kyc_status=0");
    expect(listed.json.payload.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort());
    expect(listed.json.payload[0]).toMatchObject({ status: "creating", applicant_id: "" });
    sumsub.mode.slowMs = 0;
    await Promise.all(ids.map(expectMade));
    expect((await slow.call("GET", "/api/receiver?status=0")).json.payload).toEqual([]);
  });

  test("is down or broken: receivers stay in creating, and get one applicant when it recovers", async () => {
    const wrongs: [Partial<Misbehaviour>, made: number][] = [
      ...[401, 403, 429, 500, 503].map((status): [Partial<Misbehaviour>, number] => [
        { status },
        0,
      ]),
      [{ redirect: true }, 0],
      [{ down: true }, 0],
      [{ losesAnswers: true }, 1],
      [{ notJson: true }, 1],
      [{ tooLong: true }, 1],
      [{ answerForAnother: true }, 1],
    ];
    const ids: string[] = [];
    for (const [wrong, made] of wrongs) {
      Object.assign(sumsub.mode, well, wrong);
      const id = await create();
      await expect.poll(() => warningsAbout(id).length, soon).toBeGreaterThan(0);
      const waiting = {
        states: ["creating/pending"],
        events: [],
        step: "create",
        applicant_id: "",
      };
      expect(await lifeOf(id), JSON.stringify(wrong)).toMatchObject(waiting);
      expect(applicantsOf(id), JSON.stringify(wrong)).toHaveLength(made);
      ids.push(id);
    }
    Object.assign(sumsub.mode, well);
    await Promise.all(ids.map(expectMade));

    // The log has place and time, but no name, address, secret or response.
    const [id = ""] = ids;
    expect(JSON.parse(warningsAbout(id)[0] as string)).toMatchObject({
      ...{ level: 40, provider: "sumsub", kyc_step: "create", kyc_attempts: 1, receiver_id: id },
      err: { message: "Sumsub answered POST /resources/applicants with 401." },
    });
    const { appToken, secretKey, webhookSecret } = sumsub;
    const { phone, dob, address, city } = ada();
    for (const text of [
      ...["Ada", "Lovelace", "@example.com", phone, dob, address, city, "<html"],
      ...[appToken, secretKey, webhookSecret, caller.secret],
    ]) {
      expect(service.logged.filter((line) => line.includes(text))).toEqual([]);
    }
  });

  test.each([400, 422])(
    "refuses with %i: the receiver is failed until it is retried",
    async (status) => {
      sumsub.mode.status = status;
      const id = await create();
      const failed = ["creating/pending", "failed/failed"];
      await expect.poll(() => statesOf(id), soon).toEqual(failed);
      expect(await lifeOf(id)).toMatchObject({ events: ["failed"], step: null, applicant_id: "" });
      await caller.disburse.receivers.restartKyc(id);
      const again = [...failed, "pending/pending", "failed/failed"];
      await expect.poll(() => statesOf(id), soon).toEqual(again);
      Object.assign(sumsub.mode, well);
      await caller.disburse.receivers.restartKyc(id);
      await expect.poll(async () => (await lifeOf(id)).step, soon).toBe("ask");
      const [applicant] = applicantsOf(id);
      const events = ["failed", "pending", "failed", "pending"];
      const states = [...again, "pending/pending"];
      expect(await lifeOf(id)).toMatchObject({ states, events, applicant_id: applicant?.id });
    },
  );

  test("gets a name that changes while the applicant is created or afterwards", async () => {
    sumsub.mode.slowMs = 700;
    const ids = [await create(), await create()] as const;
    await expect.poll(() => applicantsOf(ids[0]), soon).toHaveLength(1);
    await rename(ids[0], "Augusta");
    sumsub.mode.slowMs = 0;
    for (const id of ids) await expect.poll(async () => (await lifeOf(id)).step, soon).toBe("ask");
    await rename(ids[1], "Byron");
    await expect.poll(() => ids.map(nameAt), soon).toEqual(["Augusta", "Byron"]);
    for (const id of ids) expect(applicantsOf(id)).toHaveLength(1);
  });

  test("gets the later of two changes that overtake each other", async () => {
    const id = await create();
    await expectMade(id);
    sumsub.mode.lateMs = 1_500;
    const calls = sumsub.calls.length;
    await rename(id, "Augusta");
    await expect.poll(() => sumsub.calls.length, soon).toBe(calls + 1);
    sumsub.mode.lateMs = 0;
    await rename(id, "Anne");
    const changes = () =>
      sumsub.calls
        .slice(calls)
        .filter(({ method, status }) => method === "PATCH" && status === 200);
    await expect.poll(() => changes().length, soon).toBeGreaterThanOrEqual(2);
    await expect.poll(async () => (await lifeOf(id)).step, soon).toBe("ask");
    expect(nameAt(id)).toBe("Anne");
  });

  test("gets a name that changes while a refused applicant is retried", async () => {
    sumsub.mode.status = 400;
    const id = await create();
    await expect.poll(async () => (await lifeOf(id)).step, soon).toBe(null);
    Object.assign(sumsub.mode, { status: undefined, slowMs: 1_000 });
    await caller.disburse.receivers.restartKyc(id);
    await expect.poll(() => applicantsOf(id), soon).toHaveLength(1);
    await rename(id, "Augusta");
    sumsub.mode.slowMs = 0;
    await expect.poll(async () => (await lifeOf(id)).step, soon).toBe("ask");
    expect(nameAt(id)).toBe("Augusta");
  });

  test("refuses the new name of an approved receiver: the receiver becomes inactive", async () => {
    sumsub.mode.status = 400;
    const id = await create();
    await expect.poll(() => statesOf(id), soon).toEqual(["creating/pending", "failed/failed"]);
    const said = { who: "operator:grace", reason: "Seen in person", atMs: Date.now() };
    const key = { subaccountId: caller.subaccountId, id };
    await service.db.transaction((tx) => decideKyc(tx, key, { ...said, verdict: "approve" }));
    await rename(id, "Augusta");
    await expect.poll(async () => (await statesOf(id)).at(-1), soon).toBe("inactive/failed");
    expect((await lifeOf(id)).step).toBe(null);
  });
});

/** The test takes 30 seconds on two idle cores, including 15 for a lease that expires. */
const busyMs = 180_000;
const processes = 2;
const killsEach = scale(1, 10);
const perLife = 100;
const receiversMax = processes * killsEach * perLife;

test(
  `after ${processes * killsEach} kills during ${receiversMax} creates, each receiver is pending, with one applicant`,
  async () => {
    const [database, sumsub] = [await newDatabase(), await startSumsub()];
    const startMs = performance.now();
    const sinceMs = () => Math.round(performance.now() - startMs);
    const environment = {
      ...settingsOf(database),
      ...{ RATE_LIMIT_PER_S: "0", NODE_ENV: "production", KYC_PROVIDER: "sumsub" },
      ...{ SUMSUB_BASE_URL: sumsub.baseUrl, SUMSUB_LEVEL_NAME: sumsub.levelName },
      ...{ SUMSUB_APP_TOKEN: sumsub.appToken, SUMSUB_SECRET_KEY: sumsub.secretKey },
      SUMSUB_WEBHOOK_SECRET: sumsub.webhookSecret,
    };
    // Ends normally, so that it writes its compile cache, which halves the start time of the others.
    await (await serve(environment)).end();
    const stopDisruptions = startDisruptions(sumsub);
    const lanes = await Promise.all(
      Array.from({ length: processes }, (_, lane) =>
        startKilledProcess(database, environment, lane),
      ),
    );
    onTestFinished(async () => {
      stopDisruptions();
      await Promise.all(lanes.map(({ end }) => end()));
      await sumsub.close();
      await database.db.close();
    });
    const killed = Promise.all(lanes.map((lane) => lane.killed)).then(() => {
      stopDisruptions();
      return sinceMs();
    });
    const created = Promise.all(lanes.map((lane) => lane.created));
    const [killedMs, ids] = await Promise.all([killed, created]);
    const acknowledged = ids.flat().sort();
    const createdMs = sinceMs();
    const { pool } = database.db;
    const creating = "select from receiver where status = 'creating'";
    const waiting = async () => (await pool.query(creating)).rowCount;
    const leftBehind = await waiting();
    await expect.poll(waiting, { timeout: 60_000, interval: 100 }).toBe(0);

    const { rows } = await pool.query(
      `select r.id, status || '/' || kyc_status as now, applicant_id, kyc_step as step,
       array(select from_status || ' ' || to_status from receiver_history
             where receiver_id = r.id) as moves,
       (select count(*)::int from event where order_key = r.id) as events
     from receiver r order by id`,
    );
    const applicants = [...sumsub.applicants.values()];
    const asked = applicants.reduce((sum, { creations }) => sum + creations, 0);
    const lost = sumsub.calls.filter(({ status }) => status === 0).length;
    const retries = lanes.reduce((sum, lane) => sum + lane.retries(), 0);
    console.info(
      `${processes * killsEach} kills within ${killedMs} ms, ${acknowledged.length} creates within ` +
        `${createdMs} ms with ${retries} repeats; then ${leftBehind} still creating; all pending after ` +
        `${sinceMs()} ms; ${applicants.length} applicants, asked for ${asked} times, ${lost} calls lost`,
    );
    expect(new Set(acknowledged).size).toBe(receiversMax);
    expect(rows.map(({ id }) => id)).toEqual(acknowledged);
    expect(applicants).toHaveLength(receiversMax);
    const idAt = new Map(applicants.map(({ externalUserId, id }) => [externalUserId, id]));
    const made = { now: "pending/pending", step: "ask", moves: ["creating pending"], events: 0 };
    const odd = rows.filter(
      (row) => !isDeepStrictEqual(row, { ...row, applicant_id: idAt.get(row.id), ...made }),
    );
    expect(odd).toEqual([]);
  },
  busyMs,
);

/** A process on its own port that is killed and restarted, and callers that retry until they succeed. */
async function startKilledProcess({ db, seal }: Database, shared: Environment, lane: number) {
  const environment = { ...shared, PORT: `${await freePort()}` };
  let serving: Serving = await serve(environment);
  const { baseUrl } = serving;
  const { disburse } = await newCaller({ db, seal, baseUrl }, { mode: "live" });
  const acknowledged: string[] = [];
  // Each process starts `perLife` more creates, and is killed in the middle of them.
  let allowed = perLife;
  let begun = 0;
  let retries = 0;
  let isOver = false;

  async function createOne(number: number): Promise<void> {
    const receiver = ada();
    const options = { idempotencyKey: `lane-${lane}-receiver-${number}`, maxRetries: 0 };
    while (!isOver) {
      const answer = await disburse.receivers.create(receiver, options).catch((error) => error);
      if ("receiver_id" in answer) return void acknowledged.push(answer.receiver_id);
      // PostgreSQL may not have noticed yet that the process of a killed request is gone.
      const isPassing = answer instanceof ConnectionError || answer.code === "IDEM103";
      if (!isPassing) throw answer;
      retries += 1;
      await sleep(250);
    }
  }

  async function work(): Promise<void> {
    while (begun < killsEach * perLife && !isOver) {
      if (begun < allowed) await createOne(begun++);
      else await sleep(5);
    }
  }

  async function kill(): Promise<void> {
    for (let kills = 0; kills < killsEach && !isOver; kills += 1) {
      const enough = acknowledged.length + Math.ceil(Math.random() * perLife * 0.9);
      while (acknowledged.length < enough && !isOver) await sleep(2);
      await serving.end("SIGKILL");
      allowed += perLife;
      serving = await serve(environment);
    }
  }

  const killed = kill();
  const created = Promise.all(Array.from({ length: 12 }, work)).then(() => acknowledged);
  return {
    killed,
    created,
    retries: () => retries,
    async end() {
      isOver = true;
      await Promise.allSettled([killed, created]);
      await serving.end("SIGKILL");
    },
  };
}

/** Disrupts Sumsub in several ways for 15 s, so that checks that failed often are still retried in time. */
function startDisruptions({ mode }: SumsubServer): () => void {
  const well = { ...mode };
  const changes: Partial<Misbehaviour>[] = [
    ...[{}, { slowMs: 400 }, {}, { down: true }, {}, { slowMs: 400 }, {}, { losesAnswers: true }],
  ];
  let turn = 0;
  const timer = setInterval(() => {
    Object.assign(mode, well, turn < 100 ? changes[turn % changes.length] : {});
    turn += 1;
  }, 150);
  return () => {
    clearInterval(timer);
    Object.assign(mode, well);
  };
}
