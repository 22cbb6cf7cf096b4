// Finance's month in a real browser, with the bank simulator as the bank: from funding to the closed month, to the cent.
// Only `npm run prove` lives it; each of its pages has tests of its own.

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { unlessProving } from "../../scenarios/scale.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { seriousFindings, withWindow } from "../../support/console-window.ts";
import { simulatedBank } from "../../support/simulated-bank.ts";
import { testUnless } from "../../support/skippable.ts";
import { startStatementConsole } from "../../support/statement-console.ts";

const { service, browser, reason } = await useBrowser(startStatementConsole);

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The month after this one: all of it is ahead. */
const [year, next] = [new Date().getUTCFullYear(), new Date().getUTCMonth() + 1];
const tenth = Date.UTC(year, next, 10, 1);
const month = new Date(tenth).toISOString().slice(0, 7);
const lastDay = Date.UTC(year, next + 1, 0, 1);
const monthName = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric" }).format(
  tenth,
);

/** A user at a page, at the time to which the service was moved. */
const withFinance = (path: string, work: (page: Page) => Promise<void>) =>
  withWindow({ browser, baseUrl: service.baseUrl }, path, service.enter("finance"), work);

async function applyFile(page: Page, { name, text }: { name: string; text: string }) {
  await page.goto(`${service.baseUrl}/console/banks/inbound`);
  await page.getByRole("button", { name: "Apply a file" }).click();
  const dialog = page.getByRole("dialog", { name: "Apply a file from a bank" });
  const file = { name, mimeType: "text/xml", buffer: Buffer.from(text) };
  await dialog.locator("input[type=file]").setInputFiles(file);
  await dialog.getByRole("button", { name: "Apply a file" }).click();
  // One user alone makes no balance: another one confirms the sums.
  await page.getByText("1 file waits for a second user").waitFor();
  await service.confirmNamed(name);
  await page.reload();
  await page.getByRole("table").getByText(name).first().waitFor();
}

async function newCompany() {
  const payer = await service.newPayer("live", 0n);
  const { receiver_id } = payer.to;
  const { account_id: returning } = await payer.disburse.receiverAccounts.create({
    receiver_id,
    account_type: "I",
    bsb: "062000",
    account_number: "12345444",
  });
  const id = await service.connect("Operating account", [payer.subaccountId], {
    format: "pain.001.001.03-aud",
    settings: {
      debtor_name: "Harbour Rides",
      batch_booked: true,
      uetr: false,
      clearing_code: "062000",
      account_number: "41230001",
    },
  });
  const { currencies } = await payer.disburse.balance.funding();
  const reference = currencies.find(({ currency }) => currency === "AUD")?.deposit_reference ?? "";
  return { payer, returning, id, reference };
}

