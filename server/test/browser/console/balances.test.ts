// Balances: figures with their trend, statement lines page by page, how long a balance lasts, and test funds.

import { expect, test } from "vitest";
import { limits } from "../../../src/platform/limits/limits.ts";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { october, pastOf, twoMonthsOf } from "../../support/past-payouts.ts";

const dayMs = 86_400_000;
const today = Date.now() - (Date.now() % dayMs);

const { service, browser, inBrowser } = await useBrowser(startConsole);

async function balancesOf(subaccountId: string) {
  const { status, json } = await service.enter("finance").get(`/s/${subaccountId}/balances`);
  expect(status).toBe(200);
  return json;
}

test("each balance has its figures and 30 days of trend; days without transfers end as the day before", async () => {
  const caller = await service.newCaller();
  const past = await pastOf(service, caller);
  await past.fund(today - 40 * dayMs, 10_000);
  const paid = await past.make(today - 3 * dayMs, 1_000);
  await past.move(paid, "submit", today - 2 * dayMs);
  await past.move(paid, "settle", today - dayMs);
  await past.make(today + 1, 500);
  await past.fund(today + 2, 70, "NZD");
  const { days, balances } = await balancesOf(caller.subaccountId);
  expect([days.length, days.at(-1)]).toEqual([30, today]);
  const [aud, nzd] = balances;
  expect(aud).toMatchObject({ currency: "AUD", available: 8_500, held: 500, in_transit: 0 });
  expect(aud.behind).toBe(0);
  expect(aud.trend.slice(-5)).toEqual([
    { available: 10_000, held: 0, in_transit: 0 },
    { available: 9_000, held: 1_000, in_transit: 0 },
    { available: 9_000, held: 0, in_transit: 1_000 },
    { available: 9_000, held: 0, in_transit: 0 },
    { available: 8_500, held: 500, in_transit: 0 },
  ]);
  expect(aud.trend[0]).toEqual({ available: 10_000, held: 0, in_transit: 0 });
  expect(nzd.trend.at(-2)).toEqual({ available: 0, held: 0, in_transit: 0 });
  expect(nzd.trend.at(-1)).toEqual({ available: 70, held: 0, in_transit: 0 });
});

test("a balance lasts as long as its average day says; today, fundings and money that came back don't count", async () => {
  const caller = await service.newCaller();
  const past = await pastOf(service, caller);
  const lasts = async () => (await balancesOf(caller.subaccountId)).balances[0].lasts;
  await past.fund(today - 10 * dayMs, 100_000);
  expect(await lasts()).toBeNull();
  await past.make(today - 9 * dayMs, 4_000, "AUD", 1_000);
  const cancelled = await past.make(today - 2 * dayMs, 7_000);
  await past.move(cancelled, "cancel", today - dayMs, "changed my mind");
  await past.make(today, 5_000);
  // 5,000 in 10 days are 500 a day, and 90,000 are left.
  expect(await lasts()).toEqual({ days: 180, average: 500, of_days: 10 });

  const young = await service.newCaller();
  const short = await pastOf(service, young);
  await short.fund(today - 6 * dayMs, 100_000);
  await short.make(today - 6 * dayMs, 4_000);
  expect((await balancesOf(young.subaccountId)).balances[0].lasts).toBeNull();
});

test("the lines of a month are newest first, with the balance after each, and equal the statement", async () => {
  const caller = await service.newCaller();
  const { subaccountId } = caller;
  const { past, sent } = await twoMonthsOf(service, caller);
  const finance = service.enter("finance");
  const lines = (query: string) => finance.get(`/s/${subaccountId}/balances/lines?${query}`);
  const { json } = await lines("currency=AUD&month=2026-10");
  expect(json.rows).toMatchObject([
    { description: "Payout returned", amount: 1_000, balance: 9_800 },
    { description: "Payout", amount: -200, balance: 8_800, payout_id: sent, party: "Ada Lovelace" },
  ]);
  expect(json.next).toBeNull();
  for (let place = 0; place < 5; place += 1) await past.fund(Date.now(), 1 + place);
  const whole = (await lines("currency=AUD")).json.rows;
  expect(whole).toHaveLength(5);
  const paged = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await lines(`currency=AUD&limit=2${cursor && `&cursor=${cursor}`}`);
    expect(page.status).toBe(200);
    paged.push(...page.json.rows);
    cursor = page.json.next;
  }
  expect(paged).toEqual(whole);
  const statement = await caller.disburse.balance.statement({ currency: "AUD" });
  expect(whole.map((row: { balance: number }) => row.balance).reverse()).toEqual(
    statement.lines.map(({ balance }) => balance),
  );
});

