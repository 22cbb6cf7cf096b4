// A day of each role at the console, in a real browser, from an empty installation to the closed month. Users do every
// step by the pages; only a developer's program calls the API. Every page on the way is accessible and fits its screen.

import { Disburse } from "@disburse/client";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { unlessProving } from "../../scenarios/scale.ts";
import { sharedBrowser } from "../../support/browser.ts";
import { buildConsole } from "../../support/console-build.ts";
import {
  changingActs,
  choose,
  csvFile,
  expectAsked,
  fillNewReceiver,
  moveSessions,
  openOrganisationMenu,
  setUpLink,
  type Visitor,
  visit,
} from "../../support/console-visitor.ts";
import { orderedSteps } from "../../support/ordered-steps.ts";
import { newPerson } from "../../support/payers.ts";
import { closeContexts } from "../../support/reused-contexts.ts";
import { ada, type Service, startService } from "../../support/service.ts";
import { type Sink, startSink } from "../../support/sink.ts";

const { browser: found, reason } = await sharedBrowser();
const [browser, test] = [found as Browser, orderedSteps(unlessProving ?? reason)];
let service: Service;
let sink: Sink;
let aheadMs = 0;
let subaccountId = "";
beforeAll(async () => {
  await buildConsole();
  const prompt = { sandboxDelayMs: 0, bankDelayMs: 0, clock: () => Date.now() + aheadMs };
  service = await startService({ delivers: true, logsRequests: true, ...prompt });
  sink = await startSink();
});
afterAll(async () => {
  await closeContexts(browser);
  await service?.close();
  await sink?.close();
});

const phone = { viewport: { width: 390, height: 844 } };
const invited = ["Operator", "Approver", "Finance", "Developer", "Auditor"] as const;
type Role = "Admin" | (typeof invited)[number];
const links: Partial<Record<Role, string>> = {};
const visitors = new Map<Role, Visitor>();
const of = (rest: string) => `/s/${subaccountId}/${rest}`;

async function signUp(role: Role, look: Parameters<typeof visit>[3] = {}): Promise<Visitor> {
  const link = role === "Admin" ? await setUpLink(service) : links[role];
  if (!link) throw new Error(`${role} was not invited`);
  const who = { link, name: `The ${role}`, email: `${role.toLowerCase()}@example.com` };
  const visitor = await visit(browser, service, who, look);
  visitors.set(role, visitor);
  // Until another admin confirms them, those whom one admin invited count as one user.
  await service.db.pool.query("update user_vouch set confirmed_at_ms = at_ms");
  return visitor;
}

function visitorOf(role: Role): Visitor {
  const visitor = visitors.get(role);
  if (!visitor) throw new Error(`${role} has not come yet`);
  return visitor;
}

/** The text of a block to copy. */
const shownCode = (within: Locator) => within.locator("pre, code").first().textContent();

