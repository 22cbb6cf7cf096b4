// Receivers in a real browser: a new one, its first payout, the link for the person, and the payee name check.

import { expect } from "vitest";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { ada, addAccount } from "../../support/service.ts";

const { service, browser, inBrowser } = await useBrowser(startConsole);

inBrowser(
  "an operator gets the link for the person with its end, and sees the payee name check of an account",
  async () => {
    const caller = await service.newCaller();
    const { subaccountId } = caller;
    const { receiver_id: id } = await caller.disburse.receivers.create(ada());
    const accountId = await addAccount(service, subaccountId, id);
    await service.db.pool.query(
      "update payee_name_check set outcome = 'close_match', checked_at_ms = $2 where account_id = $1",
      [accountId, Date.now()],
    );
    const operator = service.enter("operator");
    const window = { browser, baseUrl: service.baseUrl };
    const url = `https://identity-check.example/sandbox/${id}`;

    const path = `/console/s/${subaccountId}/receivers/${id}`;
    const { page, context, faults } = await openWindow(window, path, operator);
    await page.getByRole("button", { name: "Copy link for the person…" }).click();
    const dialog = page.getByRole("dialog", { name: "Link for the person" });
    await dialog.getByText(url).waitFor();
    await dialog.getByText(/It works until/).waitFor();
    await dialog.getByRole("button", { name: "Copy link", exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });

    await page.getByRole("tab", { name: /Bank accounts/ }).click();
    await page.getByText("Payee name check").waitFor();
    await page.getByText("Name nearly matches").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();

    const narrow = { width: 390, colorScheme: "dark" } as const;
    const reviews = `/console/reviews?case=${subaccountId}.${id}`;
    const second = await openWindow(window, reviews, operator, narrow);
    await second.page.getByRole("button", { name: "Copy link for the person…" }).click();
    await second.page.getByRole("dialog").getByText(url).waitFor();
    expect(await isWiderThanScreen(second.page)).toBe(false);
    expect(await seriousFindings(second.page)).toEqual([]);
    expect(second.faults).toEqual([]);
    await second.context.close();
  },
  300_000,
);

inBrowser(
  "an operator creates a receiver, adds a bank account from the payout form, and pays it once it is approved",
  async () => {
    const { disburse, subaccountId } = await service.newCaller();
    await disburse.testHelpers.fund({ amount: 10_000, currency: "AUD", reference: "start" });
    const operator = service.enter("operator");
    const base = `/console/s/${subaccountId}`;
    const parts = { browser, baseUrl: service.baseUrl };
    const { page, context, faults } = await openWindow(parts, `${base}/receivers`, operator);
    await page.getByRole("link", { name: "New receiver" }).click();

    // As it is often pasted: with spaces, a plus sign and a curly apostrophe.
    await page.getByLabel("First name").fill("  Siobh\u00e1n\u00a0 ");
    await page.getByLabel("Last name").fill("O\u2019Brien");
    await page.getByLabel("Date of birth").fill("1990-12-10");
    await page.getByRole("combobox", { name: "Gender" }).click();
    await page.getByRole("option", { name: "Female" }).click();
    await page.getByLabel("Email").fill("not an email");
    await page.getByLabel("Dial code").fill("+61");
    await page.getByLabel("Phone").fill("412 345-678");
    const country = page.getByRole("combobox", { name: "Country" });
    await country.fill("atlantis");
    await country.press("Tab");
    await page.getByText("No country matches").first().waitFor();
    await expect.poll(() => country.inputValue()).toBe("atlantis");
    await country.fill("new zeal");
    await country.press("Tab");
    await expect.poll(() => country.inputValue()).toBe("New Zealand (NZL)");
    await country.fill("austr");
    await country.press("Enter");
    await expect.poll(() => country.inputValue()).toBe("Australia (AUS)");
    await page.getByRole("textbox", { name: "Address", exact: true }).fill("1 St. Kilda Road");
    await page.getByLabel("City").fill("Melbourne");
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "VIC" }).click();
    await page.getByLabel("Postcode").fill("30045");
    await page.getByRole("button", { name: "Create receiver" }).click();
    await page.getByText("Email is not valid. Send one email").waitFor();
    await page.getByText(/Postcode is not valid/).waitFor();
    expect(
      await page.getByLabel("Email").evaluate((field) => field === document.activeElement),
    ).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
    // What was typed survives a step back that was a slip.
    await page.goBack();
    await page.getByRole("button", { name: "Keep editing" }).click();
    await page.getByLabel("Email").fill("kyc-pass+siobhan@example.com");
    await page.getByLabel("Postcode").fill("3004");
    await page.getByRole("button", { name: "Create receiver" }).dblclick();
    await page.getByRole("heading", { name: "Siobh\u00e1n O\u2019Brien" }).waitFor();
    const [receiver, ...others] = await disburse.receivers.list().toArray();
    expect(others).toEqual([]);
    expect(receiver).toMatchObject({
      phone: "412345678",
      dialcode: "61",
      first_name: "Siobh\u00e1n",
    });

    const { id } = receiver as { id: string };
    await disburse.testHelpers.setStatus({ id, type: "kyc", status: "success" });
    await page.getByRole("link", { name: "Pay", exact: true }).click();
    await page.getByText("Siobh\u00e1n O\u2019Brien has no bank account yet.").waitFor();
    expect(await page.getByRole("combobox", { name: "Receiver" }).inputValue()).toContain(
      "O\u2019Brien",
    );
    await page.getByRole("button", { name: "Add bank account" }).click();
    const dialog = page.getByRole("dialog", { name: "Add bank account" });
    await dialog.getByLabel("BSB").fill("062-000");
    await dialog.getByLabel("Account number").fill(" 1234 5999 ");
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Submit for approval" }).click();
    await page.getByText("You can choose the new bank account here once another user").waitFor();
    await page.getByLabel("Amount").fill("12.50");

    // Another user approves it: the open form has the account then.
    const approver = service.enter("approver");
    const { rows } = (await approver.get("/approvals?kind=bank_change")).json;
    const waiting = rows.find(
      (row: { subaccount_id: string }) => row.subaccount_id === subaccountId,
    );
    const path = `/s/${subaccountId}/bank-changes/${waiting.id}/approve`;
    expect((await approver.post(path)).status).toBe(200);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: /^Pay / }).dblclick();
    await page.getByText("Payout created").waitFor();
    expect((await disburse.payouts.list().toArray()).map(({ amount }) => amount)).toEqual([1250]);
    expect(faults).toEqual([]);
    await context.close();
  },
  300_000,
);

