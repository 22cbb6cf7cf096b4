// Totals of large subaccounts are filled before rules are switched on, page by page; old ones are deleted in portions.

import { expect, test } from "vitest";
import { fillCounts, fillCountsOfSubaccount } from "../../../src/money/payouts/fill-counts.ts";
import { approveRuleSet, proposeRuleSet } from "../../../src/money/rules/change.ts";
import type { Rule } from "../../../src/money/rules/rule.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { newRuledPayer, slowBankMs } from "../../support/ruled-payers.ts";
import { ruleOf } from "../../support/rules.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: slowBankMs }));

const by = (who: string) => ({ who, atMs: Date.now() });
const approve = (version: number) =>
  service.db.transaction((tx) => approveRuleSet(tx, version, by("operator:b")));
const fill = (version: number) =>
  fillCounts(service.db, version, { nowMs: Date.now(), above: 3, pageSize: 2 });

async function proposed(subaccountId: string, windows: ("hour" | "day")[]): Promise<number> {
  const rules: Rule[] = windows.map((window) =>
    ruleOf({
      id: window,
      subaccount_ids: [subaccountId],
      currency: "AUD",
      when: { fact: "sum", of: "subaccount", window, above: 1 },
      act: { act: "second_person" },
    }),
  );
  const { version } = await service.db.transaction((tx) =>
    proposeRuleSet(tx, { rules }, by("operator:a")),
  );
  return version;
}

const countsOf = async (subaccountId: string) => {
  const { rows } = await service.db.pool.query(
    `select epoch::int, number::int, total::int from payout_count where subaccount_id = $1
     order by epoch, at_ms, number`,
    [subaccountId],
  );
  return rows;
};
const fillsOf = async (subaccountId: string) => {
  const { rows } = await service.db.pool.query(
    "select up_to_number::int from payout_count_fill where subaccount_id = $1",
    [subaccountId],
  );
  return rows;
};

test("a large subaccount is counted before the approval, and what came in between by the next payout", async () => {
  const payer = await newRuledPayer(service);
  const { subaccountId } = payer;
  await payer.rules();
  for (const amount of [10, 20, 30]) await payer.pay(amount);
  // They were accepted two hours ago.
  await service.db.pool.query(
    "update payout set created_at_ms = created_at_ms - 7200000 where subaccount_id = $1",
    [subaccountId],
  );
  await payer.pay(40);
  const version = await proposed(subaccountId, ["hour", "day"]);
  await fill(version);
  const filled = [
    { epoch: version, number: 1, total: 10 },
    { epoch: version, number: 2, total: 30 },
    { epoch: version, number: 3, total: 60 },
    { epoch: version, number: 4, total: 100 },
  ];
  expect(await countsOf(subaccountId)).toEqual(filled);
  // The transfer of the deposit is the first of the balance.
  expect(await fillsOf(subaccountId)).toEqual([{ up_to_number: 5 }]);
  // Again it changes nothing, and continues where new payouts are.
  await payer.pay(50);
  await Promise.all([fill(version), fill(version)]);
  expect((await countsOf(subaccountId)).slice(4)).toEqual([
    { epoch: version, number: 5, total: 150 },
  ]);
  await payer.pay(60);
  await approve(version);
  await fill(version);

  const figuresOf = async (amount: number) =>
    Object.fromEntries(
      (await payer.matches(await payer.pay(amount))).map(({ rule_id, figures }) => [
        rule_id,
        figures.sum,
      ]),
    );
  const preview = await payer.disburse.payouts.validate(payer.request(70));
  expect(preview).toMatchObject({ accepted: true, needs_approval: true });
  expect(await fillsOf(subaccountId)).toHaveLength(1);
  expect(await figuresOf(70)).toEqual({ hour: "220", day: "280" });
  expect(await fillsOf(subaccountId)).toEqual([]);
  expect(await figuresOf(80)).toEqual({ hour: "300", day: "360" });
  const counts = await countsOf(subaccountId);
  expect(counts.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(counts.at(-1)).toEqual({ epoch: version, number: 8, total: 360 });
});

test("a subaccount that moves here is counted by the rules in force before its first payout", async () => {
  const payer = await newRuledPayer(service);
  const { subaccountId } = payer;
  await payer.rules();
  for (const amount of [10, 20, 30]) await payer.pay(amount);
  const version = await proposed(subaccountId, ["hour"]);
  await approve(version);
  const filling = { nowMs: Date.now(), above: 3, pageSize: 2 };
  await fillCountsOfSubaccount(service.db, subaccountId, filling);
  await fillCountsOfSubaccount(service.db, subaccountId, filling);
  const filled = [10, 30, 60].map((total, index) => ({ epoch: version, number: index + 1, total }));
  expect(await countsOf(subaccountId)).toEqual(filled);
  await payer.pay(40);
  expect((await countsOf(subaccountId)).at(-1)).toEqual({ epoch: version, number: 4, total: 100 });
  expect(await fillsOf(subaccountId)).toEqual([]);
});

test("a small subaccount is counted by its first payout", async () => {
  const payer = await newRuledPayer(service);
  await payer.rules();
  await payer.pay(10);
  const version = await proposed(payer.subaccountId, ["hour"]);
  await fill(version);
  expect(await countsOf(payer.subaccountId)).toEqual([]);
  await approve(version);
  await payer.pay(20);
  expect(await countsOf(payer.subaccountId)).toEqual([
    { epoch: version, number: 1, total: 10 },
    { epoch: version, number: 2, total: 30 },
  ]);
});

test("totals of earlier rules are deleted a thousand at a time, so that no payout waits for a million", async () => {
  const payer = await newRuledPayer(service);
  const { subaccountId } = payer;
  const when = { fact: "count", of: "subaccount", window: "hour", above: 1_000 } as const;
  await payer.rules({ when });
  await payer.pay(1);
  await service.db.pool.query(
    `insert into payout_count (subaccount_id, currency, subject_id, epoch, at_ms, number, total)
     select $1, 'AUD', $1, 0, n, n, n from generate_series(1, 2500) n`,
    [subaccountId],
  );
  const oldRows = async () =>
    (await countsOf(subaccountId)).filter(({ epoch }: { epoch: number }) => epoch === 0).length;
  const rows = Array.from({ length: 99 }, (_, index) => ({
    ...payer.request(1),
    reference: `row ${index}`,
  }));
  await payer.disburse.payouts.createBatch(rows);
  expect(await oldRows()).toBe(1_500);
});
