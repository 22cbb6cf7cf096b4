// The facts that rules look at: sums and counts under the lock, earlier payouts, bank details, reviews.

import { afterAll, expect, test } from "vitest";
import { findActiveRuleSet } from "../../../src/money/rules/queries.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { contradictions } from "../../scenarios/payouts-books.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { newPayee, type Payee } from "../../support/payers.ts";
import { newRuledPayer, slowBankMs } from "../../support/ruled-payers.ts";

const service = await closeAfterTests(
  startConsole({ bankDelayMs: slowBankMs }),
  expectBalancedLedger,
);
afterAll(async () => {
  expect(await contradictions(service.db)).toEqual([]);
});
const newPayer = () => newRuledPayer(service);
const dayMs = 86_400_000;
const hour = { of: "receiver", window: "hour" } as const;

test("without a rule nothing is held, counted or matched", async () => {
  const payer = await newPayer();
  await payer.rules();
  const id = await payer.pay(500_000);
  expect(await payer.stageOf(id)).toBe("queued");
  expect(await payer.matches(id)).toEqual([]);
  const { rows } = await service.db.pool.query(
    "select count(*)::int as count from payout_count where subaccount_id = $1",
    [payer.subaccountId],
  );
  expect(rows).toEqual([{ count: 0 }]);
});

test("a sum above its limit holds the payout, with rule and figures on record", async () => {
  const payer = await newPayer();
  const version = await payer.rules({ when: { fact: "sum", ...hour, above: 1_000 } });
  expect([await payer.stage(400), await payer.stage(600)]).toEqual(["queued", "queued"]);
  const id = await payer.pay(1);
  expect(await payer.stageOf(id)).toBe("on_hold");
  expect(await payer.matches(id)).toEqual([
    {
      rule_id: "rule-0",
      version,
      name: "A rule",
      act: "hold",
      approvals: null,
      role: null,
      figures: { of: "receiver", window: "hour", sum: "1001", above: "1000" },
    },
  ]);
  expect((await payer.holds(id))[0]?.reasons).toEqual([
    { kind: "rule", rule_id: "rule-0", version },
  ]);
  // Another receiver has a sum of its own.
  expect(await payer.stage(1_000, payer.payees[1])).toBe("queued");
});

test("counts of accounts and of the subaccount", async () => {
  const payer = await newPayer();
  await payer.rules(
    { when: { fact: "count", of: "account", window: "day", above: 1 } },
    { when: { fact: "count", of: "subaccount", window: "day", above: 2 } },
  );
  const [one, other] = payer.payees;
  expect(await payer.stage(1, one)).toBe("queued");
  const second = await payer.pay(1, one);
  expect((await payer.matches(second)).map(({ rule_id }) => rule_id)).toEqual(["rule-0"]);
  const ofSubaccount = await payer.pay(1, other);
  expect((await payer.matches(ofSubaccount)).map(({ figures }) => figures)).toEqual([
    { of: "subaccount", window: "day", count: 3, above: 2 },
  ]);
});

test("windows roll: what is older than the window no longer counts", async () => {
  const payer = await newPayer();
  const windows = ["hour", "day", "month"] as const;
  await payer.rules(
    ...windows.map((window) => ({
      when: { fact: "sum", of: "receiver", window, above: 1_000 } as const,
    })),
  );
  const matched = async () => (await payer.matches(await payer.pay(100))).map((one) => one.rule_id);
  await payer.pay(1_000);
  expect(await matched()).toEqual(["rule-0", "rule-1", "rule-2"]);
  await payer.age(3_600_000);
  expect(await matched()).toEqual(["rule-1", "rule-2"]);
  await payer.age(dayMs);
  expect(await matched()).toEqual(["rule-2"]);
  await payer.age(30 * dayMs);
  expect(await matched()).toEqual([]);
});

test("a payout that failed or was cancelled still counts", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "sum", ...hour, above: 1_000 } });
  await payer.disburse.payouts.cancel(await payer.pay(1_000));
  expect(await payer.stage(1)).toBe("on_hold");
});

