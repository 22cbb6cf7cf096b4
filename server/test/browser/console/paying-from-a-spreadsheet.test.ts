// Paying from a spreadsheet as the user who pays sees it: an Excel file with its own names of columns and two wrong cells is
// mapped, corrected in place, paid, and recognised when it comes again.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow, seriousFindings } from "../../support/console-window.ts";
import { newPayee } from "../../support/payers.ts";
import { spreadsheet } from "../../support/spreadsheets.ts";

const { service, browser, inBrowser } = await useBrowser(startConsole);
const finance = service.enter("operator");

const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: workbookType, buffer });
}

inBrowser(
  "an Excel file is mapped, corrected in place and paid; the next one is read in the same way",
  async () => {
    const { disburse, subaccountId } = await service.newCaller();
    await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: "start" });
    await newPayee(disburse, "11112222", { email: "ada@example.com" }, { bsb: "062000" });
    await newPayee(disburse, "33334444", { email: "bob@example.com" }, { bsb: "733001" });
    const payouts = async () =>
      (await disburse.payouts.list().toArray())
        .map(({ amount, reference }) => `${reference} ${amount}`)
        .sort();
    const { page, context, faults } = await openWindow(
      { browser, baseUrl: service.baseUrl },
      `/console/s/${subaccountId}/payouts/import`,
      finance,
    );
    const header = ["Mitarbeiter", "BSB", "Auszahlung", "Zweck"];
    await choose(
      page,
      "Gehälter Mai.xlsx",
      spreadsheet([
        header,
        ["ada@example.com", 62000, "1.234,50", "May Ada"],
        ["bob@example.com", "733001", "n/a", "May Bob"],
        ["unknown@example.com", "", "5,00", "May unknown"],
      ]),
    );

    // What is not known by its name is asked, with the first values of each column.
    await page.getByText("Say which column has the receiver, the amount, the currency.").waitFor();
    await page.getByText("ada@example.com · bob@example.com").waitFor();
    const say = async (column: string, field: string) => {
      await page.getByRole("combobox", { name: `Read ${column} as` }).click();
      await page.getByRole("option", { name: field, exact: true }).click();
    };
    await say("Mitarbeiter", "Receiver email");
    await page.getByText("Say which column has the amount, the currency.").waitFor();
    await say("Auszahlung", "Amount");
    await page.getByText("Say which column has the currency.").waitFor();
    await say("Zweck", "Reference");
    await page.getByText("Columns: 4 of 4 are read").waitFor();
    await page.getByRole("combobox", { name: "Currency of every row" }).click();
    await page.getByRole("option", { name: "AUD" }).click();

    // Decimals are found, and shown with the amount that says it.
    await page.getByText("Found by 1.234,50.").waitFor();
    await page.getByRole("heading", { name: "3 rows have problems" }).waitFor();
    await page.getByText("n/a is no amount").waitFor();
    await page.getByText("No receiver has this email").waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    // One click takes what is offered, and a cell is corrected in place.
    await page.getByRole("button", { name: "Use 062000" }).click();
    await page.getByLabel("Amount in row 3").fill("20,00");
    await page.getByRole("button", { name: "Check 2 corrections" }).click();
    await page.getByRole("heading", { name: "1 row has problems" }).waitFor();
    await page.getByText("1 row with problems is not paid.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download rows with problems" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("Gehälter Mai.xlsx.problems.csv");

    await page.getByText("Type the AUD total first.").waitFor();
    await page.getByLabel("Type the AUD total to confirm").fill("1254.50");
    await page.getByRole("button", { name: "Create 2 payouts" }).click();
    await page.getByText("2 created, 0 already imported, 0 failed").waitFor();
    expect(await payouts()).toEqual(["May Ada 123450", "May Bob 2000"]);

    // After a reload the same columns are known, and what was paid is not paid again.
    await page.reload();
    await choose(
      page,
      "Gehälter Mai.xlsx",
      spreadsheet([header, ["ada@example.com", "062000", "1.234,50", "May Ada"]]),
    );
    await page.getByText("Columns: 4 of 4 are read").waitFor();
    await page.getByText("1 row was imported before").waitFor();
    await page.getByRole("heading", { name: "Gehälter Mai.xlsx: nothing to pay now" }).waitFor();
    await page.getByRole("link", { name: "Paid by the import of Gehälter Mai.xlsx" }).waitFor();
    expect(await page.getByRole("button", { name: /^Create/ }).count()).toBe(0);
    expect(await payouts()).toHaveLength(2);
    expect(faults).toEqual([]);
    await context.close();
  },
  120_000,
);

