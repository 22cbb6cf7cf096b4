// A day of each role at the console, in a real browser: from the set-up link to the closed month. The tests use the
// pages like a user, and check the outcome on the server.

import { Disburse } from "@disburse/client";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { fund } from "../../src/ledger/fund.ts";
import { launchBrowser } from "../support/browser.ts";
import { buildConsole } from "../support/console-build.ts";
import {
  expectAsked,
  setUpLink,
  untilShown,
  type Visitor,
  visit,
} from "../support/console-visitor.ts";
import { orderedSteps } from "../support/ordered-steps.ts";
import { newPerson } from "../support/payers.ts";
import { type Service, startService, type TestCaller } from "../support/service.ts";
import { type Sink, startSink } from "../support/sink.ts";

const launched = await launchBrowser();
const browser = launched.browser as Browser;
const test = orderedSteps(launched.reason);
let service: Service;
let sink: Sink;
let shop: TestCaller;
beforeAll(async () => {
  await buildConsole();
  const prompt = { sandboxDelayMs: 0, bankDelayMs: 0 };
  service = await startService({ delivers: true, logsRequests: true, ...prompt });
  sink = await startSink();
  shop = await service.newCaller();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await sink?.close();
});

type Role = "Admin" | "Operator" | "Finance" | "Developer";
const links: Partial<Record<Role, string>> = {};
const visitors = new Map<Role, Visitor>();
const of = (rest: string) => `/s/${shop.subaccountId}/${rest}`;

async function signUp(role: Role, colorScheme: "light" | "dark" = "light"): Promise<Visitor> {
  const link = role === "Admin" ? await setUpLink(service) : links[role];
  if (!link) throw new Error(`${role} was not invited`);
  const who = { link, name: `The ${role}`, email: `${role.toLowerCase()}@example.com` };
  const visitor = await visit(browser, service, who, { colorScheme });
  visitors.set(role, visitor);
  return visitor;
}

function visitorOf(role: Role): Visitor {
  const visitor = visitors.get(role);
  if (!visitor) throw new Error(`${role} has not come yet`);
  return visitor;
}

async function choose(within: Page | Locator, label: string, option: string | RegExp) {
  await within.getByRole("combobox", { name: label }).click();
  const page = "page" in within ? within.page() : within;
  await page.getByRole("option", { name: option }).first().click();
}

/** The text of a block to copy. */
const copied = (within: Locator) => within.locator("pre, code").first().textContent();

