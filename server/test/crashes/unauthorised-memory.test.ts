// Bodies and keys of unauthorised callers take little memory, and the callers get a response. A slice of
// `npm run prove -- --only unauthorised-memory`.

import { randomBytes } from "node:crypto";
import { platform } from "node:os";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { readBody } from "../../src/platform/http/body-reader.ts";
import { limits } from "../../src/platform/limits/limits.ts";
import { sendWithoutAuthority } from "../scenarios/unauthorised-memory-run.ts";
import { startConsole } from "../support/console.ts";
import { openWire, type Wire } from "../support/raw-http.ts";
import { masterKey, newDatabase, sign, startServiceForTest } from "../support/service.ts";

const mib = 1024 * 1024;
const path = "/api/payout/batch";

// Only the campaign checks the memory: on a busy machine the figure means little.
test.skipIf(platform() !== "linux")(
  "40 bodies of 4 MiB and 200 made-up keys are refused, and other calls are served",
  async () => {
    const parts = { ...(await newDatabase()), masterKey };
    const options = { calls: 100, connections: 40, bodyBytes: 4 * mib, keys: 200 };
    const { answers } = await sendWithoutAuthority(parts, options).finally(() => parts.db.close());
    const wrong = "a body with a wrong signature of version 2";
    const { [`${wrong}: 401`]: unauthorised = 0, [`${wrong}: 503`]: full = 0, ...others } = answers;
    expect(unauthorised).toBeGreaterThan(0);
    expect(unauthorised + full).toBe(10);
    expect(others).toEqual({
      "a call: 200": 100,
      "a body with no key: 401": 10,
      "a body with an unknown key: 401": 10,
      "a body with an old signature: 401": 10,
      "a made-up key: 401": 200,
    });
  },
);

test("the memory of chunks of a large body is released while it is read, that of a small one is not", async () => {
  for (const [bytes, chunksLeft] of [
    [100_000, 0],
    [1_000, 1_000],
  ] as const) {
    const chunks = [Buffer.alloc(bytes / 2, " "), Buffer.alloc(bytes / 2, " ")];
    const request = {
      headers: { "content-length": String(bytes) },
      routeOptions: { bodyLimit: mib },
    };
    const body = await new Promise<Buffer | undefined>((resolve, reject) => {
      const done = (error: Error | null, read?: Buffer) => (error ? reject(error) : resolve(read));
      readBody(request as never, Readable.from(chunks), done);
    });
    expect(body?.equals(Buffer.alloc(bytes, " "))).toBe(true);
    expect(chunks.reduce((sum, { length }) => sum + length, 0)).toBe(chunksLeft);
  }
});