test("the first admin creates a subaccount, invites the others, and sets a threshold", async () => {
  const { page, go, press, dialog, inspect, complaints } = await signUp("Admin");
  await page.getByText("No subaccounts yet").waitFor();
  await inspect();
  await press("Create subaccount");
  await dialog("Create subaccount").getByLabel("Name").fill("Harbour Rides");
  await dialog().getByRole("button", { name: "Create subaccount" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.waitForURL(/\/settings/);
  subaccountId = /\/s\/([^/]+)\//.exec(page.url())?.[1] ?? "";
  await service.db.pool.query("update subaccount set needs_second_user = true");

  // Nothing has happened yet: the overview has the first steps, and no page sends a user to a shell.
  await go("Overview");
  await page.getByRole("heading", { name: "The first steps" }).waitFor();
  await page.getByText("You have done 0 of 5 steps.").waitFor();

  await go("Users");
  for (const role of invited) {
    await press("Invite");
    const form = dialog();
    await form.getByLabel("Email").fill(`${role.toLowerCase()}@example.com`);
    await choose(form, "Role", new RegExp(`^${role}`));
    if (role === "Developer") await choose(form, "Subaccount", "Harbour Rides");
    await form.getByRole("button", { name: "Create invite link" }).click();
    links[role] = (await shownCode(form)) ?? "";
    await form.getByRole("button", { name: "Done" }).click();
    await form.waitFor({ state: "hidden" });
  }
  await go("Settings");
  await page.getByRole("tab", { name: /Limits/ }).click();
  await press("Add currency");
  await dialog().getByLabel("Currency").fill("AUD");
  await dialog().getByLabel("Approval above", { exact: true }).fill("1,000.00");
  await dialog().getByText("1,000.00 AUD").waitFor();
  await dialog().getByLabel("Approval above, per batch").fill("1,000.00");
  await dialog().getByRole("button", { name: "Save" }).click();
  await expectAsked(service, "PUT", "/s/:subaccountId/limits");
  await inspect();
  expect(complaints).toEqual([]);
});

test("finance funds the subaccount and reads its balance and statement lines", async () => {
  const { page, go, press, dialog, inspect, complaints } = await signUp("Finance", {
    colorScheme: "dark",
  });
  await page.getByText("You have done 0 of 3 steps.").waitFor();
  await page.getByRole("link", { name: "Go to Balances" }).click();
  await page.getByText("choose Add test funds").waitFor();
  await press("Add test funds");
  await dialog("Add test funds").getByLabel("Amount").fill("5,000.00");
  await dialog().getByText("5,000.00 AUD").waitFor();
  await dialog().getByRole("button", { name: "Add test funds" }).click();
  await page.getByText("5,000.00 AUD added").waitFor();
  await inspect();
  await page.getByRole("link", { name: "Statement lines of AUD" }).click();
  const lines = page.getByRole("table", { name: "Statement lines of AUD" });
  await lines.getByText("5,000.00").first().waitFor();
  await inspect();
  await go("Overview");
  await page.getByText("You have done 1 of 3 steps.").waitFor();
  expect(complaints).toEqual([]);
});

let receiverId = "";

test("an operator creates a receiver, imports others, and submits a bank account", async () => {
  const operator = await signUp("Operator");
  const { page, go, press, dialog, inspect, main, complaints } = operator;
  await go("Receivers");
  await main.getByRole("link", { name: "New receiver" }).click();
  await fillNewReceiver(page, { first: "Zelda", last: "Marsh" });
  await inspect();
  await press("Create receiver");
  await page.getByRole("heading", { name: "Zelda Marsh" }).waitFor();
  receiverId = page.url().split("/receivers/")[1]?.split("?")[0] ?? "";

  await press("Add bank account");
  await dialog().getByLabel("BSB").fill("062-000");
  await dialog().getByLabel("Account number").fill("12345999");
  await inspect();
  await dialog().getByRole("button", { name: "Submit for approval" }).click();
  await dialog().waitFor({ state: "hidden" });
  await inspect();

  // A file of receivers is shown row by row before anything is created.
  await go("Receivers");
  await main.getByRole("link", { name: "Import receivers" }).click();
  const people = [ada({ last_name: "Byron" }), ada({ dialcode: "+61" })];
  await page.locator("input[type=file]").setInputFiles(csvFile("people.csv", people));
  const preview = page.getByRole("region", { name: "Preview" }).last();
  await preview.getByText("Byron").waitFor();
  await page
    .getByText(/^1 to 4 digits, without a plus sign/)
    .first()
    .waitFor();
  await inspect();
  await press("Create 1 receiver");
  await page.getByText("1 created, 0 already imported, 0 failed").waitFor();
  await go("Receivers");
  await page.getByRole("link", { name: /Byron/ }).first().waitFor();
  expect(complaints).toEqual([]);
});

test("an approver approves the bank account on a phone", async () => {
  const { page, press, dialog, inspect, open, complaints } = await signUp("Approver", phone);
  await inspect();
  await open("/approvals");
  await page.getByText("Zelda Marsh").first().waitFor();
  await inspect();
  await press("Approve");
  await inspect();
  await dialog().getByRole("button", { name: "Approve" }).click();
  await page.getByText("Nothing to approve").waitFor();
  await expectAsked(service, "POST", "/s/:subaccountId/bank-changes/:id/approve");
  expect(complaints).toEqual([]);
});

test("the operator imports a payout batch and submits a large payout", async () => {
  const { page, go, press, main, inspect, copied, complaints } = visitorOf("Operator");
  await page.getByRole("link", { name: /Marsh/ }).first().click();
  await page.getByRole("tab", { name: /Bank accounts/ }).click();
  const account = main.getByRole("definition").getByRole("button", { name: /^Copy/ }).last();
  const accountId = await copied(account);
  expect(accountId).toMatch(/^[0-9a-f-]{36}$/);

  await go("Payouts");
  await main.getByRole("link", { name: "Import file" }).click();
  const row = { receiver_id: receiverId, account_id: accountId, currency: "AUD" };
  const rows = ["700.00", "800.00"].map((amount) => ({ ...row, amount, reference: amount }));
  await page.locator("input[type=file]").setInputFiles(csvFile("june.csv", rows));
  await page
    .getByRole("region", { name: "Who is paid" })
    .getByText("Zelda Marsh")
    .first()
    .waitFor();
  await page.getByLabel("Type the AUD total to confirm").fill("1,500.00");
  await page.getByText("1,500.00 AUD").last().waitFor();
  await inspect();
  await press("Create 2 payouts");
  await page.getByText("2 created, 0 already imported, 0 failed").waitFor();

  await go("Payouts");
  await main.getByRole("link", { name: "New payout" }).click();
  await page.getByRole("combobox", { name: "Receiver" }).fill("Zelda");
  await page.getByRole("option", { name: /Zelda/ }).first().click();
  await page.getByLabel("Amount").fill("1,250.00");
  await page.getByLabel("Reference", { exact: true }).fill("INV-1");
  await inspect();
  await press("Continue");
  await inspect();
  await press(/^Request approval/);
  await page.waitForURL(/payouts\/[0-9a-f-]{36}/);
  await page.getByText("Awaiting approval").first().waitFor();
  await inspect();

  // No user approves their own.
  await go("Approvals");
  await page.getByText("Awaiting another approver").first().waitFor();
  expect(await main.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("the approver approves the batch as one and declines the payout, on a phone", async () => {
  const { page, press, dialog, inspect, open, main, complaints } = visitorOf("Approver");
  await open("/approvals");
  const single = main.getByRole("article").filter({ hasText: "INV-1" });
  await single.getByRole("button", { name: "Decline" }).click();
  await dialog().getByLabel("Reason").fill("Not ordered.");
  await inspect();
  await dialog().getByRole("button", { name: "Decline" }).click();
  await single.waitFor({ state: "hidden" });

  await main.getByRole("link", { name: "Batch of payouts" }).click();
  await page.getByRole("heading", { level: 1, name: "june.csv" }).waitFor();
  await inspect();
  await press("Approve 2 payouts");
  await dialog().getByText("1,500.00").waitFor();
  await inspect();
  await dialog().getByRole("button", { name: "Approve 2 payouts" }).click();
  await dialog().waitFor({ state: "hidden" });
  expect(complaints).toEqual([]);
});

test("the operator sees the batch paid, and its payouts in the overview", async () => {
  const { page, go, main, inspect, complaints } = visitorOf("Operator");
  await go("Payouts");
  await main.getByRole("link", { name: "Batches" }).click();
  await page.getByRole("link", { name: /june\.csv/ }).click();
  const payouts = page.getByRole("table", { name: "Payouts" });
  await payouts.getByText("Successful").nth(1).waitFor();
  await inspect();
  await payouts.getByRole("link", { name: "Zelda Marsh" }).first().click();
  await page.getByText("Next step").waitFor();
  await inspect();
  await go("Overview");
  await page.getByRole("region", { name: "Paid today" }).getByText("1,500.00").waitFor();
  await go("Quickstart");
  // Another user approves.
  await page.getByText("You have done 3 of 4 steps.").waitFor();
  expect(complaints).toEqual([]);
});

test("the operator decides an identity check by keyboard", async () => {
  const { page, go, dialog, inspect, open, complaints } = visitorOf("Operator");
  const live = await service.newCaller({ mode: "live" });
  await live.disburse.receivers.create(newPerson());
  await go("Review queue", /./);
  await page.keyboard.press("j");
  const approve = page
    .getByRole("group", { name: "Decide" })
    .getByRole("button", { name: /Approve/ });
  await expect.poll(() => approve.isEnabled()).toBe(true);
  await page.keyboard.press("a");
  await dialog().getByText("receiverKycUpdate").waitFor();
  await inspect();
  const note = dialog().getByRole("textbox");
  if ((await note.inputValue()) === "") await note.fill("The documents match.");
  await dialog()
    .getByRole("button", { name: /Approve/ })
    .click();
  await expectAsked(service, "POST", "/reviews/:subaccountId/:id/approve");

  await open(`/s/${live.subaccountId}/payouts/new`);
  await page.getByText("No bank is connected for live payouts").waitFor();
  expect(await page.getByRole("button", { name: "Continue" }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a developer integrates, from a key to a delivered event", async () => {
  const other = await service.newCaller();
  const developer = await signUp("Developer", { colorScheme: "dark" });
  const { page, go, press, dialog, inspect, open, main, complaints } = developer;
  await page.waitForURL(/quickstart/);
  const done = (count: number) => page.getByText(`You have done ${count} of 5 steps.`).waitFor();
  // The admin has seen the secret of the first key: that is no step of the developer.
  await done(0);
  await inspect();
  await press("Create API key");
  await dialog().getByLabel("Name").fill("laptop");
  await page.getByRole("checkbox", { name: /^Write/ }).check();
  await inspect();
  await dialog()
    .getByRole("button", { name: /^Create/ })
    .click();
  const dotenv = await dialog()
    .getByText(/DISBURSE_API_KEY=/)
    .textContent();
  const [, apiKey = "", apiSecret = ""] =
    /DISBURSE_API_KEY=(\S+)\s+DISBURSE_API_SECRET=(\S+)/.exec(dotenv ?? "") ?? [];
  await page.getByRole("button", { name: "I have saved it" }).click();

  // The developer's program.
  const program = { apiKey, baseUrl: service.baseUrl, maxRetries: 0 };
  await new Disburse({ ...program, apiSecret }).receivers.create(newPerson());
  await done(3);

  await go("Webhooks");
  await press("Add endpoint");
  await dialog().getByLabel("Endpoint URL").fill(sink.url("/events"));
  await inspect();
  await dialog().getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await press("Send test event");
  await dialog().getByRole("button", { name: /^Send/ }).click();
  await page.waitForURL(/webhooks\/events\//);
  await page.getByText("Delivered").first().waitFor();
  expect(sink.received.length).toBeGreaterThan(0);
  await inspect();
  await go("Quickstart");
  await done(4);

  // In test mode, the request page explains a wrong signature.
  const mistaken = new Disburse({ ...program, apiSecret: "sk_test_no" });
  await mistaken.balance.get().catch(() => undefined);
  await service.flushRequests();
  await go("Requests", "API requests");
  await main.getByRole("link").filter({ hasText: "/api/balance" }).first().click();
  await page.getByText(apiKey).first().waitFor();
  await inspect();
  expect(complaints).toEqual([]);

  // The pages of another subaccount are not found.
  await open(`/s/${other.subaccountId}/payouts`);
  await page.getByText("Pick a subaccount").waitFor();
});

test("an auditor opens every list, and no button there changes anything", async () => {
  const auditor = await signUp("Auditor");
  const { page, complaints } = auditor;
  const writes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") writes.push(`${request.method()} ${request.url()}`);
  });
  const tab = `receivers/${receiverId}?tab=accounts`;
  const ofShop = ["batches", "payouts/board", "balances/AUD", tab].map(of);
  const banks = ["inbound", "suspense", "calendar"].map((page) => `/banks/${page}`);
  const lists = ["statements", "closings", "exceptions"].map((page) => `/reconcile/${page}`);
  expect(await changingActs(auditor, [...ofShop, ...banks, ...lists])).toEqual([]);
  expect(writes).toEqual([]);
  expect(complaints).toEqual([]);
});

test("finance closes the month, once it has ended", async () => {
  const { page, go, press, dialog, inspect, open, complaints } = visitorOf("Finance");
  const now = new Date();
  const month = now.toISOString().slice(0, 7);
  const atMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 2);
  await moveSessions(service, "finance@example.com", atMs);
  aheadMs = atMs - Date.now();
  await open(of(`reconcile?month=${month}`));
  await page.getByRole("heading", { level: 1, name: "Books" }).waitFor();
  await page.getByText("3,500.00").first().waitFor();
  await inspect();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Statement (CSV)" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  await press("Close month");
  await dialog().getByRole("button", { name: "Close month" }).click();
  await page.getByText("by finance@example.com").waitFor();
  await expectAsked(service, "POST", "/s/:subaccountId/reconcile/close");
  await go("Balances");
  await openOrganisationMenu(page);
  const pages = (await page.getByRole("menuitem").allInnerTexts()).map((one) => one.split("\n")[0]);
  expect(pages).toEqual(["Settings", "Audit log"]);
  expect(complaints).toEqual([]);
});
