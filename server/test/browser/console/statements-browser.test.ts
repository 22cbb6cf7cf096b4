// Reconcile in a real browser: where the money is, open lines with suggestions, exceptions, and phones.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import {
  isWiderThanScreen,
  type Look,
  openWindow,
  seriousFindings,
  withWindow,
} from "../../support/console-window.ts";
import { firstDay as day, startStatementConsole } from "../../support/statement-console.ts";

const { service, browser, inBrowser } = await useBrowser(startStatementConsole);

const open = (path: string, person: TestPerson, look: Look = {}) =>
  openWindow({ browser, baseUrl: service.baseUrl }, `/console${path}`, person, look);

const withPage = (path: string, person: TestPerson, work: (page: Page) => Promise<void>) =>
  withWindow({ browser, baseUrl: service.baseUrl }, path, person, work);

/** As the browser of the tests writes it. */
const shownDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(
  Date.parse(day),
);

/** Near the day of the file that it paid, and another one: no rule matches it. */
const nearDay = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
const fee = { amount: -150, day, text: "Account fee", ref: "F", code: "ACMT/MDOP/CHRG" };

/** A connection with a deposit, two bank charges, a debit that no rule explains, and a credit of an unknown sender. */
async function newBooks(name: string) {
  const account = await service.newAccount(name);
  await account.payer.pay(4_000);
  await service.sendFile(account.id);
  await account.payer.pay(2_500);
  const text = await account.deposit();
  await account.apply(
    [
      { amount: 250_000, day, text, party: "Harbour Rides", ref: "D" },
      fee,
      { ...fee, amount: -50, ref: "G", text: "Wire fee" },
      { amount: -4_000, day: nearDay, text: "payments", ref: "B" },
      { amount: 12_345, day, text: "thank you", party: "J Chen", ref: "C" },
    ],
    { opening: 100_000n },
  );
  return account;
}

inBrowser(
  "finance sees where the money is, and every figure leads to its lines",
  async () => {
    const { id, payer } = await newBooks("Everyday account");
    await withPage("/reconcile", service.enter("finance"), async (page) => {
      const picture = page.getByRole("table", { name: "Where the money is" });
      await picture.getByRole("row", { name: /^Difference/ }).waitFor();
      await picture.getByRole("link", { name: /^[\d,]+\.\d\d AUD.*Suspense$/ }).waitFor();
      expect(await picture.getByRole("link").count()).toBeGreaterThanOrEqual(7);
      const card = page.getByRole("region", { name: "Everyday account" });
      // The books, the bank, and what no item between them explains: the opening balance.
      await card.getByRole("row", { name: "Difference −1,000.00 AUD" }).waitFor();
      await card.getByText("Out of balance").waitFor();
      expect(await card.getByText("Balanced", { exact: true }).count()).toBe(0);
      await card
        .getByText(
          "1,000.00 AUD were at the bank before the first statement and are not in the books",
        )
        .waitFor();
      await card.getByText("can't be closed yet").waitFor();
      await card.getByText("BANK481").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await picture.getByRole("link", { name: /Held$/ }).click();
      await page.getByRole("heading", { level: 1, name: "Held money, AUD" }).waitFor();
      const row = page.getByRole("table", { name: "Held money" }).getByText("25.00 AUD");
      await row.first().waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.goBack();
      await picture.getByRole("link", { name: /Everyday account$/ }).click();
      await page.waitForURL(`**/reconcile/banks/${id}`);
      // Until a user takes it into the books, nothing explains the opening balance.
      await page.getByRole("tab", { name: "Exceptions" }).click();
      await page.getByText("Opening balance 1,000.00 AUD that is not in the books").waitFor();
      await page.getByRole("tab", { name: "Statements" }).click();
      await page.getByText(`Statement to ${shownDay}`).click();
      await page.getByRole("table", { name: "Lines" }).getByText("Harbour Rides").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      expect(await page.getByText(payer.subaccountId).count()).toBe(0);
    });
  },
  300_000,
);