/** The response to headers whose body is announced but never sent. */
async function answerToHeaders(port: number, headers: Record<string, string>, target = path) {
  const wire = await openWire(port);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  wire.write(
    `POST ${target} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
      `content-length: ${mib}\r\n${lines.join("")}\r\n`,
  );
  const answer = await wire.answer();
  wire.socket.destroy();
  return [answer?.status, answer && JSON.parse(answer.text).error[0].code];
}

test("AUTH101 to AUTH106 are answered before a large body is sent", async () => {
  const service = await startServiceForTest();
  const { key, secret } = await service.newCaller();
  const of = (ms: number, version: 1 | 2 = 1) =>
    sign({ key, secret, method: "POST", path, ms, version });
  const stale = Date.now() - 3_600_000;
  const tries: [Record<string, string>, [number, string]][] = [
    [{}, [401, "AUTH101"]],
    [{ "x-api-key": key }, [401, "AUTH102"]],
    [{ "x-api-key": key, signature: "x" }, [401, "AUTH103"]],
    [{ "x-api-key": "k".repeat(10_000), signature: of(Date.now()) }, [401, "AUTH104"]],
    [{ "x-api-key": "ak_test_unknown", signature: of(Date.now()) }, [401, "AUTH104"]],
    [
      { "x-api-key": key, signature: sign({ key, secret: "x", method: "POST", path }) },
      [401, "AUTH105"],
    ],
    [{ "x-api-key": key, signature: of(stale) }, [401, "AUTH106"]],
    [{ "x-api-key": key, signature: of(stale, 2) }, [401, "AUTH106"]],
  ];
  for (const [headers, expected] of tries) {
    expect(await answerToHeaders(service.port, headers)).toEqual(expected);
  }
  expect(await answerToHeaders(service.port, {}, "/api/nowhere")).toEqual([404, "SYST101"]);
});

test("AUTH109, AUTH105: a caller outside a key's address list is refused before its body is sent", async () => {
  const service = await startServiceForTest();
  const { key } = await service.newCaller({ addresses: ["203.0.113.7"] });
  for (const version of [1, 2] as const) {
    const secret = "a stranger's";
    const signature = sign({ key, secret, method: "POST", path, version });
    const refusal = version === 1 ? [401, "AUTH105"] : [403, "AUTH109"];
    const headers = { "x-api-key": key, signature };
    expect(await answerToHeaders(service.port, headers)).toEqual(refusal);
  }
});

test("SYST109: one key gets at most a quarter of the memory for bodies, and others get the rest", async () => {
  const service = await startServiceForTest();
  const [greedy, other] = [await service.newCaller(), await service.newCaller()];
  const bytes = limits.batchBodyBytesMax;
  const held = limits.bodiesBufferedBytesMax / 4 / bytes;
  const announce = async ({ key, secret }: typeof greedy) => {
    const wire = await openWire(service.port);
    const signature = sign({ key, secret, method: "POST", path });
    wire.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
        `content-length: ${bytes}\r\nx-api-key: ${key}\r\nsignature: ${signature}\r\n\r\n`,
    );
    // All but the end: what has arrived counts.
    wire.write(Buffer.alloc(bytes - 1, " "));
    return wire;
  };
  // A body that arrives while the probe is there is refused, and another one has to take its place.
  const wires = new Set<Wire>();
  const fill = async () => {
    while (wires.size < held) {
      const wire = await announce(greedy);
      wires.add(wire);
      const remove = () => wires.delete(wire);
      wire.answer().then(remove, remove);
    }
  };
  const raw = Buffer.from(`{"payouts":[]${" ".repeat(100_000)}}`);
  await expect
    .poll(
      async () => {
        const { status, json, headers } = await greedy.call("POST", path, { raw });
        await fill();
        return [status, json.error[0].code, headers.get("retry-after")];
      },
      { interval: 500 },
    )
    .toEqual([503, "SYST109", "1"]);
  expect((await other.call("POST", path, { raw })).status).toBe(400);
  for (const { socket } of wires) socket.destroy();
  await expect.poll(async () => (await greedy.call("POST", path, { raw })).status).toBe(400);
});

test("a refused caller that sends all of a large body reads the response and keeps its connection", async () => {
  const service = await startServiceForTest();
  const wire = await openWire(service.port);
  const body = randomBytes(2 * mib);
  for (let turn = 0; turn < 2; turn++) {
    wire.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    wire.write(body);
    expect((await wire.answer())?.status).toBe(401);
  }
  wire.socket.destroy();
});

test("while 128 anonymous connections send large bodies byte by byte, users and providers are served", async () => {
  const service = await startConsole();
  onTestFinished(() => service.close());
  const { port } = service;
  const slow = await Promise.all(
    Array.from({ length: 128 }, async (_, index) => {
      const target = index % 2 === 0 ? "/console/api/auth/sign-in/email" : "/webhooks/kyc/sumsub";
      const wire = await openWire(port);
      wire.write(
        `POST ${target} HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost:${port}\r\n` +
          "x-requested-with: disburse-console\r\ncontent-type: application/json\r\n" +
          `content-length: ${limits.bodyBytesMax}\r\n\r\n{`,
      );
      return wire;
    }),
  );
  const finance = service.enter("finance");
  const content = Buffer.alloc(mib, "x").toString("base64");
  const uploaded = await finance.post("/banks/inbound", { name: "large.txt", content });
  expect([uploaded.status, uploaded.json.error[0].code]).toEqual([400, "BANK402"]);
  const report = await fetch(`${service.baseUrl}/webhooks/kyc/sumsub`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `{${" ".repeat(10_000)}}`,
  });
  expect(report.status).not.toBe(503);
  for (const { socket } of slow) socket.destroy();
});

test("a sign-in with a large body is refused before it is sent", async () => {
  const service = await startConsole();
  onTestFinished(() => service.close());
  const headers = {
    origin: service.baseUrl,
    "x-requested-with": "disburse-console",
    "content-length": "5000",
  };
  const response = await fetch(`${service.baseUrl}/console/api/auth/sign-in/email`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: `{"email":"a@example.com","password":"x"${" ".repeat(5_000 - 41)}}`.padEnd(5_000),
  });
  expect([response.status, response.headers.get("x-content-type-options")]).toEqual([
    413,
    "nosniff",
  ]);
});
