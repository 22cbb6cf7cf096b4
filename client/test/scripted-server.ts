// A real HTTP server for the tests. It verifies each signature with its own code, refuses a wrong one as the service
// does, and otherwise responds as the test has scripted, one step per request.

import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export const apiKey = "ak_test_client";
export const apiSecret = "sk_test_this_must_never_be_seen";

const WINDOW_MS = 300_000;

export type SeenRequest = {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
  atMs: number;
};

export type Step = (response: ServerResponse, request: SeenRequest) => void;
type Answer = (response: ServerResponse) => void;

type Options = { clockAheadMs?: number };

const running = new Set<Server>();

/** For `afterAll`: after a single test, it would stop the servers of concurrent tests. */
export function stopServers(): void {
  for (const server of running) {
    server.closeAllConnections();
    server.close();
  }
  running.clear();
}

/** The last step also answers all later requests. */
export async function startServer(steps: Step[], { clockAheadMs = 0 }: Options = {}) {
  const requests: SeenRequest[] = [];
  const nonces = new Set<string>();

  const server = createServer(async (incoming, response) => {
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: await text(incoming), atMs: Date.now() };
    const refused = refusalOf(request, { nowMs: Date.now() + clockAheadMs, nonces });
    const step = steps[requests.length] ?? steps.at(-1);
    requests.push(request);
    response.setHeader("date", new Date(Date.now() + clockAheadMs).toUTCString());
    if (refused) fail(401, refused)(response);
    else step?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.add(server);
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, requests };
}

/** 200 with the payload. */
export function succeed(payload: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ message: "successful", payload }));
  };
}

/** A refusal in the service's envelope. */
export function fail(status: number, code: string, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "x-request-id": "req-1", ...headers });
    response.end(JSON.stringify({ message: "it failed", error: [{ code, message: "a reason" }] }));
  };
}

/** A response of a proxy, such as an HTML page. */
export function say(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "text/html", ...headers });
    response.end(body);
  };
}

/** A stream of server-sent events, which stays open unless `ends` is set. */
export function stream(text: string, { ends = false } = {}): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(text);
    if (ends) response.end();
  };
}

/** Never responds. */
export const hang: Step = () => {};

/** The connection breaks before a response. */
export const reset: Step = (response) => response.socket?.resetAndDestroy();

/** Sends the headers and half a body, and then nothing. */
export const stall: Step = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write(`{"message":"successful","payload":`);
};

/** As `stall`, but then the connection breaks. */
export const cut: Step = (response, request) => {
  stall(response, request);
  setTimeout(() => response.socket?.destroy(), 20);
};

function refusalOf(request: SeenRequest, world: { nowMs: number; nonces: Set<string> }) {
  if (request.headers["x-api-key"] !== apiKey) return "AUTH104";
  const [version, ms, nonce = "", mac] = String(request.headers.signature).split(".");
  if (version !== "v2" || !/^[\w-]{16,64}$/.test(nonce)) return "AUTH103";
  const bodyHash = createHash("sha256").update(request.body).digest("hex");
  const lines = ["v2", ms, nonce, apiKey, request.method, request.path, bodyHash].join("\n");
  if (createHmac("sha256", apiSecret).update(lines).digest("hex") !== mac) return "AUTH105";
  if (Math.abs(Number(ms) - world.nowMs) > WINDOW_MS) return "AUTH106";
  if (world.nonces.has(nonce)) return "AUTH107";
  world.nonces.add(nonce);
  return null;
}
