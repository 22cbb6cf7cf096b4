// Webhook endpoints: the URL, the contact, the secrets, and the state of delivery.

import { describe, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { publishedTypes } from "../../../src/platform/event-catalogue/event-catalogue.ts";
import { insertEvent } from "../../../src/webhooks/events/queries.ts";
import { endpointSecretIdentity } from "../../../src/webhooks/webhook-endpoints/secret.ts";
import { startServiceForTest, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

const url = "https://example.com/events";
const path = "/api/subaccount";
const secretPath = "/api/subaccount/postback-secret";

await useService();

const query = async (text: string, values: unknown[]) =>
  (await service.db.pool.query(text, values)).rows;

const change = (caller: TestCaller, body: unknown) =>
  caller.call("PATCH", path, { body, version: 2 });

const codesOf = (json: { error: { code: string; field?: string }[] }) =>
  json.error.map(({ code, field }) => [code, field]);

/** An event that waits after `attempts` attempts, with the next attempt far in the future. */
async function addWaiting({ subaccountId }: TestCaller, attempts: number): Promise<string> {
  const id = newId();
  const event = { type: "receiverKycUpdate", body: "{}", orderKey: newId(), atMs: Date.now() };
  expect(await insertEvent(service.db, { ...event, subaccountId, id })).toBe(true);
  const far = "update delivery set attempts = $2, due_at_ms = $3 where event_id = $1";
  await query(far, [id, attempts, attempts > 0 ? Date.now() + 3_600_000 : 0]);
  return id;
}

describe("PATCH /api/subaccount", () => {
  test("changes only the given fields, and responds as GET does", async () => {
    const caller = await service.newCaller();
    const contact = {
      title: "Dr",
      first_name: "Grace",
      last_name: "O'Hopper",
      email: "grace@example.com",
      support_email: "help@example.com",
      mobile_dialcode: "61",
      mobile: "412345678",
      home_phone_international_dialcode: "+61",
      home_telephone: "390000000",
    };
    const before = await caller.disburse.subaccount.get();
    const { status, json } = await change(caller, { ...contact, postback_url: url });
    expect([status, json.message]).toEqual([200, "subaccount updated successfully"]);
    expect(json.payload).toEqual({
      ...before,
      ...contact,
      mobile_dialcode: "+61",
      postback_url: url,
      postback_secret: expect.stringMatching(/^whsec_/),
    });
    const { postback_secret, ...asRead } = json.payload;
    expect(await caller.disburse.subaccount.get()).toEqual(asRead);

    const after = await caller.disburse.subaccount.update({ title: "", mobile: "" });
    expect(after).toEqual({ ...asRead, title: "", mobile: "" });
  });

  test("the first URL creates the signing secret, which is shown once", async () => {
    const caller = await service.newCaller();
    const { postback_secret } = await caller.disburse.subaccount.update({ postback_url: url });
    const [row] = await query(
      "select id, sealed from webhook_endpoint_secret where subaccount_id = $1",
      [caller.subaccountId],
    );
    const identity = endpointSecretIdentity(caller.subaccountId, row.id);
    expect(service.seal.decrypt(row.sealed, identity)).toBe(postback_secret);
    for (const postback_url of [`${url}/other`, "", url]) {
      expect(await caller.disburse.subaccount.update({ postback_url })).not.toHaveProperty(
        "postback_secret",
      );
    }
  });

  test("event_types adds types to the published ones, and replaces the previous list", async () => {
    const caller = await service.newCaller();
    const sent = async () => (await caller.disburse.subaccount.getPostback()).event_types;
    const published = ["payoutCreated", "payoutUpdate", "payoutFailure", "receiverKycUpdate"];
    expect(await sent()).toEqual(published);
    const answer = await change(caller, { event_types: ["receiverAccountUpdate", "payoutUpdate"] });
    expect(answer.json.payload).not.toHaveProperty("event_types");
    expect(await sent()).toEqual([...published, "receiverAccountUpdate"]);
    await caller.disburse.subaccount.update({ title: "Dr", postback_url: url });
    expect(await sent()).toEqual([...published, "receiverAccountUpdate"]);
    await caller.disburse.subaccount.update({ event_types: ["balanceFunded"] });
    expect(await sent()).toEqual([...published, "balanceFunded"]);
    await caller.disburse.subaccount.update({ event_types: [] });
    expect(await sent()).toEqual(published);
  });

  test.each([
    ["SUBA201", "title", "a\u0000b"],
    ["SUBA202", "first_name", "<b>"],
    ["SUBA203", "last_name", "x".repeat(101)],
    ["SUBA204", "email", "nobody"],
    ["SUBA205", "support_email", "a@b"],
    ["SUBA206", "mobile_dialcode", "++61"],
    ["SUBA207", "mobile", "12"],
    ["SUBA208", "home_phone_international_dialcode", "abc"],
    ["SUBA209", "home_telephone", 390000000],
    ["SUBA210", "postback_url", null],
    ["SUBA215", "event_types", "payoutUpdate"],
    ["SUBA215", "event_types", ["payoutUpdated"]],
    ["SUBA211", "suba_name", "Mine"],
    ["SUBA211", "kyc_status", "completed"],
  ])("%s: %s", async (code, field, value) => {
    const caller = await service.newCaller();
    const before = await caller.disburse.subaccount.get();
    const { status, json } = await change(caller, { support_email: "", [field]: value });
    expect([status, json.message, codesOf(json)]).toEqual([
      400,
      "update subaccount failed",
      [[code, field]],
    ]);
    expect(await caller.disburse.subaccount.get()).toEqual(before);
  });

  test("SUBA207, SUBA209: a phone number that does not match the sent or stored dial code is refused", async () => {
    const caller = await service.newCaller();
    const both = await change(caller, { mobile_dialcode: "+61", mobile: "4123" });
    expect(codesOf(both.json)).toEqual([["SUBA207", "mobile"]]);
    await caller.disburse.subaccount.update({ home_phone_international_dialcode: "61" });
    const other = await change(caller, { home_telephone: "4123" });
    expect(codesOf(other.json)).toEqual([["SUBA209", "home_telephone"]]);
    // A stored pair that the request does not change is not checked.
    const odd = "update subaccount set mobile_dialcode = 'none', mobile = 'none' where id = $1";
    await query(odd, [caller.subaccountId]);
    expect((await change(caller, { title: "Dr" })).status).toBe(200);
  });

  test("SUBA212, SUBA213: a body that is not an object or has no field is refused", async () => {
    const caller = await service.newCaller();
    expect(codesOf((await change(caller, [])).json)).toEqual([["SUBA212", undefined]]);
    expect(codesOf((await change(caller, {})).json)).toEqual([["SUBA213", undefined]]);
  });

  test("SUBA210: the message explains what is wrong with the URL", async () => {
    const caller = await service.newCaller();
    const { json } = await change(caller, { postback_url: "https://10.0.0.1/" });
    expect(json.error).toEqual([
      { code: "SUBA210", field: "postback_url", message: expect.stringMatching(/^postback_url ./) },
    ]);
  });

  test("SUBA210: loopback is refused unless the configuration allows it", async () => {
    const caller = await service.newCaller();
    const local = { postback_url: "http://127.0.0.1:8080/events" };
    expect((await change(caller, local)).status).toBe(200);

    const strict = await startServiceForTest({ postbackAddresses: "public" });
    const outside = await strict.newCaller();
    const refused = await outside.call("PATCH", path, { body: local });
    expect(codesOf(refused.json)).toEqual([["SUBA210", "postback_url"]]);
    expect((await outside.call("PATCH", path, { body: { postback_url: url } })).status).toBe(200);
  });

  test("AUTH110: a key that may only read can't change the endpoint", async () => {
    const caller = await service.newCaller({ scopes: ["read"] });
    expect((await change(caller, { title: "Dr" })).json.error[0].code).toBe("AUTH110");
    expect((await caller.call("POST", secretPath)).json.error[0].code).toBe("AUTH110");
    expect((await caller.call("GET", `${path}/postback`)).status).toBe(200);
  });

  test("the same URL set again enables a disabled endpoint and resets its lane", async () => {
    const caller = await service.newCaller();
    const { subaccountId, disburse } = caller;
    await disburse.subaccount.update({ postback_url: url });
    await addWaiting(caller, 3);
    await addWaiting(caller, 0);
    const nowMs = Date.now();
    await query(
      `update webhook_endpoint set owner = 7, epoch = 41, lease_until_ms = $2, open_until_ms = $2, backoff_level = 5,
         failure_score = 9, failing_since_ms = $2, failing_reported = 2, disabled_at_ms = $2 where subaccount_id = $1`,
      [subaccountId, nowMs + 60_000],
    );
    expect((await disburse.subaccount.getPostback()).status).toBe("disabled");

    await disburse.subaccount.update({ postback_url: url });
    const [row] = await query("select * from webhook_endpoint where subaccount_id = $1", [
      subaccountId,
    ]);
    expect(row).toMatchObject({
      ...{
        url,
        owner: null,
        epoch: "42",
        lease_until_ms: "0",
        open_until_ms: "0",
        backoff_level: 0,
      },
      ...{ failure_score: 0, failing_since_ms: null, failing_reported: 0, disabled_at_ms: null },
    });
    const due = "select attempts, due_at_ms from delivery where subaccount_id = $1 order by number";
    expect(await query(due, [subaccountId])).toEqual([
      { attempts: 3, due_at_ms: "0" },
      { attempts: 0, due_at_ms: "0" },
    ]);
    // A change of only the contact does not change the lane.
    await disburse.subaccount.update({ title: "Dr" });
    const epoch = "select epoch from webhook_endpoint where subaccount_id = $1";
    expect(await query(epoch, [subaccountId])).toEqual([{ epoch: "42" }]);
  });

  test("a change of the URL wakes the worker, a refused one does not", async () => {
    const woken: string[] = [];
    const waking = await startServiceForTest();
    waking.db.listeners.eventListeners.add((id) => woken.push(id));
    const caller = await waking.newCaller();
    await caller.call("PATCH", path, { body: { postback_url: "ftp://example.com" } });
    await caller.call("GET", path);
    expect(woken).toEqual([]);
    await caller.call("PATCH", path, { body: { postback_url: url } });
    expect(woken).toEqual([caller.subaccountId]);
  });
});

describe("POST /api/subaccount/postback-secret", () => {
  const live = (caller: TestCaller) =>
    caller.disburse.subaccount.getPostback().then(({ secrets }) => secrets);

  test("the first URL creates the first secret, and a later one creates none", async () => {
    const caller = await service.newCaller();
    expect(await live(caller)).toEqual([]);
    await caller.disburse.subaccount.update({ postback_url: "" });
    expect(await live(caller)).toEqual([]);
    await caller.disburse.subaccount.update({ postback_url: url });
    await caller.disburse.subaccount.update({ postback_url: `${url}/2` });
    expect(await live(caller)).toEqual([
      { created_at: expect.stringMatching(/^\d{13}$/), expires_at: null },
    ]);
  });

  test("a new secret is shown once and stored encrypted, and previous ones stay valid for the overlap", async () => {
    const caller = await service.newCaller();
    const { subaccountId, disburse } = caller;
    await disburse.subaccount.update({ postback_url: url });
    const first = await caller.call("POST", secretPath, { headers: { "idempotency-key": "k" } });
    const again = await caller.call("POST", secretPath, { headers: { "idempotency-key": "k" } });
    expect([first.status, again.text]).toEqual([200, first.text]);
    const { secret, secrets } = first.json.payload;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const dayMs = 86_400_000;
    expect(secrets).toEqual([
      { created_at: expect.any(String), expires_at: null },
      { created_at: expect.any(String), expires_at: expect.any(String) },
    ]);
    const goesOnMs = Number(secrets[1].expires_at) - Number(secrets[0].created_at);
    expect(Math.abs(goesOnMs - dayMs)).toBeLessThan(1_000);

    const rows = await query(
      "select id, sealed from webhook_endpoint_secret where subaccount_id = $1 order by id desc limit 1",
      [subaccountId],
    );
    const { id, sealed } = rows[0];
    expect(service.seal.decrypt(sealed, endpointSecretIdentity(subaccountId, id))).toBe(secret);
    expect(() => service.seal.decrypt(sealed, endpointSecretIdentity(newId(), id))).toThrow();
    const kept = await query("select answer from idempotency_key where subaccount_id = $1", [
      subaccountId,
    ]);
    expect(JSON.stringify(kept)).not.toContain(secret.slice(6, 20));
    expect(service.logged.join("")).not.toContain(secret.slice(6, 20));
  });

  test("previous secrets never last longer than before, and at most three are valid", async () => {
    const { disburse } = await service.newCaller();
    const rotate = (overlap_s: number) => disburse.subaccount.rotatePostbackSecret({ overlap_s });
    await rotate(0);
    const short = (await rotate(60)).secrets[1]?.expires_at;
    const { secrets } = await rotate(604_800);
    expect(secrets).toHaveLength(3);
    expect(secrets[2]?.expires_at).toBe(short);
    const fourth = (await rotate(604_800)).secrets;
    expect(fourth).toHaveLength(3);
    expect(fourth.slice(1).map(({ created_at }) => created_at)).toEqual(
      secrets.slice(0, 2).map(({ created_at }) => created_at),
    );
    expect((await rotate(0)).secrets).toEqual([
      { created_at: expect.any(String), expires_at: null },
    ]);
  });

  test("ten rotations at once leave three secrets, and each is counted", async () => {
    const caller = await service.newCaller();
    const { disburse } = caller;
    const made = await Promise.all(
      Array.from({ length: 10 }, () => disburse.subaccount.rotatePostbackSecret()),
    );
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(10);
    expect(await live(caller)).toHaveLength(3);
  });

  test.each([-1, 604_801, 1.5, "60", null, true])(
    "SUBA214: an overlap of %j",
    async (overlap_s) => {
      const caller = await service.newCaller();
      const { json } = await caller.call("POST", secretPath, { body: { overlap_s } });
      expect(codesOf(json)).toEqual([["SUBA214", "overlap_s"]]);
      expect(await live(caller)).toEqual([]);
    },
  );
});

describe("GET /api/subaccount/postback", () => {
  test("the state is none, working, failing with its time, or disabled", async () => {
    const caller = await service.newCaller();
    const { subaccountId, disburse } = caller;
    const nothing = { failing_since: null, failing_for: null, disabled_at: null };
    const idle = { next_attempt_at: null, oldest_waiting_at: null, waiting: 0 };
    expect(await disburse.subaccount.getPostback()).toEqual({
      ...{
        postback_url: "",
        status: "none",
        secrets: [],
        event_types: publishedTypes,
        ...nothing,
        ...idle,
      },
    });
    await disburse.subaccount.update({ postback_url: url });
    expect(await disburse.subaccount.getPostback()).toMatchObject({
      ...{ postback_url: url, status: "working", ...nothing, ...idle },
    });
    const set = (field: string, ms: number | null) =>
      query(`update webhook_endpoint set ${field} = $2 where subaccount_id = $1`, [
        subaccountId,
        ms,
      ]);
    const hourMs = 3_600_000;
    for (const [agoMs, failing_for] of [
      [1_000, null],
      [hourMs, "1h"],
      [24 * hourMs, "24h"],
      [7 * 24 * hourMs, "7d"],
    ] as const) {
      const sinceMs = Date.now() - agoMs;
      await set("failing_since_ms", sinceMs);
      const expected = { status: "failing", failing_since: String(sinceMs), failing_for };
      expect(await disburse.subaccount.getPostback()).toMatchObject(expected);
    }
    await set("disabled_at_ms", 1_731_628_800_000);
    const expected = { status: "disabled", disabled_at: "1731628800000", next_attempt_at: null };
    expect(await disburse.subaccount.getPostback()).toMatchObject(expected);
  });

  test("waiting events are shown with their start and the next attempt", async () => {
    const caller = await service.newCaller();
    const { subaccountId, disburse } = caller;
    await disburse.subaccount.update({ postback_url: url });
    await addWaiting(caller, 2);
    const stuck = await disburse.subaccount.getPostback();
    expect(stuck).toMatchObject({ waiting: 1, oldest_waiting_at: expect.any(String) });
    expect(Number(stuck.next_attempt_at)).toBeGreaterThan(Date.now() + 3_000_000);
    await addWaiting(caller, 0);
    const due = await disburse.subaccount.getPostback();
    expect(due.waiting).toBe(2);
    expect(Number(due.next_attempt_at)).toBeLessThanOrEqual(Date.now());
    const untilMs = Date.now() + 60_000;
    await query("update webhook_endpoint set open_until_ms = $2 where subaccount_id = $1", [
      subaccountId,
      untilMs,
    ]);
    const open = await disburse.subaccount.getPostback();
    expect(open.next_attempt_at).toBe(String(untilMs));
  });

  test("waiting events are counted up to 10,000", async () => {
    const { subaccountId, disburse } = await service.newCaller();
    await query(
      `insert into delivery (subaccount_id, number, event_id, order_key, since_ms)
       select $1, n, gen_random_uuid(), gen_random_uuid(), n from generate_series(1, 12000) n`,
      [subaccountId],
    );
    const { waiting, oldest_waiting_at } = await disburse.subaccount.getPostback();
    expect([waiting, oldest_waiting_at]).toEqual([10_000, "1"]);
  });
});
