// Banks in a real browser: two admins add a connection, and a file goes through every step to the bank.

import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { abaReturns } from "../../support/aba-returns.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import type { TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import {
  isWiderThanScreen,
  type Look,
  openWindow,
  seriousFindings,
  withWindow,
} from "../../support/console-window.ts";

const soon = { timeout: 60_000 };

const { service, browser, inBrowser } = await useBrowser(startBankConsole);

const open = (path: string, person: TestPerson, look: Look = {}) =>
  openWindow({ browser, baseUrl: service.baseUrl }, `/console${path}`, person, look);

const withPage = (path: string, person: TestPerson, work: (page: Page) => Promise<void>) =>
  withWindow({ browser, baseUrl: service.baseUrl }, path, person, work);

inBrowser(
  "a bank file is frozen, reviewed, approved, downloaded and recorded as sent",
  async () => {
    const payer = await service.newPayer();
    await service.connect("Everyday account", [payer.subaccountId]);
    const { payout_id } = await payer.pay(12_550, "PO-77");
    await payer.pay(300, "PO-78");
    const operator = service.enter("operator");
    let batch = "";
    await withPage("/banks", operator, async (page) => {
      const row = page.getByRole("row", { name: /Everyday account/ });
      await row.getByText("…678").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await row.getByRole("button", { name: "Freeze now" }).click();
      await page
        .getByRole("dialog")
        .getByText(/^2 payouts for/)
        .waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Freeze now" }).click();
      await page.getByRole("heading", { level: 1, name: /^everyday-account-/ }).waitFor();
      batch = new URL(page.url()).pathname.replace("/console", "");
      // The user who froze it can neither approve nor download it.
      await page.getByText("One more user has to approve the file").waitFor();
      expect(await page.getByRole("button", { name: /Approve|Download/ }).count()).toBe(0);
    });

    await withPage(batch, service.enter("approver"), async (page) => {
      await page.getByText("128.50").first().waitFor();
      await page.getByRole("table", { name: "Largest payouts" }).getByText("125.50").waitFor();
      const lines = page.getByRole("table", { name: "Lines" });
      await lines.getByText("PO-77").waitFor();
      expect(await page.getByText("111222333").count()).toBe(0);
      await page.getByRole("tab", { name: "Raw" }).click();
      await page.getByRole("button", { name: "Show raw file" }).click();
      await page.getByText("111222333").first().waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole("button", { name: "Approve file" }).click();
      const dialog = page.getByRole("dialog", { name: "Approve bank file" });
      const approve = dialog.getByRole("button", { name: "Approve" });
      await dialog.getByLabel(/^Type the number of payouts/).fill("128");
      await dialog.getByText("The file has another number").waitFor();
      expect(await approve.isDisabled()).toBe(true);
      await dialog.getByLabel(/^Type the number of payouts/).fill("128.50");
      await approve.click();
      await page.getByText("Download the file, upload it").waitFor();
      expect(await page.getByRole("button", { name: "Download" }).count()).toBe(0);
    });

    await withPage(batch, service.enter("finance"), async (page) => {
      await page.getByRole("tab", { name: "Raw" }).click();
      await page.getByText("Only users who may approve").waitFor();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download" }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^everyday-account-.*\.aba$/);
      expect(readFileSync(await file.path(), "utf8")).toContain("PO-77");
      await page.getByRole("button", { name: "Download again" }).waitFor();
      await page.getByRole("button", { name: "I have uploaded it" }).click();
      const dialog = page.getByRole("dialog", { name: "The bank has the file" });
      await dialog.getByLabel("Bank reference").fill("UP-1");
      await dialog.getByRole("button", { name: "Record as sent" }).click();
      await page.getByText("The bank has the file. Its payouts are in progress.").waitFor();
      expect(await page.getByRole("button", { name: /Discard|uploaded/ }).count()).toBe(0);
    });

    await withPage(`/s/${payer.subaccountId}/payouts/${payout_id}`, operator, async (page) => {
      const link = page.getByRole("link", { name: /^everyday-account-/ });
      expect(await link.getAttribute("href")).toBe(`/console${batch}`);
      await page
        .getByText(/everyday-account-.*, line 1/)
        .first()
        .waitFor();
      await page.getByText("The bank has its file.").waitFor();
    });
  },
  300_000,
);

