// Events reach their endpoint: signed, in order, the same bytes on every attempt, and no endpoint delays another.

import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { newWebhookSecret } from "../../../src/webhooks/webhook-endpoints/secret.ts";
import {
  addSecret,
  commitEvents,
  makeAllDue,
  newListener,
  payoutEvent,
  waitingCount,
} from "../../support/committed-events.ts";
import {
  attemptsOf,
  db,
  endpointOf,
  keyOf,
  logged,
  parts,
  startDelivery,
  startEndpoint,
  stepOf,
  untilNothingWaits,
  untilReceived,
  useDatabase,
} from "../../support/delivery-setup.ts";
import type { Received } from "../../support/sink.ts";

useDatabase();

describe("one event", () => {
  test("has the headers of Standard Webhooks, and their library verifies it", async () => {
    const { sink, listener, id } = await startEndpoint((_received, response) =>
      response.writeHead(200).end("thank you"),
    );
    const event = payoutEvent(id);
    const delivery = await startDelivery();
    await commitEvents(db, [event]);
    delivery.hint(id);
    await untilNothingWaits(id);
    const [received] = sink.received as [Received];
    expect(received.path).toBe("/events?of=us");
    expect(received.body).toBe(event.body);
    const { host, connection, ...headers } = received.headers;
    expect(headers).toEqual({
      "content-type": "application/json",
      "content-length": String(event.body.length),
      "user-agent": expect.stringMatching(/^disburse\/\d+\.\d+\.\d+/),
      "webhook-id": `evt_${event.id}`,
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      "webhook-attempt": "1",
    });
    const signed = headers as unknown as Record<string, string>;
    expect(new Webhook(listener.secret).verify(received.body, signed)).toEqual(
      JSON.parse(event.body),
    );
    expect(await attemptsOf(event.id)).toEqual([
      {
        number: 1,
        status: 200,
        failure: null,
        detail: expect.any(String),
        took_ms: expect.any(Number),
        answer: "thank you",
      },
    ]);
  });

  test("is signed with each valid secret, and with no expired one", async () => {
    const { sink, listener, id } = await startEndpoint();
    const [ended, ending] = [newWebhookSecret(), newWebhookSecret()];
    await addSecret(parts, id, ended, Date.now() - 1);
    await addSecret(parts, id, ending, Date.now() + 60_000);
    const delivery = await startDelivery();
    await commitEvents(db, [payoutEvent(id)]);
    delivery.hint(id);
    await untilReceived(sink, 1);
    const { headers, body } = sink.received[0] as Received;
    expect(String(headers["webhook-signature"]).split(" ")).toHaveLength(2);
    const signed = headers as unknown as Record<string, string>;
    for (const secret of [listener.secret, ending]) new Webhook(secret).verify(body, signed);
    expect(() => new Webhook(ended).verify(body, signed)).toThrow();
  });

  test("is found by polling, without a wake-up", async () => {
    const { id } = await startEndpoint();
    await startDelivery();
    await commitEvents(db, [payoutEvent(id)]);
    await untilNothingWaits(id);
  });

  test("without an endpoint has no delivery, and is kept", async () => {
    const { subaccountId } = await newListener(parts, "");
    await commitEvents(db, [payoutEvent(subaccountId)]);
    expect(await waitingCount(db, subaccountId)).toBe(0);
    const { rows } = await db.pool.query("select wanted from event where subaccount_id = $1", [
      subaccountId,
    ]);
    expect(rows).toEqual([{ wanted: false }]);
  });
});

