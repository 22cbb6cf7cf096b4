// Fees in a real browser: an admin gives a connection a fee, and a user sees it before confirming a payout.

import { expect } from "vitest";
import { startBankConsole } from "../../support/bank-console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow, seriousFindings } from "../../support/console-window.ts";

const { service, browser, inBrowser } = await useBrowser(startBankConsole);

inBrowser(
  "two admins set a fee, and the review of a payout shows it",
  async () => {
    const payer = await service.newPayer();
    const { subaccountId } = payer;
    await service.connect("Fee account", [subaccountId]);
    const window = { browser, baseUrl: service.baseUrl };

    const first = await openWindow(window, "/console/banks", service.enter("admin"));
    await first.page.getByRole("button", { name: "Actions for Fee account" }).click();
    await first.page.getByRole("menuitem", { name: "Edit" }).click();
    const dialog = first.page.getByRole("dialog", { name: "Change Fee account" });
    await dialog.getByLabel("Fixed fee").fill("0.5x");
    expect(await dialog.getByRole("button", { name: "Request" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Fixed fee").fill("0.50");
    await dialog.getByLabel("Percent of the amount").fill("1.00001");
    await dialog.getByRole("button", { name: "Request" }).click();
    await dialog
      .getByText(/missing or not valid|not valid/)
      .first()
      .waitFor();
    await dialog.getByLabel("Percent of the amount").fill("1");
    await dialog.getByLabel("Lowest fee").fill("1.00");
    await dialog.getByRole("combobox", { name: "Who pays the fee" }).click();
    await first.page.getByRole("option", { name: /The receiver/ }).click();
    expect(await seriousFindings(first.page)).toEqual([]);
    await dialog.getByRole("button", { name: "Request" }).click();
    const words = "0.50 AUD + 1 %, at least 1.00 AUD, taken out of the amount";
    await first.page.getByText("1 change of a bank connection waits for another admin.").waitFor();
    expect(first.faults).toEqual([]);
    await first.context.close();

    const second = await openWindow(window, "/console/approvals", service.enter("admin"));
    const card = second.page.getByRole("article", { name: "Change bank connection Fee account" });
    await card.getByText(words).waitFor();
    await card.getByRole("button", { name: "Approve" }).click();
    await second.page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await expect.poll(() => card.count()).toBe(0);
    await second.page.getByRole("link", { name: "Files", exact: true }).click();
    await second.page
      .getByRole("row", { name: /Fee account/ })
      .getByText(`fee: ${words}`)
      .waitFor();
    expect(await seriousFindings(second.page)).toEqual([]);
    await second.context.close();
    // As every process does within seconds.
    await service.connectionOf("");

    const path = `/console/s/${subaccountId}/payouts/new`;
    const { page, context, faults } = await openWindow(window, path, service.enter("operator"));
    await page.getByRole("combobox", { name: "Receiver" }).fill("Lovelace");
    await page
      .getByRole("option", { name: /Lovelace/ })
      .first()
      .click();
    await page.getByLabel("Amount").fill("200.00");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Taken from the balance").waitFor();
    for (const text of ["2.50 AUD", "197.50 AUD", "Expected arrival"]) {
      await page.getByText(text, { exact: true }).first().waitFor();
    }
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("button", { name: /^Pay 200/ }).click();
    await page.waitForURL(/payouts\/[0-9a-f-]{36}/);
    await page.getByText("Sent to the bank", { exact: true }).waitFor();
    await page.getByText("197.50 AUD held for this payout").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  },
  300_000,
);
