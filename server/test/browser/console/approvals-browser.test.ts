// What an approver reads before money leaves, on a desktop and on a phone, and how limits are changed.

import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { newThresholdPayer, startThresholdConsole } from "../../support/threshold-payers.ts";

const { service, browser, inBrowser } = await useBrowser(startThresholdConsole);
const admin = service.enter("admin");

const none = { per_payout_max: null, per_day_max: null, approval_above: null };

/** A live and a test payer, with payouts that wait. */
async function newWaitingPayouts(references: { live: string[]; test: string[] }) {
  const payers = {
    live: await newThresholdPayer(service, { mode: "live" }),
    test: await newThresholdPayer(service),
  };
  await admin.put(payers.test.limits, { currency: "AUD", ...none, approval_above: 100 });
  for (const mode of ["live", "test"] as const) {
    const { disburse, input } = payers[mode];
    for (const reference of references[mode]) {
      await disburse.payouts.create({ ...input(123_456_789), reference });
    }
  }
  return payers;
}

const stagesOf = async (references: string[]) => {
  const { rows } = await service.db.pool.query(
    "select reference, stage from payout where reference = any($1) order by reference",
    [references],
  );
  return rows.map(({ reference, stage }) => `${reference} ${stage}`);
};

/** Whether all of it lies within the window. */
const isWithinWindow = (place: Locator) =>
  place.evaluate((node) => {
    const { left, right } = node.getBoundingClientRect();
    return left >= 0 && right <= window.innerWidth;
  });

