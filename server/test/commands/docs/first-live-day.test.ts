// Runs docs/start/first-live-day.md as it is written: in the terminals of Ana and of Ben, without the database. What it says is
// done at the console goes by the requests of its pages.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { command } from "../../support/commands.ts";
import { callConsole } from "../../support/console.ts";
import { serve } from "../../support/process.ts";
import { newDatabase, settingsOf } from "../../support/service.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const page = readFileSync(join(root, "docs", "start", "first-live-day.md"), "utf8");
const password = "harbour-lantern-quartz-9";
const waitMs = { timeout: 120_000 };

test("two people take a live payout batch to the bank and back", async () => {
  const { db, url } = await newDatabase();
  const environment = settingsOf({ url });
  const serving = await serve({ ...environment, ADMIN_PORT: "0" });
  const folder = mkdtempSync(join(tmpdir(), "disburse-day-"));
  const terminals = { Ana: terminal(folder, "Ana"), Ben: terminal(folder, "Ben") };
  const bank = terminal(folder, "Bank", join(root, "disburse"));
  onTestFinished(async () => {
    for (const { end } of [...Object.values(terminals), bank]) end();
    await serving.end();
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const blocks = [...page.matchAll(/```sh\n# (\w+)\n(.*?)```/gs)];
  const next = async (who: string, changes: Record<string, string> = {}) => {
    const [, whose, text = ""] = blocks.shift() ?? [];
    expect(whose).toBe(who);
    const all = { "http://127.0.0.1:4000": serving.baseUrl, "~/bank": join(folder, "bank") };
    let script = text;
    for (const [from, to] of Object.entries({ ...all, ...changes })) {
      script = script.replaceAll(from, to);
    }
    return who === "Bank" ? bank.run(script) : terminals[who as "Ana" | "Ben"].run(script);
  };

  const { stdout } = await command(["users", "setup-link", "--json"], environment);
  const { link, second_link } = JSON.parse(stdout) as { link: string; second_link: string };
  const join_ = (name: string, link: string, confirms?: string) =>
    signUp(serving.baseUrl, { name, link, ...(confirms && { confirms }) });
  const users = {
    Ana: await join_("Ana", link),
    Ben: await join_("Ben", second_link, emailOf("Ana")),
  };
  const { Ana: ana, Ben: ben } = users;
  for (const who of ["Ana", "Ben"] as const) {
    const signedIn = next(who);
    const { said } = terminals[who];
    const find = () => /type the code {2}(\S+)/.exec(said.text);
    const [, code] = await vi.waitUntil(find, waitMs);
    await users[who]("POST", "/command-line/confirm", { code });
    expect(await signedIn).toContain(emailOf(who));
  }

  expect(await next("Ana")).toContain("50.00");
  const { rows: subaccounts } = await ana("GET", "/subaccounts");
  const subaccount = subaccounts.find(({ name }: { name: string }) => name === "Acme");
  const asked = await next("Ana");
  expect(asked).toContain("another admin approves it");
  const [, requestId] = /request_id +(\S+)/.exec(asked) ?? [];
  await ben("POST", `/banks/requests/${requestId}/approve`);

  const of = `/s/${subaccount.id}`;
  await next("Ana");
  const [receiver] = (await ana("GET", `${of}/receivers`)).rows;
  const review = `/reviews/${subaccount.id}/${receiver.id}`;
  const { version } = await ben("GET", review);
  await ben("POST", `${review}/approve`, { version, reason: "passport seen" });
  const [change] = (await ben("GET", `${of}/bank-changes?receiver_id=${receiver.id}`)).rows;
  await ben("POST", `${of}/bank-changes/${change.id}/approve`);

  const funding = await next("Ana");
  const [, reference = ""] = /^AUD: (\w{5} \w{5})$/m.exec(funding) ?? [];
  await next("Bank", { "REFERENCE=…": `REFERENCE="${reference}"` });
  await next("Ana");
  const confirmFiles = async () => {
    const { rows } = await ben("GET", "/approvals?kind=bank_request");
    for (const { id, bank } of rows) {
      await ben("POST", `/bank-requests/${id}/approve`, { sha256: bank.sha256 });
    }
    return rows.length;
  };
  expect(await confirmFiles()).toBe(1);

  expect(await next("Ana")).toMatch(/^created +2$/m);
  const [batch] = (await ben("GET", `${of}/batches`)).rows;
  const approved = { totals: [{ currency: "AUD", amount: 15_000, payouts: 2 }] };
  await ben("POST", `${of}/batches/${batch.id}/approve`, approved);

  await next("Ana");
  expect(await next("Ben")).toContain("150.00");
  await next("Ana");
  expect(await next("Bank")).toMatch(/2 payments, 150\.00 AUD/);
  await next("Ana");
  expect(await confirmFiles()).toBeGreaterThan(0);
  const shown = await next("Ana");
  expect(shown.match(/settled|successful/g)?.length).toBeGreaterThan(1);
  expect(shown).toMatch(/ 1,000\.00 AUD +850\.00 AUD /);
  expect(shown).toMatch(/^unexplained +0\.00/m);
  expect(shown).toMatch(/^balance_by_books +850\.00/m);
  expect(blocks).toEqual([]);
  const month = new Date().toISOString().slice(0, 7);
  const early = await terminals.Ana.run(
    `disburse statements close simulator ${month} 2>&1 || true`,
  );
  expect(early).toMatch(/BANK\d+/);
}, 600_000);

const emailOf = (name: string) => `${name.toLowerCase()}@example.com`;

type SetUp = { name: string; link: string; confirms?: string };

/** A user who follows their set-up link, in a browser of their own. */
async function signUp(baseUrl: string, { name, link, confirms }: SetUp) {
  const body = { token: new URL(link).hash.slice(1), name, email: emailOf(name), password };
  const given = { ...body, ...(confirms && { confirms }) };
  const { headers, text, status } = await callConsole(baseUrl, {}, "POST", "/set-up", given);
  if (status !== 200) throw new Error(text);
  const cookie = headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  return async (method: string, path: string, body?: object) => {
    const sent = method === "GET" ? undefined : (body ?? {});
    const answer = await callConsole(baseUrl, { cookie }, method, path, sent);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
}

const commandLine = join(root, "packages", "command-line", "src", "main.ts");

/** A shell in a folder of its own. With `program`, its `./disburse` is that of the clone. */
function terminal(parent: string, name: string, program?: string) {
  const folder = join(parent, name);
  mkdirSync(folder);
  const run = program ? `"${program}"` : `"${process.execPath}" "${commandLine}"`;
  writeFileSync(join(folder, "disburse"), `#!/bin/sh\nexec ${run} "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder };
  const shell: ChildProcess = spawn("sh", ["-e"], { cwd: folder, env });
  const said = { text: "" };
  let isOver = false;
  shell.once("close", () => {
    isOver = true;
  });
  for (const stream of [shell.stdout, shell.stderr]) {
    stream?.on("data", (chunk) => {
      said.text += String(chunk);
    });
  }
  return {
    said,
    end: () => shell.kill(),
    /** What it printed. Fails with the first command that does. */
    async run(script: string): Promise<string> {
      said.text = "";
      shell.stdin?.write(`${script}\necho "<end>"\n`);
      await vi.waitUntil(() => isOver || said.text.includes("<end>"), waitMs);
      if (isOver) throw new Error(`${script}\n${said.text}`);
      return said.text;
    },
  };
}
