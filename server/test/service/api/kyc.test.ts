// Identity checks by the sandbox and by an operator: each is decided once, by legal moves, with one event.

import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { decideKyc, type KycDecision } from "../../../src/people/kyc/decide.ts";
import { startKycWorker } from "../../../src/people/kyc/worker.ts";
import { manualProvider } from "../../../src/people/kyc-providers/manual.ts";
import { sandboxProvider } from "../../../src/people/kyc-providers/sandbox.ts";
import { createReceivers, toReceiverCreation } from "../../../src/people/receivers/create.ts";
import { toReceiverMove } from "../../../src/people/receivers/move.ts";
import { kycStatuses, receiverStatuses } from "../../../src/people/receivers/receiver.ts";
import type { NewReceiver } from "../../../src/people/receivers/schema.ts";
import { type Move, moveReceivers } from "../../../src/people/receivers/state-queries.ts";
import type { States, Transition } from "../../../src/people/receivers/states.ts";
import {
  kycMoves,
  nextStates,
  statusMoves,
  transitions,
} from "../../../src/people/receivers/states.ts";
import { noScreening } from "../../../src/people/screening/screener.ts";
import type { Caller } from "../../../src/platform/base/caller.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { connect } from "../../../src/platform/db/connect.ts";
import { createLog } from "../../../src/platform/log/log.ts";
import { ada, startServiceForTest, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

const delayMs = 200;
await useService({ sandboxDelayMs: delayMs });

const notNow = { status: 409, code: "REVR302" };
const soon = { timeout: 60_000, interval: 20 };
const addressed = (begin: string) => ada({ email: `${begin}${randomUUID()}@example.com` });

/** The states since the creation, each `status/kyc`, and the events about them, in order. */
async function lifeOf(id: string) {
  const { rows } = await service.db.pool.query(
    `select array[status || '/' || kyc_status] as now, kyc_step as step,
       array(select from_status || '/' || from_kyc_status from receiver_history
             where receiver_id = r.id order by id) as moved,
       array(select body::json ->> 'status' from event where order_key = r.id order by number) as events
     from receiver r where id = $1`,
    [id],
  );
  const [{ now, step, moved, events }] = rows;
  return { states: [...moved, ...now] as string[], events: events as string[], step };
}

const statesOf = async (id: string) => (await lifeOf(id)).states;
const create = async ({ disburse }: TestCaller, receiver = ada()) =>
  (await disburse.receivers.create(receiver)).receiver_id;

describe("the sandbox", () => {
  test("the email selects the outcome, and other emails pass", async () => {
    const caller = await service.newCaller();
    const check = async (begin: string, end: string, event: string) => {
      const id = await create(caller, addressed(begin));
      await expect.poll(() => statesOf(id), soon).toEqual(["pending/pending", end]);
      expect(await lifeOf(id), begin).toMatchObject({ events: [event], step: null });
    };
    await Promise.all([
      check("kyc-pass+", "active/completed", "completed"),
      check("kyc-fail+", "failed/failed", "failed"),
      check("KYC-Fail+", "failed/failed", "failed"),
      check("me+kyc-fail+", "active/completed", "completed"),
      check("kyc-failing", "active/completed", "completed"),
      check("", "active/completed", "completed"),
    ]);
  });

  test("an email that starts with kyc-pending+ is polled once and stays pending until a test decides", async () => {
    const caller = await service.newCaller();
    const id = await create(caller, addressed("kyc-pending+"));
    const asCreated = { states: ["pending/pending"], events: [], step: null };
    await expect.poll(() => lifeOf(id), soon).toEqual(asCreated);
    await expect(caller.disburse.receivers.restartKyc(id)).rejects.toMatchObject(notNow);
    await caller.disburse.testHelpers.setStatus({ id, type: "kyc", status: "success" });
    expect((await lifeOf(id)).states).toEqual(["pending/pending", "active/completed"]);
  });

  test("a check is decided after the delay, with one line of history and one event, byte for byte", async () => {
    const caller = await service.newCaller();
    const id = await create(caller, addressed("kyc-fail+"));
    await expect.poll(() => statesOf(id), soon).toHaveLength(2);

    const events = await service.db.pool.query(
      "select type, body, created_at_ms from event where subaccount_id = $1",
      [caller.subaccountId],
    );
    const history = await caller.disburse.receivers.history(id).toArray();
    expect(history).toEqual([
      {
        id: expect.any(String),
        when: expect.stringMatching(/^\d{13}$/),
        who: "provider:sandbox",
        reason: "The sandbox refuses addresses that begin with kyc-fail+.",
        from: { status: "pending", kyc_status: "pending" },
        to: { status: "failed", kyc_status: "failed" },
      },
      expect.objectContaining({ who: `key:${caller.key}`, reason: "created", from: null }),
    ]);
    const atMs = Number(history[0]?.when);
    expect(atMs - Number(history[1]?.when)).toBeGreaterThanOrEqual(delayMs);
    const body =
      `{"event":"receiverKycUpdate","receiver_id":"${id}","status":"failed",` +
      `"subccount_id":"${caller.subaccountId}","timestamp":${atMs}}`;
    expect(events.rows).toEqual([{ type: "receiverKycUpdate", body, created_at_ms: `${atMs}` }]);
  });

  test("a failed check restarts on request, and only then", async () => {
    const caller = await service.newCaller();
    const id = await create(caller, addressed("kyc-fail+"));
    const { receivers } = caller.disburse;
    const failed = ["pending/pending", "failed/failed"];
    await expect.poll(() => statesOf(id), soon).toEqual(failed);

    await receivers.update(id, { email: addressed("kyc-pass+").email });
    expect(await statesOf(id)).toEqual([...failed, "failed/failed"]);
    expect(await receivers.restartKyc(id)).toEqual({ receiver_id: id, kyc_status: "0" });
    const states = [...failed, "failed/failed", "pending/pending", "active/completed"];
    await expect.poll(() => statesOf(id), soon).toEqual(states);
    expect((await lifeOf(id)).events).toEqual(["failed", "pending", "completed"]);
    await expect(receivers.restartKyc(id)).rejects.toMatchObject(notNow);
  });

  test("another name or date of birth is another identity, which is checked again", async () => {
    const caller = await service.newCaller();
    const change = async (changes: Partial<NewReceiver>) => {
      const id = await create(caller);
      await expect.poll(() => statesOf(id), soon).toHaveLength(2);
      const changed = await caller.disburse.receivers.update(id, changes);
      expect(changed).toMatchObject({ ...changes, status: "active", kyc_status: "pending" });
      const states = ["pending/pending", "active/completed", "active/pending", "active/completed"];
      await expect.poll(() => statesOf(id), soon).toEqual(states);
      expect((await lifeOf(id)).events).toEqual(["completed", "pending", "completed"]);
    };
    await Promise.all([
      change({ first_name: "Augusta" }),
      change({ middle_name: "King" }),
      change({ last_name: "Byron" }),
      change({ dob: "1990-12-11" }),
    ]);
  });

  test("2,000 checks at once in two processes are each decided exactly once", async () => {
    const busy = await startServiceForTest({ sandboxDelayMs: 0 });
    const db = connect({ connection: { connectionString: busy.url }, poolMax: 10 });
    const write = (line: string) => busy.logged.push(line);
    const log = createLog({ level: "warn", destination: { write } });
    const providers = { test: sandboxProvider({ delayMs: 0 }), live: manualProvider };
    const { subaccountId, key, mode } = await busy.newCaller();
    const caller: Caller = { subaccountId, key, mode, requestId: newId(), nonce: undefined };
    const begins = ["kyc-pass+", "kyc-fail+", "kyc-pending+", ""];
    const creations = Array.from({ length: 2_000 }, (_, index) =>
      toReceiverCreation(caller, addressed(begins[index % begins.length] as string), {
        provider: providers.test,
        screener: noScreening,
        seal: busy.seal,
      }),
    );
    await createReceivers(db, creations);
    const startMs = performance.now();
    const second = startKycWorker({ db, seal: busy.seal, providers, log });
    onTestFinished(async () => {
      await second.close();
      await db.close();
    });
    const due = "select from receiver where kyc_step is not null";
    await expect.poll(async () => (await db.pool.query(due)).rowCount, soon).toBe(0);
    const tookMs = Math.round(performance.now() - startMs);

    const { rows } = await db.pool.query(
      `select status || '/' || kyc_status as states, count(*)::int,
         (select count(*)::int from receiver_history where receiver_id = r.id) as moves,
         (select count(*)::int from event where order_key = r.id) as events
       from receiver r group by states, moves, events order by states`,
    );
    console.info(`2,000 checks, two processes, ${tookMs} ms: ${JSON.stringify(rows)}`);
    expect(rows).toEqual([
      { states: "active/completed", count: 1_000, moves: 1, events: 1 },
      { states: "failed/failed", count: 500, moves: 1, events: 1 },
      { states: "pending/pending", count: 500, moves: 0, events: 0 },
    ]);
    expect(busy.logged.filter((line) => /"level":[4-6]0/.test(line))).toEqual([]);
  });
});

describe("an operator", () => {
  const said = { who: "operator:grace", reason: "Seen in person" };
  const approve = { ...said, verdict: "approve" } as const;
  const reject = (final: boolean) => ({ ...said, verdict: "reject", final }) as const;

  async function outcomesOf(id: string): Promise<string[]> {
    const kept = "select outcome from kyc_report where receiver_id = $1 order by received_at_ms";
    return (await service.db.pool.query(kept, [id])).rows.map(({ outcome }) => outcome);
  }

  async function newLive() {
    const caller = await service.newCaller({ mode: "live" });
    const id = await create(caller);
    const key = { subaccountId: caller.subaccountId, id };
    const decide = (judgement: Omit<KycDecision, "atMs">) =>
      service.db.transaction((tx) =>
        decideKyc(tx, key, { ...judgement, atMs: Date.now() } as KycDecision),
      );
    const refused = (judgement: Omit<KycDecision, "atMs">) =>
      expect(decide(judgement)).rejects.toMatchObject({ problems: [{ code: "REVR302" }] });
    return { caller, id, key, decide, refused };
  }

  test("decides about live receivers: no step is due before or after the decision", async () => {
    const { caller, id, decide, refused } = await newLive();
    expect(await lifeOf(id)).toEqual({ states: ["pending/pending"], events: [], step: null });
    expect(await decide(approve)).toEqual({ status: "active", kyc_status: "completed" });
    const states = ["pending/pending", "active/completed"];
    expect(await lifeOf(id)).toEqual({ states, events: ["completed"], step: null });
    // Callers see that it was an operator, and the reason, but not which operator.
    const [entry] = await caller.disburse.receivers.history(id).toArray();
    expect(entry).toMatchObject({ who: "operator", reason: "Seen in person" });
    const kept = "select who from receiver_history where receiver_id = $1";
    expect((await service.db.pool.query(kept, [id])).rows).toEqual([{ who: "operator:grace" }]);
    await refused(approve);
    expect(await outcomesOf(id)).toEqual(["approved"]);
  });

  test("rejects finally, and moves a receiver from failed to completed by legal moves", async () => {
    const { id, decide, refused } = await newLive();
    await decide(reject(true));
    expect(await lifeOf(id)).toMatchObject({
      states: ["pending/pending", "failed/failed"],
      events: ["failed"],
    });
    await refused(reject(true));
    await refused(reject(false));
    expect(await decide(approve)).toEqual({ status: "active", kyc_status: "completed" });
    const states = ["pending/pending", "failed/failed", "pending/failed", "active/completed"];
    expect(await lifeOf(id)).toEqual({ states, events: ["failed", "completed"], step: null });
  });

  test("asks for better documents, and may withdraw an approval", async () => {
    const { id, decide } = await newLive();
    for (const verdict of [reject(false), approve, reject(false), approve, reject(true), approve]) {
      await decide(verdict);
    }
    expect(await lifeOf(id)).toMatchObject({
      states: [
        ...["pending/pending", "pending/pending", "active/completed", "active/pending"],
        ...["active/completed", "inactive/failed", "inactive/completed"],
      ],
      events: ["completed", "pending", "completed", "failed", "completed"],
    });
  });
});

const all: States[] = receiverStatuses.flatMap((status) =>
  kycStatuses.map((kyc_status) => ({ status, kyc_status })),
);
const nameOf = ({ status, kyc_status }: States) => `${status}/${kyc_status}`;
const isLegal = (from: States, to: States) =>
  (from.status === to.status || statusMoves[from.status].includes(to.status)) &&
  (from.kyc_status === to.kyc_status || kycMoves[from.kyc_status].includes(to.kyc_status));
const setStates = (id: string, { status, kyc_status }: States) => {
  const text = "update receiver set status = $2, kyc_status = $3 where id = $1";
  return service.db.pool.query(text, [id, status, kyc_status]);
};

describe.each(["together", "one by one"])("moves that are requested %s", (how) => {
  let caller: TestCaller;
  beforeAll(async () => {
    caller = await service.newCaller({ mode: "live" });
  });
  const toMove = (id: string, from: States, to: States): Move => {
    const said = { who: "service", reason: "a test", atMs: Date.now(), step: null };
    return toReceiverMove({ subaccountId: caller.subaccountId, id, from, to, ...said });
  };
  const move = async (moves: Move[]) =>
    how === "together"
      ? moveReceivers(service.db, moves)
      : (await Promise.all(moves.map((move) => moveReceivers(service.db, [move])))).flat();

  test("of all 225 pairs of states, exactly the legal ones are done", async () => {
    const pairs = all.flatMap((from) => all.map((to) => ({ from, to })));
    const ids = await Promise.all(pairs.map(() => create(caller)));
    const idOf = (index: number) => ids[index] as string;
    await Promise.all(pairs.map(({ from }, index) => setStates(idOf(index), from)));
    const done = await move(pairs.map(({ from, to }, index) => toMove(idOf(index), from, to)));
    expect(done).toEqual(pairs.map(({ from, to }) => isLegal(from, to)));
    for (const [index, { from, to }] of pairs.entries()) {
      const events = from.kyc_status === to.kyc_status ? [] : [to.kyc_status];
      expect(await lifeOf(idOf(index))).toEqual(
        done[index]
          ? { states: [nameOf(from), nameOf(to)], events, step: null }
          : { states: [nameOf(from)], events: [], step: null },
      );
    }
    const legal = done.filter(Boolean).length;
    console.info(`225 pairs of states, ${how}: ${legal} moved, ${225 - legal} refused`);
  });

  test("no move is done from a state that the receiver isn't in", async () => {
    const id = await create(caller);
    const others = all.filter((from) => nameOf(from) !== "pending/pending");
    const moves = others.flatMap((from) =>
      all.filter((to) => isLegal(from, to)).map((to) => toMove(id, from, to)),
    );
    expect(new Set(await move(moves))).toEqual(new Set([false]));
    expect(await lifeOf(id)).toMatchObject({ states: ["pending/pending"], events: [] });
  });

  test("of 20 concurrent moves from one state, one is done", async () => {
    const id = await create(caller);
    const from: States = { status: "pending", kyc_status: "pending" };
    const ends = [nextStates(from, "approved"), nextStates(from, "rejected")] as [States, States];
    const moves = Array.from({ length: 20 }, (_, n) => toMove(id, from, ends[n % 2] as States));
    const done = await move(moves);
    expect(done.filter(Boolean)).toHaveLength(1);
    const end = ends[done.indexOf(true) % 2] as States;
    const states = ["pending/pending", nameOf(end)];
    expect(await lifeOf(id)).toEqual({ states, events: [end.kyc_status], step: null });
  });
});

test("a transition leads to legal states, never to creating, and from failed to completed only by an operator", () => {
  for (const transition of Object.keys(transitions) as Transition[]) {
    for (const from of all) {
      const to = nextStates(from, transition);
      if (!to) continue;
      expect(isLegal(from, to), `${transition}: ${nameOf(from)} to ${nameOf(to)}`).toBe(true);
      if (to.status === "creating") expect(from.status).toBe("creating");
      const isApprovedByUser = from.kyc_status === "failed" && to.kyc_status === "completed";
      if (isApprovedByUser) expect(transition).toBe("approvedByUser");
    }
  }
});

describe("POST /api/test-helpers/status", () => {
  const path = "/api/test-helpers/status";
  const occasionOf = { success: "approved", fail: "rejected" } as const;

  test.each(["success", "fail"] as const)(
    "%s, from every state: a legal move is done, and any other is REVR302 and changes nothing",
    async (status) => {
      const caller = await service.newCaller();
      for (const from of all) {
        const id = await create(caller, addressed("kyc-pending+"));
        await setStates(id, from);
        const body = { id, type: "kyc", status, cause_code: "C-7" };
        const answer = await caller.call("POST", path, { body });
        const to = nextStates(from, occasionOf[status]);
        if (!to) {
          expect([answer.status, answer.json.error[0].code]).toEqual([409, "REVR302"]);
          expect(await lifeOf(id)).toMatchObject({ states: [nameOf(from)], events: [] });
          continue;
        }
        const payload = { id, type: "kyc", status: to.kyc_status };
        expect(answer.json).toEqual({ message: "status set successfully", payload });
        const states = [nameOf(from), nameOf(to)];
        expect(await lifeOf(id)).toEqual({ states, events: [to.kyc_status], step: null });
        const [entry] = await caller.disburse.receivers.history(id).toArray();
        expect(entry).toMatchObject({ who: `key:${caller.key}`, reason: "C-7" });
      }
    },
  );

  test("is refused for live receivers and for those of another subaccount", async () => {
    const [live, other] = [await service.newCaller({ mode: "live" }), await service.newCaller()];
    const [liveId, id] = [await create(live), await create(other, addressed("kyc-pending+"))];
    const codeOf = async ({ call }: TestCaller, id: string) => {
      const body = { id, type: "kyc", status: "success" };
      const { status, json } = await call("POST", path, { body });
      return [status, json.error[0].code];
    };
    expect(await codeOf(live, liveId)).toEqual([403, "AUTH111"]);
    expect(await codeOf(other, liveId)).toEqual([400, "TEST201"]);
    expect(await codeOf(await service.newCaller(), id)).toEqual([400, "TEST201"]);
    expect(await statesOf(liveId)).toEqual(["pending/pending"]);
    expect(await statesOf(id)).toEqual(["pending/pending"]);
  });

  test("all wrong fields are reported at once", async () => {
    const { call } = await service.newCaller();
    const codesOf = async (body: unknown) => {
      const { status, json } = await call("POST", path, { body });
      return [status, ...json.error.map(({ code }: { code: string }) => code)];
    };
    const wrong = { id: 7, type: "weather", status: "maybe", cause_code: "\u0007", more: 1 };
    const codes = ["TEST201", "TEST202", "TEST203", "TEST206", "TEST204"];
    expect(await codesOf(wrong)).toEqual([400, ...codes]);
    expect(await codesOf({})).toEqual([400, "TEST201", "TEST202", "TEST203"]);
    expect(await codesOf([])).toEqual([400, "TEST205"]);
  });
});
