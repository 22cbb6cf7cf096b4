// Rules in a real browser: a user proposes a change, sees its backtest, and another one approves it.

import { expect } from "vitest";
import { startBankConsole } from "../../support/bank-console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import {
  isWiderThanScreen,
  openWindow,
  seriousFindings,
  withWindow,
} from "../../support/console-window.ts";
import { pastOf } from "../../support/past-payouts.ts";

const { service, browser, inBrowser } = await useBrowser(startBankConsole);

const sentence = "Hold when a receiver gets more than 5,000.00 AUD in a day";

inBrowser(
  "a user proposes a rule and sees its backtest, and another one approves it",
  async () => {
    const payer = await service.newPayer("test", 5_000_000n);
    await payer.pay(400_000, "A");
    await payer.pay(300_000, "B");
    const live = await pastOf(service, await service.newCaller({ mode: "live" }));
    await live.fund(Date.now() - 7_200_000, 1_000_000);
    await live.make(Date.now() - 3_600_000, 600_000);
    const parts = { browser, baseUrl: service.baseUrl };
    await withWindow(parts, "/rules", service.enter("operator"), async (page) => {
      await page.getByText("No rules yet").waitFor();
      await page.getByText("Hold when the receiver has an open or confirmed hit").waitFor();
      const thresholds = page.getByRole("link", { name: "See thresholds" });
      expect(await thresholds.getAttribute("href")).toMatch(/\/settings\?tab=limits$/);
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole("link", { name: "Propose a change" }).click();
      await page
        .getByRole("heading", { level: 1, name: "Propose a change of the rules" })
        .waitFor();
      const propose = page.getByRole("button", { name: "Propose", exact: true });
      expect(await propose.isDisabled()).toBe(true);

      await page.getByRole("button", { name: "Add rule" }).click();
      const dialog = page.getByRole("dialog", { name: "Add rule" });
      await dialog.getByLabel("Name", { exact: false }).first().fill("Daily sum");
      await dialog.getByLabel("Sum above").fill("5,00");
      await dialog.getByRole("button", { name: "Save rule" }).click();
      await dialog.getByText(/Enter an amount like/).waitFor();
      await dialog.getByLabel("Sum above").fill("5,000.00");
      expect(await seriousFindings(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Save rule" }).click();
      const draft = page.getByRole("table", { name: "Rules after the change" });
      await draft.getByText(sentence).waitFor();

      await page.getByRole("button", { name: "Backtest the last 90 days" }).click();
      await page.getByText("1 more, 0 no longer").waitFor();
      // Real money and test money are shown apart.
      const rules = page.getByRole("table", { name: "By rule" });
      await rules.getByText("6,000.00").waitFor();
      await page.getByText("Test mode (2)").click();
      await rules.getByText("3,000.00").waitFor();
      expect(await rules.getByText("6,000.00").count()).toBe(0);
      await page
        .getByText("Daily sum: receiver: 7,000.00 AUD within a day, above 5,000.00 AUD")
        .waitFor();
      const plot = page.getByRole("region", { name: "Payouts by day, with the proposed rules" });
      await plot.locator("svg").first().waitFor();
      await plot.getByRole("button", { name: "Table" }).click();
      await plot.getByRole("table").waitFor();
      expect(await seriousFindings(page)).toEqual([]);

      await page.getByRole("button", { name: "Edit rule Daily sum" }).click();
      const edit = page.getByRole("dialog", { name: "Edit rule Daily sum" });
      expect(await edit.getByLabel("Sum above").inputValue()).toBe("5,000.00");
      await edit.getByLabel("Sum above").fill("9000");
      await edit.getByRole("button", { name: "Save rule" }).click();
      await page.getByText("The rules have changed since this backtest.").waitFor();
      await page.getByRole("button", { name: "Start again from the rules in force" }).click();
      await page
        .getByText("Without rules, only the rules that are always in force apply.")
        .waitFor();
      await page.getByRole("button", { name: "Add rule" }).click();
      await dialog.getByLabel("Name", { exact: false }).first().fill("Daily sum");
      await dialog.getByLabel("Sum above").fill("5000");
      await dialog.getByRole("button", { name: "Save rule" }).click();
      await page.getByLabel("Why").fill("Large sums need a look");
      await propose.click();
      await page.getByRole("region", { name: /^Waits for approval/ }).waitFor();
      expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    });

    await withWindow(parts, "/rules", service.enter("approver"), async (page) => {
      const waiting = page.getByRole("region", { name: /^Waits for approval/ });
      await waiting.getByText("Large sums need a look").waitFor();
      await waiting.getByText(`Daily sum: ${sentence}`).waitFor();
      await page.getByRole("button", { name: "Backtest the last 90 days" }).click();
      await page.getByText("1 more, 0 no longer").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await waiting.getByRole("button", { name: "Approve" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
      await page.getByRole("table", { name: "Rules in force" }).getByText(sentence).waitFor();
      const versions = page.getByRole("table", { name: "Versions" });
      await versions.getByText("In force", { exact: true }).waitFor();
      const newest = versions.getByRole("button", { name: /^Show the rules of version/ }).first();
      await newest.click();
      await page.getByRole("dialog").getByText(sentence).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    });
  },
  240_000,
);

inBrowser(
  "the screens fit a phone, and an auditor changes nothing",
  async () => {
    await service.newPayer("test");
    const maker = service.enter("admin");
    const base_version = (await maker.get("/rules")).json.active?.version ?? null;
    const made = await maker.post("/rules/versions", { rules: [], base_version, note: "none" });
    await maker.post(`/rules/versions/${made.json.version}/decline`, { reason: "a mistake" });
    for (const [path, role] of [
      ["/rules", "auditor"],
      ["/rules/change", "admin"],
    ] as const) {
      const look = { width: 390, colorScheme: "dark" } as const;
      const person = service.enter(role);
      const { page, context, faults } = await openWindow(
        { browser, baseUrl: service.baseUrl },
        `/console${path}`,
        person,
        look,
      );
      await page.getByRole("heading", { level: 1 }).waitFor();
      if (role === "auditor") {
        await page.getByRole("table", { name: "Versions" }).waitFor();
        const buttons = page.getByRole("main").getByRole("button", { name: /Propose|Approve/ });
        expect(await buttons.count()).toBe(0);
      } else {
        await page.getByRole("button", { name: "Backtest the last 90 days" }).click();
        await page.getByRole("button", { name: "Backtest again" }).waitFor();
      }
      expect(await isWiderThanScreen(page)).toBe(false);
      expect(await seriousFindings(page)).toEqual([]);
      expect(faults).toEqual([]);
      await context.close();
    }
  },
  120_000,
);
