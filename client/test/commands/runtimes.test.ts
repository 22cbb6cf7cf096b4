// The published package with `import` and with `require`, in each installed Node.

import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build } from "../../build.ts";
import {
  balance,
  balanceEntry,
  feedEvent,
  historyEntry,
  payout,
  payoutBatch,
  payoutHistory,
  receiver,
  subaccount,
} from "../samples.ts";
import {
  apiKey,
  apiSecret,
  startServer,
  stopServers,
  stream,
  succeed,
} from "../scripted-server.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "disburse-client-"));
const packageFolder = join(folder, "node_modules", "@disburse", "client");

const program = `
new Disburse().subaccount.get().then(({ id }) => console.log(id));
`;

const typedProgram = `
import { Disburse, NotFoundError, type Payout, type Receiver } from "@disburse/client";
const list: AsyncIterable<Receiver> = new Disburse().receivers.list({ status: "active" });
const payouts: AsyncIterable<Payout> = new Disburse().payouts.list({ from: new Date() });
const code: string = new NotFoundError("", { code: "" }).code;
// @ts-expect-error: a receiver has no such status
new Disburse().receivers.list({ status: "asleep" });
// @ts-expect-error: an identity check can't be returned
new Disburse().testHelpers.setStatus({ id: "1", type: "kyc", status: "return" });
export { code, list, payouts };
`;

beforeAll(() => {
  build(join(packageFolder, "dist"));
  cpSync(
    join(import.meta.dirname, "..", "..", "package.json"),
    join(packageFolder, "package.json"),
  );
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("program.mjs", `import { Disburse } from "@disburse/client";${program}`);
  write("program.cjs", `const { Disburse } = require("@disburse/client");${program}`);
  mkdirSync(join(folder, "typed"));
  write("typed/module.mts", typedProgram);
  write("typed/script.cts", typedProgram);
});

afterAll(() => {
  stopServers();
  rmSync(folder, { recursive: true, force: true });
});

const nodes = [process.execPath, installedNode()].filter((node) => node !== null);
const runs = nodes.flatMap((node) => {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  return ["program.mjs", "program.cjs"].map((file) => ({ version, file, node }));
});

test.each(runs)("Node $version runs $file, and its signed call is accepted", async (each) => {
  const server = await startServer([succeed(subaccount)]);
  const env = {
    DISBURSE_API_KEY: apiKey,
    DISBURSE_API_SECRET: apiSecret,
    DISBURSE_BASE_URL: server.baseUrl,
  };
  const { stdout } = await run(each.node, [each.file], { cwd: folder, env });
  expect(stdout.trim()).toBe(subaccount.id);
  expect(server.requests).toHaveLength(1);
});

test("the types resolve for import and for require", async () => {
  expect(await compile("typed/module.mts", "typed/script.cts")).toBe("");
});

// The first pattern that matches is used.
const payloads: [RegExp, unknown][] = [
  [/^POST .*payout\/validate/, { accepted: true, problems: [], fee: 50 }],
  [/^POST .*validate/, { bank_name: "A bank", warnings: [] }],
  [/^POST .*receiveraccount/, { account_id: "2" }],
  [/^POST .*single/, { payout_id: "4" }],
  [/^POST .*batch/, { batch_id: "5" }],
  [/^POST .*receiver/, { receiver_id: "1", kyc_status: "0" }],
  [/^POST .*fund/, balance],
  [/^POST .*status/, {}],
  [/^POST .*postback-secret/, { secrets: [{}, {}] }],
  [/^POST .*event\/test/, { id: "evt_1" }],
  [/^POST .*event/, {}],
  [/^PATCH .*subaccount/, subaccount],
  [/^GET .*event\/evt_1/, { status: "waiting", attempts: [{}] }],
  [/^GET .*payout\/4\/history/, payoutHistory],
  [/^GET .*payout\/4/, payout("4")],
  [/^GET .*payout\/batch\/5/, payoutBatch],
  [/^GET .*payout\?/, [{ ...payout("6"), cause: "account closed" }]],
  [/^GET .*entries\?currency=AUD$/, [balanceEntry(1)]],
  [
    /^GET .*balance\/funding/,
    { currencies: [{ currency: "AUD", deposit_reference: "K7Q2M9XW4F" }] },
  ],
  [/^GET .*balance/, [balance]],
  [/^GET .*receiver\/1\/history/, [historyEntry("3")]],
  [/^(GET|PATCH) .*receiver\//, receiver("1")],
  [/^GET .*receiver/, [receiver("1")]],
  [/^GET .*subaccount/, subaccount],
];

function payloadOf(method: string, path: string): unknown {
  return payloads.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
}

test("the examples of the README compile and run", async () => {
  const server = await startServer([
    (response, { method, path }) =>
      path === "/api/event/feed"
        ? stream(feedEvent("evt_2"))(response)
        : succeed(payloadOf(method, path))(response),
  ]);
  const readme = readFileSync(join(import.meta.dirname, "..", "..", "README.md"), "utf8");
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  const source = examples
    .join("\n")
    .replaceAll("ak_test_…", apiKey)
    .replaceAll("sk_test_…", apiSecret)
    .replaceAll("whsec_…", `whsec_${Buffer.alloc(32, 1).toString("base64")}`)
    .replaceAll("https://payouts.example", server.baseUrl);
  writeFileSync(join(folder, "readme.mts"), source);

  const { stdout } = await run(process.execPath, ["readme.mts"], { cwd: folder });
  expect(stdout.split("\n")).toEqual([
    "pending pending",
    "pending 12500",
    "2024-11-15T00:00:00.000Z provider:sandbox approved pending active",
    "A bank 0",
    "2 [ { currency: 'AUD', count: 2, amount: 25000 } ]",
    "true [] 50",
    "6 account closed",
    "rail:sandbox submitted submitted",
    "key:ak_test_1 created queued",
    "AUD 87500 12500",
    "AUD K7Q2M9XW4F",
    "hold 12500 87500",
    "invoice 7 closed",
    "2",
    "waiting 1",
    "evt_2 receiverKycUpdate completed false",
    "1@example.com",
    "1 null",
    "",
  ]);
  expect(examples).toHaveLength(14);
  expect(await compile("readme.mts")).toBe("");
});

test("the published manifest names no source file and no missing file", () => {
  const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("private");
  expect(JSON.stringify(manifest)).not.toContain("src/");
  const targets = JSON.stringify(manifest.exports["."]).match(/\.\/dist[^"]+/g) ?? [];
  expect(targets).toHaveLength(4);
  for (const target of targets) readFileSync(join(packageFolder, target));
});

// Returns the compiler's output, which is empty if there is no error.
async function compile(...files: string[]): Promise<string> {
  const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");
  const flags = "--ignoreConfig --noEmit --strict --module nodenext --lib es2023,dom".split(" ");
  const compilation = run(process.execPath, [tsc, ...flags, ...files], { cwd: folder });
  const { stdout } = await compilation.catch((error) => error);
  return stdout;
}

// The first Node on the path that is not one of this repository's own packages.
function installedNode(): string | null {
  for (const entry of (process.env.PATH ?? "").split(delimiter)) {
    if (entry.includes("node_modules")) continue;
    const node = join(entry, process.platform === "win32" ? "node.exe" : "node");
    try {
      execFileSync(node, ["--version"]);
      return node;
    } catch {}
  }
  return null;
}
