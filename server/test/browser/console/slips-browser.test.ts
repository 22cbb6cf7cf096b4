// Ten ordinary slips in a real browser. Each is caught before anything happens, or does no harm.

import { stringify } from "csv-stringify/sync";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow, seriousFindings } from "../../support/console-window.ts";
import { newPayee, type Payee } from "../../support/payers.ts";
import { ada, type TestCaller } from "../../support/service.ts";

/** Each test has its own, so that their order does not matter. */
type Shop = { caller: TestCaller; payee: Payee };

const { service, browser, inBrowser } = await useBrowser(startConsole);
const operator = service.enter("operator");

async function newShop(): Promise<Shop> {
  const caller = await service.newCaller();
  const payee = await newPayee(caller.disburse);
  for (const currency of ["AUD", "NZD"]) {
    await caller.disburse.testHelpers.fund({ amount: 100_000, currency, reference: newId() });
  }
  return { caller, payee };
}

const open = (path: string, { caller }: Shop) =>
  openWindow(
    { browser, baseUrl: service.baseUrl },
    `/console/s/${caller.subaccountId}${path}`,
    operator,
  );
const payoutsOf = ({ caller }: Shop) => caller.disburse.payouts.list({ limit: 1000 }).toArray();

async function choose(page: Page, name: string, content: string | Buffer): Promise<void> {
  const buffer = Buffer.from(content);
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer });
}

inBrowser(
  "payout form: decimal comma, wrong currency, pasted spaces, double click, back button, two tabs",
  async () => {
    const shop = await newShop();
    const { caller, payee } = shop;
    const payouts = () => payoutsOf(shop);
    const path = `/payouts/new?receiver=${payee.receiver_id}`;
    const { page, context, faults } = await open(path, shop);
    const amount = page.getByLabel("Amount");
    const goOn = page.getByRole("button", { name: "Continue" });
    await page.getByText("Available: 1,000.00 AUD").waitFor();

    // 1. A decimal comma is never read as a thousand times the amount.
    await amount.fill("12,50");
    await amount.blur();
    const isReady = await goOn.isEnabled();
    if (isReady) {
      await goOn.click();
      await page.getByText("12.50 AUD").first().waitFor();
      await page.goBack();
    } else await page.getByText(/Enter an amount like/).waitFor();

    // 2. Spaces of any kind around a pasted amount do no harm.
    await amount.fill(" \u00a012.50 \u2009");
    await amount.blur();
    await page.getByLabel("Reference", { exact: true }).fill("  O\u2019Brien\u00a0 May ");

    // 3. A currency that the account does not take is refused before anything is created.
    const currency = page.getByRole("combobox", { name: "Currency" });
    await currency.click();
    await page.getByRole("option", { name: "NZD" }).click();
    await goOn.click();
    await page.getByRole("button", { name: "Pay 12.50 NZD" }).click();
    await page
      .getByText(/Currency does not fit the account/)
      .first()
      .waitFor();
    expect(await payouts()).toEqual([]);
    await page.goBack();
    await currency.click();
    await page.getByRole("option", { name: "AUD" }).click();
    await goOn.click();
    await page.getByRole("button", { name: "Pay 12.50 AUD" }).waitFor();

    // 4. Back comes to the form again, with everything typed.
    await page.goBack();
    await goOn.waitFor();
    expect((await amount.inputValue()).trim()).toBe("12.50");
    await goOn.click();

    // 5. Two tabs: the other one has no part of this form, and both can pay.
    const second = await context.newPage();
    await second.goto(page.url());
    await second.getByRole("heading", { name: "New payout" }).waitFor();

    // 6. A double click pays once.
    await page.getByRole("button", { name: "Pay 12.50 AUD" }).dblclick();
    await page.getByText("Payout created").waitFor();
    const made = await payouts();
    expect(made.map((one) => [one.amount, one.currency])).toEqual([[1_250, "AUD"]]);

    // Back does not lead to the form of a payout that exists.
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes("step=review"));
    expect(await payouts()).toHaveLength(1);

    // The same payout from the other tab is recognised as a duplicate.
    await second.goto(
      `${service.baseUrl}/console/s/${caller.subaccountId}/payouts/new?receiver=${payee.receiver_id}`,
    );
    await second.getByText("Available:").waitFor();
    await second.getByLabel("Amount").fill("12.50");
    await second.getByLabel("Reference", { exact: true }).fill(made[0]?.reference ?? "");
    await second.getByRole("button", { name: "Continue" }).click();
    await second.getByRole("button", { name: "Pay 12.50 AUD" }).click();
    await second.getByText("of the last 24 hours says the same").first().waitFor();
    expect(await payouts()).toHaveLength(1);
    expect(faults).toEqual([]);
    await context.close();
  },
  300_000,
);

