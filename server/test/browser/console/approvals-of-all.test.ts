// Everything that waits is decided on one page: a bank file, a batch, a bank connection and rules, also on a phone.

import { expect } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { orderedSteps } from "../../support/ordered-steps.ts";
import { newPayee } from "../../support/payers.ts";

const { service, browser, reason } = await useBrowser(startBankConsole);
const maker = service.enter("admin");
// Ordered steps, because the tests share one queue: the second needs it to be empty.
const inBrowser = orderedSteps(reason);

async function newBankFile() {
  const payer = await service.newPayer();
  const id = await service.connect("Everyday account", [payer.subaccountId]);
  await payer.pay(12_550);
  await payer.pay(300);
  expect((await maker.post(`/banks/connections/${id}/freeze`)).json.batch_ids.length).toBe(1);
  const other = await service.newCaller({ mode: "live" });
  const name = `Bank ${newId()}`.slice(0, 30);
  const subaccount_ids = [other.subaccountId];
  const fields = { name, format: "aba", subaccount_ids, settings: abaSettings };
  expect((await maker.post("/banks/connections", { fields })).json.id).toBeDefined();
  return name;
}

async function newBatch() {
  const { disburse, subaccountId } = await service.newCaller();
  await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: newId() });
  const limits = { per_payout_max: null, per_day_max: null, approval_above: 0 };
  await maker.put(`/s/${subaccountId}/limits`, { currency: "AUD", ...limits });
  const { receiver_id, account_id } = await newPayee(disburse);
  const to = { receiver_id, account_id, currency: "AUD" };
  await disburse.payouts.createBatch(
    [1_000, 2_000].map((amount) => ({ ...to, amount, reference: newId() })),
  );
}

inBrowser("a second user decides all that waits on one page", async () => {
  const connection = await newBankFile();
  await newBatch();
  const approver = service.enter("admin");
  const window = { browser, baseUrl: service.baseUrl };
  const look = { width: 390, colorScheme: "dark" } as const;
  const { page, context, faults } = await openWindow(window, "/console/approvals", approver, look);
  const cards = page.getByRole("article");
  await expect.poll(() => cards.count()).toBe(3);
  // The file is the first: it has a cut-off.
  expect(await cards.nth(0).innerText()).toMatch(/^Bank file, 128\.50 AUD from Everyday account/);
  await cards
    .nth(0)
    .getByText(/^Cut-off/)
    .waitFor();
  await cards.nth(0).getByText("2 payouts from …678").waitFor();
  expect(await isWiderThanScreen(page)).toBe(false);
  expect(await seriousFindings(page)).toEqual([]);

  await cards.nth(0).getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("dialog");
  const count = dialog.getByLabel("Type the number of payouts, or their total, to confirm");
  const approve = dialog.getByRole("button", { name: "Approve" });
  await count.fill("3");
  await dialog.getByText("The file has another number and another total.").waitFor();
  expect(await approve.isDisabled()).toBe(true);
  expect(await isWiderThanScreen(page)).toBe(false);
  await count.fill("2");
  await approve.click();
  await page.getByText("File approved").waitFor();
  await expect.poll(() => cards.count()).toBe(2);

  const batch = page.getByRole("article", { name: "Batch of payouts" });
  expect(await batch.innerText()).toMatch(/2 payouts\s+30\.00 AUD/);
  await batch.getByRole("button", { name: "Approve" }).click();
  await dialog.getByText("30.00 AUD").waitFor();
  await dialog.getByRole("button", { name: "Approve 2 payouts" }).click();
  await expect.poll(() => cards.count()).toBe(1);

  const card = page.getByRole("article", { name: `Add bank connection ${connection}` });
  await card.getByText("…678").waitFor();
  await card.getByRole("button", { name: "Decline" }).click();
  await dialog.getByLabel("Reason").fill("not our bank");
  await dialog.getByRole("button", { name: "Decline" }).click();
  await page.getByText("Nothing to approve").waitFor();
  const { rows } = await service.db.pool.query(
    `select (select status from bank_connection_request where name = $1) as connection,
            (select count(*)::int from payout where stage = 'awaiting_approval') as payouts,
            (select status from bank_batch) as file`,
    [connection],
  );
  expect(rows).toEqual([{ connection: "declined", payouts: 0, file: "approved" }]);
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser("the maker of a file reads who may approve it, and can't", async () => {
  await newBankFile();
  const window = { browser, baseUrl: service.baseUrl };
  const path = "/console/approvals?kind=bank_file";
  const { page, context, faults } = await openWindow(window, path, maker);
  const card = page.getByRole("article", { name: /^Bank file/ });
  await card.getByText("Awaiting another approver").waitFor();
  expect(await card.getByRole("button").count()).toBe(0);
  await card.getByRole("link").click();
  await page.getByText("One more user has to approve the file").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
