// openapi.json in other tools: redocly reports no problem, and a generated client compiles with TypeScript 5 and pages
// through a real list.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ada, startServiceForTest } from "../../support/service.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..", "..");
const folder = join(root, "prove", "openapi-client");
const inFolder = (...words: string[]) => join(folder, "node_modules", ...words);

test("redocly lint (recommended) finds no error and no warning", async () => {
  const redocly = join(root, "node_modules", "@redocly", "cli", "bin", "cli.js");
  const words = ["lint", "--config", join(folder, "redocly.yaml"), "--format", "json"];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout } = await run(process.execPath, [redocly, ...words, join(root, "openapi.json")], {
    env,
  });
  const { totals, problems } = JSON.parse(stdout);
  expect(problems).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test("a generated client compiles with TypeScript 5 and follows the link header through three pages", async () => {
  const types = join(folder, "dist", "types.d.ts");
  const generate = inFolder("openapi-typescript", "bin", "cli.js");
  await run(process.execPath, [generate, join(root, "openapi.json"), "--output", types]);
  await run(process.execPath, [inFolder("typescript", "bin", "tsc"), "-p", folder]);

  const service = await startServiceForTest();
  const { key, secret, disburse } = await service.newCaller();
  const emails = [1, 2, 3, 4, 5].map((number) => `page-${number}@example.com`);
  for (const email of emails) await disburse.receivers.create(ada({ email }));
  await disburse.testHelpers.fund({ amount: 12_500, currency: "AUD" });
  const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: key, API_SECRET: secret };
  const { stdout } = await run(process.execPath, [join(folder, "dist", "js", "program.js")], {
    env,
  });
  const [first, second, third, fourth, fifth] = emails;
  expect(stdout.trim().split("\n")).toEqual([
    `${fifth} ${fourth}`,
    `${third} ${second}`,
    first,
    "12500",
  ]);
});