test("the first admin follows the set-up link, invites the others, and sets a threshold", async () => {
  const { page, open, complaints } = await signUp("Admin");
  await open("/users");
  for (const role of ["Operator", "Finance", "Developer"] as const) {
    await page.getByRole("button", { name: "Invite" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill(`${role.toLowerCase()}@example.com`);
    await choose(dialog, "Role", new RegExp(`^${role}`));
    if (role === "Developer") await choose(dialog, "Subaccount", "A test");
    await dialog.getByRole("button", { name: "Create invite link" }).click();
    links[role] = (await copied(dialog)) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
  }
  await expectAsked(service, "POST", "/users/invite");
  // A day later: until then those whom one admin invited count as one user.
  await service.db.pool.query("update user_vouch set at_ms = at_ms - 25 * 3600000");

  await open(of("settings?tab=limits"));
  await page.getByRole("button", { name: "Add currency" }).click();
  const limits = page.getByRole("dialog");
  await limits.getByLabel("Currency").fill("AUD");
  await limits.getByLabel("Approval above", { exact: true }).fill("1,000.00");
  await limits.getByRole("button", { name: "Save" }).click();
  await expectAsked(service, "PUT", "/s/:subaccountId/limits");
  expect(complaints).toEqual([]);
});

test("a developer integrates: a key, a signed call, a receiver and an event complete the quickstart", async () => {
  const other = await service.newCaller();
  const { page, open, complaints } = await signUp("Developer", "dark");
  await page.waitForURL(/quickstart/);
  const done = (count: number) => page.getByText(`${count} of 4 steps done.`).waitFor();
  await done(1);

  await page.getByRole("button", { name: "Create an API key" }).click();
  await page.getByRole("button", { name: "Create another API key" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("laptop");
  await page.getByRole("checkbox", { name: /^Write/ }).check();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Create/ })
    .click();
  const dotenv = await page
    .getByRole("dialog")
    .getByText(/DISBURSE_API_KEY=/)
    .textContent();
  const [, apiKey = "", apiSecret = ""] =
    /DISBURSE_API_KEY=(\S+)\s+DISBURSE_API_SECRET=(\S+)/.exec(dotenv ?? "") ?? [];
  await page.getByRole("button", { name: "I have saved it" }).click();
  await expectAsked(service, "POST", "/s/:subaccountId/keys");

  const disburse = new Disburse({ apiKey, apiSecret, baseUrl: service.baseUrl, maxRetries: 0 });
  await disburse.receivers.create(newPerson());
  await done(3);

  await open(of("webhooks"));
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByRole("dialog").getByLabel("Endpoint URL").fill(sink.url("/events"));
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("dialog").getByRole("button", { name: /^Send/ }).click();
  await expect.poll(() => sink.received.length).toBeGreaterThan(0);
  await open(of("quickstart"));
  await done(4);

  // In test mode, the request page explains a wrong signature.
  const mistaken = new Disburse({
    apiKey,
    apiSecret: "sk_test_no",
    baseUrl: service.baseUrl,
    maxRetries: 0,
  });
  await mistaken.balance.get().catch(() => undefined);
  await service.flushRequests();
  await open(of("requests?status=401"));
  await page.getByRole("link").filter({ hasText: "/api/balance" }).first().click();
  await page.getByText(apiKey).first().waitFor();

  // The pages of another subaccount are not found.
  await page.goto(page.url().replace(shop.subaccountId, other.subaccountId));
  await page
    .getByText(/no such subaccount|not found|isn’t here|is not here/i)
    .first()
    .waitFor();
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

test("an operator reviews a receiver by keyboard, pays, and can't approve their own large payout", async () => {
  const { page, open, complaints } = await signUp("Operator");
  const live = await service.newCaller({ mode: "live" });
  await live.disburse.receivers.create(newPerson());
  await open("/reviews");
  await page.keyboard.press("j");
  const approve = page
    .getByRole("group", { name: "Decide" })
    .getByRole("button", { name: /Approve/ });
  await expect.poll(() => approve.isEnabled()).toBe(true);
  await page.keyboard.press("a");
  const decision = page.getByRole("dialog");
  await decision.getByText("receiverKycUpdate").waitFor();
  const note = decision.getByRole("textbox");
  if ((await note.inputValue()) === "") await note.fill("The documents match.");
  await decision.getByRole("button", { name: /Approve/ }).click();
  await expectAsked(service, "POST", "/reviews/:subaccountId/:receiverId/approve");

  await open(`/s/${live.subaccountId}/payouts/new`);
  await page.getByText("No bank is connected for live payouts").waitFor();
  expect(await page.getByRole("button", { name: "Continue" }).count()).toBe(0);

  const { disburse } = shop;
  // The picker finds by last name.
  const { receiver_id } = await disburse.receivers.create({ ...newPerson(), last_name: "Zelda" });
  await expect.poll(async () => (await disburse.receivers.get(receiver_id)).status).toBe("active");
  const bank = { account_type: "I", bsb: "062000", account_number: "12345999" } as const;
  await disburse.receiverAccounts.create({ receiver_id, ...bank });
  await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD" });
  await open(of("payouts/new"));
  await page.getByRole("combobox", { name: "Receiver" }).fill("Zelda");
  await page.getByRole("option", { name: /Zelda/ }).first().click();
  await page.getByLabel("Amount").fill("1,250.00");
  await page.getByLabel("Reference", { exact: true }).fill("INV-1");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: /^Request approval/ }).click();
  await page.waitForURL(/payouts\/[0-9a-f-]{36}/);
  await expectAsked(service, "POST", "/s/:subaccountId/payouts");
  await page.getByText("Awaiting approval").first().waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  expect((await disburse.payouts.get(id)).stage).toBe("awaiting_approval");
  await open("/approvals");
  await page.getByText("Awaiting another approver").waitFor();
  expect(await page.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a second user approves it, and the operator sees it settle", async () => {
  const { page, open } = visitorOf("Admin");
  await open("/approvals");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  const [payout] = await shop.disburse.payouts.list().toArray();
  await expect
    .poll(async () => (await shop.disburse.payouts.get(payout?.id ?? "")).stage, {
      timeout: 60_000,
    })
    .toBe("settled");
  const operator = visitorOf("Operator");
  await operator.open(of(`payouts/${payout?.id}`));
  await operator.page.getByText("Successful").first().waitFor();
  await operator.page.getByText("Next step").waitFor();
  await untilShown(page);
});

test("finance reads the balances, downloads the statement, and closes the month", async () => {
  const now = new Date();
  const lastMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15, 12);
  const finances = await service.newCaller();
  const funding = { subaccountId: finances.subaccountId, currency: "AUD", amount: 250_000n };
  await service.db.transaction((tx) =>
    fund(tx, { ...funding, reference: "TOP-UP", who: "operator:bank", atMs: lastMonth }),
  );
  const { page, open, complaints } = await signUp("Finance", "dark");
  const month = new Date(lastMonth).toISOString().slice(0, 7);
  await open(`/s/${finances.subaccountId}/reconcile?month=${month}&currency=AUD`);
  await page.getByText("2,500.00").first().waitFor();
  const download = page.waitForEvent("download");
  await page
    .getByRole("link", { name: /CSV|statement/i })
    .or(page.getByRole("button", { name: /CSV|statement/i }))
    .first()
    .click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  await page.getByRole("button", { name: "Close month" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close month" }).click();
  await page.getByText("by finance@example.com").waitFor();
  await expectAsked(service, "POST", "/s/:subaccountId/reconcile/close");
  expect(await page.getByRole("link", { name: "Users" }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a session that was ended elsewhere stops at once", async () => {
  const { page, open } = visitorOf("Operator");
  await open(of("payouts"));
  const { rowCount } = await service.db.pool.query(
    "delete from user_session where user_id = (select id from console_user where email = 'operator@example.com')",
  );
  expect(rowCount).toBe(1);
  const answer = await page.request.get(`http://localhost:${service.port}/console/api/me`);
  expect(answer.status()).toBe(401);
});