inBrowser(
  "a file with a new person: the user agrees to create them, and the row is paid once they may be paid",
  async () => {
    const { disburse, subaccountId } = await service.newCaller();
    await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: "start" });
    await newPayee(disburse, "11112222", { email: "ada@example.com" }, { bsb: "062000" });
    const { page, context, faults } = await openWindow(
      { browser, baseUrl: service.baseUrl },
      `/console/s/${subaccountId}/payouts/import`,
      finance,
    );
    const header = [
      ...["First name", "Last name", "Email", "Date of birth", "Gender", "Dial code", "Phone"],
      ...["Street", "City", "State", "Postcode", "Country", "BSB", "Account number"],
      ...["Amount", "Currency", "Reference"],
    ];
    const mia = [
      ...["Mia", "Wong", "mia@example.com", "1990-12-10", "F", "61", "412345678"],
      ...["1 St. Kilda Road", "Melbourne", "VIC", "3004", "AUS", "062000", "33334444"],
    ];
    const ada = ["", "", "ada@example.com", ...Array(9).fill(""), "062000", "11112222"];
    const file = spreadsheet([
      header,
      [...ada, "10.00", "AUD", "May Ada"],
      [...mia, "20.00", "AUD", "May Mia"],
      [...mia, "5.00", "AUD", "bonus Mia"],
    ]);
    await choose(page, "May.xlsx", file);
    await page.getByRole("heading", { name: "2 rows are paid later" }).waitFor();
    expect(await page.getByText("New receiver and account").count()).toBe(2);
    await page.getByText("•••• 4444").first().waitFor();
    await page
      .getByText("35.00 AUD in all, of which 25.00 AUD to new payees, paid after approval")
      .waitFor();
    const later = page.getByRole("region", { name: "Rows that are paid later" });
    await later.getByText("20.00 AUD").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("Type the AUD total to confirm").fill("10.00");
    await page.getByRole("button", { name: "Create 1 payout" }).waitFor();
    await page.getByRole("checkbox", { name: "Create 1 receiver and 1 account" }).check();
    await page.getByRole("button", { name: "Create 1 receiver, 1 account and 1 payout" }).click();
    await page.getByText("1 created, 0 already imported, 0 failed").waitFor();
    await page.getByText("1 receiver and 1 account created.").waitFor();
    const shown = await disburse.receivers.list().toArray();
    expect(shown.map(({ email }) => email).sort()).toEqual(["ada@example.com", "mia@example.com"]);

    // The same file again: nothing is created twice, and the rows say what they wait for.
    await page.getByRole("button", { name: "Import another file" }).click();
    await choose(page, "May.xlsx", file);
    await page.getByText("Account awaits approval").first().waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);

    const second = service.enter("approver");
    const path = `/s/${subaccountId}/bank-changes`;
    const { json } = await second.get(`${path}?receiver_id=${idOf(shown, "mia@example.com")}`);
    await second.post(`${path}/${json.rows[0].id}/approve`, {});
    await page.reload();
    await choose(page, "May.xlsx", file);
    await page.getByText("Receiver awaits identity check").first().waitFor();
    await page.getByRole("heading", { name: "May.xlsx: nothing to pay now" }).waitFor();
    await page.getByRole("link", { name: "Paid by the import of May.xlsx" }).waitFor();
    const id = idOf(shown, "mia@example.com");
    await disburse.testHelpers.setStatus({ id, type: "kyc", status: "success" });

    // The page of the import pays the rows that waited, after the usual preview.
    await page.getByRole("link", { name: "Paid by the import of May.xlsx" }).click();
    await page.locator('main a[href*="/batches/"]').first().click();
    await page
      .getByRole("heading", { name: "2 rows wait for a new receiver or account" })
      .waitFor();
    await page.getByText("Nothing, ready to pay").first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "Pay the 2 rows that waited" }).click();
    await page.getByRole("heading", { name: "Rows that waited: 2 rows ready" }).waitFor();
    await page.getByLabel("Type the AUD total to confirm").fill("25.00");
    await page.getByRole("button", { name: "Create 2 payouts" }).click();
    await page.getByText("2 created, 0 already imported, 0 failed").waitFor();
    await page.getByRole("link", { name: "View this import" }).click();
    await page.getByText("Rows of", { exact: true }).waitFor();
    await page.goto(`${service.baseUrl}/console/s/${subaccountId}/payouts/import`);
    await choose(page, "May.xlsx", file);
    await page.getByText("3 rows were imported before and are not paid again").waitFor();
    const paid = await disburse.payouts.list().toArray();
    expect(paid.map(({ reference }) => reference).sort()).toEqual([
      "May Ada",
      "May Mia",
      "bonus Mia",
    ]);
    expect(faults).toEqual([]);
    await context.close();
  },
  120_000,
);

inBrowser(
  "the page says which columns a country needs; a country and a whole name are confirmed with one click",
  async () => {
    const { subaccountId } = await service.newCaller();
    const { page, context, faults } = await openWindow(
      { browser, baseUrl: service.baseUrl },
      `/console/s/${subaccountId}/payouts/import`,
      finance,
    );
    await page.getByText("BSB: 6 digits").waitFor();
    await page.getByRole("combobox", { name: "Country" }).click();
    await page.getByRole("option", { name: "United Kingdom (GBR)" }).click();
    await page.getByText("Sort code: 6 digits").waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    const header = [
      ...["Name", "Email", "Date of birth", "Gender", "Dial code", "Phone", "Street", "City"],
      ...["State", "Postcode", "Country", "BSB", "Account number", "Amount", "Currency"],
    ];
    const jane = [
      ...["Jane Mary Citizen", "jane@example.com", "1990-12-10", "F", "61", "412345678"],
      ...["1 St. Kilda Road", "Melbourne", "VIC", "3004", "Astralia", "062000", "33334444"],
    ];
    await choose(page, "May.xlsx", spreadsheet([header, [...jane, "20.00", "AUD"]]));
    await page.getByText("Astralia is no country that we know").waitFor();
    await page.getByRole("button", { name: "Use all 3 values offered" }).click();
    await page.getByRole("button", { name: "Check 3 corrections" }).click();
    await page.getByRole("heading", { name: "1 row is paid later" }).waitFor();
    await page.getByText("Jane Mary Citizen").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  },
  120_000,
);

const idOf = (list: readonly { id: string; email: string }[], wanted: string) =>
  list.find(({ email }) => email === wanted)?.id ?? "";