inBrowser("two users erase a receiver: one requests it, another approves", async () => {
  const { disburse, subaccountId } = await service.newCaller();
  const person = { first_name: "Ottilie", last_name: "Wexford" };
  const { receiver_id: id } = await disburse.receivers.create(ada(person));
  const [operator, admin] = [service.enter("operator"), service.enter("admin")];
  const window = { browser, baseUrl: service.baseUrl };
  const path = `/console/s/${subaccountId}/receivers/${id}`;
  const { page, context, faults } = await openWindow(window, path, operator);
  await page.getByRole("button", { name: "Erase…" }).click();
  const dialog = page.getByRole("dialog", { name: "Erase Ottilie Wexford?" });
  await dialog.getByText("Another user has to approve it.").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Request erasure" }).click();
  const banner = page.getByRole("region", { name: "Erasure awaits approval" });
  await banner.getByText(`Requested by ${operator.person.email}`).waitFor();
  expect(await page.getByRole("button", { name: "Erase…" }).count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
  // Its own request can only be withdrawn.
  await banner.getByRole("link", { name: "Open approvals" }).click();
  await page.getByText("Awaiting another approver").waitFor();
  expect(await page.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
  expect(faults).toEqual([]);
  await context.close();

  const look = { colorScheme: "dark", width: 390 } as const;
  const queue = "/console/approvals?kind=erasure";
  const second = await openWindow(window, queue, admin, look);
  const card = second.page.getByRole("article", { name: "Erasure of Ottilie Wexford" });
  await card.waitFor();
  expect(await isWiderThanScreen(second.page)).toBe(false);
  expect(await seriousFindings(second.page)).toEqual([]);
  await card.getByRole("button", { name: "Approve" }).click();
  const asked = second.page.getByRole("dialog", { name: "Approve erasure of Ottilie Wexford" });
  await asked.getByText("This can't be undone.").waitFor();
  expect(await seriousFindings(second.page)).toEqual([]);
  await asked.getByRole("button", { name: "Erase for good" }).click();
  await second.page.getByText("Receiver erased").waitFor();
  await second.page.getByText("No matching approvals").waitFor();
  await second.page.goto(service.baseUrl + path);
  await second.page.getByRole("heading", { name: "Erased receiver" }).waitFor();
  expect(await second.page.getByText("Wexford").count()).toBe(0);
  expect(await isWiderThanScreen(second.page)).toBe(false);
  expect(await seriousFindings(second.page)).toEqual([]);
  expect(second.faults).toEqual([]);
  await second.context.close();
});

inBrowser("a restored copy in quarantine says so on every page, and saves nothing", async () => {
  const copy = await startConsole({ isQuarantined: true });
  try {
    const { subaccountId } = await copy.newCaller();
    const admin = copy.enter("admin");
    const window = { browser, baseUrl: copy.baseUrl };
    for (const look of [{}, { colorScheme: "dark", width: 390 }] as const) {
      const path = `/console/s/${subaccountId}/receivers/new`;
      const { page, context, faults } = await openWindow(window, path, admin, look);
      const banner = page.getByRole("status").filter({ hasText: "is in quarantine" });
      await banner.waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      expect(await isWiderThanScreen(page)).toBe(false);
      await page.goto(`${copy.baseUrl}/console/approvals`);
      await banner.waitFor();
      expect(faults).toEqual([]);
      await context.close();
    }
    const refused = await admin.post(`/s/${subaccountId}/receivers`, {});
    expect([refused.status, refused.json.error[0].code]).toEqual([503, "SYST111"]);
  } finally {
    await copy.close();
  }
});
