// Roles in the console, in a real browser: no buttons that the role may not use, safe defaults, and actions that need
// two users.

import { expect } from "vitest";
import { limits } from "../../../src/platform/limits/limits.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow, seriousFindings } from "../../support/console-window.ts";
import { pastOf } from "../../support/past-payouts.ts";
import { ada } from "../../support/service.ts";

const soon = { timeout: 60_000 };

const { service, browser, inBrowser } = await useBrowser(startConsole);

const open = (path: string, person: TestPerson) =>
  openWindow({ browser, baseUrl: service.baseUrl }, `/console${path}`, person);

inBrowser("finance sees that its role may not open Users, and has no buttons there", async () => {
  await service.newCaller();
  const { page, context, faults } = await open("/users", service.enter("finance"));
  await page.getByText("Your role may not do this").waitFor();
  expect(await page.getByRole("button", { name: /Invite|Try again/ }).count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser("an auditor reads a case and has no button to decide, assign or skip it", async () => {
  const caller = await service.newCaller({ mode: "live" });
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  const buttons = async (person: TestPerson) => {
    const path = `/reviews?case=${caller.subaccountId}.${receiver_id}`;
    const { page, context, faults } = await open(path, person);
    await page.getByRole("heading", { level: 2, name: /^Ada/ }).waitFor();
    const found = page.getByRole("region", { name: "Case" }).getByRole("button", {
      name: /Approve|Reject|Request info|Skip|Assign to me/,
    });
    const count = await found.count();
    if (person.person.role === "auditor") await page.keyboard.press("s");
    expect(faults).toEqual([]);
    await context.close();
    return count;
  };
  expect(await buttons(service.enter("auditor"))).toBe(0);
  expect(await buttons(service.enter("operator"))).toBe(5);
  expect(service.logged.join("")).not.toMatch(/reviews\/[^"]*\/skip/);
});

inBrowser("a new key has only the read permission until the user ticks more", async () => {
  const { subaccountId } = await service.newCaller();
  const { page, context, faults } = await open(`/s/${subaccountId}/keys`, service.enter("admin"));
  await page.getByRole("button", { name: "Create API key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create API key" });
  const ticked = async () => {
    const boxes = await dialog
      .getByRole("group", { name: "Permissions" })
      .getByRole("checkbox")
      .all();
    return Promise.all(boxes.map((box) => box.isChecked()));
  };
  await dialog.getByLabel("Name").fill("reports");
  expect(await ticked()).toEqual([true, false, false, false]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("dialog", { name: /secret/i }).waitFor();
  const { json } = await service.enter("admin").get(`/s/${subaccountId}/keys`);
  expect(json.rows).toContainEqual(expect.objectContaining({ name: "reports", scopes: ["read"] }));
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser("a live subaccount's default thresholds are shown as defaults", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const admin = service.enter("admin");
  const { page, context, faults } = await open(`/s/${subaccountId}/settings?tab=limits`, admin);
  const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
  await row("Every currency").waitFor();
  expect(await row("Every currency").getByText("1,000 units (default)").count()).toBe(4);
  expect(await seriousFindings(page)).toEqual([]);
  await admin.put(`/s/${subaccountId}/limits`, {
    currency: "AUD",
    per_payout_max: null,
    per_day_max: null,
    approval_above: 50_000,
  });
  await page.reload();
  await row("AUD").getByText("500.00").waitFor();
  expect(await row("Every other currency").getByText("1,000 units (default)").count()).toBe(4);
  expect(faults).toEqual([]);
  await context.close();
});

// Pages are slow where many tests share a machine.
inBrowser(
  "a late payout is resolved by two users, who type its amount",
  async () => {
    const caller = await service.newCaller();
    const past = await pastOf(service, caller);
    const atMs = Date.now() - limits.payoutLateMs - 60_000;
    await past.fund(atMs - 1_000, 100_000);
    const id = await past.make(atMs, 1_250);
    await past.move(id, "submit", atMs);
    const stage = async () => (await caller.disburse.payouts.get(id)).stage;
    const path = `/s/${caller.subaccountId}/payouts/${id}`;
    for (const label of ["Propose", "Confirm"]) {
      const { page, context, faults } = await open(path, service.enter("operator"));
      await page.getByRole("button", { name: "Resolve" }).click();
      const dialog = page.getByRole("dialog", { name: "Resolve payout manually" });
      await dialog.getByLabel("Evidence").fill("the bank's letter of 3 May");
      const outcome = dialog.getByRole("combobox", { name: "Outcome" });
      if (label === "Propose") {
        await outcome.click();
        await page.getByRole("option", { name: /^Rejected/ }).click();
      }
      await dialog.getByRole("button", { name: label }).click();
      await dialog.getByText("Type 12.50 AUD to confirm.").waitFor();
      expect(await stage()).toBe("submitted");
      await dialog.getByLabel(/^Type/).fill("12.50 AUD");
      await dialog.getByRole("button", { name: label }).click();
      await dialog.waitFor({ state: "hidden" });
      expect(faults).toEqual([]);
      await context.close();
    }
    await expect.poll(stage, soon).toBe("rejected");
  },
  300_000,
);
