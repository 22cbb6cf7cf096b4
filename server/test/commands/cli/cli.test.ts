// The command line beside a running service.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import vectors from "../../../../client/test/signature-vectors.json" with { type: "json" };
import { isUuid } from "../../../src/platform/base/ids.ts";
import { version } from "../../../src/platform/base/version.ts";
import {
  hasMigrations,
  pendingMigrations,
  readMigrations,
} from "../../../src/platform/db/migrate.ts";
import { command } from "../../support/commands.ts";
import { disburse, type Serving, serve } from "../../support/process.ts";
import { call, emptyDatabase, masterKey, newDatabase, settingsOf } from "../../support/service.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "disburse-alone-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const DATA_DIR = mkdtempSync(join(tmpdir(), "disburse-cli-"));
let serving: Serving;
beforeAll(async () => {
  serving = await serve({ DATA_DIR });
});
afterAll(async () => {
  await serving.end();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

async function json(...words: string[]) {
  const { code, stdout, stderr } = await command([...words, "--json"], { DATA_DIR });
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

const callSubaccount = ({ api_key, api_secret }: Record<string, string>) =>
  call(
    { baseUrl: serving.baseUrl, key: api_key as string, secret: api_secret as string },
    "GET",
    "/api/subaccount",
  );

test.each(["test", "live"])("subaccount create --mode %s gives a key that works", async (mode) => {
  const created = await json(
    ...["subaccount", "create", "--name", "New Co", "--mode", mode, "--business-name", "New Pty"],
  );
  expect(created).toEqual({
    subaccount_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: "New Co",
    mode,
    api_key: expect.stringMatching(new RegExp(`^ak_${mode}_[\\w-]{24}$`)),
    api_secret: expect.stringMatching(new RegExp(`^sk_${mode}_[\\w-]{43}$`)),
  });
  const { status, json: body } = await callSubaccount(created);
  expect([status, body.payload.id, body.payload.business_name]).toEqual([
    200,
    created.subaccount_id,
    "New Pty",
  ]);

  const shown = await json("subaccount", "show", created.subaccount_id);
  expect(shown).toEqual({ ...body.payload, mode, statement_name: "", closed_at: null });
  expect(await json("subaccount", "list")).toContainEqual(
    expect.objectContaining({ subaccount_id: created.subaccount_id, mode, keys: 1 }),
  );
});

test("the webhook URL is set at creation or later, is checked, and its signing secret is shown once", async () => {
  const named = [
    "subaccount",
    "create",
    "--name",
    "Receives events",
    "--mode",
    "test",
    "--postback-url",
  ];
  const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const created = await json(...named, "http://127.0.0.1:1/events");
  expect(created.webhook_secret).toEqual(secret);
  const { subaccount_id } = created;
  const postback_url = "https://example.com/events";
  const set = await json("subaccount", "set-postback", subaccount_id, postback_url);
  expect(set).toEqual({ subaccount_id, postback_url });
  expect((await callSubaccount(created)).json.payload.postback_url).toBe(postback_url);

  const call = ["subaccount", "set-statement-name", subaccount_id];
  const shown = () => json("subaccount", "show", subaccount_id);
  expect(await shown()).toMatchObject({ statement_name: "" });
  const named70 = "N".repeat(70);
  expect(await json(...call, named70)).toEqual({ subaccount_id, statement_name: named70 });
  expect(await shown()).toMatchObject({ statement_name: named70 });
  for (const bad of [`${named70}N`, "two\nlines"]) {
    const { code, stderr } = await disburse([...call, bad], { DATA_DIR });
    expect([code, stderr]).toEqual([2, expect.stringContaining("1 to 70 characters")]);
  }
  await json(...call, "");
  expect(await shown()).toMatchObject({ statement_name: "" });

  const choose = ["subaccount", "set-event-types", subaccount_id];
  const published = ["payoutCreated", "payoutUpdate", "payoutFailure", "receiverKycUpdate"];
  const chosen = await json(...choose, "receiverAccountUpdate");
  expect(chosen.event_types).toEqual([...published, "receiverAccountUpdate"]);
  expect((await json(...choose)).event_types).toEqual(published);
  const odd = await disburse([...choose, "receiverMoved"], { DATA_DIR });
  expect([odd.code, odd.stderr]).toEqual([1, expect.stringContaining("SUBA215")]);

  const rotate = ["subaccount", "rotate-postback-secret", subaccount_id];
  const rotated = await json(...rotate, "--overlap", "1h");
  expect(rotated).toEqual({ subaccount_id, webhook_secret: secret, overlap_seconds: 3600 });
  expect(rotated.webhook_secret).not.toBe(created.webhook_secret);

  const before = await json("subaccount", "list");
  const refused = await disburse([...named, "https://10.0.0.1/"], { DATA_DIR });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("SUBA210")]);
  expect(await json("subaccount", "list")).toEqual(before);
  const unknown = await disburse(["subaccount", "set-postback", "x", postback_url], { DATA_DIR });
  expect([unknown.code, unknown.stderr]).toEqual([4, "There is no subaccount x.\n"]);
});

test("keys are created, listed without their secrets, renamed, rotated with a grace period, and revoked", async () => {
  const { subaccount_id } = await json("subaccount", "create", "--name", "K", "--mode", "test");
  const created = await json(
    ...["keys", "create", "--subaccount", subaccount_id, "--name", "till", "--scopes", "read"],
  );
  expect((await callSubaccount(created)).status).toBe(200);

  const listed = await json("keys", "list", "--subaccount", subaccount_id);
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(["first", "till"]);
  expect(JSON.stringify(listed)).not.toContain("sk_test");

  const { api_key } = created;
  expect(await json("keys", "rename", api_key, "till 2")).toEqual({ api_key, name: "till 2" });
  const rotated = await json("keys", "rotate", api_key, "--grace", "1h");
  expect(rotated.grace_seconds).toBe(3600);
  await expect.poll(async () => (await callSubaccount(rotated)).status).toBe(200);
  expect((await callSubaccount(created)).status).toBe(200);

  expect(await json("keys", "revoke", created.api_key)).toEqual({
    api_key: created.api_key,
    revoked: true,
  });
  await expect.poll(async () => (await callSubaccount(rotated)).status).toBe(401);
});

test("SUBA101: the keys of a subaccount are refused after subaccount close", async () => {
  const created = await json("subaccount", "create", "--name", "C", "--mode", "test");
  await json("subaccount", "close", created.subaccount_id);
  await expect
    .poll(async () => (await callSubaccount(created)).json.error?.[0].code)
    .toBe("SUBA101");
});

test.each([
  [["subaccount", "show", "nobody"], 4, "no subaccount nobody"],
  [["subaccount", "close", "0190f3a2-7b3c-7d1e-8f00-0123456789ab"], 4, "no subaccount"],
  [["keys", "revoke", "ak_test_none"], 4, "no key"],
  [["keys", "rename", "ak_test_none", "x"], 4, "no key"],
  [["keys", "rotate", "ak_test_none"], 4, "no key"],
  [["keys", "rotate", "ak_test_none", "--grace", "8d"], 2, "0 to 7d"],
  [["keys", "create", "--subaccount", "x", "--scopes", "all"], 2, "one of read, write, payout"],
  [["subaccount", "create", "--name", "x"], 2, "--mode"],
  [["subaccount", "create", "--name", "x", "--mode", "prod"], 2, "test, live"],
  [["nonsense"], 2, "unknown command"],
])("%j exits with code %i and a reason", async (words, expected, why) => {
  const { code, stdout, stderr } = await command(words, { DATA_DIR });
  expect([code, stdout]).toEqual([expected, ""]);
  expect(stderr).toContain(why);
});

test("migrate prints the number of migrations, as text without --json", async () => {
  const migrations = readMigrations().length;
  const printed = await json("migrate");
  const { merchant_id, master_key } = printed;
  expect(printed).toEqual({ migrations, applied: [], cell: "", merchant_id, master_key });
  expect([isUuid(merchant_id), master_key]).toEqual([
    true,
    expect.stringMatching(/^[0-9a-f]{16}$/),
  ]);
  const { stdout } = await command(["migrate"], { DATA_DIR });
  expect(stdout).toMatch(
    new RegExp(
      `^migrations +${migrations}\\napplied +-\\ncell +-\\nmerchant_id +${merchant_id}\\n`,
    ),
  );
});

test("one command of each kind prints the same in its own process, and the process exits", async () => {
  const { subaccount_id } = await json("subaccount", "create", "--name", "P", "--mode", "test");
  const one = ["--subaccount", subaccount_id];
  const kinds = [
    ["subaccount", "show", subaccount_id],
    ["keys", "list", ...one, "--json"],
    ["receivers", "list", ...one],
    ["receivers", "create", ...one],
    ["accounts", "get", "x", ...one],
    ["payouts", "list", ...one, "--json"],
    ["ledger", "balance", ...one],
    ["migrate", "--help"],
  ];
  const codes = kinds.map(async (words) => {
    const said = await disburse(words, { DATA_DIR });
    expect(said).toEqual(await command(words, { DATA_DIR }));
    return said.code;
  });
  expect(await Promise.all(codes)).toEqual([0, 0, 0, 1, 4, 0, 0, 0]);
});

test("commands work without the service: they start the database that migrate created", async () => {
  const folder = newFolder();
  const created = await disburse(["migrate", "--json"], { DATA_DIR: folder });
  expect([created.code, JSON.parse(created.stdout).applied.length]).toEqual([
    0,
    readMigrations().length,
  ]);
  const run = await disburse(["subaccount", "list"], { DATA_DIR: folder });
  expect(run).toEqual({ code: 0, stdout: "none\n", stderr: "" });

  rmSync(join(folder, "master.key"));
  const lost = await command(["ledger", "verify"], { DATA_DIR: folder });
  expect([lost.code, lost.stdout]).toEqual([4, ""]);
  expect(lost.stderr).toContain(`The database in ${folder} has lost its master key`);
  expect(readdirSync(folder)).not.toContain("master.key");
});

test.each([
  ["ledger", "verify"],
  ["audit", "verify"],
  ["subaccount", "create", "--name", "N", "--mode", "test"],
  ["keys", "list"],
  ["users", "list"],
  ["people", "list"],
  ["payouts", "list"],
])("%s %s creates no database and prints where it looked", async (...words) => {
  const folder = newFolder();
  for (const DATA_DIR of [folder, join(folder, "missing")]) {
    const { code, stdout, stderr } = await command(words, { DATA_DIR });
    expect([code, stdout]).toEqual([4, ""]);
    expect(stderr).toContain(`There is no database in ${DATA_DIR} (DATA_DIR).`);
    expect(stderr).toContain("disburse migrate");
  }
  expect(readdirSync(folder)).toEqual([]);
});

test("a command does not change an empty database of DATABASE_URL", async () => {
  const { db, url } = await emptyDatabase();
  const environment = settingsOf({ url });
  const { code, stdout, stderr } = await command(["ledger", "verify"], environment);
  expect([code, stdout]).toEqual([4, ""]);
  expect(stderr).toContain("The database of DATABASE_URL holds no Disburse data.");
  expect(await hasMigrations(db.pool)).toBe(false);
});

test("a build refuses a database with an unknown migration, and names the version that knows it", async () => {
  const { db, url } = await newDatabase();
  await db.pool.query(
    "insert into migration (name, checksum, version) values ('9999_new.sql', '', '9.8.7')",
  );
  const environment = settingsOf({ url });
  for (const words of [["serve"], ["migrate"], ["ledger", "verify"]]) {
    const { code, stdout, stderr } = await command(words, environment);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("The database is at migration 9999_new.sql");
    expect(stderr).toContain(
      `this program, Disburse ${version} at ${readMigrations().at(-1)?.name}`,
    );
    expect(stderr).toContain("Start Disburse 9.8.7 or newer");
  }
  // A running service continues: a newer version may be migrating beside it.
  expect(await pendingMigrations(db.pool)).toEqual([]);
});

test.each([
  ["a wrong password", { password: "wrong" }, "refuses the user name or the password"],
  ["a database that is not there", { pathname: "/none" }, "does not exist"],
])("%s of DATABASE_URL is reported in one sentence", async (_, changes, why) => {
  const { url } = await newDatabase();
  const DATABASE_URL = Object.assign(new URL(url), changes).href;
  const environment = { DATABASE_URL, DISBURSE_MASTER_KEY: masterKey.toString("base64") };
  const { code, stdout, stderr } = await command(["ledger", "verify"], environment);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`The database of DATABASE_URL ${why}`);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test("an older Node prints the required version", () => {
  const older = `data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.11.0" } })`;
  const main = join(import.meta.dirname, "..", "..", "..", "src", "doors", "cli", "main.mjs");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", older, main, "migrate"],
    { encoding: "utf8" },
  );
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^Disburse needs Node 24 or newer, and this is Node 20\.11\.0 /);
  // Importing a name that an older Node lacks would fail before the message.
  expect(readFileSync(main, "utf8")).not.toMatch(/import \{[^}]*\} from "node:module"/);
});

test.each(vectors.signatures.v2)(
  "sign prints the published signature of $method $path",
  async (vector) => {
    const secretFile = join(DATA_DIR, "secret");
    writeFileSync(secretFile, vector.secret);
    const { ms, nonce, method, path, body, api_key } = vector;
    const words = ["sign", method, path, "--api-key", api_key, "--secret-file", secretFile];
    const signed = await json(...words, "--ms", ms, "--nonce", nonce, "--body", body);
    expect(signed.signature).toBe(vector.signature);
    expect(signed.string_to_sign.split("\n")).toHaveLength(7);
  },
);

test.each(vectors.signatures.v1)(
  "sign prints the published version 1 signature of $api_key",
  async (vector) => {
    const { ms, api_key, secret } = vector;
    const words = [
      "sign",
      "GET",
      "/",
      "--signature-version",
      "1",
      "--ms",
      ms,
      "--api-key",
      api_key,
    ];
    const { stdout } = await command(words, { DISBURSE_API_SECRET: secret });
    expect(stdout).toContain(`String to sign:\n${ms}.${api_key}\n`);
    expect(stdout).toContain(`signature: ${vector.signature}\n`);
  },
);
