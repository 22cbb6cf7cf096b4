// The connections of lanes: kept, never shared, dropped when they break, and never to a forbidden address.

import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { limits } from "../../../src/platform/limits/limits.ts";
import {
  type LaneConnection,
  laneConnections,
} from "../../../src/webhooks/http-client/lane-connections.ts";
import { type Poster, type PosterOptions, poster } from "../../../src/webhooks/http-client/post.ts";
import {
  type Behave,
  type Opened,
  onlyServerAt,
  pour,
  serve,
  serveTls,
} from "../../support/bad-endpoint-servers.ts";
import { authority, certificates } from "../../support/certificates/certificates.ts";
import { type Tried, tryHostile } from "../../support/hostile-deliveries.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const kept = <One extends { close(): Promise<void> }>(one: One): One => {
  open.unshift(one);
  return one;
};
const newPoster = (options: Partial<PosterOptions> = {}): Poster =>
  kept(poster({ policy: "loopback", ...options }));
const calling =
  ({ post }: Poster, { port }: Opened) =>
  (lane: string, body = "{}") =>
    post({ lane, url: `http://127.0.0.1:${port}/events?a=1`, headers: { "x-lane": lane }, body });

/** Responds to each request, and records the requests of each connection. */
async function remembering(behave: Behave = (socket) => socket.write(answer("ok"))) {
  const seen = new Map<Socket, string[]>();
  const server = await serve((socket, request) => {
    seen.set(socket, [...(seen.get(socket) ?? []), request]);
    behave(socket, request);
  });
  return { ...kept(server), seen };
}

/** undici frees a connection in the turn of the event loop after the one that ends a response. */
async function untilConnectionIsFree(): Promise<void> {
  await turn();
  await turn();
}

const answer = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;

test("a request has exactly the given headers and body", async () => {
  const server = await remembering((socket) =>
    socket.write("HTTP/1.1 200 OK\r\nset-cookie: a=b\r\ncontent-length: 0\r\n\r\n"),
  );
  const call = calling(newPoster(), server);

  await call("one", '{"ü":1}');
  await untilConnectionIsFree();
  await call("one", '{"ü":1}');

  const request =
    `POST /events?a=1 HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: keep-alive\r\n` +
    'x-lane: one\r\ncontent-length: 8\r\n\r\n{"ü":1}';
  const bytes = Buffer.from(request).toString("latin1");
  expect([...server.seen.values()]).toEqual([[bytes, bytes]]);
});

test("no proxy is taken from the environment", async () => {
  const canary = await remembering();
  const server = await remembering();
  process.env.HTTP_PROXY = process.env.http_proxy = `http://127.0.0.1:${canary.port}`;
  try {
    expect(await calling(newPoster(), server)("one")).toMatchObject({ status: 200 });
  } finally {
    delete process.env.HTTP_PROXY;
    delete process.env.http_proxy;
  }
  expect(canary.seen.size).toBe(0);
});

test("a lane keeps its connections, and uses no other lane's", async () => {
  const server = await remembering();
  const call = calling(newPoster(), server);
  for (let times = 0; times < 5; times += 1) {
    await Promise.all(["a", "b", "c"].map((lane) => call(lane)));
    await untilConnectionIsFree();
  }

  const lanes = [...server.seen.values()].map((requests) =>
    requests.map((request) => /x-lane: (\w)/.exec(request)?.[1]).join(""),
  );
  expect(lanes.sort()).toEqual(["aaaaa", "bbbbb", "ccccc"]);
});

test("a lane has a limited number of connections; other calls wait", async () => {
  let open = 0;
  let most = 0;
  const server = await remembering((socket) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      socket.write(answer("ok"));
    }, 5);
  });
  const call = calling(newPoster(), server);
  const all = await Promise.all(Array.from({ length: 50 }, () => call("one")));

  expect(all.every(({ status }) => status === 200)).toBe(true);
  expect(most).toBe(limits.connectionsPerLaneMax);
  expect(server.seen.size).toBe(limits.connectionsPerLaneMax);
});

test("a lane on which every call hangs is free after the timeout, and delays no other lane", async () => {
  let isHanging = true;
  const server = await remembering((socket) => {
    if (!isHanging) socket.write(answer("ok"));
  });
  const well = await remembering();
  const one = newPoster({ timeouts: { totalMs: 500 } });
  const call = calling(one, server);

  // The last call gets no connection, and must time out too.
  const hanging = Array.from({ length: limits.connectionsPerLaneMax + 1 }, () => call("one"));
  expect(await calling(one, well)("two")).toMatchObject({ status: 200 });
  for (const posted of await Promise.all(hanging)) {
    expect(posted).toMatchObject({ status: undefined, failure: "timeout" });
  }
  isHanging = false;
  const after = await Promise.all(hanging.map(() => call("one")));
  expect(after.every(({ status }) => status === 200)).toBe(true);
});

test("an unexpected second response is not used for the next call", async () => {
  let times = 0;
  const server = await remembering((socket) => {
    times += 1;
    socket.write(`${answer(`own${times}`)}${answer("other")}`);
  });
  const call = calling(newPoster(), server);
  for (const own of ["own1", "own2", "own3"]) {
    expect(await call("one")).toMatchObject({ status: 200, answer: own });
  }
});