test("rules that are switched on count the payouts of the last 31 days", async () => {
  const payer = await newPayer();
  await payer.rules();
  await payer.pay(300);
  await payer.pay(300);
  await payer.rules({ when: { fact: "sum", of: "account", window: "day", above: 1_000 } });
  const id = await payer.pay(401);
  expect((await payer.matches(id))[0]?.figures).toMatchObject({ sum: "1001" });
  // While no rule asks for it nothing is counted. Switched on again, the gap is filled.
  await payer.rules();
  await payer.pay(1_000);
  await payer.rules({ when: { fact: "sum", of: "account", window: "day", above: 1_000 } });
  expect((await payer.matches(await payer.pay(1)))[0]?.figures).toMatchObject({ sum: "2002" });
});

test("another limit of the same rule counts on", async () => {
  const payer = await newPayer();
  const sum = (above: number) =>
    payer.rules({ when: { fact: "sum", of: "account", window: "day", above } });
  await sum(1_000);
  await payer.pay(900);
  await sum(5_000);
  expect(await payer.stage(4_100)).toBe("queued");
  expect(await payer.stage(1)).toBe("on_hold");
  const { epochs, version } = (await findActiveRuleSet(service.db)) ?? { epochs: {}, version: 0 };
  expect(epochs.account).toBe(version - 1);
});

test("totals that no window needs any more are deleted, and the sums stay right", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "sum", of: "account", window: "month", above: 30_000 } });
  const payMany = (count: number) =>
    payer.disburse.payouts.createBatch(Array.from({ length: count }, () => payer.request(100)));
  await payMany(98);
  await payer.age(32 * dayMs);
  await payMany(2);
  const { rows } = await service.db.pool.query(
    "select number::int from payout_count where subaccount_id = $1 order by number",
    [payer.subaccountId],
  );
  // Of payouts in the same millisecond only the last one has a row.
  const numbers = rows.map(({ number }) => number);
  expect([numbers.at(0), numbers.at(-1)]).toEqual([98, 100]);
  const id = await payer.pay(29_801);
  expect((await payer.matches(id))[0]?.figures).toMatchObject({ sum: "30001" });
});

test("the first payout to an account: until one is let through", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "first_payout" } });
  const first = await payer.pay(100);
  expect(await payer.stageOf(first)).toBe("on_hold");
  // The first one is still on hold, so the account was not paid yet.
  expect(await payer.stage(5_000)).toBe("on_hold");
  await payer.release(first);
  expect(await payer.stage(5_000)).toBe("queued");
  expect(await payer.stage(5_000, payer.payees[1])).toBe("on_hold");
});

test("bank details that changed within the hours", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "details_changed", within_hours: 24 } });
  const [{ account_id }] = payer.payees;
  expect(await payer.stage(100)).toBe("queued");
  await service.db.pool.query(
    `insert into bank_details select subaccount_id, account_id, 2, country, individual_or_business,
       account_number_sealed, account_number_tail, bsb, bank_code, bank_name, abn, acn, nzbn, $2::bigint, created_by,
       checking_or_savings, business_name, account_number_mark from bank_details where account_id = $1`,
    [account_id, Date.now()],
  );
  await service.db.pool.query("update receiver_account set version = 2 where id = $1", [
    account_id,
  ]);
  expect(await payer.stage(100)).toBe("on_hold");
  await service.db.pool.query(
    "update bank_details set created_at_ms = created_at_ms - $2 where account_id = $1 and version = 2",
    [account_id, dayMs],
  );
  expect(await payer.stage(100)).toBe("queued");
});

test("one account at two receivers", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "shared_account" } });
  expect(await payer.stage(100)).toBe("queued");
  const twin = await newPayee(payer.disburse, "12345999");
  // The same last digits, and another number.
  const similar = await newPayee(payer.disburse, "92345999");
  const id = await payer.pay(100, twin);
  expect((await payer.matches(id))[0]?.figures).toEqual({ other_receivers: 1 });
  expect(await payer.stage(100)).toBe("on_hold");
  expect(await payer.stage(100, similar)).toBe("queued");
});

