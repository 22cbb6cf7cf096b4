// A server that does odd things, for the tests of the clients: the first part of the path says which.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Oddity = (response: ServerResponse, call: { count: number; headers: Headers }) => void;
type Headers = IncomingMessage["headers"];

const clockAheadMs = 600_000;
const receiver = { id: "1", receiver_id: "1" };

const succeed = (response: ServerResponse, payload: unknown = receiver) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ message: "successful", payload }));
};

const fail = (response: ServerResponse, status: number, code: string, headers = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ message: "it failed", error: [{ code, message: "a reason" }] }));
};

const half = '{"message":"successful","payload":';

const oddities: Record<string, Oddity> = {
  silent: () => {},
  stalled(response) {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write(half);
  },
  dripping(response) {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100000" });
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  },
  cut(response) {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write(half, () => response.socket?.end());
  },
  "cut-chunk"(response) {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(half, () => response.socket?.end());
  },
  gone: (response) => void response.socket?.destroy(),
  page(response) {
    response.writeHead(502, { "content-type": "text/html" });
    response.end("<h1>Bad gateway</h1>");
  },
  other: (response) => void response.writeHead(200).end("[]"),
  moved: (response) =>
    void response.writeHead(307, { location: "https://other.example/x?y" }).end(),
  later: (response) => fail(response, 503, "SYST503", { "retry-after": "120" }),
  broken: (response) => fail(response, 500, "SYST500"),
  busy(response, { count }) {
    if (count === 1) fail(response, 429, "RATE101", { "retry-after": "0" });
    else succeed(response);
  },
  running(response, { count }) {
    if (count === 1) fail(response, 409, "IDEM103", { "retry-after": "0" });
    else succeed(response);
  },
  clock(response, { headers }) {
    const nowMs = Date.now() + clockAheadMs;
    response.setHeader("date", new Date(nowMs).toUTCString());
    const signedMs = Number(String(headers.signature).split(".")[1]);
    if (Math.abs(signedMs - nowMs) > clockAheadMs / 2) fail(response, 401, "AUTH106");
    else succeed(response);
  },
  chunked(response) {
    response.writeHead(200, { "content-type": "application/json" });
    const text = JSON.stringify({ message: "successful", payload: { id: "Zoë" } });
    for (const byte of Buffer.from(text)) response.write(Buffer.from([byte]));
    response.end();
  },
  pages(response, { count }) {
    if (count < 3) response.setHeader("link", `</api?limit=1000&cursor=${count}>; rel="next"`);
    succeed(response, { currency: "AUD", lines: [count] });
  },
  loop(response) {
    response.setHeader("link", '</api/receiver?cursor=1>; rel="prev", <?cursor=2>; rel="next"');
    succeed(response, [receiver]);
  },
};

export type OddServer = Awaited<ReturnType<typeof startOddServer>>;

export async function startOddServer() {
  const seen = new Map<string, { path: string; key: string; signature: string }[]>();
  const server = createServer((request, response) => {
    const { url = "", method = "", headers } = request;
    const [, oddity = "", ...path] = url.split("/");
    const call = `${headers["x-api-key"]} ${method} ${oddity}`;
    const calls = seen.get(call) ?? [];
    const { signature, "idempotency-key": key } = headers;
    calls.push({ path: path.join("/"), key: String(key), signature: String(signature) });
    seen.set(call, calls);
    request.resume();
    request.on("end", () => oddities[oddity]?.(response, { count: calls.length, headers }));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What a client sent, by method and oddity: requests, different idempotency keys, different signatures. */
    sentBy(apiKey: string): Record<string, unknown> {
      const own = [...seen].filter(([call]) => call.startsWith(`${apiKey} `));
      return Object.fromEntries(
        own.map(([call, calls]) => {
          const differentIn = (field: "key" | "signature") =>
            new Set(calls.map((one) => one[field])).size;
          const counts = [calls.length, differentIn("key"), differentIn("signature")];
          return [call.slice(apiKey.length + 1), [...counts, calls.at(-1)?.path]];
        }),
      );
    },
  };
}
