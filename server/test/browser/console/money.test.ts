// Money safety in the console, in a real browser: amounts and currencies are not misread, live and test mode are not
// mixed up, and input survives a step back, a new sign-in and an unreachable server.

import { expect, test } from "vitest";
import { totalsOf } from "../../../../console/src/approvals/totals.ts";
import { blankDraft } from "../../../../console/src/payouts/payout-draft.ts";
import { readDraft } from "../../../../console/src/state/draft-text.ts";
import { parseSearch } from "../../../../console/src/state/filters.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openOrganisationMenu } from "../../support/console-visitor.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { ada, type TestCaller } from "../../support/service.ts";

const soon = { timeout: 60_000 };

let service: ConsoleService;
let caller: TestCaller;
let person: TestPerson;

const { browser, inBrowser } = await useBrowser(async () => {
  service = await startConsole();
  person = service.enter("operator");
  caller = await service.newCaller();
  for (const currency of ["AED", "AUD", "JPY"])
    await caller.disburse.testHelpers.fund({ amount: 1_000_000, currency, reference: newId() });
  await service.enter("admin").put(`/s/${caller.subaccountId}/limits`, {
    currency: "AUD",
    per_payout_max: null,
    per_day_max: null,
    approval_above: 100_000,
  });
  return service;
});

async function payee(last_name: string, country: "AUS" | "JPN"): Promise<void> {
  const { disburse } = caller;
  const place = country === "JPN" ? { country, postcode: "100-0001" } : {};
  const bank = country === "JPN" ? { bank_code: "BOTKJPJT" } : { bsb: "062000" };
  const { receiver_id } = await disburse.receivers.create(ada({ last_name, ...place }));
  await disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  await disburse.receiverAccounts.create({
    receiver_id,
    account_type: "I",
    account_number: "12345999",
    ...bank,
  });
}

async function openForm(lastName: string, country: "AUS" | "JPN" = "AUS") {
  await payee(lastName, country);
  const window = { browser, baseUrl: service.baseUrl };
  const path = `/console/s/${caller.subaccountId}/payouts/new`;
  const opened = await openWindow(window, path, person);
  const { page } = opened;
  const receiver = page.getByRole("combobox", { name: "Receiver" });
  await receiver.fill(lastName);
  await page.getByRole("option", { name: new RegExp(lastName) }).click();
  const amount = page.getByLabel("Amount");
  const next = page.getByRole("button", { name: "Continue" });
  return { ...opened, receiver, amount, next };
}

