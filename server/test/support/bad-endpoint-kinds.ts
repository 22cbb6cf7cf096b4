// The type of a bad endpoint, and the kinds that are used more than once.

import type { Failure, PosterOptions } from "../../src/webhooks/http-client/post.ts";
import { type Opened, serve } from "./bad-endpoint-servers.ts";

export type Times = {
  totalMs: number;
  /** Just before the timeout, and just after it. */
  soonMs: number;
  lateMs: number;
};

export type Timeouts = Required<NonNullable<PosterOptions["timeouts"]>>;

export type BadEndpoint = {
  name: string;
  /** The timeout that this endpoint tests. Calls to the other endpoints end without one. */
  tests?: keyof Timeouts;
  /** Undefined where the URL or its DNS name decides, and no server is needed. */
  open?: (times: Times, canaryUrl: string) => Promise<Opened>;
  url: (port: number) => string;
  expected: Expected;
};

export type Expected = {
  status?: number;
  /** Several where the outcome depends on timing. */
  failure?: Failure | Failure[];
  detail?: string | RegExp;
  retryAfter?: string;
  answer?: string | RegExp;
};

export const plain = (port: number) => `http://127.0.0.1:${port}/events`;
export const secure = (port: number) => `https://localhost:${port}/events`;
export const ok = "HTTP/1.1 200 OK\r\n";
export const whole = `${ok}content-length: 2\r\n\r\nok`;

/** Answers with these bytes, and leaves the connection open. */
export function says(name: string, bytes: string | Buffer, expected: Expected): BadEndpoint {
  return {
    name,
    ...(expected.failure === "timeout" && { tests: "totalMs" }),
    open: () => serve((socket) => socket.write(bytes)),
    url: plain,
    expected,
  };
}

/** Answers with these bytes, and closes the connection. */
export function ends(name: string, bytes: string, expected: Expected): BadEndpoint {
  return { name, open: () => serve((socket) => socket.end(bytes)), url: plain, expected };
}

/** Answers with these bytes, and then resets the connection. */
export function resets(name: string, bytes: string, expected: Expected): BadEndpoint {
  const open = () =>
    serve((socket) => {
      if (bytes) socket.write(bytes);
      // Not at once: a reset may overtake what was sent.
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
  return { name, open, url: plain, expected };
}

export const status = (code: number, header = "") =>
  says(
    `${code}${header && `, ${header}`}`,
    `HTTP/1.1 ${code} Word\r\n${header && `${header}\r\n`}content-length: 4\r\n\r\nword`,
    {
      status: code,
      answer: "word",
      ...(header.startsWith("retry-after") && { retryAfter: header.slice("retry-after: ".length) }),
    },
  );

export const redirect = (code: number): BadEndpoint => ({
  name: `${code} to a private address`,
  open: (_, canaryUrl) =>
    serve((socket) =>
      socket.write(`HTTP/1.1 ${code} There\r\nlocation: ${canaryUrl}\r\ncontent-length: 0\r\n\r\n`),
    ),
  url: plain,
  expected: { status: code },
});