inBrowser(
  "two admins add a connection, and the form names the field that is not valid",
  async () => {
    const { subaccountId } = await service.newCaller({ mode: "live" });
    await withPage("/banks", service.enter("admin"), async (page) => {
      await page.getByRole("button", { name: "Add connection" }).click();
      const dialog = page.getByRole("dialog", { name: "Add a bank connection" });
      await dialog.getByLabel("Name", { exact: false }).first().fill("Payroll account");
      const subaccounts = dialog.getByRole("combobox", { name: "Subaccounts" });
      await subaccounts.fill(subaccountId);
      await page.getByRole("option").first().click();
      await dialog.getByLabel("The bank's abbreviation").fill(abaSettings.bank);
      await dialog.getByLabel("Direct Entry User ID").fill(abaSettings.user_id);
      await dialog.getByLabel("Our name as the bank").fill(abaSettings.user_name);
      await dialog.getByLabel("BSB of our account").fill("1");
      await dialog.getByLabel("Number of our account").fill("98765432");
      await dialog.getByLabel("What the files are about").fill(abaSettings.description);
      await dialog.getByLabel("The payer's name").fill(abaSettings.remitter);
      await dialog.getByLabel("Closed days").fill("2026-12-24, 2026-12-31");
      await dialog.getByRole("combobox", { name: "How files reach the bank" }).click();
      await page.getByRole("option", { name: /by SFTP/ }).click();
      await dialog.getByLabel("Host", { exact: false }).first().fill("sftp.bank.example");
      await dialog.getByRole("textbox", { name: "User", exact: true }).fill("acme");
      await dialog.getByLabel("Host key fingerprint").fill("wrong");
      await dialog.locator("input[type=password]").fill("secret-1");
      await dialog.getByLabel("Folder for files from the bank").fill("out");
      await dialog.getByLabel("Their names").fill("ACME*.ret");
      await dialog.getByRole("button", { name: "Request" }).click();
      await dialog.getByText(/missing or not valid: BSB/).waitFor();
      await dialog.getByText(/missing or not valid: The fingerprint/).waitFor();
      await dialog.getByLabel("Host key fingerprint").fill(`SHA256:${"A".repeat(43)}`);
      await dialog.getByLabel("BSB of our account").fill("062000");
      await dialog.getByRole("button", { name: "Request" }).click();
      await page.getByText("1 change of a bank connection waits for another admin.").waitFor();
      await page.getByRole("link", { name: "Open Approvals" }).click();
      const card = page.getByRole("article", { name: "Add bank connection Payroll account" });
      await card.getByText("Awaiting another approver").waitFor();
      await card.getByText("ACME*.ret").waitFor();
      expect(await card.getByRole("button", { name: "Approve" }).count()).toBe(0);
      expect(await page.getByText("98765432").count()).toBe(0);
      expect(await seriousFindings(page)).toEqual([]);
    });
    await withPage("/approvals", service.enter("admin"), async (page) => {
      const card = page.getByRole("article", { name: "Add bank connection Payroll account" });
      await card.getByRole("button", { name: "Approve" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
      await expect.poll(() => card.count(), soon).toBe(0);
      await page.getByRole("link", { name: "Files", exact: true }).click();
      await page
        .getByRole("row", { name: /Payroll account/ })
        .getByText("…432")
        .waitFor();
      await page.getByRole("button", { name: "Actions for Payroll account" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      const dialog = page.getByRole("dialog", { name: "Change Payroll account" });
      expect(await dialog.getByLabel("Closed days").inputValue()).toBe("2026-12-24, 2026-12-31");
      expect(await dialog.getByLabel("Host key fingerprint").inputValue()).toMatch(/^SHA256:A/);
      expect(await dialog.getByLabel("Their names").inputValue()).toBe("ACME*.ret");
      const password = dialog.locator("input[type=password]").first();
      expect(await password.inputValue()).toBe("");
      expect(await password.getAttribute("placeholder")).toBe("Empty: keep the one that is set");
      expect(await seriousFindings(page)).toEqual([]);
    });
  },
  300_000,
);

inBrowser(
  "a file from the bank is applied, and a user matches a line that fits no payout",
  async () => {
    const settings = { ...abaSettings, account_number: "44440001" };
    const payer = await service.newPayer();
    const id = await service.connect("Return account", [payer.subaccountId], { settings });
    const { payout_id } = await payer.pay(700, "PO-1");
    const finance = service.enter("finance");
    const { processDate: date } = await service.sendFile(id);
    const lost = { amount: 700, reference: "LOST", code: "3", account: "111222333" };
    const text = abaReturns({ settings }, [lost], { date });
    await withPage("/banks", finance, async (page) => {
      await page.getByRole("link", { name: "Files from banks" }).click();
      await page.getByText("No files from banks yet").waitFor();
      await page.getByRole("button", { name: "Apply a file" }).click();
      const dialog = page.getByRole("dialog", { name: "Apply a file from a bank" });
      const file = { name: "returns.aba", mimeType: "text/plain", buffer: Buffer.from(text) };
      await dialog.locator("input[type=file]").setInputFiles(file);
      await dialog.getByRole("button", { name: "Apply a file" }).click();
      await page.getByText("1 file waits for a second user").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    });
    await withPage("/approvals", service.enter("operator"), async (page) => {
      const card = page.getByRole("article", { name: "File from a bank: returns.aba" });
      await card.getByText("In suspense", { exact: true }).waitFor();
      await card.getByText("7.00").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await card.getByRole("button", { name: "Confirm" }).click();
      const dialog = page.getByRole("dialog", { name: "Confirm: File from a bank: returns.aba" });
      await dialog.getByText("7.00").waitFor();
      await dialog.getByRole("button", { name: "Confirm" }).click();
      await page.getByText("Confirmed and applied").waitFor();
    });
    await withPage("/banks/inbound", finance, async (page) => {
      await page.getByRole("table").getByText("returns.aba").click();
      await page.getByRole("heading", { level: 1, name: "returns.aba" }).waitFor();
      await page.getByRole("table", { name: "Reports" }).getByText("In suspense").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.goto(`${service.baseUrl}/console/banks/suspense`);
      await page.getByText("no payout fits").click();
      await page.getByRole("table", { name: "Payouts that it may be about" }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole("button", { name: "Match", exact: true }).click();
      const match = page.getByRole("dialog", { name: "Match to this payout" });
      await match.getByLabel("Reason").fill("the bank's letter of 3 May");
      await match.getByRole("button", { name: "Match" }).click();
      await page.getByRole("button", { name: "Undo" }).waitFor();
    });
    expect((await payer.disburse.payouts.get(payout_id)).stage).toBe("returned");
  },
  300_000,
);

inBrowser(
  "a user asks the bank for a sent payout, and another one records the bank's answer",
  async () => {
    const payer = await service.newPayer();
    const id = await service.connect("Recall account", [payer.subaccountId]);
    const { payout_id } = await payer.pay(900, "PO-9");
    const path = `/s/${payer.subaccountId}/payouts/${payout_id}`;
    const finance = service.enter("finance");
    await withPage(path, finance, async (page) => {
      await page.getByText("PO-9").first().waitFor();
      expect(await page.getByRole("button", { name: "Request recall" }).count()).toBe(0);
    });
    await service.sendFile(id);
    await withPage(path, finance, async (page) => {
      await page.getByRole("button", { name: "Request recall" }).click();
      const dialog = page.getByRole("dialog", { name: "Request recall" });
      await dialog.getByLabel("How and why").fill("wrong receiver, called the bank");
      await dialog.getByRole("button", { name: "Record request" }).click();
      await page.getByRole("region", { name: "Recall" }).getByText("No answer yet").waitFor();
      await page.getByText("Recall requested from the bank").waitFor();
      expect(await page.getByRole("button", { name: "Request recall" }).count()).toBe(0);
    });
    await withPage(path, service.enter("operator"), async (page) => {
      await page.getByRole("button", { name: "Record outcome" }).click();
      const dialog = page.getByRole("dialog", { name: "Record outcome" });
      await dialog.getByLabel("What the bank said").fill("already paid out");
      const record = dialog.getByRole("button", { name: "Record outcome" });
      expect(await record.isDisabled()).toBe(true);
      await dialog.getByRole("combobox", { name: "Outcome" }).click();
      await page.getByRole("option", { name: /^Refused/ }).click();
      await record.click();
      await page.getByText("Recall refused by the bank").waitFor();
      await page.getByRole("button", { name: "Request recall" }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    });
    await withPage(path, service.enter("auditor"), async (page) => {
      await page.getByRole("region", { name: "Recall" }).getByText("already paid out").waitFor();
      expect(await page.getByRole("button", { name: /recall|outcome/i }).count()).toBe(0);
    });
  },
  300_000,
);

inBrowser(
  "a file that could not be sent by SFTP and a folder that can't be read show why",
  async () => {
    const payer = await service.newPayer();
    const sftp = {
      host: "127.0.0.1",
      // No server listens there.
      port: 1,
      user: "acme",
      password: "secret-1",
      host_key: `SHA256:${"A".repeat(43)}`,
      folder: "in",
      inbound_folder: "out",
    };
    const changes = { travels: "sftp", sftp };
    const id = await service.connect("SFTP account", [payer.subaccountId], changes);
    await payer.pay(700);
    const { path } = await service.approveFile(id);
    await service.sendBySftp(id);
    await withPage(path, service.enter("finance"), async (page) => {
      await page.getByText("It could not be reached: ECONNREFUSED (tried once).").waitFor();
      await page.getByText("Check the host and the port of the connection").waitFor();
      await page.getByText("Next try:").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    });
    await service.pollBySftp(id);
    await withPage("/banks/inbound", service.enter("auditor"), async (page) => {
      const alert = page.getByRole("alert", { name: "Folders of banks that can't be read" });
      await alert.getByText("SFTP account: It could not be reached: ECONNREFUSED.").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    });
  },
  300_000,
);

inBrowser(
  "both screens fit a phone, and an auditor has no buttons",
  async () => {
    const payer = await service.newPayer();
    const id = await service.connect("Phone account", [payer.subaccountId]);
    await payer.pay(700);
    const frozen = await service.enter("operator").post(`/banks/connections/${id}/freeze`);
    const auditor = service.enter("auditor");
    for (const path of ["/banks", `/banks/batches/${frozen.json.batch_ids[0]}`]) {
      const look = { width: 390, colorScheme: "dark" } as const;
      const { page, context, faults } = await open(path, auditor, look);
      await page
        .getByText(/phone-account-/)
        .first()
        .waitFor();
      expect(await isWiderThanScreen(page)).toBe(false);
      expect(await seriousFindings(page)).toEqual([]);
      const buttons = page.getByRole("main").getByRole("button", {
        name: /Freeze|Add|Approve|Download|uploaded|Discard|Actions/,
      });
      expect(await buttons.count()).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    }
  },
  300_000,
);