inBrowser(
  "a misleading amount and one above the balance are refused, and Back keeps the input",
  async () => {
    const { page, context, faults, amount, next, receiver } = await openForm("Commalot");
    await page.getByText("Available: 10,000.00 AUD").waitFor();
    await amount.fill("12,50");
    await amount.blur();
    await page.getByText(/commas only between thousands/).waitFor();
    expect(await next.isDisabled()).toBe(true);
    await amount.fill("10,000.01");
    await amount.blur();
    await page.getByText("More than the available balance").waitFor();
    expect(await next.isDisabled()).toBe(true);
    await amount.fill("1,250.00");
    const reference = page.getByLabel("Reference", { exact: true });
    await reference.fill("x".repeat(201));
    await page.getByText("At most 200 characters. This has 201.").waitFor();
    expect(await next.isDisabled()).toBe(true);
    await reference.fill("INV-77");

    await next.click();
    await page.getByText("needs approval by another user, because it is above 1,000.00").waitFor();
    expect(new URL(page.url()).searchParams.get("step")).toBe("review");
    expect(await seriousFindings(page)).toEqual([]);
    await page.goBack();
    await expect.poll(() => amount.inputValue(), soon).toBe("1,250.00");
    expect(await reference.inputValue()).toBe("INV-77");
    expect(await receiver.inputValue()).toContain("Commalot");

    await next.click();
    await page.getByRole("button", { name: "Request approval for 1,250.00 AUD" }).click();
    await page.getByRole("button", { name: "Cancel payout" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel payout" });
    await dialog.getByRole("button", { name: "Keep payout" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(faults).toEqual([]);
    await context.close();
  },
);

inBrowser("the review says that a receiver's payouts of one day need approval", async () => {
  await service.db.pool.query(
    `insert into payout_limit (subaccount_id, currency, receiver_day_approval_above)
     values ($1, 'JPY', 5000)`,
    [caller.subaccountId],
  );
  const { page, context, faults, amount, next } = await openForm("Threshold", "JPN");
  await amount.fill("5001");
  await page.getByRole("combobox", { name: "Currency" }).click();
  await page.getByRole("option", { name: "JPY" }).click();
  await next.click();
  await page.getByText(/receiver's payouts of today come to more than 5,000 JPY/).waitFor();
  await page.getByRole("button", { name: "Request approval for 5,001 JPY" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser("if the country does not fix the currency, the user has to choose it", async () => {
  const { page, context, amount, next } = await openForm("Tanaka", "JPN");
  await page.getByText("Choose a currency to see the available balance").waitFor();
  await amount.fill("1500");
  expect(await page.getByRole("combobox", { name: "Currency" }).inputValue()).toBe("");
  expect(await next.isDisabled()).toBe(true);
  await page.getByRole("combobox", { name: "Currency" }).click();
  await page.getByRole("option", { name: "JPY" }).click();
  await page.getByText("Available: 1,000,000 JPY").waitFor();
  await next.click();
  await page.getByRole("button", { name: "Pay 1,500 JPY" }).waitFor();
  await context.close();
});

inBrowser(
  "an amount filter refuses a decimal comma, and an invalid date filter is dropped",
  async () => {
    const window = { browser, baseUrl: service.baseUrl };
    const path = `/console/s/${caller.subaccountId}/payouts?from=banana`;
    const { page, context } = await openWindow(window, path, person, { width: 390 });
    const filters = page.getByRole("group", { name: "Filters" });
    await filters.getByRole("button", { name: "Filters" }).click();
    await filters.getByRole("button", { name: "More", exact: true }).click();
    await filters.getByRole("button", { name: "Min amount" }).click();
    expect(await filters.getByText("banana").count()).toBe(0);
    const amount = page.getByRole("textbox", { name: "Min amount" });
    await amount.fill("100,00");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText(/commas only between thousands/).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await amount.fill("1,000.50");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect
      .poll(() => new URL(page.url()).searchParams.get("amount_min"), soon)
      .toMatch(/^1000/);
    await context.close();
  },
);

inBrowser("pages across subaccounts do not show one subaccount's mode", async () => {
  const live = await service.newCaller({ mode: "live" });
  await service.enter("admin").put(`/s/${live.subaccountId}/limits`, {
    currency: "AUD",
    per_payout_max: null,
    per_day_max: null,
    approval_above: 0,
  });
  const admin = service.enter("admin");
  const window = { browser, baseUrl: service.baseUrl };
  const path = `/console/s/${caller.subaccountId}/payouts`;
  const { page, context } = await openWindow(window, path, admin);
  const banner = page.getByRole("banner");
  await banner.getByText("Test mode").waitFor();
  expect(await banner.getByText("Live", { exact: true }).count()).toBe(0);
  for (const name of ["Review queue", "Approvals", "Users", "Audit log"]) {
    const link = page.getByRole("link", { name });
    if (await link.count()) await link.first().click();
    else {
      await openOrganisationMenu(page);
      await page.getByRole("menuitem", { name }).click();
    }
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await banner.getByText("All subaccounts").waitFor();
    await banner.getByText("Company", { exact: true }).waitFor();
    expect(await banner.getByText("Test mode").count()).toBe(0);
    expect(await page.locator("[data-mode=test], [data-mode=live]").count()).toBe(0);
  }
  const row = page.getByRole("row").filter({ hasText: "Limits: set" });
  await row.filter({ hasText: "Live" }).first().waitFor();
  await row.filter({ hasText: "Test mode" }).first().waitFor();
  await context.close();
});

inBrowser("an unreachable server: a banner is shown, and a half-filled form is kept", async () => {
  const { page, context, amount } = await openForm("Faraway");
  await amount.fill("77.70");
  // An earlier test of this browser may have loaded the page.
  const session = await context.newCDPSession(page);
  await session.send("Network.clearBrowserCache");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Books" }).click();
  await page.getByText("this page could not be loaded").waitFor();
  await page.getByText("Can't reach the server. Data may be out of date.").waitFor();
  await page.getByRole("status").getByText("Offline").waitFor({ state: "attached" });
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menu").getByText("The server can't be reached").waitFor();
  await page.keyboard.press("Escape");
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Go back" }).click();
  await expect.poll(() => amount.inputValue(), soon).toBe("77.70");
  await page.getByRole("link", { name: "Books" }).click();
  await page.getByText("this page could not be loaded").waitFor();
  await page.getByRole("main").getByRole("button", { name: "Try again" }).last().click();
  await page.getByText("this page could not be loaded").waitFor();
  await context.setOffline(false);
  await page.getByRole("heading", { level: 1, name: "Books" }).waitFor();
  await page.getByText("Can't reach the server").waitFor({ state: "hidden" });
  await context.close();
});

inBrowser("an ended session says so, and the half-filled payout is restored", async () => {
  const { page, context, amount, receiver } = await openForm("Latecomer");
  await amount.fill("88.80");
  await amount.blur();
  await context.clearCookies();
  // Unless a request that the page makes by itself has noticed it before.
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href$="/receivers"]')?.click());
  await page.getByText("Your session has ended. Sign in to continue").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  const [name = "", value = ""] = person.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: service.baseUrl }]);
  await page.goto(`${service.baseUrl}/console/s/${caller.subaccountId}/payouts/new`);
  await page.getByText("Your unfinished payout was restored.").waitFor();
  expect(await amount.inputValue()).toBe("88.80");
  await expect.poll(() => receiver.inputValue(), soon).toContain("Latecomer");
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(kept).not.toContain("5999");
  await page.getByRole("button", { name: "Start over" }).click();
  expect(await amount.inputValue()).toBe("");
  await context.close();
});

test("totals of a bulk approval never add test money to real money", () => {
  const of = (mode: string, currency: string, amount: number) => ({
    mode,
    payout: { currency, amount },
  });
  const rows = [
    of("test", "AUD", 5),
    of("live", "AUD", 7),
    of("live", "EUR", 1),
    of("test", "AUD", 2),
  ];
  expect(totalsOf(rows)).toEqual([
    { mode: "live", currency: "AUD", amount: 7, count: 1 },
    { mode: "live", currency: "EUR", amount: 1, count: 1 },
    { mode: "test", currency: "AUD", amount: 7, count: 2 },
  ]);
});

test("a URL keeps only filters with valid values", () => {
  expect(parseSearch("from=banana&to=2026-02-31&amount_min=x&reference=banana")).toEqual({
    reference: "banana",
  });
  const sound = { from: "2026-02-28", to: "1767225600000", amount_min: "100" };
  expect(parseSearch(new URLSearchParams(sound).toString())).toEqual(sound);
});

test("a saved draft keeps only what the form can hold", () => {
  const read = (text: string | null) => readDraft(text, { ...blankDraft, tags: ["a"] });
  expect(read(null)).toBeUndefined();
  expect(read("{")).toBeUndefined();
  expect(read('{"amount":"","receiverId":null}')).toBeUndefined();
  expect(read('{"amount":"1","note":7,"x":"y","tags":["a",1]}')).toEqual({ amount: "1" });
  expect(read('{"tags":["b"]}')).toEqual({ tags: ["b"] });
});
