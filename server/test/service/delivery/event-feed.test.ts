// The feed: each open feed of a subaccount gets every committed event at least once, and other subaccounts get none.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { firstIdOf } from "../../../src/platform/base/cursor.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { revokeKey } from "../../../src/tenants/api-keys/revoke.ts";
import { payoutUpdate } from "../../../src/webhooks/events/outbox.ts";
import { insertEvent } from "../../../src/webhooks/events/queries.ts";
import { openWire, requestBytes } from "../../support/raw-http.ts";
import { sign, startService, startServiceForTest, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

const path = "/api/event/feed";

await useService();

type Block = { text: string; id?: string; event?: string; data?: string; resent: boolean };

function readBlock(text: string): Block {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1];
  const [id, event, data] = [field("id"), field("event"), field("data")];
  const resent = /^: resent [0-9a-f-]{36}$/m.test(text);
  return { text, ...(id && { id }), ...(event && { event }), ...(data && { data }), resent };
}

type Listening = {
  status: number;
  headers: Headers;
  blocks: Block[];
  /** The ids of the events, in the order of their arrival. */
  received(): string[];
  ended: Promise<"ended" | "broken">;
  stop(): void;
};

async function listen(
  baseUrl: string,
  { key, secret }: Pick<TestCaller, "key" | "secret">,
  { query = "", headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Listening> {
  const signature = sign({ key, secret, method: "GET", path: path + query, version: 2 });
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(baseUrl + path + query, {
    headers: { "x-api-key": key, signature, accept: "text/event-stream", ...headers },
    signal: controller.signal,
  });
  const blocks: Block[] = [];
  const read = async () => {
    let text = "";
    const body = response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split("\n\n");
      text = parts.pop() as string;
      blocks.push(...parts.map(readBlock));
    }
    return "ended" as const;
  };
  return {
    status: response.status,
    headers: response.headers,
    blocks,
    received: () => blocks.flatMap(({ id, data }) => (id && data ? [id] : [])),
    ended: read().catch(() => "broken" as const),
    stop: () => controller.abort(),
  };
}

const openFeed = (caller: TestCaller, options?: Parameters<typeof listen>[2]) =>
  listen(service.baseUrl, caller, options);

/** Inserts as another process would: this process gets no wake-up. */
async function insertElsewhere({ subaccountId }: TestCaller, id = newId()): Promise<string> {
  const facts = { payoutId: newId(), receiverId: newId(), accountId: newId(), reference: "" };
  const atMs = Date.now();
  const { body } = payoutUpdate({ subaccountId, ...facts, amount: 1n, currency: "AUD", atMs });
  await service.db.pool.query(
    `insert into event (subaccount_id, id, order_key, type, body, created_at_ms)
     values ($1, $2, $3, 'payoutUpdate', $4, $5)`,
    [subaccountId, id, facts.payoutId, body, atMs],
  );
  return `evt_${id}`;
}

describe("events of a feed", () => {
  test("have their id, type and exact body; earlier ones are not sent", async () => {
    const caller = await service.newCaller();
    await caller.disburse.events.test();
    const feed = await openFeed(caller);
    expect([feed.status, feed.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(feed.headers.get("x-request-id")).toBeTruthy();
    const { id } = await caller.disburse.events.test({ type: "payoutFailure" });
    const other = await insertElsewhere(caller);
    await expect.poll(feed.received).toEqual([id, other]);
    const { body } = await caller.disburse.events.get(id);
    const block = feed.blocks.find((one) => one.id === id);
    expect(block?.text).toBe(`id: ${id}\nevent: payoutFailure\ndata: ${body}`);
    expect(feed.blocks[0]?.text).toMatch(/^: listening\nretry: 1000\nid: evt_[0-9a-f-]{36}$/);
  });

  test("are only those of the subaccount", async () => {
    const [caller, other] = [await service.newCaller(), await service.newCaller()];
    const [feed, theirs] = [await openFeed(caller), await openFeed(other)];
    const { id } = await other.disburse.events.test();
    const mine = await caller.disburse.events.test();
    await expect.poll(theirs.received).toEqual([id]);
    await expect.poll(feed.received).toEqual([mine.id]);
  });

  test("are repeated when resent, marked as such, and do not change the position to continue from", async () => {
    const caller = await service.newCaller();
    const first = await caller.disburse.events.test();
    const feed = await openFeed(caller);
    const second = await caller.disburse.events.test();
    await expect.poll(feed.received).toEqual([second.id]);
    await caller.disburse.events.resend(first.id);
    await expect.poll(feed.received).toEqual([second.id, first.id]);
    await expect.poll(() => feed.blocks.at(-1)?.text).toBe(`id: ${second.id}`);
    const resent = feed.blocks.filter((block) => block.resent).map(({ id }) => id);
    expect(resent).toEqual([first.id]);
  });

  test("that commit after an event with a later id are sent, to open feeds and to new ones", async () => {
    const caller = await service.newCaller();
    const early = await openFeed(caller);
    const [late, young] = [newId(), newId()];
    const facts = { ...{ subaccountId: caller.subaccountId, orderKey: newId(), atMs: Date.now() } };
    const event = { ...facts, type: "payoutUpdate", body: "{}" };
    let fresh: Listening | undefined;
    await service.db.transaction(async (tx) => {
      await insertEvent(tx, { ...event, id: late });
      await insertEvent(service.db, { ...event, id: young });
      await expect.poll(early.received).toEqual([`evt_${young}`]);
      fresh = await openFeed(caller);
      await sleep(700);
      expect(early.received()).toEqual([`evt_${young}`]);
    });
    await expect.poll(early.received).toEqual([`evt_${young}`, `evt_${late}`]);
    await expect.poll(() => fresh?.received()).toEqual([`evt_${late}`]);
    // It is sent only once, although the next polls read it again.
    await sleep(1_200);
    expect([early.received().length, fresh?.received().length]).toEqual([2, 1]);
  });

  test("reach each of twenty feeds once when two hundred happen at once", async () => {
    const callers = [await service.newCaller(), await service.newCaller()];
    const feeds = await Promise.all(
      callers.flatMap((caller) => Array.from({ length: 10 }, () => openFeed(caller))),
    );
    const made = await Promise.all(
      callers.map((caller) =>
        Promise.all(
          Array.from({ length: 100 }, async (_, index) =>
            index % 2 === 0 ? insertElsewhere(caller) : (await caller.disburse.events.test()).id,
          ),
        ),
      ),
    );
    for (const [index, feed] of feeds.entries()) {
      const expected = (made[index < 10 ? 0 : 1] as string[]).toSorted();
      await expect.poll(() => feed.received().toSorted()).toEqual(expected);
    }
  });
});

describe("reconnecting", () => {
  test.each(["header", "query"])(
    "by %s sends all later events in order, with a few earlier ones",
    async (way) => {
      const caller = await service.newCaller();
      const older = firstIdOf(Date.now() - 60_000).replace(/0$/, "1");
      const old = await insertElsewhere(caller, older);
      const ids: string[] = [];
      for (let count = 0; count < 450; count += 1) ids.push(await insertElsewhere(caller));
      const last = ids[100] as string;
      const feed = await openFeed(
        caller,
        way === "query"
          ? { query: `?last_event_id=${last.slice(4)}` }
          : { headers: { "last-event-id": last } },
      );
      await expect.poll(() => feed.received().at(-1)).toBe(ids.at(-1));
      expect(feed.received()).toEqual(ids);
      expect(feed.received()).not.toContain(old);
    },
  );

  test("includes events that were resent in the meantime", async () => {
    const caller = await service.newCaller();
    const { id } = await caller.disburse.events.test();
    await caller.disburse.events.resend(id);
    const feed = await openFeed(caller, { headers: { "last-event-id": id } });
    await expect.poll(feed.received).toEqual([id, id]);
  });

  test("EVNT410, EVNT409: an invalid last id and an unknown parameter are refused", async () => {
    const { call } = await service.newCaller();
    const codes = async (query: string, headers: Record<string, string> = {}) =>
      (await call("GET", path + query, { headers })).json.error[0].code;
    expect(await codes("?last_event_id=x")).toBe("EVNT410");
    expect(await codes("", { "last-event-id": "evt_" })).toBe("EVNT410");
    expect(await codes("?since=1")).toBe("EVNT409");
  });

  test("the client yields missed events, drops duplicates, and ends when the loop is left", async () => {
    const { disburse } = await service.newCaller();
    const { id: before } = await disburse.events.test();
    const received: [string, boolean][] = [];
    const { id: after } = await disburse.events.test({ type: "receiverKycUpdate" });
    for await (const { id, type, data, resent } of disburse.events.listen({
      lastEventId: before,
    })) {
      received.push([id, resent]);
      expect(data.event).toBe(type);
      if (received.length === 2) await disburse.events.resend(before);
      if (received.length === 3) break;
    }
    expect(received).toEqual([
      [before, false],
      [after, false],
      [before, true],
    ]);
  });
});

describe("the end of a feed", () => {
  test("comes when its key is revoked", async () => {
    const caller = await service.newCaller();
    const feed = await openFeed(caller);
    await revokeKey(service.db, caller.key);
    expect(await feed.ended).toBe("ended");
  });

  test("a shutdown ends open feeds without breaking their connections", async () => {
    const ending = await startService();
    const caller = await ending.newCaller();
    const feeds = await Promise.all(
      Array.from({ length: 5 }, () => listen(ending.baseUrl, caller)),
    );
    await ending.close();
    expect(await Promise.all(feeds.map(({ ended }) => ended))).toEqual(Array(5).fill("ended"));
  });

  test("EVNT302: a subaccount has at most ten feeds, and closing one allows another", async () => {
    const caller = await service.newCaller();
    const feeds = await Promise.all(Array.from({ length: 10 }, () => openFeed(caller)));
    const refused = await caller.call("GET", path);
    expect([refused.status, refused.json.error[0].code]).toEqual([429, "EVNT302"]);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await openFeed(await service.newCaller())).status).toBe(200);
    feeds[0]?.stop();
    await expect.poll(async () => (await openFeed(caller)).status).toBe(200);
  });

  test("a feed gets a comment after 15 s without events, and is closed if its client stops reading", async () => {
    let aheadMs = 0;
    const clock = () => Date.now() + aheadMs;
    const own = await startServiceForTest({ clock });
    const caller = await own.newCaller();
    const feed = await listen(own.baseUrl, caller);
    aheadMs += 16_000;
    await expect.poll(() => feed.blocks.at(-1)?.text).toBe(": still here");

    const { key, secret } = caller;
    const wire = await openWire(own.port);
    const signature = sign({ key, secret, method: "GET", path });
    const headers = [["x-api-key", key] as const, ["signature", signature] as const];
    wire.write(requestBytes({ path, headers }));
    await expect.poll(() => wire.socket.bytesRead).toBeGreaterThan(0);
    wire.socket.pause();
    let isCut = false;
    wire.socket.on("close", () => {
      isCut = true;
    });
    await own.db.pool.query(
      `insert into event (subaccount_id, id, order_key, type, body, created_at_ms)
       select $1, (left($2, 24) || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(), 'payoutUpdate',
              to_json(repeat('x', 60000))::text, 0
       from generate_series(1, 300) n`,
      [caller.subaccountId, newId()],
    );
    await expect.poll(() => feed.received().length).toBe(300);
    aheadMs += 31_000;
    // A paused socket notices that it was closed only when it reads again.
    await sleep(1_200);
    wire.socket.resume();
    await expect.poll(() => isCut).toBe(true);
    // The client that reads stays connected.
    const { id } = await caller.disburse.events.test();
    await expect.poll(() => feed.received().at(-1)).toBe(id);
  });
});

test("SYST103: the feed needs a matching accept header", async () => {
  const { call } = await service.newCaller();
  const status = async (target: string, accept: string) =>
    (await call("GET", target, { headers: { accept } })).status;
  expect(await status(path, "application/json")).toBe(406);
  expect(await status("/api/event", "text/event-stream")).toBe(406);
  // HEAD does not open a feed.
  expect((await call("HEAD", path)).status).toBe(400);
});
