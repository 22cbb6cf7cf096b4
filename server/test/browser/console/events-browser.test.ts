// Events in the console, in a real browser: a test event is labelled as one, and types on request can be chosen.

import { expect } from "vitest";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow } from "../../support/console-window.ts";

const { service, browser, inBrowser } = await useBrowser(startConsole);

inBrowser(
  "a test event is labelled as a sample and has no links to payouts, and pages open their usual tab",
  async () => {
    const { subaccountId, disburse } = await service.newCaller();
    const { id } = await disburse.events.test();
    const developer = service.enter("developer", { subaccountId });
    const where = { browser, baseUrl: service.baseUrl };
    const path = `/console/s/${subaccountId}/webhooks/events/${id}`;
    const { page, context, faults } = await openWindow(where, path, developer);
    await page.getByText("Sample event with fake IDs.").waitFor();
    expect(await page.locator('a[href*="/payouts/"], a[href*="/receivers/"]').count()).toBe(0);
    await page.goto(`${service.baseUrl}/console/s/${subaccountId}/webhooks`);
    await page.getByRole("row").getByText("Test event").waitFor();
    // An unknown tab or status in an address is the usual one.
    for (const [path, tab] of [
      ["webhooks?tab=unknown", "Events"],
      ["settings?tab=unknown", "Profile"],
      ["requests?tab=unknown", "All"],
      ["payouts?status=unknown", /^All/],
    ] as const) {
      await page.goto(`${service.baseUrl}/console/s/${subaccountId}/${path}`);
      await page.getByRole("tab", { name: tab, selected: true }).waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
    }
    expect(faults).toEqual([]);
    await context.close();
  },
);

inBrowser("an endpoint is added, paused and deleted on the tab Endpoints", async () => {
  const { subaccountId, disburse } = await service.newCaller();
  const developer = service.enter("developer", { subaccountId });
  const where = { browser, baseUrl: service.baseUrl };
  const path = `/console/s/${subaccountId}/webhooks?tab=endpoints`;
  const { page, context, faults } = await openWindow(where, path, developer);
  await page.getByRole("tabpanel").getByRole("button", { name: "Add endpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "Add endpoint" });
  await dialog.getByLabel("Endpoint URL").fill("https://books.example.com/events");
  await dialog.getByLabel("Description").fill("accounting");
  await dialog.getByLabel("Headers").fill("x-team: books");
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByText("Secret of your webhook endpoint").waitFor();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("heading", { name: "accounting" }).waitFor();
  const [made] = await disburse.webhookEndpoints.list();
  expect(made).toMatchObject({ description: "accounting", header_names: ["x-team"] });
  const menu = page.getByRole("button", { name: "Actions for https://books.example.com/events" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await page.getByText("Paused", { exact: true }).waitFor();
  await menu.click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete endpoint" }).click();
  await page.getByRole("heading", { name: "accounting" }).waitFor({ state: "detached" });
  expect(await disburse.webhookEndpoints.list()).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser("a type on request is chosen in Settings, and published types are fixed", async () => {
  const { subaccountId, disburse } = await service.newCaller();
  const developer = service.enter("developer", { subaccountId });
  const where = { browser, baseUrl: service.baseUrl };
  const path = `/console/s/${subaccountId}/settings?tab=events`;
  const { page, context } = await openWindow(where, path, developer);
  const box = (name: string) => page.getByRole("checkbox", { name: new RegExp(`^${name}`) });
  expect(await box("payoutCreated").isDisabled()).toBe(true);
  await box("receiverAccountUpdate").click();
  const sent = async () => (await disburse.subaccount.getPostback()).event_types;
  await expect.poll(sent).toContain("receiverAccountUpdate");
  await context.close();
});