test("a page reads a bounded number of transfers, and its cursor can't be changed", async () => {
  const caller = await service.newCaller();
  const past = await pastOf(service, caller);
  await past.fund(today - dayMs, 1_000_000);
  const id = await past.make(today, 10);
  await past.move(id, "submit", today);
  const { pool } = service.db;
  const many = limits.balanceLinesScanned;
  // Moves that are no movements, as a large subaccount has them before its payouts are paid.
  await pool.query(
    `insert into ledger_transfer (subaccount_id, currency, number, id, debit, credit, amount, kind, reference,
       available_after, held_after, created_at_ms, created_by)
     select $1, 'AUD', 3 + n, gen_random_uuid(), 'available', 'held', 1, 'hold', '', 999990 - n, n, $2, 'test'
     from generate_series(1, $3::int) n`,
    [caller.subaccountId, today + 1, many],
  );
  await pool.query(
    "update ledger_balance set transfers = transfers + $2, available = available - $2, held = held + $2 where subaccount_id = $1",
    [caller.subaccountId, many],
  );
  const finance = service.enter("finance");
  const path = `/s/${caller.subaccountId}/balances/lines?currency=AUD`;
  const first = await finance.get(path);
  expect([first.json.rows, typeof first.json.next]).toEqual([[], "string"]);
  const second = await finance.get(`${path}&cursor=${first.json.next}`);
  expect(second.json).toMatchObject({
    rows: [{ amount: 1_000_000, balance: 1_000_000 }],
    next: null,
  });
  const [number, balance, mark] = first.json.next.split(".");
  const another = await service.newCaller();
  for (const bad of [
    "x",
    `${number}.${balance + 1}.${mark}`,
    `${number}.1`,
    "1.1.".padEnd(26, "a"),
  ]) {
    const { status, json } = await finance.get(`${path}&cursor=${bad}`);
    expect([status, json.error[0]]).toEqual([400, expect.objectContaining({ code: "CONS108" })]);
  }
  const elsewhere = `/s/${another.subaccountId}/balances/lines?currency=AUD`;
  expect((await finance.get(`${elsewhere}&cursor=${first.json.next}`)).status).toBe(400);
  for (const bad of ["", "currency=XXX", "currency=AUD&month=2026-13", "currency=AUD&x=1"]) {
    const { status } = await finance.get(`/s/${caller.subaccountId}/balances/lines?${bad}`);
    expect(status).toBe(400);
  }
});

test("the money flow of a month leads from its opening to its closing balance, to the cent", async () => {
  const caller = await service.newCaller();
  const { past } = await twoMonthsOf(service, caller);
  const charged = await past.make(october + 2 * dayMs, 500, "AUD", 25);
  await past.move(charged, "cancel", october + 3 * dayMs, "changed my mind");
  await past.make(october + 3 * dayMs, 500, "AUD", 31);
  const finance = service.enter("finance");
  const flow = async (query: string) => {
    const { status, json } = await finance.get(`/s/${caller.subaccountId}/balances/flow?${query}`);
    expect(status).toBe(200);
    return json;
  };
  const none = { fees_refunded: 0, fees: 0, reversed: 0, rejected: 0, released: 0, difference: 0 };
  expect(await flow("currency=AUD&month=2026-09")).toMatchObject({
    ...none,
    ...{ opening: 0, funded: 10_000, returned: 0, paid: 1_000, released: 70, closing: 9_000 },
    ...{ available: 8_800, held: 0, in_transit: 200 },
  });
  expect(await flow("currency=AUD&month=2026-10")).toMatchObject({
    ...none,
    ...{ opening: 9_000, funded: 0, returned: 1_000, paid: 200, fees: 56, fees_refunded: 25 },
    ...{ released: 500, closing: 9_769, available: 9_239, held: 530, in_transit: 0 },
  });
  // A month without transfers ends as it began, and an unknown balance is empty.
  expect(await flow("currency=NZD")).toMatchObject({ ...none, opening: 500, closing: 500 });
  expect(await flow("currency=EUR")).toMatchObject({ ...none, opening: 0, closing: 0, behind: 0 });
  for (const bad of ["", "currency=AUD&month=2026-00", "currency=aud", "currency=AUD&x=1"]) {
    const { status } = await finance.get(`/s/${caller.subaccountId}/balances/flow?${bad}`);
    expect(status).toBe(400);
  }
});

