// Sends bytes on a socket and reads the responses, for requests that no HTTP client would send.

import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawAnswer = { status: number; headers: Map<string, string>; text: string };

/** One connection, kept alive, with a reader that takes whole answers off it in their order. */
export type Wire = {
  socket: Socket;
  write(bytes: string | Buffer): void;
  /** The next whole answer; undefined where the connection ended cleanly before its first byte. */
  answer(options?: { isHead?: boolean }): Promise<RawAnswer | undefined>;
};

/** The connection broke in the middle of an answer, or was reset. */
class CutOff extends Error {}

export async function openWire(port: number, host = "127.0.0.1"): Promise<Wire> {
  const socket = connect({ port, host, noDelay: true });
  const wire = wireOn(socket);
  await once(socket, "connect");
  return wire;
}

function wireOn(socket: Socket): Wire {
  let unread: Buffer = Buffer.alloc(0);
  let ended = false;
  let failed: Error | undefined;
  let wake = () => {};
  const more = () => new Promise<void>((resolve) => (wake = resolve));
  socket.on("data", (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    wake();
  });
  socket.on("error", (error) => {
    failed = error;
    wake();
  });
  socket.on("close", () => {
    ended = true;
    wake();
  });
  socket.on("end", () => {
    ended = true;
    wake();
  });

  async function answer({ isHead = false } = {}): Promise<RawAnswer | undefined> {
    for (;;) {
      const read = readAnswer(unread, { isHead, ended });
      if (read) {
        unread = unread.subarray(read.bytes);
        // 100 Continue comes before the final answer.
        if (read.answer.status < 200) continue;
        return read.answer;
      }
      if (failed) throw new CutOff(`${(failed as NodeJS.ErrnoException).code}`);
      if (ended && unread.length === 0) return undefined;
      if (ended) throw new CutOff(`ended within an answer: ${unread.toString("latin1", 0, 200)}`);
      await more();
    }
  }

  return {
    socket,
    write(bytes) {
      socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    },
    answer,
  };
}

function readAnswer(
  bytes: Buffer,
  { isHead, ended }: { isHead: boolean; ended: boolean },
): { answer: RawAnswer; bytes: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [first = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${first} `)?.[1]);
  if (!status) throw new CutOff(`no status line: ${first.slice(0, 100)}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const start = headEnd + 4;
  const length = headers.get("content-length");
  const isBare = isHead || status < 200 || status === 204 || status === 304;
  if (!isBare && length === undefined && !ended) return undefined;
  const end = isBare ? start : length === undefined ? bytes.length : start + Number(length);
  if (bytes.length < end) return undefined;
  return { answer: { status, headers, text: bytes.toString("utf8", start, end) }, bytes: end };
}

type RawRequest = {
  method?: string;
  path: string;
  /** Sent unchanged, in this order. `host` and `content-length` are added unless named here. */
  headers?: readonly (readonly [name: string, value: string])[];
  body?: Buffer | string;
};

export function requestBytes({ method = "GET", path, headers = [], body }: RawRequest): Buffer {
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [`${method} ${path} HTTP/1.1`];
  if (!named.has("host")) lines.push("host: 127.0.0.1");
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (bytes && !named.has("content-length") && !named.has("transfer-encoding")) {
    lines.push(`content-length: ${bytes.length}`);
  }
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return bytes ? Buffer.concat([head, bytes]) : head;
}

const get = "GET /api/receiver HTTP/1.1\r\nhost: a\r\n";
const post = "POST /api/receiver HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n";
const chunked = `${post}transfer-encoding: chunked\r\n\r\n`;

/** Broken HTTP that a parser must survive: lines, lengths and chunks that are wrong or end too soon. */
export const brokenRequests = [
  "",
  "\r\n\r\n",
  "GET\r\n\r\n",
  "GET /\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "GET / HTTP/0.9\r\n\r\n",
  "get /api/receiver HTTP/1.1\r\nhost: a\r\n\r\n",
  "GET /api/receiver HTTP/1.1\nhost: a\n\n",
  "GET  /api/receiver HTTP/1.1\r\nhost: a\r\n\r\n",
  "GET /api/receiver HTTP/1.1\r\nhost : a\r\n\r\n",
  "GET /api/receiver HTTP/1.1\r\n folded\r\nhost: a\r\n\r\n",
  "GET /api/receiver\u0000 HTTP/1.1\r\nhost: a\r\n\r\n",
  `${get}x: \u0000\r\n\r\n`,
  `${get}x`,
  "GET /api/rec",
  "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  `${post}content-length: -1\r\n\r\n`,
  `${post}content-length: 1\r\ncontent-length: 2\r\n\r\nab`,
  `${post}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${post}transfer-encoding: gzip\r\n\r\n`,
  `${post}transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
  `${chunked}zz\r\n`,
  `${chunked}ffffffffffffffffff\r\n`,
  `${chunked}5\r\nabc`,
  `${chunked}1\r\na\r\n0\r\nx: y\r\n\r\n`,
  `${chunked}${`1\r\na\r\n`.repeat(5_000)}0\r\n\r\n`,
  `${post}content-length: 100\r\n\r\n{`,
  "GET /healthz HTTP/1.0\r\n\r\n",
  "GET /healthz HTTP/1.1\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
  `GET /${"a".repeat(30_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
] as const;
