// Events: their operations, and the feed, which reconnects when its connection fails.

import { afterAll, expect, test } from "vitest";
import { Disburse } from "../src/index.ts";
import { feedEvent } from "./samples.ts";
import {
  apiKey,
  apiSecret,
  fail,
  reset,
  type Step,
  say,
  startServer,
  stopServers,
  stream,
  succeed,
} from "./scripted-server.ts";

afterAll(stopServers);

async function clientOf(...steps: Step[]) {
  const { baseUrl, requests } = await startServer(steps);
  return { disburse: new Disburse({ apiKey, apiSecret, baseUrl, maxRetries: 0 }), requests };
}

/** The first `count` events. */
async function receive(disburse: Disburse, count: number, lastEventId?: string): Promise<string[]> {
  const received: string[] = [];
  for await (const { id, resent } of disburse.events.listen({ lastEventId })) {
    received.push(resent ? `${id} again` : id);
    if (received.length === count) break;
  }
  return received;
}

test("events.list sends its filter, and follows all pages, also empty ones", async () => {
  const next = { link: '</api/event?cursor=abc>; rel="next"' };
  const { disburse, requests } = await clientOf(succeed([], next), succeed([{ id: "evt_1" }]));
  const from = new Date(1_731_628_800_000);
  const filter = { type: "payoutFailure", status: "undelivered", from, limit: 5 } as const;
  expect(await disburse.events.list(filter).toArray()).toEqual([{ id: "evt_1" }]);
  expect(requests.map(({ path }) => path)).toEqual([
    "/api/event?type=payoutFailure&status=undelivered&from=1731628800000&limit=5",
    "/api/event?type=payoutFailure&status=undelivered&from=1731628800000&limit=5&cursor=abc",
  ]);
});

test("events.recover, events.test and the subaccount's webhook operations send the given fields", async () => {
  const { disburse, requests } = await clientOf(succeed({}));
  await disburse.events.recover({ since: "2024-11-15", include_delivered: true });
  await disburse.events.test();
  await disburse.events.test({ type: "payoutUpdate", set: { amount: 1 } });
  await disburse.subaccount.update({ postback_url: "" });
  await disburse.subaccount.rotatePostbackSecret({ overlap_s: 0 });
  await disburse.subaccount.getPostback();
  expect(requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
    'POST /api/event/recover {"since":"1731628800000","include_delivered":true}',
    "POST /api/event/test {}",
    'POST /api/event/test {"type":"payoutUpdate","set":{"amount":1}}',
    'PATCH /api/subaccount {"postback_url":""}',
    'POST /api/subaccount/postback-secret {"overlap_s":0}',
    "GET /api/subaccount/postback ",
  ]);
});

test("events.listen yields each event with its data, and skips comments", async () => {
  const text = `: listening\nretry: 1000\nid: evt_0\n\n${feedEvent("evt_1")}: still here\n\n`;
  const { disburse, requests } = await clientOf(stream(text));
  for await (const event of disburse.events.listen()) {
    const data = { event: "receiverKycUpdate", receiver_id: "receiver-1", status: "completed" };
    const { body, ...rest } = event;
    expect(rest).toEqual({
      id: "evt_1",
      type: "receiverKycUpdate",
      data,
      resent: false,
      isTest: false,
    });
    expect(text).toContain(`data: ${body}\n`);
    break;
  }
  expect(requests[0]).toMatchObject({ method: "GET", path: "/api/event/feed" });
  expect(requests[0]?.headers).toMatchObject({ accept: "text/event-stream" });
  expect(requests[0]?.headers).not.toHaveProperty("last-event-id");
});

test("a feed that ends, breaks or is temporarily refused is reopened after its last event", async () => {
  const { disburse, requests } = await clientOf(
    stream(feedEvent("evt_1") + feedEvent("evt_2"), { ends: true }),
    reset,
    fail(503, "SYST503"),
    say(502, "a proxy's page"),
    stream(feedEvent("evt_2") + feedEvent("evt_3")),
  );
  expect(await receive(disburse, 3, "evt_0")).toEqual(["evt_1", "evt_2", "evt_3"]);
  const asked = requests.map(({ headers }) => headers["last-event-id"]);
  expect(asked).toEqual(["evt_0", "evt_2", "evt_2", "evt_2", "evt_2"]);
});

test("a resent event is yielded again, once, and does not change the last event id", async () => {
  const resent = `: resent r1\n${feedEvent("evt_1")}id: evt_2\n\n`;
  const { disburse, requests } = await clientOf(
    stream(feedEvent("evt_1") + feedEvent("evt_2") + resent, { ends: true }),
    stream(feedEvent("evt_2") + resent + feedEvent("evt_3")),
  );
  expect(await receive(disburse, 4)).toEqual(["evt_1", "evt_2", "evt_1 again", "evt_3"]);
  expect(requests[1]?.headers["last-event-id"]).toBe("evt_2");
});

test("an event that arrives byte by byte is put together", async () => {
  const text = Buffer.from(feedEvent("evt_1").replace("receiver-1", "Zoë 👩‍👧"));
  const { disburse } = await clientOf(async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    for (const byte of text) {
      response.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  for await (const { data } of disburse.events.listen()) {
    expect(data).toMatchObject({ receiver_id: "Zoë 👩‍👧" });
    break;
  }
});

test("a permanent failure is thrown: a refusal, or a response that is not a feed", async () => {
  const refused = await clientOf(fail(401, "AUTH104"));
  await expect(receive(refused.disburse, 1)).rejects.toMatchObject({
    code: "AUTH104",
    status: 401,
  });
  expect(refused.requests).toHaveLength(1);
  const other = await clientOf(succeed({}));
  await expect(receive(other.disburse, 1)).rejects.toMatchObject({ code: "UNREADABLE_RESPONSE" });
});

test("a wrong clock is corrected once, by the server's clock", async () => {
  const { baseUrl, requests } = await startServer([stream(feedEvent("evt_1"))], {
    clockAheadMs: 3_600_000,
  });
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl });
  expect(await receive(disburse, 1)).toEqual(["evt_1"]);
  expect(requests).toHaveLength(2);
});

test("a signal ends the feed with its reason, between events and between attempts", async () => {
  for (const step of [stream(feedEvent("evt_1")), reset]) {
    const { disburse } = await clientOf(step);
    const controller = new AbortController();
    const listening = (async () => {
      for await (const _ of disburse.events.listen({ signal: controller.signal }));
    })();
    setTimeout(() => controller.abort(new Error("enough")), 100);
    await expect(listening).rejects.toThrow("enough");
  }
});
