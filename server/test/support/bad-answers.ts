// Endpoints whose answers are slow, large, odd or a refusal, one row each, with the expected outcome.

import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import {
  type BadEndpoint,
  ends,
  ok,
  plain,
  redirect,
  resets,
  says,
  status,
  whole,
} from "./bad-endpoint-kinds.ts";
import { type Behave, drip, pour, serve } from "./bad-endpoint-servers.ts";

/** Answers this long after the start of the call, which the request names. */
function answersAt(afterMs: number): Behave {
  return (socket, request) => {
    const nowMs = Date.now();
    const startMs = Number(/\r\nx-started: (\d+)/.exec(request)?.[1] ?? nowMs);
    setTimeout(() => socket.write(whole), startMs + afterMs - nowMs);
  };
}

export const slowAnswers: BadEndpoint[] = [
  says("hangs before its answer", "", { failure: "timeout", detail: "no answer" }),
  says("hangs within its status line", "HTTP/1.1 20", { failure: "timeout" }),
  says("hangs within its headers", `${ok}content-le`, { failure: "timeout" }),
  says("hangs after its headers", `${ok}content-length: 9\r\n\r\n`, {
    status: 200,
    failure: "timeout",
  }),
  says("hangs within its body", `${ok}content-length: 9\r\n\r\nhalf`, {
    status: 200,
    failure: "timeout",
    detail: "the answer did not end",
    answer: "half",
  }),
  says("a body without an end", `${ok}\r\nhello`, {
    status: 200,
    failure: "timeout",
    answer: "hello",
  }),
  {
    name: "a byte at a time",
    tests: "totalMs",
    open: ({ totalMs }) =>
      serve((socket) => {
        socket.write(`${ok}content-length: 1000\r\n\r\n`);
        drip(socket, "b", totalMs / 15);
      }),
    url: plain,
    expected: { status: 200, failure: "timeout", answer: /^b{0,15}$/ },
  },
  {
    name: "a header a byte at a time",
    tests: "totalMs",
    open: ({ totalMs }) =>
      serve((socket) => {
        socket.write(ok);
        drip(socket, "x-header: slow\r\n", totalMs / 15);
      }),
    url: plain,
    expected: { failure: "timeout" },
  },
  {
    name: "an answer just in time",
    tests: "totalMs",
    open: ({ soonMs }) => serve(answersAt(soonMs)),
    url: plain,
    expected: { status: 200, answer: "ok" },
  },
  {
    name: "an answer just too late",
    tests: "totalMs",
    open: ({ lateMs }) => serve(answersAt(lateMs)),
    url: plain,
    expected: { failure: "timeout" },
  },
];

const tenGigabytes = 10 * 1024 ** 3;
const block = Buffer.alloc(64 * 1024, "a");
const bomb = gzipSync(Buffer.alloc(64 * 1024 ** 2));
const flood = (name: string, header: string): BadEndpoint => ({
  name,
  open: () =>
    serve((socket) => {
      socket.write(`${ok}${header}\r\n\r\n`);
      pour(socket, block);
    }),
  url: plain,
  expected: { status: 200, answer: /^a{4096}$/ },
});

export const largeAnswers: BadEndpoint[] = [
  flood("an endless body", "connection: close"),
  flood("ten gigabytes", `content-length: ${tenGigabytes}`),
  says("ten gigabytes that do not come", `${ok}content-length: ${tenGigabytes}\r\n\r\n`, {
    status: 200,
    failure: "timeout",
  }),
  {
    name: "an endless chunk",
    open: () =>
      serve((socket) => {
        socket.write(`${ok}transfer-encoding: chunked\r\n\r\nfffffffff\r\n`);
        pour(socket, block);
      }),
    url: plain,
    expected: { status: 200, answer: /^a{4096}$/ },
  },
  {
    name: "a gzip bomb",
    open: () =>
      serve((socket) => {
        socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
        socket.write(bomb);
      }),
    url: plain,
    expected: { status: 200 },
  },
  says("a header of 64 KiB", `${ok}x-long: ${"x".repeat(65_536)}\r\ncontent-length: 0\r\n\r\n`, {
    failure: "malformed",
    detail: "UND_ERR_HEADERS_OVERFLOW",
  }),
  says("ten thousand headers", `${ok}${"x-short: x\r\n".repeat(10_000)}\r\n`, {
    failure: "malformed",
  }),
  {
    name: "headers without an end",
    open: () =>
      serve((socket) => {
        socket.write(ok);
        pour(socket, Buffer.from("x-more: more\r\n".repeat(1000)));
      }),
    url: plain,
    expected: { failure: "malformed" },
  },
  {
    name: "interim answers without an end",
    open: () =>
      serve((socket) => pour(socket, Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1000)))),
    url: plain,
    expected: { failure: "malformed", detail: "only interim answers" },
  },
];

