// The charts of the overview in a real browser: what the pointer shows, and where a bar leads.

import { expect } from "vitest";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow } from "../../support/console-window.ts";
import { newPayee } from "../../support/payers.ts";

const { service, browser, inBrowser } = await useBrowser(startConsole);

inBrowser("a bar shows its values under the pointer, and opens the payouts behind it", async () => {
  const { disburse, subaccountId } = await service.newCaller();
  await disburse.testHelpers.fund({ amount: 10_000, currency: "AUD", reference: "start" });
  const to = await newPayee(disburse, "12345999");
  for (const reference of ["INV-1", "INV-2"])
    await disburse.payouts.create({ ...to, amount: 100, currency: "AUD", reference });
  const operator = service.enter("operator");
  const where = { browser, baseUrl: service.baseUrl };
  const path = `/console/s/${subaccountId}/overview`;
  const { page, context, faults } = await openWindow(where, path, operator);
  const chart = page.getByRole("region", { name: "Payouts by status" });
  const bar = chart.locator("[data-series]").first();
  await bar.hover();
  await chart.getByText(/^(Successful|Pending)2$/).waitFor();
  await bar.click();
  await page.waitForURL(/\/payouts\?.*status=(successful|pending)/);
  await page.getByRole("cell", { name: "INV-2" }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
