// disburse rules backtest: figures as tables or JSON, and files that can't be read.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Backtest } from "../../../src/money/rules/backtest.ts";
import { command } from "../../support/commands.ts";
import { pastOf } from "../../support/past-payouts.ts";
import { settingsOf } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

const folder = mkdtempSync(join(tmpdir(), "disburse-rules-"));
afterAll(() => rmSync(folder, { recursive: true }));

const dayMs = 86_400_000;
const rule = {
  ...{ id: "daily", name: "Daily sum", mode: "", subaccount_ids: [], currency: "AUD" },
  when: { fact: "sum", of: "receiver", window: "day", above: 500_000 },
  // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
  then: { act: "hold" },
};

beforeAll(async () => {
  const past = await pastOf(service, await service.newCaller());
  const nowMs = Date.now();
  await past.fund(nowMs - 200 * dayMs, 10_000_000);
  // The first is older than 90 days, the next two are within one day, the last is later.
  for (const [daysAgo, amount] of [
    [100, 600_000],
    [10, 400_000],
    [9.5, 300_000],
    [3, 100_000],
  ] as const) {
    await past.make(nowMs - daysAgo * dayMs, amount);
  }
  const live = await pastOf(service, await service.newCaller({ mode: "live" }));
  await live.fund(nowMs - 200 * dayMs, 10_000_000);
  await live.make(nowMs - 9 * dayMs, 900_000);
  await live.make(nowMs - 5 * dayMs, 100_000);
});

function backtest(content: string, ...words: string[]) {
  const file = join(folder, "rules.json");
  writeFileSync(file, content);
  return command(["rules", "backtest", file, ...words], settingsOf(service));
}

test("the figures of the last 90 days are printed as tables, or as JSON", async () => {
  const text = await backtest(JSON.stringify([rule]));
  expect(text.code).toBe(0);
  expect(text.stdout).toContain("Hold when a receiver gets more than 5,000.00 AUD in a day");
  expect(text.stdout).toContain("receiver: 7,000.00 AUD within a day, above 5,000.00 AUD");
  expect(text.stdout).toMatch(
    /Live, by rule\n(.*\n)+?.*9,000\.00 AUD(.*\n)+?\nTest mode, by rule\n(.*\n)+?.*3,000\.00 AUD/,
  );
  expect(text.stderr).toContain("backtest: 5 rows");
  const { code, stdout } = await backtest(JSON.stringify({ rules: [rule] }), "--json");
  expect(code).toBe(0);
  const result = JSON.parse(stdout) as Backtest;
  expect(result).toMatchObject({ payouts: 5, modes: [{ mode: "live" }, { mode: "test" }] });
  const [live, test] = result.modes;
  expect(live).toMatchObject({ payouts: 2, changed: 1 });
  // Test money is not added to it.
  expect(live?.rules).toMatchObject([{ count: 1, sums: [{ currency: "AUD", amount: 900_000 }] }]);
  expect(test).toMatchObject({ payouts: 3, changed: 1 });
  expect(test?.rules).toMatchObject([
    { rule_id: "daily", count: 1, sums: [{ currency: "AUD", amount: 300_000 }], also: 1 },
  ]);
  expect(test?.list).toMatchObject([{ amount: 300_000, act: "hold", active_act: null }]);
});

test("a file that is not JSON ends with 2, and rules that are not valid are refused", async () => {
  expect((await backtest("{")).code).toBe(2);
  const refused = await backtest(JSON.stringify([{ ...rule, currency: "" }]));
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("RULE201");
});