inBrowser("on a phone the approver reads receiver, account, reference and amount", async () => {
  await newWaitingPayouts({ live: ["PHONE-1"], test: [] });
  const look = { width: 390, colorScheme: "dark" } as const;
  const window = { browser, baseUrl: service.baseUrl };
  const { page, context, faults } = await openWindow(window, "/console/approvals", admin, look);
  const card = page.getByRole("article").filter({ hasText: "PHONE-1" });
  await card.getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("dialog");
  const total = dialog.getByText("1,234,567.89 AUD");
  await total.waitFor();
  expect(await isWithinWindow(total)).toBe(true);
  const text = await dialog.innerText();
  expect(text).toMatch(/Receiver\s+Ada Lovelace/);
  expect(text).toMatch(/Bank account\s+•••• \d{4}/);
  expect(text).toMatch(/Reference\s+PHONE-1/);
  expect(text).toMatch(/Mode\s+Live/);
  expect(await isWiderThanScreen(page)).toBe(false);
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => stagesOf(["PHONE-1"])).toEqual(["PHONE-1 queued"]);
  await card.waitFor({ state: "detached" });
  // The card that had the focus is gone. The page has it, so that the next key counts.
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  await expect.poll(focused).not.toBe("BODY");
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser("live and test payouts that are selected together are approved separately", async () => {
  const references = { live: ["LIVE-1", "LIVE-2"], test: ["TEST-1"] };
  await newWaitingPayouts(references);
  const window = { browser, baseUrl: service.baseUrl };
  const { page, context, faults } = await openWindow(window, "/console/approvals", admin);
  for (const reference of [...references.live, ...references.test]) {
    await page.getByRole("article").filter({ hasText: reference }).getByRole("checkbox").check();
  }
  await page.getByText("Live and test payouts are approved separately.").waitFor();
  expect(await page.getByRole("button", { name: "Approve selected…" }).count()).toBe(0);
  await page.getByRole("button", { name: "Approve 2 live payouts…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2,469,135.78 AUD").waitFor();
  const text = await dialog.innerText();
  expect(text).toMatch(/Mode\s+Live/);
  expect(text).toMatch(/•••• \d{4}.*LIVE-1/);
  expect(text).not.toContain("TEST-1");
  expect(await seriousFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await isWithinWindow(dialog.getByText("2,469,135.78 AUD"))).toBe(true);
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole("button", { name: "Approve" }).click();
  const all = [...references.live, ...references.test];
  await expect
    .poll(() => stagesOf(all))
    .toEqual(["LIVE-1 queued", "LIVE-2 queued", "TEST-1 awaiting_approval"]);
  // The test payout stays selected.
  await page.getByText("1 selected: 1,234,567.89 AUD (test mode)").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser(
  "limits start with the values in force, and what waits is shown beside them",
  async () => {
    const live = await newThresholdPayer(service, { mode: "live" });
    const window = { browser, baseUrl: service.baseUrl };
    const path = `/console/s/${live.subaccountId}/settings?tab=limits`;
    const { page, context, faults } = await openWindow(window, path, admin);
    await page.getByRole("button", { name: "Add currency" }).click();
    const dialog = page.getByRole("dialog", { name: "Add currency limits" });
    const currency = dialog.getByRole("combobox", { name: "Currency" });
    await currency.fill("aud");
    await currency.press("Enter");
    const thresholds = [
      "Approval above",
      "Approval above, per batch",
      "Approval above, per receiver and day (UTC)",
      "Approval above, per bank account and day (UTC)",
    ];
    for (const name of thresholds) {
      expect(await dialog.getByLabel(name, { exact: true }).inputValue()).toBe("1,000.00");
    }
    await dialog.getByText("The thresholds are the defaults of live mode").waitFor();
    // Enter chose the currency, and saved nothing.
    expect((await admin.get(live.limits)).json.rows).toEqual([]);
    expect(await dialog.isVisible()).toBe(true);

    await dialog.getByLabel("Max per payout").fill("5000");
    await dialog.getByLabel("Approval above", { exact: true }).fill("50000");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page
      .getByText(
        "Stricter limits are in force. Looser limits wait in Approvals: another admin has to approve them.",
      )
      .waitFor();
    const inForce = page.getByRole("row").filter({ hasText: "AUD" });
    expect(await inForce.innerText()).toMatch(/5,000\.00 AUD(.|\n)*1,000\.00 AUD/);
    const request = page.getByRole("region", { name: "Requested limits of AUD" });
    const text = await request.innerText();
    expect(text).toMatch(/Approval above\s+1,000\.00 AUD to 50,000\.00 AUD/);
    expect(text).toContain(admin.person.email);
    // The maximum is in force, and the other thresholds stay.
    expect(text).not.toMatch(/Max per payout|per batch/);
    expect(await seriousFindings(page)).toEqual([]);
    // Every value of the table, and its button, can be seen without scrolling to the side.
    expect(await isWithinWindow(page.getByRole("button", { name: "Edit limits of AUD" }))).toBe(
      true,
    );
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await isWiderThanScreen(page)).toBe(false);
    for (const value of await inForce.getByText("1,000.00 AUD", { exact: true }).all()) {
      expect(await isWithinWindow(value)).toBe(true);
    }
    expect(faults).toEqual([]);
    await context.close();

    // The other admin reads amounts, not minor units, on the card and in the dialog.
    const other = service.enter("admin");
    const approving = await openWindow(window, "/console/approvals?kind=limits", other);
    const card = approving.page.getByRole("article", { name: "Limits in AUD" });
    await card.getByText("50,000.00 AUD").waitFor();
    const loosened = /^Approval above\s+1,000\.00 AUD to 50,000\.00 AUD$/;
    expect(await card.getByRole("term").locator("..").allInnerTexts()).toEqual([
      expect.stringMatching(loosened),
    ]);
    await card.getByRole("button", { name: "Approve" }).click();
    const approval = approving.page.getByRole("dialog");
    await approval.getByText("50,000.00 AUD").waitFor();
    expect(await approval.getByRole("term").locator("..").allInnerTexts()).toEqual([
      expect.stringMatching(loosened),
    ]);
    expect(approving.faults).toEqual([]);
    await approving.context.close();
  },
);

inBrowser("the approval queue tells an admin about users who wait to be confirmed", async () => {
  const invited = { email: "new@example.com", role: "approver" };
  expect((await admin.post("/users/invite", invited)).status).toBe(200);
  const window = { browser, baseUrl: service.baseUrl };
  const person = service.enter("admin");
  const { page, context, faults } = await openWindow(window, "/console/approvals", person);
  const notice = page.getByRole("region", { name: "Users to confirm" });
  await notice.getByText("1 user waits for another admin to confirm them.").waitFor();
  await notice.getByRole("link", { name: "Open Users" }).click();
  await page.waitForURL("**/console/users");
  await page.getByText("new@example.com").first().waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
