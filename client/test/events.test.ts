// Events: the calls about them, and the feed, which goes on whatever happens to its connection.

import { afterAll, expect, test } from "vitest";
import { Disburse } from "../src/index.ts";
import { heardEvent } from "./samples.ts";
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

test("events.list sends its filter, and follows the pages, empty ones as well", async () => {
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

test("events.recover, events.test, and those of the subaccount send what was said", async () => {
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

test("events.listen gives each with its data, and leaves comments out", async () => {
  const text = `: listening\nretry: 1000\nid: evt_0\n\n${heardEvent("evt_1")}: still here\n\n`;
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

test("a feed that ends, breaks, or is refused for the moment is opened again where it was", async () => {
  const { disburse, requests } = await clientOf(
    stream(heardEvent("evt_1") + heardEvent("evt_2"), { ends: true }),
    reset,
    fail(503, "SYST503"),
    say(502, "a proxy's page"),
    stream(heardEvent("evt_2") + heardEvent("evt_3")),
  );
  expect(await receive(disburse, 3, "evt_0")).toEqual(["evt_1", "evt_2", "evt_3"]);
  const asked = requests.map(({ headers }) => headers["last-event-id"]);
  expect(asked).toEqual(["evt_0", "evt_2", "evt_2", "evt_2", "evt_2"]);
});

test("one that is resent is given again, once, and the place to go on from stays", async () => {
  const resent = `: resent r1\n${heardEvent("evt_1")}id: evt_2\n\n`;
  const { disburse, requests } = await clientOf(
    stream(heardEvent("evt_1") + heardEvent("evt_2") + resent, { ends: true }),
    stream(heardEvent("evt_2") + resent + heardEvent("evt_3")),
  );
  expect(await receive(disburse, 4)).toEqual(["evt_1", "evt_2", "evt_1 again", "evt_3"]);
  expect(requests[1]?.headers["last-event-id"]).toBe("evt_2");
});

test("an event that comes in pieces is put together, whatever they cut", async () => {
  const text = Buffer.from(heardEvent("evt_1").replace("receiver-1", "Zoë 👩‍👧"));
  const { disburse } = await clientOf(async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    for (const byte of text) {
      response.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  for await (const { data } of disburse.events.listen()) {
    expect(data.receiver_id).toBe("Zoë 👩‍👧");
    break;
  }
});

test("what will not mend by itself is thrown: a refusal, and whatever is no feed", async () => {
  const refused = await clientOf(fail(401, "AUTH104"));
  await expect(receive(refused.disburse, 1)).rejects.toMatchObject({
    code: "AUTH104",
    status: 401,
  });
  expect(refused.requests).toHaveLength(1);
  const other = await clientOf(succeed({}));
  await expect(receive(other.disburse, 1)).rejects.toMatchObject({ code: "UNREADABLE_RESPONSE" });
});

test("a clock that is off is set by the server's, once", async () => {
  const { baseUrl, requests } = await startServer([stream(heardEvent("evt_1"))], {
    clockAheadMs: 3_600_000,
  });
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl });
  expect(await receive(disburse, 1)).toEqual(["evt_1"]);
  expect(requests).toHaveLength(2);
});

test("a signal ends it with its own reason, between events and between tries", async () => {
  for (const step of [stream(heardEvent("evt_1")), reset]) {
    const { disburse } = await clientOf(step);
    const controller = new AbortController();
    const listening = (async () => {
      for await (const _ of disburse.events.listen({ signal: controller.signal }));
    })();
    setTimeout(() => controller.abort(new Error("enough")), 100);
    await expect(listening).rejects.toThrow("enough");
  }
});
