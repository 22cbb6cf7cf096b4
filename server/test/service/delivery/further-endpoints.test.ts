// Several webhook endpoints of a subaccount: each gets every event of its types, in order, whatever the others do.

import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import { webhooks } from "../../../../client/src/webhooks.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import type { EventType } from "../../../src/platform/event-catalogue/event-catalogue.ts";
import { disableFailingEndpoints } from "../../../src/webhooks/delivery/tell-queries.ts";
import { insertRequestedEvent } from "../../../src/webhooks/events/queries.ts";
import { fillEndpoint, startRecovery } from "../../../src/webhooks/events/recover.ts";
import { resendEvent } from "../../../src/webhooks/events/resend.ts";
import type { NewEndpoint } from "../../../src/webhooks/webhook-endpoints/endpoint-schema.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  requireEndpoint,
  rotateEndpointSecret,
} from "../../../src/webhooks/webhook-endpoints/endpoints.ts";
import { commitEvents, payoutEvent } from "../../support/committed-events.ts";
import {
  db,
  keyOf,
  parts,
  startDelivery,
  startEndpoint,
  stepOf,
  untilReceived,
  useDatabase,
} from "../../support/delivery-setup.ts";
import { type Received, type Sink, startSink } from "../../support/sink.ts";

useDatabase();

const dayMs = 86_400_000;
type Answer = (received: Received, response: ServerResponse) => void;
const refuse: Answer = (_, response) => response.writeHead(500).end();

async function addEndpoint(
  subaccountId: string,
  fields: Partial<NewEndpoint> = {},
  answer?: Answer,
): Promise<{ sink: Sink; id: string; secret: string }> {
  const sink = await startSink(answer);
  onTestFinished(sink.close);
  const event_types: EventType[] = ["payoutCreated"];
  const request = { url: sink.url("/further"), event_types, ...fields };
  const made = await db.transaction((tx) =>
    createEndpoint({ tx, seal: parts.seal }, subaccountId, request, {
      addresses: "loopback",
      nowMs: Date.now(),
    }),
  );
  return { sink, id: made.id, secret: made.secret as string };
}

const found = (subaccountId: string, id: string) => requireEndpoint(db, subaccountId, id);
const waiting = async (id: string) => {
  const text = "select count(*)::int from further_delivery where endpoint_id = $1";
  return (await db.pool.query(text, [id])).rows[0].count;
};
const ids = ({ received }: Sink) => received.map(({ id }) => id).sort();
const types = ({ received }: Sink) => received.map(({ body }) => JSON.parse(body).event as string);
const ofType = (type: string, sink: Sink) => types(sink).filter((one) => one === type);

