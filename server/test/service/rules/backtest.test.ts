// A backtest says about recorded payouts exactly what the rules did when they were decided.
// A slice of `npm run prove -- --only backtest`, which makes many more histories.

import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Backtest,
  type ModeBacktest,
  runBacktest,
} from "../../../src/money/rules/backtest.ts";
import type { Rule } from "../../../src/money/rules/rule.ts";
import { compareHistory } from "../../scenarios/backtest-compare.ts";
import { recordHistory } from "../../scenarios/backtest-history.ts";
import { drawOf } from "../../scenarios/seeded-draw.ts";
import { newDatabase } from "../../support/service.ts";

let parts: Awaited<ReturnType<typeof newDatabase>>;
beforeAll(async () => {
  parts = await newDatabase();
});
afterAll(() => parts.db.close());

/** The figures of test payouts; the histories have no others. */
async function backtestOf(
  proposed: readonly Rule[],
  active: readonly Rule[] = [],
): Promise<ModeBacktest> {
  let result: Backtest | undefined;
  let done = 0;
  const request = { active, proposed, nowMs: Date.now() + 1 };
  for await (const step of runBacktest(parts.db, request)) {
    if (step.kind === "result") result = step.result;
    else {
      expect(step.done).toBeGreaterThanOrEqual(done);
      done = step.done;
    }
  }
  expect(result?.modes.map(({ mode }) => mode)).toEqual(["test"]);
  return result?.modes[0] as ModeBacktest;
}

test("a backtest equals what live did on recorded histories, rule by rule and figure by figure", async () => {
  const total = { payouts: 0, matches: 0 };
  for (let seed = 1; seed <= 6; seed += 1) {
    const history = await recordHistory(parts, drawOf(seed), { steps: 30 });
    const { payouts, matches } = await compareHistory(parts.db, history);
    total.payouts += payouts;
    total.matches += matches;
  }
  expect(total.payouts).toBeGreaterThan(100);
  expect(total.matches).toBeGreaterThan(100);
}, 180_000);

test("the figures are those of the payouts to which rules applied, and compare two sets", async () => {
  const history = await recordHistory(parts, drawOf(101), { steps: 20, isRuled: false });
  const { subaccountId } = history;
  const rule = (id: string, above: number): Rule => ({
    ...{ id, name: id, mode: "", subaccount_ids: [subaccountId], currency: "AUD" },
    when: { fact: "sum", of: "receiver", window: "day", above },
    // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
    then: { act: "hold" },
  });
  const strict = await backtestOf([rule("daily", 1_000)]);
  const [daily] = strict.rules;
  expect(daily?.count).toBeGreaterThan(0);
  expect(daily?.by_day.reduce((sum, count) => sum + count, 0)).toBe(daily?.count);
  expect(daily?.share).toBeCloseTo((daily?.count ?? 0) / strict.payouts);
  const listed = strict.list.reduce((sum, { amount }) => sum + Number(amount), 0);
  expect(daily?.sums).toEqual([{ currency: "AUD", amount: listed }]);
  expect(strict.list[0]?.rules[0]?.text).toMatch(/AUD within a day, above 10\.00 AUD$/);
  const ats = strict.list.map(({ at }) => at);
  expect(ats).toEqual(ats.toSorted((one, other) => other - one));

  const loose = await backtestOf([rule("daily", 1_000_000)], [rule("daily", 1_000)]);
  const hold = loose.acts.find(({ act }) => act === "hold");
  expect(hold?.active_count).toBe(daily?.count);
  expect(hold?.also).toBe(0);
  expect(hold?.no_longer).toBe((daily?.count ?? 0) - (hold?.count ?? 0));
  expect(loose.rules[0]).toMatchObject({ change: "changed", also: 0, no_longer: hold?.no_longer });
});

test("a rule that refuses does not count what it refuses", async () => {
  const history = await recordHistory(parts, drawOf(102), { steps: 20, isRuled: false });
  const counting = (act: "refuse" | "hold"): Rule => ({
    ...{ id: "one", name: "one", mode: "", subaccount_ids: [history.subaccountId] },
    currency: "AUD",
    when: { fact: "count", of: "subaccount", window: "month", above: 3 },
    // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
    then: { act },
  });
  const refused = await backtestOf([counting("refuse")]);
  const counts = refused.list.map(({ rules: [match] }) => match?.figures.count);
  // Each of them would have been the fourth.
  expect(new Set(counts)).toEqual(new Set([4]));
  const held = await backtestOf([counting("hold")]);
  expect(new Set(held.list.map(({ rules: [match] }) => match?.figures.count)).size).toBeGreaterThan(
    1,
  );
});
