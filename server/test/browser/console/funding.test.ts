// Settings, "How to fund": what it shows, and what its buttons copy.

import { expect, test } from "vitest";
import { startBankConsole } from "../../support/bank-console.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow, seriousFindings } from "../../support/console-window.ts";

const { service, browser, inBrowser } = await useBrowser(startBankConsole);

test("users of a subaccount see what its API answers", async () => {
  const { subaccountId, disburse } = await service.newPayer();
  await service.connect(`Bank of ${subaccountId}`, [subaccountId]);
  const path = `/s/${subaccountId}/funding`;
  const shown = await disburse.balance.funding();
  expect(shown.currencies[0]?.bank_accounts).toHaveLength(1);
  const developer = service.enter("developer", { subaccountId });
  expect((await developer.get(path)).json).toEqual(shown);
  expect((await service.enter("finance").get(path)).json).toEqual(shown);
});

test("a closed subaccount can't be funded", async () => {
  const { subaccountId } = await service.newCaller();
  const close = "update subaccount set closed_at = now() where id = $1";
  await service.db.pool.query(close, [subaccountId]);
  const answer = await service.enter("finance").get(`/s/${subaccountId}/funding`);
  expect([answer.status, answer.json.error[0].code]).toEqual([409, "CONS701"]);
});

inBrowser("each part of a bank account and the deposit reference can be copied", async () => {
  const { subaccountId, disburse } = await service.newPayer();
  await service.connect(`Bank of ${subaccountId}`, [subaccountId]);
  const [aud] = (await disburse.balance.funding()).currencies;
  const reference = aud?.deposit_reference ?? "";
  const where = { browser, baseUrl: service.baseUrl };
  const finance = service.enter("finance");
  const path = `/console/s/${subaccountId}/settings`;
  const { page, context, faults } = await openWindow(where, path, finance);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("tab", { name: "How to fund" }).click();
  await page.getByRole("heading", { name: "Fund AUD" }).waitFor();
  const copyOf = async (name: string) => {
    await page.getByRole("button", { name: `Copy ${name}` }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copyOf(`${reference.slice(0, 5)} ${reference.slice(5)}`)).toBe(reference);
  for (const part of [abaSettings.user_name, abaSettings.bsb, abaSettings.account_number]) {
    expect(await copyOf(part)).toBe(part);
  }
  await page.getByText(`Bank of ${subaccountId}`).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser("a test subaccount is told how test money comes", async () => {
  const { subaccountId, disburse } = await service.newCaller();
  await disburse.testHelpers.fund({ amount: 500, currency: "AUD" });
  const where = { browser, baseUrl: service.baseUrl };
  const developer = service.enter("developer", { subaccountId });
  const path = `/console/s/${subaccountId}/settings?tab=funding`;
  const { page, context, faults } = await openWindow(where, path, developer);
  await page.getByText("choose Add test funds on the Balances page").waitFor();
  await page.getByText("No bank account takes AUD.").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