describe("one event", () => {
  test("is sent to each endpoint with the same id, signed with its own secret, full or thin", async () => {
    const { sink: postback, listener, id } = await startEndpoint();
    const full = await addEndpoint(id, { headers: { Authorization: "Bearer one" } });
    const thin = await addEndpoint(id, { format: "thin" });
    const other = await startEndpoint();
    const delivery = await startDelivery();
    const event = payoutEvent(id);
    await commitEvents(db, [event]);
    delivery.hint(id);
    for (const sink of [postback, full.sink, thin.sink]) await untilReceived(sink, 1);
    const sent = [
      [postback, listener.secret],
      [full.sink, full.secret],
      [thin.sink, thin.secret],
    ] as const;
    for (const [sink, secret] of sent) {
      const [received] = sink.received as [Received];
      expect(received.id).toBe(`evt_${event.id}`);
      const headers = received.headers as Record<string, string>;
      new Webhook(secret).verify(received.body, headers);
    }
    expect(full.sink.received[0]?.body).toBe(event.body);
    expect(full.sink.received[0]?.headers.authorization).toBe("Bearer one");
    expect(postback.received[0]?.headers).not.toHaveProperty("authorization");
    expect(other.sink.received).toEqual([]);
  });

  test("thin: the body has the id, the type, the id of the object and the time, and nothing else", async () => {
    const { id } = await startEndpoint();
    const thin = await addEndpoint(id, { format: "thin", event_types: ["payoutFailure"] });
    const delivery = await startDelivery();
    const payoutId = newId();
    const body = {
      event: "payoutFailure",
      payout_id: payoutId,
      amount: 5,
      timestamp: "1731628799123",
    };
    const event = {
      ...payoutEvent(id, payoutId),
      type: "payoutFailure",
      body: JSON.stringify(body),
    };
    await commitEvents(db, [event]);
    delivery.hint(id);
    await untilReceived(thin.sink, 1);
    const [received] = thin.sink.received as [Received];
    expect(JSON.parse(received.body)).toEqual({
      id: `evt_${event.id}`,
      type: "payoutFailure",
      object_id: payoutId,
      time: 1731628799123,
    });
    const headers = received.headers as Record<string, string>;
    const verified = await webhooks.verifyThin(received.body, headers, thin.secret);
    expect(verified.event.object_id).toBe(payoutId);
  });

  test("is noted once in the transaction of its change, however many endpoints there are", async () => {
    const { id } = await startEndpoint();
    await addEndpoint(id);
    await addEndpoint(id);
    const other = await startEndpoint();
    await commitEvents(db, [payoutEvent(id), payoutEvent(other.id)]);
    const noted = "select subaccount_id from event_fan_out where subaccount_id = any($1)";
    const { rows } = await db.pool.query(noted, [[id, other.id]]);
    expect(rows).toEqual([{ subaccount_id: id }]);
  });

  test("goes to nobody whose types it is not, and a type on request not to postback_url", async () => {
    const { sink: postback, id } = await startEndpoint();
    const payouts = await addEndpoint(id);
    const accounts = await addEndpoint(id, { event_types: ["receiverAccountUpdate"] });
    const delivery = await startDelivery();
    const body = JSON.stringify({ event: "receiverAccountUpdate" });
    const event = { type: "receiverAccountUpdate", body, subaccountId: id, orderKey: newId() };
    await db.transaction((tx) =>
      insertRequestedEvent(tx, { ...event, id: newId(), atMs: Date.now() }),
    );
    await commitEvents(db, [payoutEvent(id)]);
    delivery.hint(id);
    for (const sink of [postback, payouts.sink, accounts.sink]) await untilReceived(sink, 1);
    expect(types(postback)).toEqual(["payoutCreated"]);
    expect(types(payouts.sink)).toEqual(["payoutCreated"]);
    expect(types(accounts.sink)).toEqual(["receiverAccountUpdate"]);
  });
});

test("a dead endpoint and a slow one delay no other, and every one gets its events in order", async () => {
  const { sink: postback, id } = await startEndpoint(refuse);
  const slow = await addEndpoint(id, {}, (_, response) => {
    setTimeout(() => response.writeHead(204).end(), 20);
  });
  const fast = await addEndpoint(id);
  const delivery = await startDelivery();
  const keys = Array.from({ length: 20 }, () => newId());
  const events = [0, 1, 2].flatMap((step) => keys.map((key) => payoutEvent(id, key, step)));
  await commitEvents(db, events);
  delivery.hint(id);
  await untilReceived(fast.sink, events.length);
  await untilReceived(slow.sink, events.length);
  const all = events.map((event) => `evt_${event.id}`).sort();
  for (const { sink } of [slow, fast]) {
    expect(ids(sink)).toEqual(all);
    for (const key of keys) {
      const steps = sink.received.filter((received) => keyOf(received) === key).map(stepOf);
      expect(steps).toEqual([0, 1, 2]);
    }
  }
  expect(postback.received.length).toBeLessThan(events.length);
  await expect.poll(() => waiting(fast.id)).toBe(0);
});

test("an endpoint retries its own delivery, and the others are not sent it again", async () => {
  const { sink: postback, id } = await startEndpoint();
  let failures = 1;
  const failing = await addEndpoint(id, {}, (_, response) =>
    response.writeHead(failures-- > 0 ? 400 : 204).end(),
  );
  const delivery = await startDelivery();
  await commitEvents(db, [payoutEvent(id)]);
  delivery.hint(id);
  await untilReceived(failing.sink, 1);
  const retry = "select attempts from further_delivery where endpoint_id = $1";
  await expect
    .poll(async () => (await db.pool.query(retry, [failing.id])).rows)
    .toEqual([{ attempts: 1 }]);
  await db.pool.query("update further_delivery set due_at_ms = 0 where endpoint_id = $1", [
    failing.id,
  ]);
  await untilReceived(failing.sink, 2);
  await expect.poll(() => waiting(failing.id)).toBe(0);
  expect(postback.received.length).toBe(1);
});