test("one account at two receivers is found in every way to write its number", async () => {
  const payer = await newPayer();
  const { disburse } = payer;
  await disburse.testHelpers.fund({ amount: 1_000, currency: "NZD", reference: newId() });
  await payer.rules({ currency: "NZD", when: { fact: "shared_account" } });
  const newOne = (number: string) => newPayee(disburse, number, {}, { country: "NZL" });
  const pay = async (payee: Payee) => {
    const payout = { ...payee, amount: 100, currency: "NZD", reference: newId() };
    return (await disburse.payouts.create(payout)).payout_id;
  };
  const short = await newOne("01-0902-0068389-00");
  expect(await payer.stageOf(await pay(short))).toBe("queued");
  const id = await pay(await newOne("01-0902-0068389-000"));
  expect((await payer.matches(id))[0]?.figures).toEqual({ other_receivers: 1 });
  expect(await payer.stageOf(await pay(short))).toBe("on_hold");
});

test("an amount above a multiple of the median of the receiver's last ten", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "above_median", times: 5 } });
  // Without an earlier payout there is no median.
  expect(await payer.stage(100_000)).toBe("queued");
  for (const amount of [100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000]) {
    expect(await payer.stage(amount)).toBe("queued");
  }
  // The median of the last ten is 550; payouts on hold don't change it.
  expect(await payer.stage(2_751)).toBe("on_hold");
  const id = await payer.pay(9_999);
  expect((await payer.matches(id))[0]?.figures).toEqual({
    amount: "9999",
    median: "550",
    times: 5,
    payouts: 10,
  });
  expect(await payer.stage(2_750)).toBe("queued");
});

test("payouts of one batch see those before them", async () => {
  const payer = await newPayer();
  await payer.rules(
    { when: { fact: "count", ...hour, above: 2 } },
    { when: { fact: "above_median", times: 2 } },
    { id: "first", when: { fact: "first_payout" }, act: { act: "second_person" } },
  );
  const rows = [100, 100, 100, 201].map((amount) => payer.request(amount));
  const { payouts } = await payer.disburse.payouts.createBatch(rows);
  const matched = await Promise.all(
    payouts.map(async ({ payout_id }) =>
      (await payer.matches(payout_id)).map(({ rule_id }) => rule_id),
    ),
  );
  // The first two wait for approval, so nothing is let through and there is no median.
  expect(matched).toEqual([["first"], ["first"], ["first", "rule-0"], ["first", "rule-0"]]);
});

test("the country of the account or of the receiver", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "country", in: ["NZL", "AUS"] } });
  const id = await payer.pay(100);
  expect((await payer.matches(id))[0]?.figures).toEqual({ country: "AUS" });
  await payer.rules({ when: { fact: "country", in: ["NZL"] } });
  expect(await payer.stage(100)).toBe("queued");
});

test("an identity check that waits for a review", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "identity_review" } });
  expect(await payer.stage(100)).toBe("queued");
  await service.db.pool.query("update receiver set kyc_needs_review = true where id = $1", [
    payer.payees[0].receiver_id,
  ]);
  expect(await payer.stage(100)).toBe("on_hold");
});

test("the outcome of the payee name check; without one it is unavailable", async () => {
  const payer = await newPayer();
  const [{ account_id }] = payer.payees;
  const check = (outcome: string | null) =>
    service.db.pool.query(
      `update payee_name_check set outcome = $2::text, due_at_ms = null,
         checked_at_ms = case when $2::text is null then null else 1 end where account_id = $1`,
      [account_id, outcome],
    );
  await payer.rules({ when: { fact: "payee_name", in: ["no_match", "unavailable"] } });
  await check("match");
  expect(await payer.stage(100)).toBe("queued");
  await check("no_match");
  const id = await payer.pay(100);
  expect((await payer.matches(id))[0]?.figures).toEqual({ outcome: "no_match" });
  await check(null);
  expect(await payer.stage(100)).toBe("on_hold");
});
