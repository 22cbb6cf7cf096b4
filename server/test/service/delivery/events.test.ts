// /api/event: list and find events with their deliveries, resend them, and send test events.

import { readFileSync } from "node:fs";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import {
  eventCatalogue,
  eventSchemas,
} from "../../../src/platform/event-catalogue/event-catalogue.ts";
import { idAt } from "../../support/committed-events.ts";
import { newPayout } from "../../support/post-requests.ts";
import type { Service, TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

const url = "https://example.com/events";
const codesOf = (json: { error: { code: string; field?: string }[] }) =>
  json.error.map(({ code, field }) => [code, field]);

await useService();

const query = async (text: string, values: unknown[]) =>
  (await service.db.pool.query(text, values)).rows;

/** A caller, with an endpoint by default. */
async function newCaller(postback_url = url): Promise<TestCaller> {
  const caller = await service.newCaller();
  if (postback_url) await caller.disburse.subaccount.update({ postback_url });
  return caller;
}

const uuidOf = (name: string) => name.replace(/^evt_(test_)?/, "");

/** Ends a delivery as the worker does. */
async function settle(name: string, end: "delivered" | "undelivered"): Promise<void> {
  const gone = "delete from delivery where event_id = $1 returning subaccount_id";
  const [row] = await query(gone, [uuidOf(name)]);
  if (end === "undelivered") {
    const rest = "insert into delivery_abandoned values ($1, $2, 68, $3)";
    await query(rest, [row.subaccount_id, uuidOf(name), Date.now()]);
  }
}

async function addAttempt(
  { subaccountId }: TestCaller,
  name: string,
  attempt: { id: string; number: number; status: number | null; failure: string | null },
): Promise<void> {
  const text = `insert into delivery_attempt (subaccount_id, event_id, id, number, status, failure, detail,
      took_ms, answer) values ($1, $2, $3, $4, $5, $6, 'words', 12, 'hello')`;
  const { id, number, status, failure } = attempt;
  await query(text, [subaccountId, uuidOf(name), id, number, status, failure]);
}

describe("GET /api/event", () => {
  test("events are listed with their published body, newest first", async () => {
    const caller = await newCaller();
    const body = await newPayout(caller);
    const { payout_id } = await caller.disburse.payouts.create(body);
    const { receiver_id } = body;
    await caller.disburse.payouts.cancel(payout_id);

    const answer = await caller.call("GET", "/api/event");
    expect([answer.status, answer.json.message]).toEqual([200, "get events successful"]);
    const [failure, created, kyc] = answer.json.payload;
    expect(answer.json.payload).toHaveLength(3);
    expect(created).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{8}-[0-9a-f-]{27}$/),
      type: "payoutCreated",
      status: "waiting",
      data: {
        ...{ event: "payoutCreated", amount: 10, currency: "AUD", payout_id, receiver_id },
        ...{ receiver_account_id: body.account_id, reference: "", status: "pending" },
        ...{ subccount_id: caller.subaccountId, timestamp: expect.any(Number) },
      },
      created_at: expect.stringMatching(/^\d{13}$/),
      attempt_count: 0,
      next_attempt_at: created.created_at,
    });
    expect(failure.data).toMatchObject({ event: "payoutFailure", timestamp: expect.any(String) });
    expect(kyc.data).toMatchObject({ event: "receiverKycUpdate", receiver_id });

    const ids = async (filter: Parameters<typeof caller.disburse.events.list>[0]) =>
      (await caller.disburse.events.list(filter).toArray()).map(({ id }) => id);
    expect(await ids({ payout_id })).toEqual([failure.id, created.id]);
    expect(await ids({ receiver_id })).toEqual([failure.id, created.id, kyc.id]);
    expect(await ids({ receiver_id, type: "receiverKycUpdate" })).toEqual([kyc.id]);
    expect(await ids({ payout_id, receiver_id: newId() })).toEqual([]);
    expect(await ids({ payout_id: receiver_id })).toEqual([]);
    expect(await ids({ type: "payoutFailure" })).toEqual([failure.id]);
    expect(await ids({ to: Number(created.created_at) })).toEqual([kyc.id]);
    expect(await ids({ from: Number(failure.created_at) })).toContain(failure.id);
    expect(await ids({ from: Date.now() + 1_000 })).toEqual([]);
    expect(await ids({ limit: 1 })).toEqual([failure.id, created.id, kyc.id]);
  });

  test("events are found by their status: waiting, delivered, undelivered, unsent", async () => {
    const caller = await newCaller("");
    const { events, subaccount } = caller.disburse;
    const unsent = await events.test();
    await subaccount.update({ postback_url: url });
    const [delivered, undelivered, waiting] = [
      await events.test(),
      await events.test(),
      await events.test(),
    ];
    await settle(delivered.id, "delivered");
    await settle(undelivered.id, "undelivered");
    const all = { waiting, undelivered, delivered, unsent };
    const listed = await events.list().toArray();
    expect(listed.map(({ id, status }) => [id, status])).toEqual(
      Object.entries(all).map(([status, { id }]) => [id, status]),
    );
    for (const [status, { id }] of Object.entries(all)) {
      const found = await events.list({ status: status as keyof typeof all }).toArray();
      expect(found.map((event) => event.id)).toEqual([id]);
    }
    expect(listed.map(({ next_attempt_at }) => next_attempt_at !== null)).toEqual([
      ...[true, false, false, false],
    ]);
    // Without an endpoint there is no next attempt, and waiting events are kept.
    await subaccount.update({ postback_url: "" });
    const kept = (await events.list({ status: "waiting" }).toArray())[0];
    expect([kept?.id, kept?.next_attempt_at]).toEqual([waiting.id, null]);
  });

  test("pages have no gaps, with and without a filter", async () => {
    const { disburse, call } = await newCaller();
    const made: string[] = [];
    for (let count = 0; count < 25; count += 1) {
      const type = count % 2 === 0 ? "payoutUpdate" : "receiverKycUpdate";
      made.unshift((await disburse.events.test({ type })).id);
    }
    const walked = await disburse.events.list({ limit: 7 }).toArray();
    expect(walked.map(({ id }) => id)).toEqual(made);
    const some = await disburse.events.list({ limit: 4, type: "payoutUpdate" }).toArray();
    expect(some.map(({ id }) => id)).toEqual(made.filter((_, index) => index % 2 === 0));
    const { headers } = await call("GET", "/api/event?limit=25");
    expect(headers.has("link")).toBe(false);
  });

  test("a filter with few matches scans 10,000 events a page, and the next page continues", async () => {
    const caller = await newCaller();
    const { events } = caller.disburse;
    const rare = await events.test({ type: "payoutFailure" });
    await query(
      `insert into event (subaccount_id, id, order_key, type, body, created_at_ms, wanted)
       select $1, (left(first_id_of($2::bigint + n)::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(),
              'payoutUpdate', e.body, $2::bigint + n, true
       from generate_series(1, 10500) n, event e where e.subaccount_id = $1 and e.id = $3`,
      [caller.subaccountId, Date.now(), uuidOf(rare.id)],
    );
    const first = await events.list({ type: "payoutFailure" }).page();
    expect([first.items, typeof first.nextCursor]).toEqual([[], "string"]);
    const second = await first.next();
    expect(second?.items.map(({ id }) => id)).toEqual([rare.id]);
    expect(second?.nextCursor).toBe(null);
    const full = await events.list({ type: "payoutUpdate", limit: 1_000 }).toArray();
    expect(full).toHaveLength(10_500);
  });

  test.each([
    ["EVNT401", "limit", "1001"],
    ["EVNT401", "limit", "0"],
    ["EVNT402", "type", "payout"],
    ["EVNT403", "status", "failed"],
    ["EVNT404", "payout_id", "x"],
    ["EVNT405", "receiver_id", "urn:uuid:1"],
    ["EVNT406", "from", "yesterday"],
    ["EVNT407", "to", "-1"],
    ["EVNT408", "cursor", "x"],
    ["EVNT409", "Status", "waiting"],
  ])("%s: %s=%s", async (code, name, value) => {
    const { call } = await service.newCaller();
    const { status, json } = await call("GET", `/api/event?${name}=${value}`);
    expect([status, json.message, codesOf(json)]).toEqual([
      400,
      "get events failed",
      [[code, name]],
    ]);
  });
});