export const oddAnswers: BadEndpoint[] = [
  resets("reset before its answer", "", { failure: "cut" }),
  resets("reset within its headers", `${ok}content-le`, { failure: "cut" }),
  resets("reset within its body", `${ok}content-length: 9\r\n\r\nhalf`, {
    status: 200,
    failure: "cut",
    answer: "half",
  }),
  ends("closed before its answer", "", { failure: "cut" }),
  ends("closed within its headers", `${ok}content-le`, { failure: "cut" }),
  ends("closed within its body", `${ok}content-length: 9\r\n\r\nhalf`, {
    status: 200,
    failure: "cut",
  }),
  ends("closed within a chunk", `${ok}transfer-encoding: chunked\r\n\r\n9\r\nhalf`, {
    status: 200,
    failure: "cut",
  }),
  ends("HTTP/1.0, ended by closing", "HTTP/1.0 200 OK\r\n\r\nold", { status: 200, answer: "old" }),
  ends("HTTP/1.1, ended by closing", `${ok}connection: close\r\n\r\nbye`, {
    status: 200,
    answer: "bye",
  }),
  says("no HTTP", "SSH-2.0-OpenSSH_9.9\r\n", { failure: "malformed" }),
  says("HTTP/9.9", "HTTP/9.9 200 OK\r\ncontent-length: 0\r\n\r\n", { failure: "malformed" }),
  says("noise", randomBytes(1000), { failure: "malformed" }),
  says("two lengths", `${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nabc`, {
    failure: "malformed",
  }),
  says("the same length twice", `${ok}content-length: 2\r\ncontent-length: 2\r\n\r\nok`, {
    failure: "malformed",
  }),
  says(
    "a length and chunks",
    `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    {
      failure: "malformed",
    },
  ),
  says("a negative length", `${ok}content-length: -1\r\n\r\n`, { failure: "malformed" }),
  says("invalid chunks", `${ok}transfer-encoding: chunked\r\n\r\nzz\r\nhello`, {
    status: 200,
    failure: "malformed",
  }),
  says("one interim answer, then a real one", `HTTP/1.1 103 Early Hints\r\n\r\n${whole}`, {
    status: 200,
    answer: "ok",
  }),
  // undici treats it as an error, because the request did not ask for a 100.
  says("100, then nothing", "HTTP/1.1 100 Continue\r\n\r\n", {
    failure: "malformed",
    detail: "bad response",
  }),
  says(
    "101 without a request for it",
    "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    {
      failure: "malformed",
    },
  ),
  says("204 with a body", "HTTP/1.1 204 None\r\ncontent-length: 2\r\n\r\nno", {
    status: 204,
    answer: "",
  }),
  says("two answers", `${whole}${whole}`, { status: 200, answer: "ok" }),
  says(
    "a body that is not text",
    Buffer.from(`${ok}content-length: 5\r\n\r\na\0\xffb\x1b`, "latin1"),
    {
      status: 200,
      answer: "a\ufffd\ufffdb\ufffd",
    },
  ),
  says(
    "Retry-After twice",
    "HTTP/1.1 503 No\r\nretry-after: 5\r\nretry-after: 6\r\ncontent-length: 0\r\n\r\n",
    {
      status: 503,
      retryAfter: "5",
    },
  ),
  {
    name: "echoes the request",
    open: () =>
      serve((socket, request) => {
        socket.write(`${ok}content-length: ${request.length}\r\n\r\n${request}`);
      }),
    url: plain,
    expected: {
      status: 200,
      answer: /^POST \/events HTTP\/1\.1\r\nhost: [\s\S]*webhook-signature: v1,…\r\n/,
    },
  },
];

export const statuses: BadEndpoint[] = [
  says("204", "HTTP/1.1 204 None\r\n\r\n", { status: 204 }),
  ...[301, 302, 303, 307, 308].map(redirect),
  ...[200, 202, 304, 400, 401, 403, 404, 410, 413, 429, 500, 502, 503, 504, 599, 999].map((code) =>
    code === 304 ? says("304", "HTTP/1.1 304 Same\r\n\r\n", { status: 304 }) : status(code),
  ),
  ...["120", "Fri, 31 Dec 1999 23:59:59 GMT", "1.5", "-5", "315360000", "soon"].map((after) =>
    status(429, `retry-after: ${after}`),
  ),
  status(503, "retry-after: 7"),
];