test.each(["destroy", "resetAndDestroy"] as const)(
  "a kept connection that the endpoint closes (%s) just before a request costs no attempt",
  async (how) => {
    const server = await remembering();
    const call = calling(newPoster(), server);
    for (let times = 0; times < 20; times += 1) {
      expect(await call("one")).toMatchObject({ status: 200 });
      await untilConnectionIsFree();
      // The close and the next call happen at the same time.
      for (const socket of server.seen.keys()) socket[how]();
    }
    expect([...server.seen.values()].flat()).toHaveLength(20);
  },
);

test("a request on a kept connection that broke may have arrived, so it is not sent again", async () => {
  const server = await remembering((socket) => {
    if (server.seen.get(socket)?.length === 1) socket.write(answer("ok"));
    else socket.resetAndDestroy();
  });
  const call = calling(newPoster(), server);
  expect(await call("one")).toMatchObject({ status: 200 });
  await untilConnectionIsFree();
  expect(await call("one")).toMatchObject({ status: undefined, failure: "cut" });
  expect([...server.seen.values()].map(({ length }) => length)).toEqual([2]);
});

test("with too many lanes, the lane that was idle for longest loses its connections", async () => {
  const lanes = kept(laneConnections({ policy: "loopback", connect: connectNowhere }));
  const url = "http://127.0.0.1:1/";
  const busy = lanes.take("busy", url, 0);
  const idle = Array.from({ length: limits.lanesConnectedMax - 1 }, (_, index) => {
    const lane = lanes.take(`${index}`, url, 1_000 - index);
    lane.running -= 1;
    return lane;
  });
  lanes.take("one more", url, 5_000);
  expect(idle.findIndex(({ pool }) => pool?.closed)).toBe(idle.length - 1);
  expect(idle.filter(({ pool }) => pool?.closed)).toHaveLength(1);
  expect(busy.pool?.closed).toBe(false);
});

test("an idle lane closes its connections, a lane with a running call does not", async () => {
  const lanes = kept(laneConnections({ policy: "loopback", connect: connectNowhere, idleMs: 50 }));
  const [busy, idle] = ["a", "b"].map((name) => lanes.take(name, "http://127.0.0.1:1/", 0));
  (idle as LaneConnection).running -= 1;
  await expect.poll(() => idle?.pool?.closed).toBe(true);
  expect(busy?.pool?.closed).toBe(false);
});

const connectNowhere = () => {};

test("a lane follows the new URL of its endpoint", async () => {
  const [from, to] = [await remembering(), await remembering()];
  const one = newPoster();
  await calling(one, from)("one");
  expect(await calling(one, to)("one")).toMatchObject({ status: 200 });
  expect([from.seen.size, to.seen.size]).toEqual([1, 1]);
});

test("a call can be aborted before and after it was sent", async () => {
  const sent = new AbortController();
  const server = await remembering(() => sent.abort());
  const { post } = newPoster();
  const call = { lane: "one", url: `http://127.0.0.1:${server.port}/`, headers: {}, body: "{}" };
  expect(await post(call, AbortSignal.abort())).toMatchObject({
    failure: "cut",
    detail: "given up",
  });
  expect(server.seen.size).toBe(0);
  expect(await post(call, sent.signal)).toMatchObject({ failure: "cut" });
  expect(server.seen.size).toBe(1);
});

test("closing aborts the running calls", async () => {
  const server = await remembering(() => {});
  const one = poster({ policy: "loopback" });
  const hanging = ["a", "b"].map((lane) => calling(one, server)(lane));
  await expect.poll(() => server.seen.size).toBe(2);
  await one.close();
  for (const posted of await Promise.all(hanging)) expect(posted.failure).toBe("cut");
  await expect(calling(one, server)("a")).rejects.toThrow("closed");
});

test("an invalid header throws", async () => {
  const { post } = newPoster();
  const headers = { "x-bad": "line\r\nbreak" };
  await expect(
    post({ lane: "one", url: "http://127.0.0.1:1/", headers, body: "" }),
  ).rejects.toThrow("invalid x-bad header");
});

test("the second address is tried when the first refuses", async () => {
  const lookup = async () => [
    { address: "127.0.0.2", family: 4 as const },
    { address: "::1", family: 6 as const },
  ];
  const answering = (socket: Socket) => socket.write(answer("ok"));
  let server: Opened;
  let other: Opened | undefined;
  do {
    server = kept(await serveTls(certificates.good, answering, "::1"));
    // Another process may listen at the same port of every IPv4 address. Then another port is tried.
    other = await onlyServerAt("127.0.0.3", server.port);
  } while (!other);
  kept(other);
  const { post } = newPoster({ ca: authority, lookup });
  const url = `https://localhost:${server.port}/`;
  const posted = await post({ lane: "one", url, headers: {}, body: "{}" });
  expect(posted).toMatchObject({ failure: undefined, detail: "", status: 200 });
});

test("no URL, DNS result, redirect or kept connection leads to a private network", async () => {
  const tried: Tried[] = [];
  const { canaryHits } = await tryHostile((one) => tried.push(one));
  expect(tried.filter(({ problem }) => problem)).toEqual([]);
  expect(tried.length).toBeGreaterThan(500);
  expect(canaryHits).toBe(0);
});

test("an endless response is cut off", async () => {
  let isClosed = false;
  const server = await remembering((socket) => {
    socket.on("close", () => (isClosed = true));
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    pour(socket, Buffer.alloc(65_536, "a"));
  });
  expect(await calling(newPoster(), server)("one")).toMatchObject({
    status: 200,
    failure: undefined,
  });
  await expect.poll(() => isClosed).toBe(true);
});