describe("GET /api/event/<id>", () => {
  test("an id with or without its prefix finds the exact body and every attempt, oldest first", async () => {
    const caller = await newCaller();
    const { id } = await caller.disburse.events.test();
    const atMs = Date.now();
    const second = { id: idAt(atMs + 5_000), number: 2, status: 204, failure: null };
    await addAttempt(caller, id, second);
    const first = { id: idAt(atMs), number: 1, status: null, failure: "timeout" };
    await addAttempt(caller, id, { ...first, id: first.id });
    const event = await caller.disburse.events.get(id);
    const [{ body }] = await query("select body from event where id = $1", [uuidOf(id)]);
    expect(event.body).toBe(body);
    expect(event.data).toEqual(JSON.parse(body));
    expect(event.attempt_count).toBe(2);
    const said = { detail: "words", took_ms: 12, answer: "hello" };
    expect(event.attempts.map(({ at, timestamp, ...rest }) => rest).sort(byNumber)).toEqual([
      { number: 1, status: null, failure: "timeout", ...said },
      { number: 2, status: 204, failure: null, ...said },
    ]);
    for (const { at, timestamp } of event.attempts) {
      expect(timestamp).toBe(String(Math.floor(Number(at) / 1000)));
    }
    expect(Number(event.attempts[0]?.at)).toBeLessThanOrEqual(Number(event.attempts[1]?.at));
    const bare = await caller.call("GET", `/api/event/${uuidOf(id).toUpperCase()}`);
    expect(bare.json.payload).toEqual(event);
  });

  const byNumber = (one: { number: number }, other: { number: number }) =>
    one.number - other.number;

  test("EVNT101: absent, foreign and malformed ids get the same response", async () => {
    const [caller, other] = [await newCaller(), await newCaller()];
    const { id } = await other.disburse.events.test();
    const texts = await Promise.all(
      [newId(), `evt_${newId()}`, id, uuidOf(id), "evt_", "evt_evt_", `EVT_${uuidOf(id)}`].map(
        async (one) => (await caller.call("GET", `/api/event/${one}`)).text,
      ),
    );
    expect(new Set(texts)).toEqual(
      new Set([
        '{"message":"get event failed","error":[{"code":"EVNT101","message":"Event ID not found"}]}',
      ]),
    );
  });
});

