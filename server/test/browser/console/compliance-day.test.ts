// The day of a compliance officer in a real browser, without a shell: a list is imported, a version that waits is approved
// by a second user, a country is embargoed, and one person on two lists is decided in one case.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, seriousFindings, withWindow } from "../../support/console-window.ts";
import { unFile, unPeople } from "../../support/list-files.ts";
import { newReviewedPayer, stageOf, startReviewQueue } from "../../support/review-cases.ts";

const { service, browser, inBrowser } = await useBrowser(
  async () => (await startReviewQueue()).service,
);

const today = new Date().toISOString().slice(0, 10);

/** Chooses the files of the UN in the open dialog, and imports them. */
async function importUn(page: Page, people: number): Promise<void> {
  await page.getByRole("button", { name: "Import a list" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a list" });
  await dialog.getByRole("combobox", { name: "List" }).click();
  await page.getByRole("option", { name: "UN", exact: true }).click();
  await dialog.getByText("Choose the XML file.").waitFor();
  const { name, bytes } = unFile(unPeople(people), today);
  const chooser = page.waitForEvent("filechooser");
  await dialog.getByRole("button", { name: "Files" }).click();
  await (await chooser).setFiles({ name, mimeType: "text/xml", buffer: Buffer.from(bytes) });
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

inBrowser("a list is imported, a shorter version waits and a second user approves it", async () => {
  const [ann, ben] = [service.enter("compliance"), service.enter("compliance")];
  const parts = { browser, baseUrl: service.baseUrl };
  await withWindow(parts, "/screening", ann, async (page) => {
    await page.getByRole("row", { name: /UN .*Never imported/ }).waitFor();
    const warning = page.getByRole("alert").filter({ hasText: "Never imported: " });
    await expect.poll(() => warning.innerText()).toMatch(/\bUN\b.*Receivers are not compared/);
    await importUn(page, 20);
    await page.getByRole("heading", { name: /^UN, version of / }).waitFor();
    await page.getByRole("row", { name: /PERSON NUMBER1 / }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "Sanctions lists" }).last().click();
    await expect.poll(() => warning.innerText()).not.toMatch(/\bUN\b/);
    await importUn(page, 5);
    const waiting = page.getByRole("region", { name: "UN: a version waits for approval" });
    await waiting.getByText("over 10 % fewer entries").waitFor();
    await waiting.getByText("Awaiting another approver").waitFor();
    expect(await waiting.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await page.getByText("Removed 15").waitFor();
    await page.getByRole("row", { name: /PERSON NUMBER20 / }).waitFor();
  });
  await withWindow(parts, "/screening", ben, async (page) => {
    const waiting = page.getByRole("region", { name: "UN: a version waits for approval" });
    await waiting.getByText("15 removed").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await waiting.getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Approve" }).click();
    await waiting.waitFor({ state: "detached" });
    await page.getByRole("row", { name: /^UN .* 5 5$/ }).waitFor();
  });
});

inBrowser("a country is embargoed at once, and its removal waits for a second user", async () => {
  const parts = { browser, baseUrl: service.baseUrl };
  await withWindow(parts, "/screening", service.enter("compliance"), async (page) => {
    page.setDefaultTimeout(12_000);
    const countries = page.getByRole("region", { name: "Embargoed countries" });
    await countries.getByRole("button", { name: "Add country…" }).click();
    const dialog = page.getByRole("dialog", { name: "Add country" });
    await dialog.getByRole("combobox", { name: "Country" }).fill("syria");
    await page.getByRole("option", { name: "Syria (SYR)" }).click();
    await dialog
      .getByText(/^It concerns \d+ active receivers?, and \d+ payouts? to them/)
      .waitFor();
    await dialog.getByLabel("Source").fill("Regulation 36/2012");
    await dialog.getByLabel("Since").fill("2026-11-01");
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Add country" }).click();
    const syria = countries.getByRole("listitem").filter({ hasText: "Syria (SYR)" });
    await syria.getByText("Regulation 36/2012").waitFor();
    await syria.getByRole("button", { name: "Remove Syria…" }).click();
    await page.getByRole("button", { name: "Ask for removal" }).click();
    await page.getByText("It removes an embargoed country.").waitFor();
    await syria.waitFor();
    await page.goto(`${service.baseUrl}/console/approvals`);
    await page.getByRole("article", { name: /end of the embargo of Syria \(SYR\)/i }).waitFor();
  });
});

inBrowser(
  "one person on two lists is one case, whose evidence is above the fold, and is cleared as one",
  async () => {
    const payer = await newReviewedPayer(service, { last_name: "Byron" });
    const payout = await payer.pay(5_000);
    const hit = await payer.openHit({}, Date.now() - 3_600_000);
    await payer.openHit({ list: "un", key: "QDi.7", birthDates: ["1990-12-11"] });
    const person = service.enter("compliance");
    const parts = { browser, baseUrl: service.baseUrl };
    const path = `/reviews?subaccount_id=${payer.subaccountId}&case=hit.${payer.subaccountId}.${hit}`;
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await withWindow(parts, path, person, async (page) => {
        page.setDefaultTimeout(12_000);
        await page.setViewportSize({ width, height });
        const evidence = page.getByRole("region", { name: "Evidence" });
        await evidence.getByText("QDi.7", { exact: true }).waitFor();
        await page.setViewportSize({ width, height });
        const fold = (await page.getByRole("group", { name: "Decide" }).boundingBox())?.y ?? 0;
        const words = width > 390 ? ["The day of birth differs."] : [];
        for (const text of ["10 Dec 1990", "1989 to 1991", "11 Dec 1990", ...words]) {
          const box = await evidence.getByText(text).first().boundingBox();
          expect((box?.y ?? fold) + (box?.height ?? 0), `${text} at ${width}`).toBeLessThan(fold);
        }
        expect(await isWiderThanScreen(page)).toBe(false);
      });
    }
    await withWindow(parts, path, person, async (page) => {
      page.setDefaultTimeout(12_000);
      const cases = page.getByRole("navigation", { name: "Cases" });
      await cases.getByText("and 1 more").waitFor();
      expect(await cases.getByRole("button").count()).toBe(1);
      await page.getByText("The name is the same but for").first().waitFor();
      await page.getByRole("button", { name: "Not the same person…" }).click();
      const dialog = page.getByRole("dialog", { name: "Not the same person: Ada Byron" });
      const decide = dialog.getByRole("button", { name: "Not the same person" });
      expect(await dialog.getByLabel("Reason").inputValue()).toBe("");
      expect(await decide.isDisabled()).toBe(true);
      // Compliance releases no payouts.
      expect(await dialog.getByText("Release its payout").count()).toBe(0);
      expect(await dialog.getByRole("checkbox", { checked: true }).count()).toBe(2);
      expect(await seriousFindings(page)).toEqual([]);
      await dialog.getByLabel("Reason").fill("Another passport and another year of birth");
      await decide.click();
      await dialog.waitFor({ state: "detached" });
      // What only the hits held is a case of its own, which an operator decides.
      await cases.getByText("Payout on hold").waitFor();
      await page.keyboard.press("j");
      await page.getByRole("button", { name: "Release…" }).waitFor();
      expect(await page.getByRole("button", { name: "Release…" }).isDisabled()).toBe(true);
    });
    const { rows } = await service.db.pool.query(
      "select status, reason from screening_hit where receiver_id = $1",
      [payer.receiver_id],
    );
    const cleared = { status: "different", reason: "Another passport and another year of birth" };
    expect(rows).toEqual([cleared, cleared]);
    expect(await stageOf(payer, payout)).toBe("on_hold");
  },
);
