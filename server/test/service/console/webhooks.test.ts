// Webhooks in the console, with a real endpoint: the page shows what was sent, and each action takes effect once.

import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { statusOf } from "../../../src/doors/console/webhooks/webhook.ts";
import { makeAllDue } from "../../support/committed-events.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { newPayout } from "../../support/post-requests.ts";
import { type Received, type Sink, startSink } from "../../support/sink.ts";

let service: ConsoleService;
let sink: Sink;
/** The paths that respond with 500. */
const failing = new Set<string>();
beforeAll(async () => {
  service = await startConsole({ delivers: true });
  sink = await startSink(({ path }, response) => {
    if (failing.has(path)) response.writeHead(500).end("out of order");
    else response.writeHead(204).end();
  });
});
afterAll(async () => {
  await service.close();
  await sink.close();
});

/** A developer of a new subaccount, whose events go to a separate path. */
async function newDeveloper() {
  const { subaccountId } = await service.newCaller();
  const developer = service.enter("developer", { subaccountId });
  const base = `/s/${subaccountId}`;
  const path = `/${subaccountId}`;
  const received = () => sink.received.filter((one) => one.path === path);
  async function setUrl(): Promise<string> {
    const { status, json } = await developer.put(`${base}/webhook`, { url: sink.url(path) });
    expect(status).toBe(200);
    return json.secret;
  }
  async function sendTestEvents(count = 1): Promise<void> {
    const before = received().length;
    for (let sent = 0; sent < count; sent += 1) {
      const { json } = await developer.post(`${base}/webhook/test`, { type: "payoutUpdate" });
      expect(json.status).toBe("waiting");
    }
    await expect.poll(() => received().length).toBe(before + count);
  }
  return { developer, subaccountId, base, path, received, setUrl, sendTestEvents };
}

const codeOf = ({ json }: { json: { error: { code: string }[] } }) => json.error[0]?.code;
const last = (received: Received[]) => received.at(-1) as Received;

async function actionsOf(subaccountId: string): Promise<string[]> {
  const { rows } = await service.db.pool.query(
    "select action from audit_entry where subaccount_id = $1 order by number",
    [subaccountId],
  );
  return rows.map(({ action }) => action);
}

test("the signed string and signatures shown are those sent, and the public library verifies them", async () => {
  const { developer, base, received, setUrl, sendTestEvents, subaccountId } = await newDeveloper();
  const secret = await setUrl();
  await sendTestEvents();
  const { headers, body, id } = last(received());
  expect(id).toMatch(/^evt_test_/);

  const shown = async () => (await developer.get(`${base}/events/${id}`)).json;
  await expect.poll(async () => (await shown()).status).toBe("delivered");
  expect((await shown()).is_test).toBe(true);
  const [attempt] = (await shown()).attempts;
  expect(attempt.signed_string).toBe(`${id}.${headers["webhook-timestamp"]}.${body}`);
  expect(attempt.signatures.join(" ")).toBe(headers["webhook-signature"]);
  const { "webhook-id": _, ...sent } = attempt.headers;
  expect(headers).toMatchObject({ ...sent, "webhook-id": id });
  expect(attempt).toMatchObject({ status: 204, failure: null, has_ended_secret: false });
  const signed = { ...attempt.headers, "webhook-signature": attempt.signatures[0] };
  expect(new Webhook(secret).verify((await shown()).body, signed)).toMatchObject({
    event: "payoutUpdate",
  });

  // Two secrets while they overlap, then only the new one. The secret of the first attempt has expired.
  const rotate = (overlap_s: number) => developer.post(`${base}/webhook/rotate`, { overlap_s });
  expect((await rotate(3600)).json.secrets).toHaveLength(2);
  await sendTestEvents();
  const both = last(received());
  expect(both.headers["webhook-signature"]).toContain(" ");
  const bothShown = async () => (await developer.get(`${base}/events/${both.id}`)).json.attempts[0];
  await expect
    .poll(async () => (await bothShown())?.signatures.join(" "))
    .toBe(both.headers["webhook-signature"]);
  const { secret: newest } = (await rotate(0)).json;
  expect((await shown()).attempts[0]).toMatchObject({ signatures: [], has_ended_secret: true });

  // Secrets are shown once, and are neither in other responses nor in the audit log.
  const again = await developer.put(`${base}/webhook`, { url: sink.url("/elsewhere?token=t0ken") });
  expect(again.json.secret).toBeNull();
  const { rows } = await service.db.pool.query(
    "select * from audit_entry where subaccount_id = $1",
    [subaccountId],
  );
  const written = JSON.stringify([rows, await developer.get(`${base}/webhook`), service.logged]);
  for (const hidden of [secret, newest, "t0ken"]) {
    expect(JSON.stringify(rows)).not.toContain(hidden);
    if (hidden !== "t0ken") expect(written).not.toContain(hidden);
  }
  expect(await actionsOf(subaccountId)).toEqual([
    ...["subaccount.set_postback", "event.trigger", "subaccount.rotate_postback_secret"],
    ...["event.trigger", "subaccount.rotate_postback_secret", "subaccount.set_postback"],
  ]);
});

