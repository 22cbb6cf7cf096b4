// Events reach their endpoint: signed, in order, the same bytes on every attempt, and no endpoint delays another.

import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { newWebhookSecret } from "../../src/webhook-endpoints/secret.ts";
import {
  attemptsOf,
  db,
  endpointOf,
  heardCount,
  keyOf,
  logged,
  nothingWaits,
  parts,
  startDelivering,
  startListening,
  stepOf,
  useDatabase,
} from "../support/delivering.ts";
import type { Heard } from "../support/sink.ts";
import {
  addSecret,
  hurry,
  newListener,
  payoutEvent,
  tell,
  waitingCount,
} from "../support/telling.ts";

useDatabase();

describe("one event", () => {
  test("has the headers of Standard Webhooks, and their library verifies it", async () => {
    const { sink, listener, id } = await startListening((_heard, response) =>
      response.writeHead(200).end("thank you"),
    );
    const event = payoutEvent(id);
    const delivery = await startDelivering();
    await tell(db, [event]);
    delivery.hint(id);
    await nothingWaits(id);
    const [heard] = sink.heard as [Heard];
    expect(heard.path).toBe("/events?of=us");
    expect(heard.body).toBe(event.body);
    const { host, connection, ...headers } = heard.headers;
    expect(headers).toEqual({
      "content-type": "application/json",
      "content-length": String(event.body.length),
      "user-agent": expect.stringMatching(/^disburse\/\d+\.\d+\.\d+/),
      "webhook-id": `evt_${event.id}`,
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      "webhook-attempt": "1",
    });
    const told = headers as unknown as Record<string, string>;
    expect(new Webhook(listener.secret).verify(heard.body, told)).toEqual(JSON.parse(event.body));
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
    const { sink, listener, id } = await startListening();
    const [ended, ending] = [newWebhookSecret(), newWebhookSecret()];
    await addSecret(parts, id, ended, Date.now() - 1);
    await addSecret(parts, id, ending, Date.now() + 60_000);
    const delivery = await startDelivering();
    await tell(db, [payoutEvent(id)]);
    delivery.hint(id);
    await heardCount(sink, 1);
    const { headers, body } = sink.heard[0] as Heard;
    expect(String(headers["webhook-signature"]).split(" ")).toHaveLength(2);
    const told = headers as unknown as Record<string, string>;
    for (const secret of [listener.secret, ending]) new Webhook(secret).verify(body, told);
    expect(() => new Webhook(ended).verify(body, told)).toThrow();
  });

  test("is found by the poll without a hint", async () => {
    const { id } = await startListening();
    await startDelivering();
    await tell(db, [payoutEvent(id)]);
    await nothingWaits(id);
  });

  test("without an endpoint no delivery is created, and the event is kept", async () => {
    const { subaccountId } = await newListener(parts, "");
    await tell(db, [payoutEvent(subaccountId)]);
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
    const { sink, id } = await startListening((heard, response) => {
      const refuse = keyOf(heard) === bad && refusals-- > 0;
      response.writeHead(refuse ? 500 : 200).end(refuse ? "no, 12345678" : "yes");
    });
    const good = newId();
    const first = payoutEvent(id, bad, 0);
    const events = [
      ...[first, payoutEvent(id, good, 0), payoutEvent(id, bad, 1), payoutEvent(id, good, 1)],
      ...[payoutEvent(id, bad, 2), payoutEvent(id, good, 2)],
    ];
    const delivery = await startDelivering();
    await tell(db, events);
    delivery.hint(id);
    await expect.poll(() => waitingCount(db, id)).toBe(3);
    expect(sink.heard.filter((heard) => keyOf(heard) === good).map(stepOf)).toEqual([0, 1, 2]);
    expect(sink.heard.filter((heard) => keyOf(heard) === bad).map(stepOf)).toEqual([0]);
    const { rows } = await db.pool.query(
      "select attempts, due_at_ms - (extract(epoch from now()) * 1000)::bigint as wait from delivery where event_id = $1",
      [first.id],
    );
    expect(rows[0].attempts).toBe(1);
    expect(Number(rows[0].wait)).toBeGreaterThan(2_000);
    expect(Number(rows[0].wait)).toBeLessThanOrEqual(6_000);
    await hurry(db);
    delivery.hint(id);
    await nothingWaits(id);
    const tries = sink.heard.filter((heard) => keyOf(heard) === bad);
    expect(tries.map(stepOf)).toEqual([0, 0, 1, 2]);
    const [one, two] = tries as [Heard, Heard];
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
    const { sink, id } = await startListening((_heard, response) => response.writeHead(400).end());
    const delivery = await startDelivering();
    await tell(db, [payoutEvent(id)]);
    delivery.hint(id);
    await heardCount(sink, 1);
    await expect.poll(async () => (await endpointOf(id)).owner).toBe(null);
    expect(await endpointOf(id)).toMatchObject({ backoff_level: 0, failure_score: 1 });
    await tell(
      db,
      Array.from({ length: 300 }, () => payoutEvent(id)),
    );
    delivery.hint(id);
    await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(1);
    // As many as were under way when it became clear, and no more.
    expect(sink.heard.length).toBeLessThanOrEqual(1 + 4 + 8);
    expect((await endpointOf(id)).failing_since_ms).not.toBe(null);
  });

  test("an endpoint that is down gets one probe per pause; when it works again, all events arrive in order", async () => {
    let isDead = true;
    const { sink, id } = await startListening((_heard, response) => {
      if (isDead) response.destroy();
      else response.writeHead(204).end();
    });
    const payouts = Array.from({ length: 100 }, () => newId());
    const delivery = await startDelivering();
    await tell(
      db,
      [0, 1, 2].flatMap((step) => payouts.map((payout) => payoutEvent(id, payout, step))),
    );
    delivery.hint(id);
    await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(1);
    const atFirst = sink.heard.length;
    expect(atFirst).toBeLessThanOrEqual(8);
    for (const level of [2, 3, 4]) {
      await db.pool.query(
        "update webhook_endpoint set open_until_ms = 0 where subaccount_id = $1",
        [id],
      );
      delivery.hint(id);
      await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(level);
      expect(sink.heard.length).toBe(atFirst + level - 1);
    }
    const { open_until_ms } = await endpointOf(id);
    expect(Number(open_until_ms) - Date.now()).toBeGreaterThan(0.75 * 600_000);
    isDead = false;
    sink.heard.length = 0;
    await hurry(db);
    delivery.hint(id);
    await nothingWaits(id);
    for (const payout of payouts) {
      expect(sink.heard.filter((heard) => keyOf(heard) === payout).map(stepOf)).toEqual([0, 1, 2]);
    }
    await expect.poll(async () => (await endpointOf(id)).owner).toBe(null);
    expect(await endpointOf(id)).toMatchObject({
      backoff_level: 0,
      failure_score: 0,
      failing_since_ms: null,
    });
  });

  test("eight attempts that hang at once raise the backoff level by one", async () => {
    const { sink, id } = await startListening(() => {});
    const delivery = await startDelivering(150);
    await tell(
      db,
      Array.from({ length: 50 }, () => payoutEvent(id)),
    );
    delivery.hint(id);
    await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(1);
    expect(sink.heard.length).toBe(8);
    const { open_until_ms } = await endpointOf(id);
    expect(Number(open_until_ms) - Date.now()).toBeLessThanOrEqual(4_000);
  });

  test("410 disables the endpoint until it is enabled; new events wait", async () => {
    let isGone = true;
    const { sink, id } = await startListening((_heard, response) =>
      response.writeHead(isGone ? 410 : 200).end(),
    );
    const payout = newId();
    const delivery = await startDelivering();
    await tell(db, [payoutEvent(id, payout, 0)]);
    delivery.hint(id);
    await expect.poll(async () => (await endpointOf(id)).disabled_at_ms).not.toBe(null);
    await tell(db, [payoutEvent(id, payout, 1)]);
    await hurry(db);
    delivery.hint(id);
    // What another subaccount is told later has arrived.
    const other = await startListening();
    await tell(db, [payoutEvent(other.id)]);
    delivery.hint(other.id);
    await nothingWaits(other.id);
    expect(sink.heard.length).toBe(1);
    isGone = false;
    await db.pool.query(
      "update webhook_endpoint set disabled_at_ms = null where subaccount_id = $1",
      [id],
    );
    await hurry(db);
    delivery.hint(id);
    await nothingWaits(id);
    expect(sink.heard.map(stepOf)).toEqual([0, 0, 1]);
  });

  test("after thirty days it is abandoned, and later events are delivered", async () => {
    const bad = newId();
    const { sink, id } = await startListening((heard, response) =>
      response.writeHead(stepOf(heard) === 0 ? 500 : 200).end(),
    );
    const event = payoutEvent(id, bad, 0);
    await tell(db, [event, payoutEvent(id, bad, 1)]);
    await db.pool.query(
      "update delivery set since_ms = since_ms - 30 * 86400000::bigint where event_id = $1",
      [event.id],
    );
    const delivery = await startDelivering();
    delivery.hint(id);
    await nothingWaits(id);
    expect(sink.heard.map(stepOf)).toEqual([0, 1]);
    const { rows } = await db.pool.query(
      "select attempts from delivery_abandoned where event_id = $1",
      [event.id],
    );
    expect(rows).toEqual([{ attempts: 1 }]);
  });

  test("a lane on which every event is held back is not claimed again and again", async () => {
    const bad = newId();
    const { id } = await startListening((_heard, response) => response.writeHead(500).end());
    const delivery = await startDelivering();
    await tell(db, [payoutEvent(id, bad, 0), payoutEvent(id, bad, 1)]);
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
  ])("is told of once after %s, and again when it lasts on", async (failingFor, told, sinceMs) => {
    const { id } = await startListening((_heard, response) => response.destroy());
    const delivery = await startDelivering();
    await tell(db, [payoutEvent(id)]);
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
      await hurry(db);
      delivery.hint(id);
      await expect.poll(async () => (await endpointOf(id)).backoff_level).toBe(level);
      expect((await endpointOf(id)).failing_reported).toBe(told);
      await expect.poll(() => warnings().length).toBe(before + 1);
    }
  });
});