inBrowser(
  "bank charges are confirmed at once, a suggestion with one click, and a match is undone",
  async () => {
    const { id } = await newBooks("Charged account");
    await withPage(`/reconcile/banks/${id}`, service.enter("finance"), async (page) => {
      const lines = page.getByRole("table", { name: "Open lines" });
      await lines.getByText("Wire fee").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByLabel("Select all bank charges on this page").click();
      await page.getByRole("button", { name: "Confirm 2 bank charges" }).click();
      await page.getByText("2 bank charges confirmed").waitFor();
      await lines.getByText("Wire fee").waitFor({ state: "detached" });
      const row = lines.getByRole("row").filter({ hasText: "payments" });
      await row.getByText("same amount").waitFor();
      await row.getByRole("button", { name: "Confirm" }).click();
      await page.getByText("No open lines").waitFor();

      await page.getByRole("tab", { name: "Statements" }).click();
      await page.getByText(`Statement to ${shownDay}`).click();
      await page.getByRole("table", { name: "Lines" }).getByText("Account fee").click();
      await page.getByText("Company's own money").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      const dialog = page.getByRole("dialog", { name: "Undo the match" });
      await dialog.getByLabel("Reason").fill("not a fee");
      await dialog.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("table", { name: "What it may be" }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole("button", { name: "Give to company" }).click();
      const company = page.getByRole("dialog", { name: "The line is the company's own money" });
      await company.getByLabel("Reason").fill("a fee after all");
      await company.getByRole("button", { name: "Give to company" }).click();
      await page.getByRole("button", { name: "Undo" }).waitFor();
    });
  },
  300_000,
);

inBrowser(
  "an exception gets an owner and a note, and a credit is given to a subaccount that a user picks",
  async () => {
    const { id, payer } = await newBooks("Suspense account");
    const finance = service.enter("finance");
    await withPage(`/reconcile/banks/${id}?tab=exceptions`, finance, async (page) => {
      const table = page.getByRole("table", { name: "Exceptions" });
      await page
        .getByRole("button", { name: /^Edit owner and note of Unidentified credit/ })
        .click();
      const dialog = page.getByRole("dialog", { name: "Owner and note" });
      expect(await dialog.getByLabel("Owner").inputValue()).toBe(finance.person.email);
      await dialog.getByLabel("Note").fill("asked the sender");
      await dialog.getByRole("button", { name: "Save" }).click();
      await table.getByText("asked the sender").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await table
        .getByRole("row")
        .filter({ hasText: "thank you" })
        .getByRole("link", {
          name: /^Unidentified credit 123\.45 AUD from J Chen, (today|\d+ days?)$/,
        })
        .click();
      await page
        .getByRole("heading", { level: 1, name: "Unidentified credit 123.45 AUD from J Chen" })
        .waitFor();
      // Each part is shown as it was read, with what is missing.
      await page.getByRole("button", { name: "Split" }).click();
      const splitting = page.getByRole("dialog", { name: "Split item" });
      await splitting.getByLabel("Amounts, one per line").fill("1.00\n2,50");
      await splitting.getByText("“2,50”: Enter an amount like").waitFor();
      await splitting.getByText(/^Sum: 1\.00 AUD\. Difference: /).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await splitting.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Give to subaccount" }).click();
      const giving = page.getByRole("dialog", { name: "Give the money to a subaccount" });
      await giving.getByLabel("Reason").fill("their email");
      const field = giving.getByRole("combobox", { name: "Subaccount" });
      await field.fill((await service.newCaller()).subaccountId);
      await page.getByText("No match").waitFor();
      await field.fill(payer.subaccountId);
      await page.getByRole("option").first().click();
      expect(await seriousFindings(page)).toEqual([]);
      await giving.getByRole("button", { name: "Give to subaccount" }).click();
      await page.getByText("Given to a subaccount", { exact: true }).waitFor();
      await page.getByText("No longer under suspense: given to a subaccount").waitFor();
    });
  },
  300_000,
);

inBrowser(
  "a statement is applied on the page of its connection, where the dialog names the formats",
  async () => {
    const { id, write } = await service.newAccount("Upload account");
    // Little: what a day decides about company money has a threshold.
    const text = write([fee], { opening: 500n });
    await withPage(`/reconcile/banks/${id}`, service.enter("finance"), async (page) => {
      await page.getByText("No statements yet. Apply the first one.").waitFor();
      await page.getByRole("button", { name: "Apply a statement" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Apply a statement" });
      for (const format of ["camt.053", "BAI2", "CSV", "MT940"]) {
        await dialog.getByText(format).waitFor();
      }
      expect(await dialog.getByLabel("Bank connection").inputValue()).toBe("Upload account");
      const file = { name: "upload.xml", mimeType: "text/xml", buffer: Buffer.from(text) };
      await dialog.locator("input[type=file]").setInputFiles(file);
      expect(await seriousFindings(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Apply a file" }).click();
      await page.getByText("a second user has to confirm the file's sums").waitFor();
      await service.confirmNamed("upload.xml");
      await page.reload();
      await page.getByText("can't be closed yet").waitFor();
      expect(new URL(page.url()).pathname).toBe(`/console/reconcile/banks/${id}`);
      // Then the opening balance is the next step, and the two meet but for the fee.
      await page.getByRole("button", { name: "Take opening balance" }).click();
      const taking = page.getByRole("dialog", { name: "Take the opening balance into the books?" });
      await taking.getByRole("button", { name: "Take opening balance" }).click();
      await page.getByText("Opening balance taken into the books").waitFor();
      await page.getByRole("row", { name: "In transit, 1 item 1.50 AUD" }).waitFor();
      await page.getByRole("row", { name: "Difference 0.00 AUD" }).waitFor();
      await page.getByText("are not in the books").waitFor({ state: "detached" });
      await page.goto(`${service.baseUrl}/console/reconcile/closings`);
      const months = page.getByRole("table", { name: "Open months" });
      const month = months.getByRole("row").filter({ hasText: "Upload account" });
      await month.getByRole("link", { name: "The month is not over" }).waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      await month.getByRole("link", { name: "The month is not over" }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    });
  },
  300_000,
);

inBrowser(
  "a line is matched with a payout that a user finds by its amount, and the reason is shown",
  async () => {
    const { id, payer, apply } = await service.newAccount("Picking account");
    await payer.pay(2_000, "INV-20");
    await payer.pay(3_000, "INV-30");
    await service.sendFile(id);
    await apply([{ amount: -3_000, day: nearDay, text: "one of them", ref: "B" }]);
    const finance = service.enter("finance");
    const [line] = (await finance.get(`/reconcile/banks/${id}/lines`)).json.rows;
    await withPage(`/reconcile/lines/${line.id}`, finance, async (page) => {
      await page.getByRole("button", { name: "Match", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Match statement line" });
      await dialog.getByText("Chosen: 0.00 AUD of 30.00 AUD").waitFor();
      await dialog.getByLabel("What it is about").fill("30.00");
      const option = page.getByRole("option", { name: /^30\.00 AUD .*INV-30.*same amount/ });
      await option.click();
      await dialog.getByText("Chosen: 30.00 AUD of 30.00 AUD").waitFor();
      await dialog.getByLabel("Reason").fill("the bank's letter");
      expect(await seriousFindings(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Match" }).click();
      await page.getByText("Paid a payout").waitFor();
    });
  },
  300_000,
);

const sample = `Date,Amount,Balance,Description
${day.split("-").reverse().join("/")},-12.50,987.50,Coffee
25/${day.slice(5, 7)}/${day.slice(0, 4)},100.00,1087.50,Deposit of a customer
`;

inBrowser(
  "an admin uploads a sample of CSV statements, corrects the proposed mapping, and saves it",
  async () => {
    const { id } = await service.newAccount("CSV account");
    const admin = service.enter("admin");
    await withPage(`/reconcile/banks/${id}`, admin, async (page) => {
      await page.getByRole("button", { name: "CSV statements" }).click();
      const dialog = page.getByRole("dialog", { name: "CSV statements of CSV account" });
      await dialog.getByText("No mapping is saved").waitFor();
      const file = { name: "sample.csv", mimeType: "text/csv", buffer: Buffer.from(sample) };
      await dialog.locator("input[type=file]").setInputFiles(file);
      const lines = dialog.getByRole("region", { name: "First lines as read" });
      await lines.getByText("−12.50").waitFor();
      await dialog.getByRole("region", { name: "Why" }).waitFor();
      // The form: a column is read as something else, and the first lines follow.
      const readAs = async (column: string, use: string) => {
        await dialog.getByRole("combobox", { name: `Read ${column} as` }).click();
        await page.getByRole("option", { name: use, exact: true }).click();
      };
      const save = dialog.getByRole("button", { name: "Save mapping" });
      await dialog.getByText("Coffee · Deposit of a customer").waitFor();
      await readAs("Amount", "Not read");
      await dialog.getByText("Say which column has: amount.").waitFor();
      expect(await save.isEnabled()).toBe(false);
      await readAs("Amount", "Amount");
      await readAs("Description", "Reference");
      await lines.getByRole("row", { name: /AUD\s+Coffee/ }).waitFor();
      await dialog.getByRole("combobox", { name: "Debits are" }).click();
      await page.getByRole("option", { name: "Above zero" }).click();
      await lines.getByText("−100.00").waitFor();
      await dialog.getByRole("combobox", { name: "Debits are" }).click();
      await page.getByRole("option", { name: "Below zero" }).click();
      await lines.getByText("−12.50").waitFor();
      // What the form has no field for.
      await dialog.getByRole("button", { name: "Advanced: the mapping as JSON" }).click();
      const mapping = dialog.getByLabel("Mapping");
      const proposed = await mapping.inputValue();
      await mapping.fill("{");
      await dialog.getByRole("button", { name: "Read sample again" }).click();
      await dialog.getByText("The mapping is not valid JSON.").waitFor();
      await mapping.fill(proposed.replace('"AUD"', '"NZD"'));
      await dialog.getByRole("button", { name: "Read sample again" }).click();
      await lines.getByText("NZD").first().waitFor();
      await dialog.getByRole("combobox", { name: "Currency of every line" }).click();
      await page.getByRole("option", { name: "AUD" }).click();
      await lines.getByText("AUD").first().waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await save.click();
      await page.getByText("another admin has to confirm it in Approvals").waitFor();
    });
    await withPage("/approvals?kind=bank_request", service.enter("admin"), async (page) => {
      const card = page.getByRole("article", { name: "Mapping for CSV statements" });
      await card.getByText("CSV account").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await card.getByRole("button", { name: "Confirm" }).click();
      const dialog = page.getByRole("dialog", { name: "Confirm: Mapping for CSV statements" });
      await dialog.getByRole("button", { name: "Confirm" }).click();
      await page.getByText("Confirmed and applied").waitFor();
    });
    const { json } = await admin.get(`/banks/connections/${id}/csv-mapping`);
    expect(json).toMatchObject({
      version: 1,
      saved_by: admin.who,
      mapping: { reference: "Description", amount: { kind: "signed", column: "Amount" } },
    });
  },
  300_000,
);

inBrowser(
  "the screens fit a phone in the dark, and an auditor has no buttons",
  async () => {
    const { id } = await newBooks("Phone account");
    const auditor = service.enter("auditor");
    const paths = ["/reconcile", `/reconcile/banks/${id}`, "/reconcile/exceptions"];
    for (const path of [...paths, "/reconcile/statements", "/reconcile/closings"]) {
      const { page, context, faults } = await open(path, auditor, {
        width: 390,
        colorScheme: "dark",
      });
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page
        .getByText(/Phone account|No month is closed yet/)
        .first()
        .waitFor();
      expect([path, await isWiderThanScreen(page)]).toEqual([path, false]);
      expect(await seriousFindings(page)).toEqual([]);
      const buttons = page.getByRole("main").getByRole("button", {
        name: /Confirm|Close month|Take opening|Edit|Match|Give/,
      });
      expect(await buttons.count()).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    }
  },
  300_000,
);
