// Recovery resends all events of a time range: in order, a thousand at a time, and once, with any number of processes.

import { expect, test } from "vitest";
import { firstIdOf } from "../../../src/platform/base/cursor.ts";
import { advanceRecoveries } from "../../../src/webhooks/events/recover.ts";
import type { TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

const url = "https://example.com/events";

await useService();

const query = async (text: string, values: unknown[] = []) =>
  (await service.db.pool.query(text, values)).rows;

async function newCaller(): Promise<TestCaller> {
  const caller = await service.newCaller();
  await caller.disburse.subaccount.update({ postback_url: url });
  return caller;
}

const startMs = Date.now() - 3_600_000;
/** Adds one event for each millisecond, without a delivery. */
async function addEvents({ subaccountId }: TestCaller, count: number, wanted: boolean) {
  await query(
    `insert into event (subaccount_id, id, order_key, type, body, created_at_ms, wanted)
     select $1, (left(first_id_of($2::bigint + n)::text, 24) || lpad(to_hex(n + 1), 12, '0'))::uuid,
            gen_random_uuid(), 'payoutUpdate', '{}', $2::bigint + n, $4
     from generate_series(0, $3::int - 1) n`,
    [subaccountId, startMs, count, wanted],
  );
}

const waitingOf = async ({ subaccountId }: TestCaller): Promise<string[]> =>
  (
    await query("select event_id from delivery where subaccount_id = $1 order by number", [
      subaccountId,
    ])
  ).map(({ event_id }) => event_id);

let now = Date.now();
/** Advances recoveries once a second, as the worker does. */
async function advance(times = 1): Promise<string[][]> {
  const resumed: string[][] = [];
  for (let time = 0; time < times; time += 1) {
    now += 1_000;
    resumed.push(await advanceRecoveries(service.db, () => now));
  }
  return resumed;
}

test("events are resent a thousand at a time, in order, until none is left", async () => {
  const caller = await newCaller();
  await addEvents(caller, 2_500, false);
  const asked = await caller.disburse.events.recover({ since: startMs, until: startMs + 2_400 });
  expect(asked).toEqual({
    id: expect.any(String),
    since: String(startMs),
    until: String(startMs + 2_400),
  });
  expect(await waitingOf(caller)).toEqual([]);
  const resumed = await advance(4);
  expect(resumed).toEqual([...Array(3).fill([caller.subaccountId]), []]);
  const waiting = await waitingOf(caller);
  expect(waiting).toHaveLength(2_400);
  expect(waiting).toEqual(waiting.toSorted());
  expect(waiting.at(-1)?.slice(0, 13)).toBe(firstIdOf(startMs + 2_399).slice(0, 13));
  const [row] = await query("select recovered, done_at_ms from event_recovery where id = $1", [
    asked.id,
  ]);
  expect(row).toEqual({ recovered: "2400", done_at_ms: expect.any(String) });
});

test("abandoned and unsent events are resent, waiting ones become due, delivered ones are not resent", async () => {
  const caller = await newCaller();
  const { events } = caller.disburse;
  const made = await Promise.all(Array.from({ length: 4 }, () => events.test()));
  const [abandonedId, waits, delivered, unsent] = made.map(({ id }) => id.replace("evt_test_", ""));
  const away = "delete from delivery where event_id = any($1)";
  await query(away, [[abandonedId, delivered, unsent]]);
  await query("update event set wanted = false where id = $1", [unsent]);
  await query("insert into delivery_abandoned values ($1, $2, 68, 1)", [
    caller.subaccountId,
    abandonedId,
  ]);
  const later =
    "update delivery set attempts = 5, due_at_ms = 9e15, since_ms = 7 where event_id = $1";
  await query(later, [waits]);

  await events.recover({ since: 0 });
  // Events of the current millisecond may be after its end.
  await query("update event_recovery set until_ms = until_ms + 1000 where done_at_ms is null");
  await advance(2);
  const rows = await query(
    "select event_id, attempts, due_at_ms, since_ms = 7 as old from delivery where subaccount_id = $1",
    [caller.subaccountId],
  );
  const fresh = { attempts: 0, due_at_ms: "0", old: false };
  expect(new Set(rows)).toEqual(
    new Set([
      { event_id: abandonedId, ...fresh },
      { event_id: unsent, ...fresh },
      { event_id: waits, attempts: 5, due_at_ms: "0", old: true },
    ]),
  );
  const status = async (id = "") => (await events.get(id)).status;
  expect([await status(abandonedId), await status(delivered)]).toEqual(["waiting", "delivered"]);
  // Once delivered, its status is delivered, although there was no endpoint when it was created.
  await query(away, [[unsent]]);
  expect(await status(unsent)).toBe("delivered");
});

test("with include_delivered every event is resent", async () => {
  const caller = await newCaller();
  await addEvents(caller, 30, true);
  await caller.disburse.events.recover({ since: startMs });
  await advance(2);
  expect(await waitingOf(caller)).toHaveLength(0);
  await caller.disburse.events.recover({ since: startMs, include_delivered: true });
  await advance(2);
  expect(await waitingOf(caller)).toHaveLength(30);
});

test("ten processes at once resend the same events as one, at the same rate", async () => {
  const caller = await newCaller();
  await addEvents(caller, 3_000, false);
  await caller.disburse.events.recover({ since: startMs });
  for (let second = 1; second <= 3; second += 1) {
    now += 1_000;
    const each = Array.from({ length: 10 }, () => advanceRecoveries(service.db, () => now));
    const resumed = (await Promise.all(each)).flat();
    expect(resumed).toEqual([caller.subaccountId]);
    // A call before the next second resends nothing.
    expect(await advanceRecoveries(service.db, () => now + 500)).toEqual([]);
    expect(await waitingOf(caller)).toHaveLength(second * 1_000);
  }
  const [row] = await query("select recovered from event_recovery where subaccount_id = $1", [
    caller.subaccountId,
  ]);
  expect(row.recovered).toBe("3000");
});

test("recoveries of one subaccount run one after the other, those of others in parallel", async () => {
  const [one, other] = [await newCaller(), await newCaller()];
  await addEvents(one, 1_200, false);
  await addEvents(other, 10, false);
  for (const half of [600, 0]) {
    const since = startMs + half;
    await one.disburse.events.recover({ since, until: since + 600 });
  }
  await other.disburse.events.recover({ since: startMs });
  await advance();
  expect((await waitingOf(one)).length).toBe(600);
  expect((await waitingOf(other)).length).toBe(10);
  await advance();
  expect((await waitingOf(one)).length).toBe(1_200);
});

test.each([
  ["EVNT203", {}, "since"],
  ["EVNT203", { since: "today" }, "since"],
  ["EVNT203", { since: Date.now() + 60_000 }, "since"],
  ["EVNT203", { since: 10, until: "10" }, "since"],
  ["EVNT204", { since: 0, until: -1 }, "until"],
  ["EVNT205", { since: 0, include_delivered: "yes" }, "include_delivered"],
  ["EVNT206", { since: 0, all: true }, "all"],
])("%s: %j", async (code, body, field) => {
  const { call, subaccountId } = await newCaller();
  const { status, json } = await call("POST", "/api/event/recover", { body });
  expect([status, json.error[0].code, json.error[0].field]).toEqual([400, code, field]);
  const kept = await query("select 1 from event_recovery where subaccount_id = $1", [subaccountId]);
  expect(kept).toEqual([]);
});

test("EVNT301: recovery without an endpoint is refused", async () => {
  const { call } = await service.newCaller();
  const { status, json } = await call("POST", "/api/event/recover", { body: { since: 0 } });
  expect([status, json.error[0].code]).toEqual([409, "EVNT301"]);
});