test("a failing endpoint is shown as failing; one event or all of a period are resent, with progress", async () => {
  const { developer, base, path, received, setUrl, sendTestEvents } = await newDeveloper();
  await setUrl();
  const sinceMs = Date.now() - 1;
  await sendTestEvents(2);
  failing.add(path);
  await sendTestEvents();
  const { id } = last(received());
  const state = async () => (await developer.get(`${base}/webhook`)).json;
  await expect.poll(async () => (await state()).last_day.attempts).toBe(3);
  expect((await state()).last_day).toMatchObject({ attempts: 3, delivered: 2 });
  expect((await state()).last_day.hours.at(-1)).toMatchObject({ ok: 2, retried: 0, failed: 1 });
  await expect.poll(async () => (await state()).status).toBe("failing");
  expect((await state()).retries.steps[0]).toEqual({
    attempt: 1,
    after_ms: 5_000,
    since_first_ms: 5_000,
  });

  const failed = (await developer.get(`${base}/attempts?outcome=failed`)).json;
  const since = failed.rows[0].at;
  const found = async (range: string) =>
    (await developer.get(`${base}/attempts?outcome=failed&${range}`)).json.rows;
  expect((await found(`from=${since}`))[0]).toEqual(failed.rows[0]);
  expect(await found(`from=${since + 1}`)).toEqual([]);
  expect(await found(`to=${failed.rows.at(-1).at}`)).toEqual([]);
  expect(failed.rows).toMatchObject([{ event_id: id, status: 500, failure: "refused_5xx" }]);
  expect(failed.next).toBeNull();
  const first = (await developer.get(`${base}/attempts?limit=2`)).json;
  const second = (await developer.get(`${base}/attempts?limit=2&cursor=${first.next}`)).json;
  expect([first.rows.length, second.rows.length, second.next]).toEqual([2, 1, null]);

  const waiting = (await developer.get(`${base}/events?status=waiting`)).json;
  expect(waiting.rows).toMatchObject([{ id, attempt_count: 1, status: "waiting" }]);
  const csv = (await developer.get(`${base}/events.csv?status=waiting`)).text.trim().split("\n");
  expect(csv).toHaveLength(2);
  expect(csv[1]).toContain(id);
  const attempts = (await developer.get(`${base}/attempts.csv`)).text;
  for (const text of [csv[1], attempts.split("\n")[1]]) {
    expect(text).toMatch(/,20\d\d-\d\d-\d\dT[\d:.]+Z,/);
    expect(text).not.toMatch(/\b\d{13}\b/);
  }

  const question = `${base}/events/recover?since=${sinceMs}`;
  expect((await developer.get(question)).json).toMatchObject({ count: 1, is_capped: false });
  expect((await developer.get(`${question}&with_delivered=true`)).json.count).toBe(3);

  failing.delete(path);
  const resent = await developer.post(`${base}/events/${id}/resend`);
  expect(resent.json.status).toBe("waiting");
  await makeAllDue(service.db);
  await expect.poll(() => received().length).toBe(4);
  const input = { since: sinceMs, with_delivered: true };
  const started = (await developer.post(`${base}/events/recover`, input)).json;
  expect(started).toMatchObject({ recovered: 0, done_at: null });
  await expect.poll(() => received().length).toBe(7);
  const done = (await developer.get(`${base}/recoveries`)).json.rows[0];
  expect(done).toMatchObject({ id: started.id, recovered: 3, cancelled_by: null });
  expect(done.done_at).toBeGreaterThan(0);
  expect(codeOf(await developer.post(`${base}/recoveries/${started.id}/cancel`))).toBe("CONS704");
});