testUnless(unlessProving ?? reason)(
  "the books of a month meet the bank to the cent, from a deposit to the closed month",
  async () => {
    const { payer, returning, id, reference } = await newCompany();
    const { subaccountId } = payer;
    const bank = simulatedBank({ chargePerFile: "2.50" });
    const deposit = (amount: string, text: string, atMs: number) =>
      bank.deposit(
        { amount, currency: "AUD", account: "41230001", text, from: "Harbour Rides" },
        atMs,
      );

    // A deposit with the deposit reference funds the subaccount.
    deposit("5000.00", `top-up ${reference}`, tenth);
    service.moveTo(tenth + dayMs);
    await withFinance("/banks/inbound", async (page) => {
      for (const statement of bank.due(tenth + dayMs)) await applyFile(page, statement);
      await page.goto(`${service.baseUrl}/console/reconcile/banks/${id}`);
      await page.getByRole("button", { name: "Take opening balance" }).click();
      const dialog = page.getByRole("dialog", { name: "Take the opening balance into the books?" });
      await dialog.getByText("1,000,000.00 AUD").waitFor();
      await dialog.getByRole("button", { name: "Take opening balance" }).click();
      // It is above the threshold: another user confirms it.
      await page.getByText("The opening balance waits for a second user.").waitFor();
      await service.confirmNamed(id);
      await page.reload();
      await page.getByText("The opening balance waits").waitFor({ state: "detached" });
      await page.getByText("1,005,000.00").first().waitFor();
      await page.goto(`${service.baseUrl}/console/s/${subaccountId}/reconcile?month=${month}`);
      await page.getByText("5,000.00").first().waitFor();
    });

    // Payouts: one above the threshold is approved, and all are sent in one file.
    const operator = service.enter("operator");
    const approver = service.enter("approver");
    const pay = async (amount: number, accountId: string) => {
      const { receiver_id } = payer.to;
      const body = { receiver_id, account_id: accountId, amount, currency: "AUD", once: newId() };
      const { status, json, text } = await operator.post(`/s/${subaccountId}/payouts`, body);
      if (status !== 200) throw new Error(text);
      return json.payout_id as string;
    };
    await pay(250_00, payer.to.account_id);
    await pay(120_10, returning);
    const large = await pay(1_500_05, payer.to.account_id);
    const approved = await approver.post(`/s/${subaccountId}/payouts/${large}/approve`);
    expect(approved.status).toBe(200);
    const { path } = await service.approveFile(id);
    let file = Buffer.alloc(0);
    await withFinance(path, async (page) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download" }).click(),
      ]);
      file = readFileSync(await download.path());
      await page.getByRole("button", { name: "I have uploaded it" }).click();
      const dialog = page.getByRole("dialog", { name: "The bank has the file" });
      await dialog.getByRole("button", { name: "Record as sent" }).click();
      await page.getByText("The bank has the file.").waitFor();
    });
    const sentAt = tenth + dayMs + hourMs;
    expect(bank.take("payments.xml", file, sentAt)).toMatchObject({ isAccepted: true });

    // The bank answers: it confirms, returns one payout, charges for the file, and gets money of an unknown sender.
    deposit("77.77", "thank you", sentAt + dayMs);
    service.moveTo(sentAt + 5 * dayMs);
    await withFinance("/banks/inbound", async (page) => {
      for (const answer of bank.due(sentAt + 5 * dayMs)) await applyFile(page, answer);
      await page.goto(`${service.baseUrl}/console/reconcile/banks/${id}`);
      const lines = page.getByRole("table", { name: "Open lines" });
      const charge = lines.getByRole("row").filter({ hasText: "FEE" });
      await charge.getByText("2.50").waitFor();
      await charge.getByRole("button", { name: "Confirm" }).click();
      await page.getByText("No open lines").waitFor();
      await page.getByRole("tab", { name: "Exceptions" }).click();
      await page.getByRole("link", { name: /^Unidentified credit/ }).click();
      await page.getByRole("button", { name: "Give to subaccount" }).click();
      const dialog = page.getByRole("dialog", { name: "Give the money to a subaccount" });
      await dialog.getByLabel("Reason").fill("their email of today");
      await dialog.getByRole("combobox", { name: "Subaccount" }).fill(subaccountId);
      await page.getByRole("option").first().click();
      await dialog.getByRole("button", { name: "Give to subaccount" }).click();
      await page.getByText("Given to a subaccount").waitFor();
    });

    // The month ends with one more deposit, and is closed.
    deposit("1.23", reference, lastDay);
    service.moveTo(lastDay + 2 * dayMs);
    await withFinance("/banks/inbound", async (page) => {
      for (const statement of bank.due(lastDay + 2 * dayMs)) await applyFile(page, statement);
      await page.goto(`${service.baseUrl}/console/reconcile`);
      const card = page.getByRole("region", { name: "Operating account" });
      await card.getByText(`${monthName} can be closed.`).waitFor();
      // 1,000,000.00 + 5,000.00 + 77.77 + 1.23 − 250.00 − 1,500.05 − 2.50; what was returned went out and came back.
      await card.getByText("1,003,326.45").first().waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await card.getByRole("button", { name: "Close month" }).click();
      const dialog = page.getByRole("dialog", { name: `Close ${monthName} of Operating account?` });
      await dialog.getByRole("button", { name: "Close month" }).click();
      await page.getByText(`${monthName} is closed`).waitFor();
      await page.getByRole("link", { name: "Months", exact: true }).click();
      const name = `${monthName}, Operating account`;
      const [pdf] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: `PDF of ${name}` }).click(),
      ]);
      expect(pdf.suggestedFilename()).toBe(`closing-operating-account-${month}.pdf`);
      expect(
        readFileSync(await pdf.path())
          .subarray(0, 5)
          .toString(),
      ).toBe("%PDF-");
      const [csv] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: `CSV of ${name}` }).click(),
      ]);
      const text = readFileSync(await csv.path(), "utf8");
      expect(text).toContain("Balance by the statement,1003326.45,AUD");
      // The statement of the last day came after the month: its deposit is in the books of the next one.
      expect(text).toContain("In transit,-1.23,AUD");
      expect(text).toContain("Balance by the books,1003325.22,AUD");
      await page.goto(`${service.baseUrl}/console/s/${subaccountId}/reconcile?month=${month}`);
      await page.getByRole("button", { name: "Close month" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Close month" }).click();
      await page.getByText(/^by finance-/).waitFor();
    });
    expect((await verifyLedger(service.db)).differences).toEqual([]);
    const { balances } = (
      await service.enter("auditor").get(`/s/${subaccountId}/reconcile?month=${month}`)
    ).json;
    // 5,000.00 + 77.77 − 250.00 − 1,500.05
    expect(balances).toMatchObject([{ currency: "AUD", closing: 3_327_72, drift: 0 }]);
  },
  300_000,
);