describe("many events", () => {
  test("1,200 to one slow endpoint: none twice, all in order", async () => {
    const { sink, id } = await startListening((_heard, response) => {
      setTimeout(() => response.writeHead(204).end(), Math.random() * 3);
    });
    const payouts = Array.from({ length: 300 }, () => newId());
    const delivery = await startDelivering();
    for (const step of [0, 1, 2, 3]) {
      await tell(
        db,
        payouts.map((payout) => payoutEvent(id, payout, step)),
      );
      delivery.hint(id);
    }
    await nothingWaits(id);
    expect(sink.heard.length).toBe(1_200);
    expect(new Set(sink.heard.map((heard) => heard.id)).size).toBe(1_200);
    const steps = Map.groupBy(sink.heard, keyOf);
    for (const heard of steps.values()) expect(heard.map(stepOf)).toEqual([0, 1, 2, 3]);
  });

  test("endpoints that hang do not delay others", async () => {
    const hanging = await startListening(() => {});
    const live = await startListening();
    const delivery = await startDelivering(3_000);
    await tell(
      db,
      Array.from({ length: 100 }, () => payoutEvent(hanging.id)),
    );
    delivery.hint(hanging.id);
    await heardCount(hanging.sink, 1);
    await tell(
      db,
      Array.from({ length: 100 }, () => payoutEvent(live.id)),
    );
    delivery.hint(live.id);
    await expect.poll(() => waitingCount(db, live.id), { timeout: 1_500 }).toBe(0);
    expect(await waitingCount(db, hanging.id)).toBe(100);
  });
});
