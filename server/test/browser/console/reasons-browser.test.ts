// What can't be done says why, and leads to what helps: receivers in a picker, a receiver with payouts, a discarded file.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import { startBankConsole } from "../../support/bank-console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { seriousFindings, withWindow } from "../../support/console-window.ts";
import { ada } from "../../support/service.ts";

const { service, browser, inBrowser } = await useBrowser(startBankConsole);

const withOperator = (path: string, work: (page: Page) => Promise<void>) =>
  withWindow({ browser, baseUrl: service.baseUrl }, path, service.enter("operator"), work);

inBrowser("the picker of receivers says beside each why it can't be paid", async () => {
  const payer = await service.newPayer("test");
  const { receivers } = payer.disburse;
  for (const [last_name, status] of [
    ["Waiting", undefined],
    ["Accountless", "active"],
    ["Disabled", "inactive"],
  ] as const) {
    const { receiver_id } = await receivers.create(ada({ last_name }));
    if (!status) continue;
    await payer.disburse.testHelpers.setStatus({
      id: receiver_id,
      type: "kyc",
      status: "success",
    });
    if (status === "inactive") await receivers.update(receiver_id, { status });
  }
  await withOperator(`/s/${payer.subaccountId}/payouts/new`, async (page) => {
    await page.getByText("Choose a receiver.").waitFor();
    await page.getByRole("combobox", { name: "Receiver" }).click();
    const entry = (name: string) => page.getByRole("option").filter({ hasText: name });
    await entry("Waiting").getByText("the identity check is not completed").waitFor();
    await entry("Accountless").getByText("no bank account yet").waitFor();
    await entry("Disabled").getByText("the receiver is disabled").waitFor();
    expect(await page.getByRole("option").filter({ hasText: "Can't be paid" }).count()).toBe(3);
  });
});

inBrowser("a discard leads to the queued payouts, and the dialog of disabling too", async () => {
  const payer = await service.newPayer();
  await service.connect("Discarded account", [payer.subaccountId]);
  await payer.pay(12_550, "PO-1");
  await withOperator("/banks", async (page) => {
    const row = page.getByRole("row", { name: /Discarded account/ });
    await row.getByRole("button", { name: "Freeze now" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Freeze now" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    const dialog = page.getByRole("dialog", { name: "Discard bank file" });
    await dialog
      .getByText(/Its 1 payout, 125\.50 AUD, is not cancelled: the next file pays it/)
      .waitFor();
    await dialog.getByRole("link", { name: /^Queued payouts of / }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Discard" }).click();
    await page.getByText("are paid with the next file unless they are cancelled").waitFor();
    await page.getByRole("link", { name: /^Queued payouts of / }).click();
    await page.waitForURL(/payouts\?stage=queued/);
    await page.getByRole("cell", { name: "PO-1" }).waitFor();
  });
  const { receiver_id } = payer.to;
  await withOperator(`/s/${payer.subaccountId}/receivers/${receiver_id}`, async (page) => {
    await page.getByRole("button", { name: "Disable…" }).click();
    await page
      .getByRole("dialog")
      .getByRole("link", { name: /not sent yet/ })
      .click();
    await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
    await page.getByRole("button", { name: "Cancel 1" }).waitFor();
    await page.getByText("Not sent yet").waitFor();
  });
});
