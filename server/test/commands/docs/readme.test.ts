// Runs the first commands of the README and of docs/start as they are written.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { build } from "../../../../client/build.ts";
import { wholeProgram } from "../../../src/doors/cli/program.ts";
import { commandTables, withPart } from "../../house/reference-pages.ts";
import { command } from "../../support/commands.ts";
import { serve } from "../../support/process.ts";
import { newCaller, newDatabase, settingsOf } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..", "..");
const page = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
const readme = page("README.md");
const blockOf = (text: string, language: string) =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(text)?.[1] as string;
const block = (language: string) => blockOf(readme, language);

await useService();

testUnless(missingCommands("curl", "openssl"))(
  "curl creates a receiver, and then the first payout",
  async () => {
    const { key, secret, disburse } = await newCaller(service);
    const script = block("bash")
      .replace("ak_test_…", key)
      .replace("sk_test_…", secret)
      .replace("http://127.0.0.1:4000", service.baseUrl);
    const { stdout } = await run("sh", ["-c", script]);
    const { receiver_id } = JSON.parse(stdout).payload;
    expect((await disburse.receivers.get(receiver_id)).email).toBe("ada.byron@example.com");

    const signing = script.slice(0, script.indexOf("call /api/receiver"));
    const paying = block("sh").replace("receiver_id-from-above", receiver_id);
    await run("sh", ["-c", `${signing}\n${paying}`]);
    const [payout] = await disburse.payouts.list().toArray();
    expect(payout).toMatchObject({ receiver_id, amount: 12_500, reference: "invoice 6" });
  },
);

testUnless(missingCommands("curl", "openssl"))(
  "a payout goes to the bank simulator in a file, and its answer settles it",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "disburse-live-"));
    const { db, url } = await newDatabase();
    const environment = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...settingsOf({ url }),
      ADMIN_PORT: "0",
    };
    // A separate service, which reads the bank connections of other processes.
    const serving = await serve(environment);
    onTestFinished(async () => {
      await serving.end();
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const program = `#!/bin/sh\nexec "${join(root, "disburse")}" "$@"\n`;
    writeFileSync(join(folder, "disburse"), program, { mode: 0o755 });
    const script = blockOf(page("docs", "start", "first-live-payout.md"), "shell").replace(
      "http://127.0.0.1:4000",
      serving.baseUrl,
    );
    const { stdout } = await run("sh", ["-e", "-c", script], { cwd: folder, env: environment });
    expect(stdout).toMatch(/^took \S+ \(pain\.001\.001\.03\): 1 payment, 125\.00 AUD/m);
    expect(stdout).toMatch(/^amount +125\.00 AUD$/m);
    expect(stdout).toMatch(/^stage +settled$/m);
    expect(stdout).toMatch(/command:\S+ as ben +submitted +settled +successful/);
    expect(stdout).toMatch(/command:\S+ as ana +queued +batched/);
  },
  300_000,
);

test("the client creates a receiver, lists it, and makes the first payout", async () => {
  const { key, secret, disburse } = await newCaller(service);
  const folder = mkdtempSync(join(tmpdir(), "disburse-readme-"));
  const packageFolder = join(folder, "node_modules", "@disburse", "client");
  build(join(packageFolder, "dist"));
  cpSync(join(root, "client", "package.json"), join(packageFolder, "package.json"));
  const source = `${block("ts")}\n${block("js")}`
    .replace("{ apiKey, apiSecret,", `{ apiKey: "${key}", apiSecret: "${secret}",`)
    .replace("http://127.0.0.1:4000", service.baseUrl);
  writeFileSync(join(folder, "first.mts"), source);
  const { stdout } = await run(process.execPath, [join(folder, "first.mts")]);
  rmSync(folder, { recursive: true, force: true });
  expect(stdout).toMatch(/^[0-9a-f-]{36} grace\.murray@example\.com\n$/);
  const [payout] = await disburse.payouts.list().toArray();
  expect(payout).toMatchObject({ amount: 12_500, currency: "AUD", reference: "invoice 7" });
});

test("docs/reference/commands.md is up to date", async () => {
  const commands = page("docs", "reference", "commands.md");
  const part = commandTables(await wholeProgram());
  expect(withPart(commands, "commands", part)).toBe(commands);
});

test("every command in the overview of docs/reference/commands.md exists", async () => {
  const commands = page("docs", "reference", "commands.md");
  const listed = [...commands.matchAll(/^\| `disburse ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/gm)];
  expect(listed.length).toBeGreaterThan(5);
  for (const [, group, verb] of listed) {
    const words = [group as string, ...(verb ? [verb] : []), "--help"];
    expect([words, (await command(words)).code]).toEqual([words, 0]);
  }
});
