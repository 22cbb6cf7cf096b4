// disburse verify, with captured requests.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseRequest } from "../../../src/doors/cli/captured-request.ts";
import { type CapturedRequest, diagnose } from "../../../src/webhooks/diagnosis/diagnose.ts";
import { newWebhookSecret } from "../../../src/webhooks/webhook-endpoints/secret.ts";

import { nowMs, secret, send } from "../../support/event-deliveries.ts";
import { disburse } from "../../support/process.ts";
import { programPath } from "../../support/programs.ts";

describe("a captured request", () => {
  const { headers, body } = send();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const request = (...parts: (string | Buffer)[]) =>
    Buffer.concat(parts.map((p) => Buffer.from(p)));

  test.each<[string, Buffer]>([
    ["CRLF", request(["POST /a?b=c:d HTTP/1.1", ...lines, "", ""].join("\r\n"), body)],
    ["LF", request(["POST /a HTTP/1.1", ...lines, "", ""].join("\n"), body)],
    ["no request line", request([...lines, "", ""].join("\n"), body)],
    [
      "chunks",
      request(
        ["POST /a HTTP/1.1", ...lines, "Transfer-Encoding: chunked", "", ""].join("\r\n"),
        ...["a\r\n", body.subarray(0, 10), `\r\n${(body.length - 10).toString(16)};x=1\r\n`],
        ...[body.subarray(10), "\r\n0\r\n\r\n"],
      ),
    ],
    [
      "chunks that the tool had joined",
      request([...lines, "transfer-encoding: chunked", "", ""].join("\r\n"), body),
    ],
  ])("is read with %s", (_, bytes) => {
    const captured = parseRequest(bytes) as CapturedRequest;
    expect(captured.body.equals(body)).toBe(true);
    expect(diagnose(captured, [secret], nowMs).verifies).toBe(true);
  });

  test("is not read from other text", () => {
    expect(parseRequest(Buffer.from(""))).toBeUndefined();
    expect(parseRequest(Buffer.from("hello\nworld"))).toBeUndefined();
  });
});

describe("the command", () => {
  const folder = mkdtempSync(join(tmpdir(), "disburse-verify-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const { headers, body } = send();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const words = lines.flatMap((line) => ["--header", line]);
  const at = ["--at", new Date(nowMs).toISOString()];
  const secretFile = file("secrets", `${newWebhookSecret()}\n${secret}\n`);

  test("verifies a body with its headers and exits with 0", async () => {
    const given = ["--body", file("body", body), ...words, "--secret-file", secretFile];
    const { code, stdout, stderr } = await disburse(["verify", ...given, ...at]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^webhook-id +evt_/);
    expect(stdout).toContain("\nIt verifies. ");
  });

  test("explains a wrong request on standard input and exits with 1", () => {
    const input = `POST /events HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}\n`;
    const env = { DISBURSE_WEBHOOK_SECRET: `"${secret}"` };
    const given = [programPath("main"), "verify", "--request", "-", "--json"];
    const { status, stdout } = spawnSync(process.execPath, given, { input, env });
    const { verifies, causes } = JSON.parse(stdout.toString());
    expect([status, verifies]).toEqual([1, false]);
    expect(causes.map(({ cause }: { cause: string }) => cause)).toEqual([
      "malformed_secret",
      "altered_body",
      "too_old",
    ]);
    expect(stdout.toString()).not.toContain(secret);
  });

  test.each([
    [["--body", "nowhere"], "nowhere can't be read (ENOENT)"],
    [["--request", "/dev/null"], "it has no header"],
    [["--header", "x"], 'as "name: value"'],
    [["--body", "/dev/null"], "--secret-file"],
    [[], "either --request, or --body"],
  ])("refuses %j as wrong usage and exits with 2", async (given, why) => {
    const { code, stdout, stderr } = await disburse(["verify", ...given]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(why);
  });
});