describe("POST /api/event/<id>/resend", () => {
  const waiting = (name: string) =>
    query("select attempts, due_at_ms, since_ms from delivery where event_id = $1", [uuidOf(name)]);
  const resends = async (name: string) =>
    (await query("select who from event_resend where event_id = $1", [uuidOf(name)])).length;

  test.each(["delivered", "undelivered"] as const)(
    "an event that is %s waits again",
    async (end) => {
      const caller = await newCaller();
      const { events } = caller.disburse;
      const { id } = await events.test();
      await settle(id, end);
      const beforeMs = Date.now();
      const resent = await events.resend(id);
      expect(resent).toMatchObject({ id, status: "waiting" });
      const [row] = await waiting(id);
      expect(row).toMatchObject({ attempts: 0, due_at_ms: "0" });
      expect(Number(row.since_ms)).toBeGreaterThanOrEqual(beforeMs);
      const rest = await query("select 1 from delivery_abandoned where event_id = $1", [
        uuidOf(id),
      ]);
      expect([rest, await resends(id)]).toEqual([[], 1]);
    },
  );

  test("a waiting event is due at once and keeps its attempts", async () => {
    const { events } = (await newCaller()).disburse;
    const { id } = await events.test();
    await query("update delivery set attempts = 4, due_at_ms = $2 where event_id = $1", [
      uuidOf(id),
      Date.now() + 60_000,
    ]);
    const woken: string[] = [];
    const onEvent = (subaccountId: string) => woken.push(subaccountId);
    service.db.listeners.eventListeners.add(onEvent);
    await events.resend(uuidOf(id));
    service.db.listeners.eventListeners.delete(onEvent);
    expect(await waiting(id)).toMatchObject([{ attempts: 4, due_at_ms: "0" }]);
    expect(woken).toHaveLength(1);
  });

  test("without an endpoint the event goes only to the feed; with a later one it is delivered", async () => {
    const { events, subaccount } = (await newCaller("")).disburse;
    const { id } = await events.test();
    expect((await events.resend(id)).status).toBe("unsent");
    expect([await waiting(id), await resends(id)]).toEqual([[], 1]);
    await subaccount.update({ postback_url: url });
    expect((await events.resend(id)).status).toBe("waiting");
    await settle(id, "delivered");
    expect((await events.get(id)).status).toBe("delivered");
  });

  test("EVNT101 for an event of another subaccount, and nothing is recorded", async () => {
    const [caller, other] = [await newCaller(), await newCaller()];
    const { id } = await other.disburse.events.test();
    const absent = await caller.call("POST", `/api/event/${newId()}/resend`);
    const foreign = await caller.call("POST", `/api/event/${id}/resend`);
    expect([foreign.status, foreign.text]).toEqual([400, absent.text]);
    expect(await resends(id)).toBe(0);
  });
});

