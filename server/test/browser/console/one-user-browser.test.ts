// What the texts of a subaccount say about approval: in a test subaccount one user is enough, unless it practises with two.

import { expect } from "vitest";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow } from "../../support/console-window.ts";
import { newPayee } from "../../support/payers.ts";

const { service, browser, inBrowser } = await useBrowser(startConsole);
const admin = service.enter("admin");

inBrowser("dialogs, notes and hints say who may approve in this subaccount", async () => {
  const { disburse, subaccountId } = await service.newCaller({ isAlone: true });
  const { receiver_id } = await newPayee(disburse);
  const home = `/console/s/${subaccountId}`;
  const where = { browser, baseUrl: service.baseUrl };
  const { page, context, faults } = await openWindow(where, `${home}/settings`, admin);
  const says = async (first: string, last: string) => {
    await page.goto(`${service.baseUrl}${home}/receivers/${receiver_id}`);
    await page.getByRole("button", { name: "Erase…" }).click();
    await page.getByRole("dialog").getByText(`${first} has to approve it. Then names`).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Accounts" }).click();
    await page.getByRole("button", { name: "Add bank account" }).click();
    await page.getByRole("dialog").getByText(`${first} has to approve it. Nothing`).waitFor();
    await page.goto(`${service.baseUrl}${home}/receivers/import`);
    await page.getByText(`and approved by ${first.toLowerCase()}.`).waitFor();
    await page.goto(`${service.baseUrl}${home}/settings?tab=limits`);
    await page.getByText(last).waitFor();
  };
  await says("You or another user", "needs approval, also by its creator.");

  await page.goto(`${service.baseUrl}${home}/settings`);
  const practice = { name: "Practise with a second user" };
  await page.getByRole("switch", practice).press("Space");
  await page.getByRole("switch", { ...practice, checked: true }).waitFor();
  await says("Another user", "needs approval by another user than its creator.");
  expect(faults).toEqual([]);
  await context.close();
});