describe("changes are told to the other endpoints", () => {
  test("an endpoint that is created, changed and deleted, to those that ask", async () => {
    const { sink: postback, id } = await startEndpoint();
    const told = await addEndpoint(id, { event_types: ["webhookEndpointUpdate"] });
    const delivery = await startDelivery();
    const changing = await addEndpoint(id);
    await untilReceived(told.sink, 1);
    const update = { description: "accounting" };
    await db.transaction(async (tx) =>
      changeEndpoint({ tx, seal: parts.seal }, await found(id, changing.id), update, {
        addresses: "loopback",
        nowMs: Date.now(),
      }),
    );
    await untilReceived(told.sink, 2);
    const key = await found(id, changing.id);
    await db.transaction((tx) => deleteEndpoint({ tx, seal: parts.seal }, key));
    await untilReceived(told.sink, 3);
    const said = told.sink.received.map(({ body }) => JSON.parse(body));
    expect(said.map(({ endpoint_id, status }) => [endpoint_id, status])).toEqual([
      [changing.id, "created"],
      [changing.id, "changed"],
      [changing.id, "deleted"],
    ]);
    const rows = "select from further_endpoint where endpoint_id = $1";
    await expect.poll(async () => (await db.pool.query(rows, [changing.id])).rowCount).toBe(0);
    await delivery.close();
    expect(postback.received).toEqual([]);
  });
});

describe("an endpoint is disabled", () => {
  test("after its days of failures: the others are told, its events wait, and enabling sends them", async () => {
    const { sink: postback, id } = await startEndpoint();
    const asked: EventType[] = ["webhookEndpointDisabled"];
    const told = await addEndpoint(id, { event_types: asked });
    let isDead = true;
    const dead = await addEndpoint(id, {}, (_, response) =>
      response.writeHead(isDead ? 500 : 204).end(),
    );
    await commitEvents(db, [payoutEvent(id)]);
    const since = "update further_endpoint set failing_since_ms = $2 where endpoint_id = $1";
    await db.pool.query(since, [dead.id, Date.now() - 3 * dayMs]);
    await startDelivery();
    await untilReceived(told.sink, 1);
    expect(JSON.parse((told.sink.received[0] as Received).body)).toMatchObject({
      event: "webhookEndpointDisabled",
      endpoint_id: dead.id,
      cause: "failing",
    });
    expect(ofType("webhookEndpointDisabled", postback)).toEqual([]);
    const { row, key } = await found(id, dead.id);
    expect([row.disabled_because, row.disabled_at_ms === null]).toEqual(["failing", false]);
    await expect.poll(() => waiting(dead.id)).toBe(1);
    isDead = false;
    const before = dead.sink.received.length;
    await db.transaction((tx) =>
      enableEndpoint(
        { tx, seal: parts.seal },
        { key, row },
        { addresses: "loopback", nowMs: Date.now() },
      ),
    );
    await untilReceived(dead.sink, before + 1);
    await expect.poll(() => waiting(dead.id)).toBe(0);
  });

  test("because of its secret, and after a rotation it is enabled and its events are sent", async () => {
    const { id } = await startEndpoint();
    const broken = await addEndpoint(id);
    const spoil = "update further_endpoint_secret set sealed = $2 where endpoint_id = $1";
    await db.pool.query(spoil, [broken.id, Buffer.from("spoilt")]);
    const delivery = await startDelivery();
    await commitEvents(db, [payoutEvent(id)]);
    delivery.hint(id);
    await expect.poll(async () => (await found(id, broken.id)).row.disabled_because).toBe("secret");
    const sealing = { seal: parts.seal };
    const endpoint = await found(id, broken.id);
    const rotation = { overlapMs: 0, nowMs: Date.now() };
    const made = await db.transaction((tx) =>
      rotateEndpointSecret({ tx, ...sealing }, endpoint, rotation),
    );
    const enabling = { addresses: "loopback", nowMs: Date.now() } as const;
    await db.transaction((tx) => enableEndpoint({ tx, ...sealing }, endpoint, enabling));
    await untilReceived(broken.sink, 1);
    const [received] = broken.sink.received as [Received];
    new Webhook(made.secret as string).verify(
      received.body,
      received.headers as Record<string, string>,
    );
  });

  test("at once where its secret can't be decrypted; that of postback_url is not, unless it is set", async () => {
    const { id } = await startEndpoint();
    const broken = await addEndpoint(id);
    const spoil = "update further_endpoint_secret set sealed = $2 where endpoint_id = $1";
    await db.pool.query(spoil, [broken.id, Buffer.from("spoilt")]);
    const delivery = await startDelivery();
    await commitEvents(db, [payoutEvent(id)]);
    delivery.hint(id);
    await expect.poll(async () => (await found(id, broken.id)).row.disabled_because).toBe("secret");
    expect(broken.sink.received).toEqual([]);
    await delivery.close();
    const days =
      "update webhook_endpoint set failing_since_ms = $2, disable_after_days = $3 where subaccount_id = $1";
    await db.pool.query(days, [id, Date.now() - 30 * dayMs, null]);
    await disableFailingEndpoints(db);
    expect((await found(id, id)).row.disabled_at_ms).toBe(null);
    await db.pool.query(days, [id, Date.now() - 2 * dayMs, 1]);
    await disableFailingEndpoints(db);
    expect((await found(id, id)).row.disabled_because).toBe("failing");
  });
});