describe("a failed delivery", () => {
  test("is retried with the same id and bytes and a new signature; only its own payout waits", async () => {
    let refusals = 1;
    const bad = newId();
    const { sink, id } = await startEndpoint((received, response) => {
      const refuse = keyOf(received) === bad && refusals-- > 0;
      response.writeHead(refuse ? 500 : 200).end(refuse ? "no, 12345678" : "yes");
    });
    const good = newId();
    const first = payoutEvent(id, bad, 0);
    const events = [
      ...[first, payoutEvent(id, good, 0), payoutEvent(id, bad, 1), payoutEvent(id, good, 1)],
      ...[payoutEvent(id, bad, 2), payoutEvent(id, good, 2)],
    ];
    const delivery = await startDelivery();
    await commitEvents(db, events);
    delivery.hint(id);
    await expect.poll(() => waitingCount(db, id)).toBe(3);
    expect(sink.received.filter((received) => keyOf(received) === good).map(stepOf)).toEqual([
      0, 1, 2,
    ]);
    expect(sink.received.filter((received) => keyOf(received) === bad).map(stepOf)).toEqual([0]);
    const { rows } = await db.pool.query(
      "select attempts, due_at_ms - (extract(epoch from now()) * 1000)::bigint as wait from delivery where event_id = $1",
      [first.id],
    );
    expect(rows[0].attempts).toBe(1);
    expect(Number(rows[0].wait)).toBeGreaterThan(2_000);
    expect(Number(rows[0].wait)).toBeLessThanOrEqual(6_000);
    await makeAllDue(db);
    delivery.hint(id);
    await untilNothingWaits(id);
    const tries = sink.received.filter((received) => keyOf(received) === bad);
    expect(tries.map(stepOf)).toEqual([0, 0, 1, 2]);
    const [one, two] = tries as [Received, Received];
    expect([two.id, two.body]).toEqual([one.id, one.body]);
    expect([one, two].map(({ headers }) => headers["webhook-attempt"])).toEqual(["1", "2"]);
    const attempts = await attemptsOf(first.id);
    expect(attempts.map(({ status, failure }) => [status, failure])).toEqual([
      [500, "refused_5xx"],
      [200, null],
    ]);
    expect(attempts[0].answer).not.toContain("12345678");
  });

  test("one refused event does not open the breaker, five in a row do", async () => {
    const { sink, id } = await startEndpoint((_received, response) =>
      response.writeHead(400).end(),
    );
    const delivery = await startDelivery();
    await commitEvents(db, [payoutEvent(id)]);
    delivery.hint(id);
    await untilReceived(sink, 1);
    await expect.poll(async () => (await endpointOf(id)).owner).toBe(null);
    expect(await endpointOf(id)).toMatchObject({ backoff_level: 0, failure_score: 1 });
    await commitEvents(
      db,
      Array.from({ length: 300 }, () => payoutEvent(id)),
    );
    delivery.hint(id);
    await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(1);
    // Only requests that were already running when the breaker opened are added.
    expect(sink.received.length).toBeLessThanOrEqual(1 + 4 + 8);
    expect((await endpointOf(id)).failing_since_ms).not.toBe(null);
  });

  test("an endpoint that is down gets one probe per pause; later all events arrive in order", async () => {
    let isDead = true;
    const { sink, id } = await startEndpoint((_received, response) => {
      if (isDead) response.destroy();
      else response.writeHead(204).end();
    });
    const payouts = Array.from({ length: 100 }, () => newId());
    const delivery = await startDelivery();
    await commitEvents(
      db,
      [0, 1, 2].flatMap((step) => payouts.map((payout) => payoutEvent(id, payout, step))),
    );
    delivery.hint(id);
    await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(1);
    const atFirst = sink.received.length;
    expect(atFirst).toBeLessThanOrEqual(8);
    for (const level of [2, 3, 4]) {
      await db.pool.query(
        "update webhook_endpoint set open_until_ms = 0 where subaccount_id = $1",
        [id],
      );
      delivery.hint(id);
      await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(level);
      expect(sink.received.length).toBe(atFirst + level - 1);
    }
    const { open_until_ms } = await endpointOf(id);
    expect(Number(open_until_ms) - Date.now()).toBeGreaterThan(0.75 * 600_000);
    isDead = false;
    sink.received.length = 0;
    await makeAllDue(db);
    delivery.hint(id);
    await untilNothingWaits(id);
    for (const payout of payouts) {
      expect(sink.received.filter((received) => keyOf(received) === payout).map(stepOf)).toEqual([
        0, 1, 2,
      ]);
    }
    await expect.poll(async () => (await endpointOf(id)).owner).toBe(null);
    expect(await endpointOf(id)).toMatchObject({
      backoff_level: 0,
      failure_score: 0,
      failing_since_ms: null,
    });
  });

  test("eight attempts that hang at once raise the backoff level by one", async () => {
    const { sink, id } = await startEndpoint(() => {});
    const delivery = await startDelivery(150);
    await commitEvents(
      db,
      Array.from({ length: 50 }, () => payoutEvent(id)),
    );
    delivery.hint(id);
    await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(1);
    expect(sink.received.length).toBe(8);
    const { open_until_ms } = await endpointOf(id);
    expect(Number(open_until_ms) - Date.now()).toBeLessThanOrEqual(4_000);
  });

  test("410 disables the endpoint until it is enabled; new events wait", async () => {
    let isGone = true;
    const { sink, id } = await startEndpoint((_received, response) =>
      response.writeHead(isGone ? 410 : 200).end(),
    );
    const payout = newId();
    const delivery = await startDelivery();
    await commitEvents(db, [payoutEvent(id, payout, 0)]);
    delivery.hint(id);
    await expect.poll(async () => (await endpointOf(id)).disabled_at_ms).not.toBe(null);
    await commitEvents(db, [payoutEvent(id, payout, 1)]);
    await makeAllDue(db);
    delivery.hint(id);
    // A later event of another subaccount has arrived.
    const other = await startEndpoint();
    await commitEvents(db, [payoutEvent(other.id)]);
    delivery.hint(other.id);
    await untilNothingWaits(other.id);
    expect(sink.received.length).toBe(1);
    isGone = false;
    await db.pool.query(
      "update webhook_endpoint set disabled_at_ms = null where subaccount_id = $1",
      [id],
    );
    await makeAllDue(db);
    delivery.hint(id);
    await untilNothingWaits(id);
    expect(sink.received.map(stepOf)).toEqual([0, 0, 1]);
  });

  test("is abandoned after thirty days, and later events are delivered", async () => {
    const bad = newId();
    const { sink, id } = await startEndpoint((received, response) =>
      response.writeHead(stepOf(received) === 0 ? 500 : 200).end(),
    );
    const event = payoutEvent(id, bad, 0);
    await commitEvents(db, [event, payoutEvent(id, bad, 1)]);
    await db.pool.query(
      "update delivery set since_ms = since_ms - 30 * 86400000::bigint where event_id = $1",
      [event.id],
    );
    const delivery = await startDelivery();
    delivery.hint(id);
    await untilNothingWaits(id);
    expect(sink.received.map(stepOf)).toEqual([0, 1]);
    const { rows } = await db.pool.query(
      "select attempts from delivery_abandoned where event_id = $1",
      [event.id],
    );
    expect(rows).toEqual([{ attempts: 1 }]);
  });

  test("a lane whose events all wait for a retry is not claimed repeatedly", async () => {
    const bad = newId();
    const { id } = await startEndpoint((_received, response) => response.writeHead(500).end());
    const delivery = await startDelivery();
    await commitEvents(db, [payoutEvent(id, bad, 0), payoutEvent(id, bad, 1)]);
    delivery.hint(id);
    await expect.poll(async () => (await endpointOf(id)).failure_score).toBe(1);
    const before = Number((await endpointOf(id)).epoch);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(Number((await endpointOf(id)).epoch) - before).toBeLessThanOrEqual(2);
  });
});

