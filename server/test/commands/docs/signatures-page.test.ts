// docs/api/signatures.md: its vectors are valid, and its programs run.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { WebhookProblem } from "@disburse/client";
import { afterAll, expect, test } from "vitest";
import vectors from "../../../../client/test/signature-vectors.json" with { type: "json" };
import { newId } from "../../../src/platform/base/ids.ts";
import { refusals } from "../../../src/platform/refusals/refusals.ts";
import { type Signature, stringToSign } from "../../../src/platform/signatures/signature.ts";
import { newWebhookSecret } from "../../../src/webhooks/webhook-endpoints/secret.ts";
import { signDelivery, webhookKey } from "../../../src/webhooks/webhook-signature/sign.ts";
import { phpLoader, pythonFolder } from "../../support/clients.ts";
import { bodies } from "../../support/event-deliveries.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..", "..");
const page = readFileSync(join(root, "docs", "api", "signatures.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "disburse-signatures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = page.split("\n").map((line) => line.trim());
const { v1, v2, events } = vectors.signatures;

test.each([v1[0], v2[2]])("the page shows the text and the signature of $signature", (vector) => {
  if (!vector) throw new Error("no vector");
  const { api_key: key, secret, ms, signature } = vector;
  const { nonce, method = "", path = "", body = "" } = vector as Partial<(typeof v2)[number]>;
  const unsigned: Signature = nonce
    ? { version: 2, ms: Number(ms), nonce, hex: "" }
    : { version: 1, ms: Number(ms), hex: "" };
  const text = stringToSign(unsigned, { key, method, path, body: Buffer.from(body) });
  const shown = text.split("\n");
  shown[0] = `text       ${shown[0]}`;
  const start = lines.findIndex((line) => line.endsWith(shown[0] as string));
  const found = lines.slice(start, start + shown.length);
  expect(found.map((line) => line.replace("version 1   ", ""))).toEqual(shown);
  expect(lines[start + shown.length]).toBe(`signature  ${signature}`);
  expect(page).toContain(`the key \`${key}\` and the secret \`${secret}\``);
  if (body) expect(lines[start - 1]).toBe(`version 2   body       ${body}`);
});

test("the page shows a delivery with its correct signature", () => {
  const [vector] = events;
  const start = lines.indexOf(`secret      ${vector?.secrets[0]}`);
  expect(lines.slice(start, start + 5)).toEqual([
    `secret      ${vector?.secrets}`,
    `id          ${vector?.id}`,
    `timestamp   ${vector?.timestamp}`,
    `body        ${vector?.body}`,
    `signature   ${vector?.signature}`,
  ]);
});

test("the page explains every code of a refused signature, and every reason of the client", () => {
  const reasons: Record<WebhookProblem, true> = {
    missing_header: true,
    malformed_timestamp: true,
    malformed_signature: true,
    malformed_secret: true,
    no_match: true,
    too_old: true,
    in_future: true,
    not_json: true,
    unknown_event: true,
  };
  const ofSignatures = Object.keys(refusals).filter((code) => /^AUTH1(0\d|10)$/.test(code));
  expect(ofSignatures).toHaveLength(10);
  for (const code of ofSignatures) expect(page).toMatch(new RegExp(`^\\| .*${code}\\b.* \\|`, "m"));
  for (const reason of Object.keys(reasons)) expect(page).toContain(`\n| \`${reason}\` |`);
});

/** Each runs `verify` of the page on a list of [body, headers, secret] and prints the results. */
const programs: Record<string, { command: string; file: string; ending: string }> = {
  ts: {
    command: process.execPath,
    file: "verify.mts",
    ending: `
const attempts = JSON.parse(process.argv[2]).map((given) => verify(...given).catch(() => "refused"));
console.log(JSON.stringify(await Promise.all(attempts)));`,
  },
  js: {
    command: process.execPath,
    file: "verify.mjs",
    ending: `
const attempt = (given) => { try { return verify(...given); } catch { return "refused"; } };
console.log(JSON.stringify(JSON.parse(process.argv[2]).map(attempt)));`,
  },
  python: {
    command: "python3",
    file: "verify.py",
    ending: `
import json, sys
def attempt(body, headers, secret):
    try:
        return verify(body.encode(), headers, secret)
    except Exception:
        return "refused"
print(json.dumps([attempt(*given) for given in json.loads(sys.argv[1])]))`,
  },
  php: {
    command: "php",
    file: "verify.php",
    ending: `
function attempt(array $given) { try { return verify(...$given); } catch (Throwable) { return 'refused'; } }
echo json_encode(array_map('attempt', json_decode($argv[1], true)));`,
  },
};

for (const [language, { command, file, ending }] of Object.entries(programs)) {
  const inLanguage = testUnless(missingCommands(command));

  inLanguage(`the program in ${language} accepts only valid signatures`, async () => {
    const block = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page)?.[1] as string;
    const client = join(root, "client", "src", "index.ts");
    const source = block.replace("@disburse/client", client) + ending;
    writeFileSync(join(folder, file), language === "php" ? phpLoader + source : source);

    const secret = newWebhookSecret();
    const body = bodies[2] as string;
    const deliver = (ageS: number, secrets = [newWebhookSecret(), secret]) => {
      const id = `evt_${newId()}`;
      const timestampS = Math.floor(Date.now() / 1000) - ageS;
      const signature = signDelivery(secrets.map(webhookKey), { id, timestampS, body });
      const time = String(timestampS);
      return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature };
    };
    const headers = deliver(10);
    const given = [
      [body, headers, secret],
      [`${body}\n`, headers, secret],
      [body, deliver(10, [newWebhookSecret()]), secret],
      [body, deliver(400), secret],
      [body, { ...headers, "webhook-timestamp": "soon" }, secret],
      [body, headers, ""],
    ];
    const env = { ...process.env, PYTHONPATH: pythonFolder, PYTHONDONTWRITEBYTECODE: "1" };
    const { stdout } = await run(command, [join(folder, file), JSON.stringify(given)], { env });
    const [first, ...others] = JSON.parse(stdout);
    expect(first).toEqual({ id: headers["webhook-id"], event: JSON.parse(body) });
    expect(others).toEqual(others.map(() => "refused"));
    expect(others).toHaveLength(5);
  });
}