describe("events are sent again", () => {
  test("one to one endpoint, and a range to all of them", async () => {
    const { sink: postback, id } = await startEndpoint();
    const further = await addEndpoint(id);
    const delivery = await startDelivery();
    const event = payoutEvent(id);
    const sinceMs = Date.now() - 60_000;
    await commitEvents(db, [event]);
    delivery.hint(id);
    await untilReceived(further.sink, 1);
    await untilReceived(postback, 1);
    const again = { who: "a test", nowMs: Date.now() };
    const key = { subaccountId: id, id: event.id };
    await db.transaction((tx) => resendEvent(tx, key, { ...again, endpointId: further.id }));
    delivery.hint(id);
    await untilReceived(further.sink, 2);
    expect(postback.received.length).toBe(1);
    const range = { since: sinceMs, until: Date.now() + 1000, include_delivered: true };
    await db.transaction((tx) =>
      startRecovery(tx, id, range, { ...again, nowMs: Date.now() + 1000 }),
    );
    await untilReceived(further.sink, 3);
    await untilReceived(postback, 2);
    expect(new Set([...ids(postback), ...ids(further.sink)])).toEqual(new Set([`evt_${event.id}`]));
  });

  test("an endpoint that was added later is filled with the events of its types from before", async () => {
    const { sink: postback, id } = await startEndpoint();
    const delivery = await startDelivery();
    const events = [payoutEvent(id), payoutEvent(id)];
    const other = { ...payoutEvent(id), type: "payoutUpdate" };
    await commitEvents(db, [...events, other]);
    delivery.hint(id);
    await untilReceived(postback, 3);
    // Later than the events, by the clock that made their ids.
    await expect
      .poll(() => Date.now())
      .toBeGreaterThan(Math.max(...postback.received.map(({ atMs }) => atMs)));
    const later = await addEndpoint(id);
    const again = { who: "a test", nowMs: Date.now() };
    await db.transaction((tx) =>
      fillEndpoint(tx, { subaccountId: id, id: later.id }, undefined, again),
    );
    await untilReceived(later.sink, 2);
    await expect.poll(() => waiting(later.id)).toBe(0);
    expect(ids(later.sink)).toEqual(events.map((event) => `evt_${event.id}`).sort());
    expect(postback.received.length).toBe(3);
  });
});
