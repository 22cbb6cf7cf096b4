// Sends large bodies and made-up keys of unauthorised callers to a service in its own process, and measures the memory
// that they take. Used by a test and by a campaign, without a test runner. Linux reports the peak memory.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { hmacKey, signatureHeader } from "../../src/platform/signatures/signature.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { serve } from "../support/process.ts";
import { openWire, type Wire } from "../support/raw-http.ts";

type MemoryOptions = { calls: number; connections: number; bodyBytes: number; keys: number };
type MemorySeen = {
  /** The number of requests by kind and response. */
  answers: Record<string, number>;
  mib: { "after the calls": number; "more by bodies": number; "more by keys": number };
};

type Parts = { db: Db; seal: Seal; url: string; masterKey: Buffer };
type Keys = { key: string; secret: string };

const wires = 25;
const mib = 1024 * 1024;

export async function sendWithoutAuthority(
  parts: Parts,
  options: MemoryOptions,
): Promise<MemorySeen> {
  const { db, seal, url, masterKey } = parts;
  const issued = await createSubaccount({ db, seal }, { name: "Known", mode: "test" });
  const service = await serve({
    ...{ NODE_ENV: "production", HOST: "127.0.0.1", DATABASE_URL: url },
    ...{
      DISBURSE_MASTER_KEY: masterKey.toString("base64"),
      LOG_LEVEL: "error",
      RATE_LIMIT_PER_S: "0",
    },
  });
  const answers: Record<string, number> = {};
  const count = (what: string) => {
    answers[what] = (answers[what] ?? 0) + 1;
  };
  try {
    const port = Number(new URL(service.baseUrl).port);
    const peak = () => peakBytes(service.process.pid as number);
    await onWires(port, options.calls, async (wire) => {
      wire.write(head("GET", "/api/receiver", signed(issued)));
      count(`a call: ${(await wire.answer())?.status}`);
    });
    const before = peak();
    await Promise.all(
      Array.from({ length: options.connections }, async (_, index) => {
        const [what, headers] = bodyHeaders(index, issued);
        count(`a body with ${what}: ${await sendBody(port, headers, options.bodyBytes)}`);
      }),
    );
    const afterBodies = peak();
    await onWires(port, options.keys, async (wire, index) => {
      const key = index % 2 === 0 ? randomBytes(16).toString("hex") : longKey(index);
      wire.write(head("GET", "/api/receiver", signed({ key, secret: "none" })));
      count(`a made-up key: ${(await wire.answer())?.status}`);
    });
    const afterKeys = peak();
    return {
      answers,
      mib: {
        "after the calls": Math.round(before / mib),
        "more by bodies": Math.round((afterBodies - before) / mib),
        "more by keys": Math.round((afterKeys - afterBodies) / mib),
      },
    };
  } finally {
    await service.end();
  }
}

/** Sends `times` requests over a few kept connections. */
async function onWires(
  port: number,
  times: number,
  ask: (wire: Wire, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: wires }, async () => {
      const wire = await openWire(port);
      for (let index = next++; index < times; index = next++) await ask(wire, index);
      wire.socket.destroy();
    }),
  );
}

type Headers = Record<string, string>;

function signed({ key, secret }: Keys, ms = Date.now()): Headers {
  const unsigned = { version: 1, ms, hex: "" } as const;
  return {
    "x-api-key": key,
    signature: signatureHeader(unsigned, hmacKey(secret), `${ms}.${key}`),
  };
}

function wronglySigned({ key }: Keys): Headers {
  const unsigned = `v2.${Date.now()}.${randomBytes(16).toString("hex")}`;
  return { "x-api-key": key, signature: `${unsigned}.${randomBytes(32).toString("hex")}` };
}

/** Without a key, with a made-up key, with an old time, and with a wrong signature over the body. */
function bodyHeaders(index: number, known: Keys): [string, Headers] {
  const kinds: [string, Headers][] = [
    ["no key", {}],
    ["an unknown key", signed({ key: randomBytes(16).toString("hex"), secret: "none" })],
    ["an old signature", signed(known, Date.now() - 86_400_000)],
    ["a wrong signature of version 2", wronglySigned(known)],
  ];
  return kinds[index % kinds.length] as [string, Headers];
}

function head(method: string, path: string, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join("")}\r\n`;
}

/** The status, whether it comes before or after the body has been sent. */
async function sendBody(port: number, headers: Headers, bytes: number): Promise<string> {
  const wire = await openWire(port);
  const body = { "content-type": "application/json", "content-length": String(bytes) };
  wire.write(head("POST", "/api/payout/batch", { ...headers, ...body }));
  const chunk = Buffer.alloc(64 * 1024, " ");
  // When there are many, some are cut off right after the response, which may be lost.
  const answered = wire.answer().then(
    (answer) => String(answer?.status ?? "cut off"),
    () => "cut off",
  );
  for (let sent = 0; sent < bytes && wire.socket.writable; sent += chunk.length) {
    if (wire.socket.write(chunk.subarray(0, bytes - sent))) continue;
    await new Promise<void>((resolve) => {
      wire.socket.once("drain", resolve);
      wire.socket.once("close", resolve);
    });
  }
  const status = await answered;
  wire.socket.destroy();
  return status;
}

const filler = "k".repeat(15_000);
const longKey = (index: number) => `${index}-${filler}`;

/** The peak memory of the process. */
function peakBytes(pid: number): number {
  const [, kib = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) * 1024;
}