describe("an endpoint that keeps failing", () => {
  test.each([
    ["1h", 1, 2 * 3_600_000],
    ["24h", 2, 25 * 3_600_000],
    ["7d", 3, 8 * 24 * 3_600_000],
  ])("is logged once when it has failed for %s", async (failingFor, reported, sinceMs) => {
    const { id } = await startEndpoint((_received, response) => response.destroy());
    const delivery = await startDelivery();
    await commitEvents(db, [payoutEvent(id)]);
    delivery.hint(id);
    await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(1);
    const warnings = () =>
      logged.filter((line) => JSON.stringify(line).includes(`"failing_for":"${failingFor}"`));
    const before = warnings().length;
    await db.pool.query(
      "update webhook_endpoint set failing_since_ms = failing_since_ms - $2 where subaccount_id = $1",
      [id, sinceMs],
    );
    for (const level of [2, 3]) {
      await makeAllDue(db);
      delivery.hint(id);
      await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(level);
      expect((await endpointOf(id)).failing_reported).toBe(reported);
      await expect.poll(() => warnings().length).toBe(before + 1);
    }
  });
});

describe("many events", () => {
  test("1,200 to one slow endpoint: none twice, all in order", async () => {
    const { sink, id } = await startEndpoint((_received, response) => {
      setTimeout(() => response.writeHead(204).end(), Math.random() * 3);
    });
    const payouts = Array.from({ length: 300 }, () => newId());
    const delivery = await startDelivery();
    for (const step of [0, 1, 2, 3]) {
      await commitEvents(
        db,
        payouts.map((payout) => payoutEvent(id, payout, step)),
      );
      delivery.hint(id);
    }
    await untilNothingWaits(id);
    expect(sink.received.length).toBe(1_200);
    expect(new Set(sink.received.map((received) => received.id)).size).toBe(1_200);
    const steps = Map.groupBy(sink.received, keyOf);
    for (const received of steps.values()) expect(received.map(stepOf)).toEqual([0, 1, 2, 3]);
  });

  test("endpoints that hang do not delay others", async () => {
    const unanswered: ServerResponse[] = [];
    const hanging = await startEndpoint((_received, response) => unanswered.push(response));
    const live = await startEndpoint();
    // Longer than the test waits: what waited for the hanging endpoint would not be delivered.
    const delivery = await startDelivery(120_000);
    await commitEvents(
      db,
      Array.from({ length: 100 }, () => payoutEvent(hanging.id)),
    );
    delivery.hint(hanging.id);
    await untilReceived(hanging.sink, 1);
    await commitEvents(
      db,
      Array.from({ length: 100 }, () => payoutEvent(live.id)),
    );
    delivery.hint(live.id);
    await expect.poll(() => waitingCount(db, live.id)).toBe(0);
    expect(await waitingCount(db, hanging.id)).toBe(100);
    for (const response of unanswered) response.destroy();
  });
});