describe("POST /api/event/test", () => {
  test.each(Object.keys(eventSchemas) as (keyof typeof eventSchemas)[])(
    "%s: the sample body matches the schema, and the event waits for delivery",
    async (type) => {
      const caller = await newCaller();
      const made = await caller.disburse.events.test({ type });
      expect(made).toEqual({
        id: expect.stringMatching(/^evt_test_[0-9a-f]{8}-/),
        type,
        status: "waiting",
      });
      const { data } = await caller.disburse.events.get(made.id);
      expect(Compile(eventSchemas[type]).Check(data)).toBe(true);
      expect(data.subccount_id).toBe(caller.subaccountId);
    },
  );

  test("payoutCreated by default, with the fields that are set", async () => {
    const { call, disburse } = await newCaller("");
    const plain = await call("POST", "/api/event/test");
    expect(plain.json.payload).toMatchObject({ type: "payoutCreated", status: "unsent" });
    const [payout_id, receiver_id] = [newId(), newId().toUpperCase()];
    const set = { amount: 0.5, reference: 'a "quoted"\u0000 \ud83d text', payout_id, receiver_id };
    const { id } = await disburse.events.test({ type: "payoutFailure", set });
    expect((await disburse.events.get(id)).data).toMatchObject({ ...set, status: "failed" });
    const found = await disburse.events.list({ payout_id, receiver_id }).toArray();
    expect(found.map((event) => event.id)).toEqual([id]);
  });

  test("EVNT208: a test event can't name an existing payout, receiver or account, and nothing is stored", async () => {
    const caller = await newCaller();
    const body = await newPayout(caller);
    const { payout_id } = await caller.disburse.payouts.create(body);
    const { receiver_id, account_id: receiver_account_id } = body;
    const ids = { receiver_account_id, payout_id: payout_id.toUpperCase(), receiver_id };
    const before = await caller.disburse.events.list().toArray();
    for (const [name, id] of Object.entries(ids)) {
      const set = { [name]: id, amount: 1 };
      const { status, json } = await caller.call("POST", "/api/event/test", { body: { set } });
      expect([status, codesOf(json)]).toEqual([400, [["EVNT208", `set.${name}`]]]);
    }
    expect(await caller.disburse.events.list().toArray()).toEqual(before);
    // Ids of other subaccounts are accepted like random ids, so they are not revealed.
    const other = await newCaller();
    await other.disburse.events.test({ set: ids });
  });

  test("AUTH110: a test event of a live subaccount needs the scopes write and payout", async () => {
    const send = async (options: Parameters<Service["newCaller"]>[0]) => {
      const { call } = await service.newCaller(options);
      const { status, json } = await call("POST", "/api/event/test");
      return status === 200 ? status : codesOf(json)[0]?.[0];
    };
    expect(await send({ mode: "test", scopes: ["write"] })).toBe(200);
    expect(await send({ mode: "live", scopes: ["read", "write"] })).toBe("AUTH110");
    expect(await send({ mode: "live", scopes: ["payout"] })).toBe("AUTH110");
    expect(await send({ mode: "live", scopes: ["write", "payout"] })).toBe(200);
  });

  test.each([
    ["EVNT201", { type: "payout" }, "type"],
    ["EVNT202", { set: [] }, "set"],
    ["EVNT202", { set: { amount: "10" } }, "set.amount"],
    ["EVNT202", { set: { event: "payoutUpdate" } }, "set.event"],
    ["EVNT202", { set: { status: "failed" } }, "set.status"],
    ["EVNT202", { set: { cause: "none" } }, "set.cause"],
    ["EVNT202", { set: { toString: 1 } }, "set.toString"],
    ["EVNT202", { set: { payout_id: `urn:uuid:${newId()}` } }, "set.payout_id"],
    ["EVNT202", { type: "payoutFailure", set: { timestamp: 1 } }, "set.timestamp"],
    ["EVNT206", { fields: {} }, "fields"],
    ["EVNT207", [], undefined],
  ])("%s: %j", async (code, body, field) => {
    const { call } = await newCaller();
    const { status, json } = await call("POST", "/api/event/test", { body });
    expect([status, json.message, codesOf(json)]).toEqual([
      400,
      "test event failed",
      [[code, field]],
    ]);
  });
});

test("docs/api/events.md lists for every type whether it is sent always or on request", () => {
  const docs = readFileSync(new URL("../../../../docs/api/events.md", import.meta.url), "utf8");
  for (const [type, { isOnRequest }] of Object.entries(eventCatalogue)) {
    const row = docs.split("\n").find((line) => line.startsWith(`| \`${type}\` |`));
    expect(row?.endsWith(isOnRequest ? "| on request |" : "| always |"), type).toBe(true);
  }
});