test("a paused endpoint gets no events until it is resumed, and shows who paused it", async () => {
  const { developer, base, received, setUrl, sendTestEvents } = await newDeveloper();
  expect(codeOf(await developer.post(`${base}/webhook/pause`))).toBe("CONS702");
  expect(codeOf(await developer.post(`${base}/webhook/resume`))).toBe("CONS703");
  await setUrl();
  await sendTestEvents();
  const paused = await developer.post(`${base}/webhook/pause`);
  expect(paused.json).toMatchObject({ status: "paused", paused_by: developer.who });
  const { id } = (await developer.post(`${base}/webhook/test`)).json;
  // Meanwhile, an event of another subaccount is delivered.
  const other = await newDeveloper();
  await other.setUrl();
  await other.sendTestEvents();
  expect(received()).toHaveLength(1);
  expect((await developer.get(`${base}/webhook`)).json).toMatchObject({ waiting: 1 });
  await developer.post(`${base}/webhook/resume`);
  await expect.poll(() => received().map((one) => one.id)).toContain(id);
  expect((await developer.get(`${base}/webhook`)).json.status).toBe("working");
});

test("events of another subaccount can't be seen or resent under one's own", async () => {
  const mine = await newDeveloper();
  const other = await newDeveloper();
  await other.setUrl();
  await other.sendTestEvents();
  const { id } = last(other.received());
  expect(codeOf(await mine.developer.get(`${mine.base}/events/${id}`))).toBe("CONS110");
  expect(codeOf(await mine.developer.post(`${mine.base}/events/${id}/resend`))).toBe("EVNT101");
  expect((await mine.developer.get(`${mine.base}/events`)).json).toEqual({ rows: [], next: null });
  expect(other.received()).toHaveLength(1);
});

test("CONS103: a large recovery needs a fresh proof; it can be cancelled", async () => {
  const { developer, base, subaccountId, setUrl } = await newDeveloper();
  const unproven = service.enter("developer", { subaccountId, provenAtMs: Date.now() - 301_000 });
  await setUrl();
  const input = { since: Date.now() - 60_000, with_unsent: true };
  await service.db.pool.query(
    `insert into event (subaccount_id, id, order_key, type, body, created_at_ms)
     select $1, (left(first_id_of($2::bigint + n)::text, 24) || lpad(to_hex(n), 12, '0'))::uuid,
            gen_random_uuid(), 'payoutUpdate', '{}', $2::bigint + n
     from generate_series(1, 2500) n`,
    [subaccountId, input.since],
  );
  const asked = `${base}/events/recover?since=${input.since}&with_unsent=true`;
  expect((await unproven.get(asked)).json).toEqual({
    count: 1_000,
    unsent: 1_000,
    is_capped: true,
    needs_step_up: true,
  });
  expect((await unproven.get(`${asked}&until=${input.since + 101}`)).json).toEqual({
    count: 100,
    unsent: 100,
    is_capped: false,
    needs_step_up: false,
  });
  expect(codeOf(await unproven.post(`${base}/events/recover`, input))).toBe("CONS103");

  // A recovery takes seconds, and can be cancelled.
  await developer.post(`${base}/webhook/pause`);
  const { id } = (await developer.post(`${base}/events/recover`, input)).json;
  const cancelled = await developer.post(`${base}/recoveries/${id}/cancel`);
  expect(cancelled.json.rows[0]).toMatchObject({ id, cancelled_by: developer.who });
});

test("a developer chooses types on request, which is in the audit log", async () => {
  const { developer, base, subaccountId } = await newDeveloper();
  const published = ["payoutCreated", "payoutUpdate", "payoutFailure", "receiverKycUpdate"];
  const path = `${base}/webhook/event-types`;
  const all = [...published, "receiverAccountUpdate"];
  expect((await developer.put(path, { event_types: all })).json.event_types).toEqual(all);
  expect((await developer.get(`${base}/webhook`)).json.event_types).toEqual(all);
  expect((await developer.put(path, { event_types: [] })).json.event_types).toEqual(published);
  expect(await actionsOf(subaccountId)).toEqual(Array(2).fill("subaccount.set_event_types"));
  expect((await developer.put(path, { event_types: ["all"] })).status).toBe(400);
});

