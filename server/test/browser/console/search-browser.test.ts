// The search in a real browser: by keyboard alone, in any script, with the actions that a role may do; and the pickers
// that search in the same way.

import { expect } from "vitest";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { ada, addAccount } from "../../support/service.ts";

const { service, browser, inBrowser } = await useBrowser(startConsole);

inBrowser(
  "a user finds receivers in any script, pages and actions, by keyboard; pickers find the same",
  async () => {
    const caller = await service.newCaller();
    const { subaccountId } = caller;
    const add = async (first_name: string, last_name: string) =>
      (await caller.disburse.receivers.create(ada({ first_name, last_name }))).receiver_id;
    const jorg = await add("Jörg", "Müller");
    const wang = await add("小明", "王");
    await add("أحمد", "العلي");
    await caller.disburse.testHelpers.setStatus({ id: jorg, type: "kyc", status: "success" });
    const account_id = await addAccount(service, subaccountId, jorg, "12344321");
    await caller.disburse.testHelpers.fund({ amount: 500_000, currency: "AUD", reference: "f" });
    const payout = await caller.disburse.payouts.create({
      ...{ receiver_id: jorg, account_id, amount: 125_000, currency: "AUD", reference: "INV-2041" },
    });
    const window = { browser, baseUrl: service.baseUrl };
    const operator = service.enter("operator");
    const home = `/console/s/${subaccountId}`;
    const { page, context, faults } = await openWindow(window, `${home}/overview`, operator);

    const search = page.getByRole("textbox", { name: "Search" });
    const dialog = page.getByRole("dialog", { name: "Search" });
    const searchFor = async (text: string) => {
      await page.keyboard.press("ControlOrMeta+k");
      await search.fill(text);
    };
    await page.getByRole("button", { name: /^Search/ }).waitFor();
    await searchFor("mueller");
    await dialog.getByText("Jörg Müller").waitFor();
    expect(await dialog.locator("mark").allTextContents()).toContain("Müller");
    expect(await seriousFindings(page)).toEqual([]);
    for (const [text, name] of [
      ["小明", "小明 王"],
      ["wang", "小明 王"],
      ["علي", "أحمد العلي"],
    ] as const) {
      await search.fill(text);
      await dialog.getByText(name).waitFor();
    }
    await search.fill("王");
    await dialog.getByText("小明 王").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${home}/receivers/${wang}`);

    await searchFor("1,250.00 aud");
    await dialog.getByText("1,250.00 AUD to Jörg Müller").click();
    await page.waitForURL(`**${home}/payouts/${payout.payout_id}`);
    await searchFor("revr201");
    await dialog.getByText(/REVR201 · /).click();
    await page.waitForURL(`**${home}/requests?code=REVR201`);

    // An operator creates payouts, and invites nobody.
    await searchFor("new pay");
    await dialog.getByRole("button", { name: "New payout" }).waitFor();
    await search.fill("invite");
    await dialog.getByText("No matches").waitFor();
    await search.fill("new payout");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${home}/payouts/new`);

    const picker = page.getByRole("combobox", { name: "Receiver" });
    await picker.fill("jorg mul");
    await page.getByRole("option", { name: /Jörg Müller/ }).click();
    await page.getByRole("combobox", { name: "Bank account" }).waitFor();

    await page.goto(`${service.baseUrl}${home}/payouts`);
    const filters = page.getByRole("group", { name: "Filters" });
    await filters.getByRole("button", { name: "Receiver", exact: true }).click();
    await page.getByRole("textbox", { name: "Search receivers" }).fill("mull");
    await page.getByRole("button", { name: /Jörg Müller/ }).click();
    await page.waitForURL(`**${home}/payouts?receiver_id=${jorg}`);
    await page.getByRole("button", { name: "Receiver Jörg Müller" }).waitFor();
    await page.getByRole("link", { name: /1,250.00 AUD/ }).waitFor();
    expect(faults).toEqual([]);
    await context.close();

    const admin = service.enter("admin");
    const narrow = { width: 390, colorScheme: "dark" } as const;
    const second = await openWindow(window, `${home}/overview`, admin, narrow);
    await second.page.getByRole("button", { name: "Search" }).click();
    await second.page.getByRole("textbox", { name: "Search" }).fill("muller");
    await second.page.getByRole("dialog", { name: "Search" }).getByText("Jörg Müller").waitFor();
    expect(await isWiderThanScreen(second.page)).toBe(false);
    expect(await seriousFindings(second.page)).toEqual([]);
    await second.page.getByRole("textbox", { name: "Search" }).fill("invite");
    await second.page.getByRole("button", { name: "Invite user" }).click();
    await second.page.getByRole("dialog", { name: "Invite user" }).waitFor();
    expect(second.faults).toEqual([]);
    await second.context.close();
  },
  120_000,
);

inBrowser("on a page across subaccounts the search names the one that it searches", async () => {
  const [one, other] = [await service.newCaller(), await service.newCaller()];
  for (const [{ subaccountId }, name] of [
    [one, "Northwind"],
    [other, "Contoso"],
  ] as const) {
    await service.db.pool.query("update subaccount set suba_name = $2 where id = $1", [
      subaccountId,
      name,
    ]);
  }
  await other.disburse.receivers.create(ada({ first_name: "Zoltan", last_name: "Kodaly" }));
  const window = { browser, baseUrl: service.baseUrl };
  const home = `/console/s/${one.subaccountId}/overview`;
  const { page, context, faults } = await openWindow(window, home, service.enter("operator"));
  await page.getByRole("link", { name: "Approvals" }).click();
  await page.getByRole("button", { name: /^Search/ }).click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  const searched = dialog.getByRole("combobox", { name: "Searched subaccount" });
  expect(await searched.inputValue()).toBe("Northwind (test mode)");
  await dialog.getByText("are searched in this subaccount only").waitFor();
  await dialog.getByRole("textbox", { name: "Search", exact: true }).fill("zoltan");
  await dialog.getByText("No matches").waitFor();
  await searched.fill("Contoso");
  await page.getByRole("option", { name: /^Contoso/ }).click();
  await dialog.getByText("Zoltan Kodaly").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await isWiderThanScreen(page)).toBe(false);
  await dialog.getByText("Zoltan Kodaly").click();
  await page.waitForURL(`**/s/${other.subaccountId}/receivers/*`);
  expect(faults).toEqual([]);
  await context.close();
});