inBrowser(
  "files: an amount of two meanings, wrong currency, old and broken workbooks, empty, only a header, curly apostrophe, spaces, chosen twice",
  async () => {
    const shop = await newShop();
    const { caller, payee } = shop;
    const payouts = () => payoutsOf(shop);
    const { page, context, faults } = await open("/payouts/import", shop);
    const { receiver_id, account_id } = payee;
    const row = (changes = {}) => ({
      receiver_id,
      account_id,
      amount: "20.00",
      currency: "AUD",
      reference: "O\u2019Brien",
      ...changes,
    });
    const before = (await payouts()).length;
    const csvOf = (rows: object[]) => stringify(rows, { header: true });
    const header = "receiver_id,account_id,amount,currency";
    const slips: [string, string | Buffer, RegExp][] = [
      ["empty.csv", "", /The file is empty/],
      ["header.csv", `${header}\n`, /only a header/],
      ["sheet.xlsx", Buffer.from("PK\u0003\u0004\u0014\u0000"), /workbook can't be imported/],
      ["old.xls", Buffer.from("d0cf11e0", "hex"), /old Excel file/],
    ];
    for (const [name, content, problem] of slips) {
      await choose(page, name, content);
      await page.getByText(problem).waitFor();
    }
    const wrong: [string, object, RegExp][] = [
      ["two-ways.csv", { amount: "1.234" }, /can be read in two ways/],
      ["currency.csv", { currency: "NZD" }, /PAYO223/],
      ["lower.csv", { currency: "aud" }, /PAYO208/],
    ];
    for (const [name, changes, problem] of wrong) {
      await choose(page, name, csvOf([row(changes)]));
      await page.getByText(problem).first().waitFor();
      await page.getByRole("button", { name: "Choose another file" }).click();
    }
    expect(await payouts()).toHaveLength(before);

    // Spaces around cells and a curly apostrophe are no problem. The receivers are shown before money is released.
    const good = csvOf([row({ amount: " 20.00 " }), row({ reference: "  June\u00a0" })]);
    await choose(page, "good.csv", `\uFEFF${good}`);
    const who = page.getByRole("region", { name: "Who is paid" });
    await who.getByText("Ada Lovelace").first().waitFor();
    await who.getByText("•••• 5999").first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("Type the AUD total to confirm").fill("40.00");
    await page.getByRole("button", { name: "Create 2 payouts" }).dblclick();
    await page.getByText("2 created, 0 already imported, 0 failed").waitFor();
    expect(await payouts()).toHaveLength(before + 2);

    // The same file again pays nothing.
    await page.getByRole("button", { name: "Import another file" }).click();
    await choose(page, "good.csv", good);
    await page.getByText("2 rows were imported before").waitFor();
    await page.getByRole("heading", { name: "good.csv: nothing to pay now" }).waitFor();
    expect(await payouts()).toHaveLength(before + 2);

    // What was imported is an object of its own.
    await page.goto(`${service.baseUrl}/console/s/${caller.subaccountId}/batches`);
    await page.getByRole("link", { name: /good\.csv/ }).click();
    await page.getByRole("heading", { name: "good.csv" }).waitFor();
    await page.getByText("2 payouts").first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  },
  300_000,
);

inBrowser(
  "receivers: a file with problems shows them by row, and only the others are created",
  async () => {
    const shop = await newShop();
    const { caller } = shop;
    const { page, context, faults } = await open("/receivers/import", shop);
    const rows = [ada({ last_name: "O\u2019Brien" }), ada({ dialcode: "+61" }), ada()];
    await choose(page, "people.csv", stringify(rows, { header: true }));
    const preview = page.getByRole("region", { name: "Preview" }).last();
    await preview.getByText("O\u2019Brien").waitFor();
    await preview.getByText("Dialcode is not valid").waitFor();
    await page.getByText("1 to 4 digits, without a plus sign.").waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download rows with problems" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("people.csv.problems.csv");
    await page.getByRole("button", { name: "Create 2 receivers" }).dblclick();
    await page.getByText("2 created, 0 already imported, 0 failed").waitFor();
    const names = (await caller.disburse.receivers.list().toArray()).map((one) => one.last_name);
    expect(names.filter((name) => name === "O\u2019Brien")).toHaveLength(1);
    expect(faults).toEqual([]);
    await context.close();
  },
  300_000,
);

inBrowser(
  "accounts: a wrong cell is corrected in place, accounts are proposed once, and lead to Approvals",
  async () => {
    const shop = await newShop();
    const { payee } = shop;
    const { page, context, faults } = await open("/payouts/import", shop);
    await page.getByRole("link", { name: "Accounts", exact: true }).click();
    await page.getByRole("heading", { name: "Import accounts" }).waitFor();
    const row = { receiver_id: payee.receiver_id, bsb: "062000", account_number: "44556677" };
    const rows = [row, { ...row, bsb: "1", account_number: "44556688" }];
    await choose(page, "accounts.csv", stringify(rows, { header: true }));
    await page.getByText("1 row has problems").waitFor();
    await page.getByLabel("Bank code (BSB, sort code) in row 3").fill("062000");
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByRole("button", { name: "Create 2 accounts" }).dblclick();
    await page.getByText("2 created, 0 already imported, 0 failed").waitFor();
    await page.getByRole("button", { name: "Import another file" }).click();
    await choose(page, "accounts.csv", stringify([row], { header: true }));
    await page.getByRole("button", { name: "No accounts to create" }).waitFor();
    await page.getByText("Account awaits approval").first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  },
  300_000,
);