test("resending failed events leaves out events that were never sent, unless they are included", async () => {
  const { developer, base, received, setUrl, subaccountId } = await newDeveloper();
  const sinceMs = Date.now() - 1;
  for (const status of ["unsent", "unsent"]) {
    const { json } = await developer.post(`${base}/webhook/test`, { type: "payoutUpdate" });
    expect(json.status).toBe(status);
  }
  await setUrl();
  const question = `${base}/events/recover?since=${sinceMs}`;
  expect((await developer.get(question)).json).toMatchObject({ count: 0, unsent: 2 });
  const included = `${question}&with_unsent=true`;
  expect((await developer.get(included)).json).toMatchObject({ count: 2, unsent: 2 });

  const isDone = async () => (await developer.get(`${base}/recoveries`)).json.rows[0].done_at > 0;
  await developer.post(`${base}/events/recover`, { since: sinceMs });
  await expect.poll(isDone).toBe(true);
  const { rows } = await service.db.pool.query(
    "select wanted from event where subaccount_id = $1",
    [subaccountId],
  );
  expect([received().length, rows]).toEqual([0, [{ wanted: false }, { wanted: false }]]);
  await developer.post(`${base}/events/recover`, { since: sinceMs, with_unsent: true });
  await expect.poll(() => received().length).toBe(2);
});

test.each([
  ["working", 100, 96, "working"],
  ["working", 100, 95, "failing_sometimes"],
  ["working", 19, 1, "working"],
  ["failing", 100, 50, "failing"],
] as const)(
  "an endpoint that is %s, with %i attempts and %i 2xx responses, is shown as %s",
  (status, attempts, delivered, shown) => {
    const facts = { paused_by: null, secret_unreadable_since_ms: null };
    const day = { attempts, delivered, p95_ms: null, hours: [] };
    expect(statusOf(facts, status, day)).toBe(shown);
    const unreadable = { ...facts, secret_unreadable_since_ms: "1" };
    expect(statusOf(unreadable, "failing", day)).toBe("secret_unreadable");
    expect(statusOf({ ...unreadable, paused_by: "operator:ana" }, "disabled", day)).toBe("paused");
  },
);

test("developers see that an operator did something, but not the email; finance sees it", async () => {
  const { developer, base, subaccountId, setUrl } = await newDeveloper();
  const [operator, finance] = [service.enter("operator"), service.enter("finance")];
  await setUrl();
  const paused = await operator.post(`${base}/webhook/pause`);
  expect(paused.json.paused_by).toBe(operator.who);
  expect((await developer.get(`${base}/webhook`)).json.paused_by).toBe("operator");
  expect((await finance.get(`${base}/webhook`)).json.paused_by).toBe(operator.who);

  await service.db.pool.query("update event set wanted = true where subaccount_id = $1", [
    subaccountId,
  ]);
  await operator.post(`${base}/events/recover`, { since: 0 });
  await developer.post(`${base}/events/recover`, { since: 0 });
  const whoOf = async (person: TestPerson) =>
    (await person.get(`${base}/recoveries`)).json.rows.map(({ who }: { who: string }) => who);
  expect(await whoOf(developer)).toEqual([developer.who, "operator"]);
  expect(await whoOf(finance)).toEqual([developer.who, operator.who]);

  // A command, with the name of the system's user and a claimed one.
  const by = "command:root as Ana Silva";
  await service.db.pool.query("update event_recovery set who = $2 where subaccount_id = $1", [
    ...[subaccountId, by],
  ]);
  expect(await whoOf(developer)).toEqual(["operator", "operator"]);
  expect(await whoOf(finance)).toEqual([by, by]);
});

test("a developer's export has no operator's email", async () => {
  const { subaccountId, ...caller } = await service.newCaller();
  const [operator, developer] = [
    service.enter("operator"),
    service.enter("developer", { subaccountId }),
  ];
  await caller.disburse.payouts.create(await newPayout({ subaccountId, ...caller }));
  await service.db.pool.query("update payout set created_by = $2 where subaccount_id = $1", [
    subaccountId,
    operator.who,
  ]);
  const csvOf = async (person: TestPerson) =>
    (await person.get(`/s/${subaccountId}/payouts.csv`)).text;
  await Promise.all([operator.ready, developer.ready]);
  expect(await csvOf(operator)).toContain(operator.who);
  const shown = await csvOf(developer);
  expect(shown).toContain(",operator,");
  expect(shown).not.toContain(operator.who);
});