test("test funds: once for each key, audited, in test mode only, for roles that may", async () => {
  const { subaccountId } = await service.newCaller();
  const developer = service.enter("developer", { subaccountId });
  const funds = { amount: 12_345, currency: "AUD", key: crypto.randomUUID() };
  const add = (person = developer, body: object = funds, id = subaccountId) =>
    person.post(`/s/${id}/balances/test-funds`, body);
  const twice = await Promise.all([add(), add()]);
  for (const { status, json } of twice) {
    expect([status, json]).toEqual([
      200,
      { currency: "AUD", available: 12_345, held: 0, in_transit: 0 },
    ]);
  }
  const { rows } = await service.db.pool.query(
    "select who, action, object_id, after from audit_entry where subaccount_id = $1 and action like 'balance.%'",
    [subaccountId],
  );
  expect(rows).toMatchObject([
    {
      who: developer.who,
      action: "balance.add_test_funds",
      object_id: "AUD",
      after: { amount: 12_345, currency: "AUD" },
    },
  ]);

  const codeOf = async (answer: ReturnType<typeof add>) => (await answer).json.error[0].code;
  expect(await codeOf(add(developer, { ...funds, amount: 1 }))).toBe("CONS108");
  const most = Number(limits.amountMax);
  const large = { ...funds, amount: most, key: crypto.randomUUID() };
  expect(await codeOf(add(developer, large))).toBe("BALA107");
  for (const bad of [
    { amount: 0 },
    { amount: 1.5 },
    { amount: "1" },
    { currency: "XXX" },
    { key: "" },
  ]) {
    expect(await codeOf(add(developer, { ...funds, ...bad }))).toMatch(/^CONS10[78]$/);
  }
  const live = await service.newCaller({ mode: "live" });
  expect(await codeOf(add(service.enter("admin"), funds, live.subaccountId))).toBe("CONS808");
  await service.db.pool.query("update subaccount set closed_at = now() where id = $1", [
    subaccountId,
  ]);
  expect(await codeOf(add(service.enter("admin")))).toBe("CONS701");
});

inBrowser("a user adds test funds, sees trend and lines, and downloads the statement", async () => {
  const caller = await service.newCaller();
  const { subaccountId } = caller;
  const past = await pastOf(service, caller);
  await past.fund(today - 20 * dayMs, 200_000);
  const paid = await past.make(today - 10 * dayMs, 12_000);
  await past.move(paid, "submit", today - 10 * dayMs);
  await past.move(paid, "settle", today - 9 * dayMs);
  const where = { browser, baseUrl: service.baseUrl };
  const developer = service.enter("developer", { subaccountId });
  const overview = `/console/s/${subaccountId}/overview`;
  const { page, context, faults } = await openWindow(where, overview, developer);
  await page.getByRole("link", { name: "Balances", exact: true }).click();
  const panel = page.getByRole("region", { name: "AUD", exact: true });
  await panel.getByText("1,880.00").first().waitFor();
  await panel.getByText("313 days").waitFor();
  await panel.getByRole("figure", { name: /^Balance of AUD .*now 1,880.00 AUD$/ }).waitFor();
  await page.getByRole("heading", { name: "Fund AUD" }).waitFor();

  await page.getByRole("button", { name: "Add test funds" }).click();
  const dialog = page.getByRole("dialog", { name: "Add test funds" });
  await dialog.getByLabel("Amount").fill("1,2");
  expect(await dialog.getByRole("button", { name: "Add test funds" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Amount").fill("20.00");
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add test funds" }).click();
  await panel.getByText("1,900.00").first().waitFor();
  await dialog.waitFor({ state: "detached" });

  expect(await seriousFindings(page)).toEqual([]);
  await panel.getByRole("button", { name: "AUD: view as table" }).click();
  const table = panel.getByRole("table");
  await table.getByRole("row").nth(30).waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await seriousFindings(page)).toEqual([]);
  await panel.getByRole("link", { name: "Statement lines of AUD" }).click();
  const lines = page.getByRole("table", { name: "Statement lines of AUD" });
  await lines
    .getByRole("row", { name: /Funding/ })
    .getByText("20.00")
    .first()
    .waitFor();
  const flow = page.getByRole("region", { name: /^Money flow, / });
  await flow.getByRole("row", { name: /^Closing balance = 1,900.00/ }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Previous month" }).click();
  await page.getByText("No lines in this month").or(lines).waitFor();
  await page.getByRole("button", { name: "Next month" }).click();
  await lines
    .getByRole("row", { name: /Funding/ })
    .first()
    .waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Statement (CSV)" }).click();
  expect((await download).suggestedFilename()).toMatch(/^statement-AUD-20\d\d-\d\d\.csv$/);
  expect(await seriousFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => isWiderThanScreen(page)).toBe(false);
  await page.getByRole("link", { name: "Balances" }).first().click();
  await panel.waitFor();
  await expect.poll(() => isWiderThanScreen(page)).toBe(false);

  // On a phone the tables of the books have no heads, so each value has its title before it.
  await page.goto(page.url().replace(/balances.*/, "reconcile"));
  const titles = (tab: string) => {
    const cells = page
      .getByRole("tabpanel", { name: tab })
      .locator("tbody tr")
      .first()
      .locator("td");
    return cells.evaluateAll((all) =>
      all.map((cell) => getComputedStyle(cell, "::before").content),
    );
  };
  await expect.poll(() => titles("By day")).toEqual(expect.arrayContaining(['"In"', '"Closing"']));
  await page.getByRole("tab", { name: "In transit" }).first().click();
  await expect.poll(() => titles("In transit")).toEqual(['"Held"', '"At the bank"']);
  await expect.poll(() => isWiderThanScreen(page)).toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
