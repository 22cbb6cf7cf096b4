// Approvals, audit and limits in a real browser: a second user works by keyboard and mouse, and on a phone.

import { expect } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { verifyAndRecord } from "../../../src/tenants/audit/state.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openOrganisationMenu } from "../../support/console-visitor.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { orderedSteps } from "../../support/ordered-steps.ts";
import { newPayee } from "../../support/payers.ts";
import type { TestCaller } from "../../support/service.ts";

const soon = { timeout: 60_000 };

let service: ConsoleService;
let caller: TestCaller;
let admin: TestPerson;
let maker: TestPerson;
let receiver: string;
let account: string;

const { browser, reason } = await useBrowser(async () => {
  service = await startConsole();
  admin = service.enter("admin");
  maker = service.enter("operator");
  caller = await service.newCaller();
  const { disburse, subaccountId } = caller;
  const { receiver_id, account_id } = await newPayee(disburse);
  [receiver, account] = [receiver_id, account_id];
  await disburse.testHelpers.fund({ amount: 10_000_000, currency: "AUD", reference: newId() });
  await admin.put(`/s/${subaccountId}/limits`, {
    currency: "AUD",
    per_payout_max: null,
    per_day_max: null,
    approval_above: 100_000,
  });
  for (const reference of ["INV-1", "INV-2", "INV-3", "INV-4"]) {
    await disburse.payouts.create({
      receiver_id,
      account_id,
      amount: 125_000,
      currency: "AUD",
      reference,
    });
  }
  const change = { account_number: "98765888" };
  await maker.patch(`/s/${subaccountId}/accounts/${account_id}`, change);
  return service;
});
// Ordered steps, because the tests share one queue: the second needs it to be empty.
const inBrowser = orderedSteps(reason);

const stages = async () => {
  const { rows } = await service.db.pool.query(
    "select reference, stage from payout where subaccount_id = $1 order by reference",
    [caller.subaccountId],
  );
  return Object.fromEntries(rows.map(({ reference, stage }) => [reference, stage]));
};

inBrowser("a second user works through the queue, and the audit log shows it", async () => {
  const window = { browser, baseUrl: service.baseUrl };
  const { page, context, faults } = await openWindow(window, "/console/approvals", admin);
  const queue = page.getByRole("list", { name: "Requests" });
  const items = queue.getByRole("article");
  await expect.poll(() => items.count(), soon).toBe(5);
  await items.nth(0).getByText("Needs approval because it is above 1,000.00 AUD.").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  const sortBy = async (name: string) => {
    await page.getByRole("button", { name: "Sort" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await sortBy("Amount of payouts, descending");
  await page.getByText("Only payouts have amounts").waitFor();
  await expect.poll(() => items.count(), soon).toBe(4);
  expect(await seriousFindings(page)).toEqual([]);
  await sortBy("Created, ascending");
  await expect.poll(() => items.count(), soon).toBe(5);

  // By keyboard only, right after the page has loaded: the first item is approved, the next one declined.
  await page.keyboard.press("a");
  await page.getByRole("dialog").getByText("1,250.00").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused, soon).toBe("Approve");
  await page.keyboard.press("Enter");
  await expect.poll(() => items.count(), soon).toBe(4);
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("d");
  await page.getByLabel("Reason").fill("not our invoice");
  await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  await expect.poll(() => items.count(), soon).toBe(3);
  expect(await stages()).toMatchObject({ "INV-1": "queued", "INV-2": "cancelled" });

  // The other payouts at once, with their total.
  await page.getByLabel("Select all payouts shown").check();
  await page.getByText("2 selected: 2,500.00 AUD (test mode)").waitFor();
  await page.getByRole("button", { name: "Approve selected" }).click();
  expect(await page.getByRole("dialog").innerText()).toMatch(
    /Total in AUD\s+2,500.00 AUD · 2 payouts\s+Mode\s+Test mode/,
  );
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => items.count(), soon).toBe(1);
  expect(await stages()).toMatchObject({ "INV-3": "queued", "INV-4": "queued" });

  await page.getByText("•••• 5888").first().waitFor();
  await items.nth(0).getByRole("button", { name: "Approve" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await page.getByText("Nothing to approve").waitFor();
  expect(await page.getByText("npx").count()).toBe(0);
  const limits = page.getByRole("main").getByRole("link", { name: /^Limits of/ });
  expect(await limits.getAttribute("href")).toContain("/settings?tab=limits");
  const after = await caller.disburse.receiverAccounts.get(account);
  expect(after.bank_account_data.account_number).toBe("98765888");

  await verifyAndRecord(service);
  await openOrganisationMenu(page);
  await page.getByRole("menuitem", { name: "Audit log" }).click();
  await page.getByText(/^Intact up to (entry|the last entry)/).waitFor();
  // A page that is opened while another user's run goes on shows its result too.
  const holder = await service.db.pool.connect();
  await holder.query("begin");
  await holder.query("lock table audit_verified in exclusive mode");
  await page.getByRole("button", { name: "Verify now" }).click();
  await page.getByText(/^Verifying/).waitFor();
  const other = await openWindow(window, "/console/audit", service.enter("auditor"));
  await other.page.getByText(/^Verifying/).waitFor();
  await holder.query("commit");
  holder.release();
  for (const shown of [page, other.page]) {
    await shown.getByText(/^Intact up to (entry|the last entry)/).waitFor();
    await shown.getByText(/^Verifying/).waitFor({ state: "detached" });
  }
  await other.context.close();
  await page.getByRole("button", { name: "Payout: decline" }).click();
  await page.getByRole("dialog").getByText("not our invoice").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  // The URL names the entry, so that another user can open it.
  expect(new URL(page.url()).searchParams.get("entry")).toMatch(/^\d+$/);
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser(
  "in dark mode at 390 px: the queue with a request of the user, the audit log, and limits",
  async () => {
    const { subaccountId } = caller;
    const bank = { account_type: "I", bsb: "013000", account_number: "44445555" };
    await admin.post(`/s/${subaccountId}/accounts`, { receiver_id: receiver, ...bank });
    const look = { colorScheme: "dark", width: 390 } as const;
    const window = { browser, baseUrl: service.baseUrl };
    const { page, context, faults } = await openWindow(window, "/console/approvals", admin, look);
    await page.getByText("Awaiting another approver").waitFor();
    expect(await page.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
    const requireFit = async () => {
      expect(await seriousFindings(page)).toEqual([]);
      expect(await isWiderThanScreen(page)).toBe(false);
    };
    await requireFit();
    await page.goto(`${service.baseUrl}/console/audit?action=account.propose`);
    await page.getByRole("button", { name: "Account: propose" }).first().waitFor();
    await requireFit();
    await page.goto(`${service.baseUrl}/console/s/${subaccountId}/settings?tab=limits`);
    await page.getByRole("button", { name: "Edit limits of AUD" }).click();
    await page.getByLabel("Approval above", { exact: true }).fill("500");
    await requireFit();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByText("500.00").first().waitFor();
    expect((await admin.get(`/s/${subaccountId}/limits`)).json.rows).toMatchObject([
      { currency: "AUD", approval_above: 50_000 },
    ]);
    expect(faults).toEqual([]);
    await context.close();
  },
);
