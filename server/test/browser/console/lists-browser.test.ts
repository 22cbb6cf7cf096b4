// Lists in a real browser: sorting, acts on several payouts, the pipeline, and rows of two lines on a phone.

import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { newPayee } from "../../support/payers.ts";

const { service, browser, inBrowser } = await useBrowser(() => startConsole({ bankDelayMs: 0 }));

const longName = "Wolfeschlegelsteinhausenbergerdorff".repeat(2);

/** Ten payouts that fail, with long names and references, and one that the bank keeps. */
async function withPayouts() {
  const { subaccountId, disburse } = await service.newCaller();
  await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: "x" });
  const closed = await newPayee(disburse, "12345111", { last_name: longName });
  const slow = await newPayee(disburse, "12345888", { first_name: "Jun", last_name: "Chen" });
  for (let number = 1; number <= 10; number += 1) {
    const reference = `${"invoice-with-a-long-number-".repeat(5)}${number}`;
    await disburse.payouts.create({ ...closed, amount: number * 100, currency: "AUD", reference });
  }
  await disburse.payouts.create({ ...slow, amount: 77, currency: "AUD", reference: randomUUID() });
  await vi.waitFor(
    async () => {
      const { json } = await service.enter("operator").get(`/s/${subaccountId}/payouts/counts`);
      expect(json).toMatchObject({ failed: 10, pending: 1 });
    },
    { timeout: 60_000 },
  );
  return subaccountId;
}

inBrowser(
  "an operator sorts, selects and retries payouts, and follows the pipeline to a list",
  async () => {
    const id = await withPayouts();
    const operator = service.enter("operator");
    const where = { browser, baseUrl: service.baseUrl };
    const { page, context, faults } = await openWindow(where, `/console/s/${id}/payouts`, operator);
    const amounts = () => page.locator("tbody tr td:nth-child(3)").allTextContents();
    await page.getByRole("button", { name: "Amount", exact: true }).click();
    await expect.poll(async () => (await amounts())[0]).toBe("10.00 AUD");
    await page.getByRole("button", { name: "Amount", exact: true }).click();
    await expect.poll(async () => (await amounts())[0]).toBe("0.77 AUD");
    expect(new URL(page.url()).searchParams.get("sort")).toBe("amount");
    expect(await page.getByRole("columnheader", { name: "Amount" }).getAttribute("aria-sort")).toBe(
      "ascending",
    );
    // A long name takes no more than its column.
    expect(await isWiderThanScreen(page)).toBe(false);
    expect(await page.getByRole("columnheader", { name: "Webhook" }).isVisible()).toBe(true);

    // The three smallest: the one at the bank, and two that failed.
    for (const row of [0, 1, 2]) await page.locator("tbody input").nth(row).check();
    const bar = page.getByRole("region", { name: "Selection" });
    await bar.getByText("3 selected").waitFor();
    expect(await bar.textContent()).toContain("3.77 AUD");
    expect(await seriousFindings(page)).toEqual([]);
    await bar.getByRole("button", { name: "Retry 2" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.textContent()).toContain("3.00 AUD");
    await dialog.getByRole("button", { name: "Retry 2" }).click();
    await dialog.getByText("Done: all 2").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await bar.waitFor({ state: "detached" });

    await page.getByText("Pipeline", { exact: true }).click();
    await page.getByRole("link", { name: /^At the bank\s*1\b/ }).click();
    await page.getByRole("row").getByText("Jun Chen", { exact: true }).waitFor();
    await page.getByText("1 payout: 0.77 AUD").waitFor();

    // A view keeps filters, sort and columns with the user.
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Webhook" }).uncheck();
    await page.getByRole("columnheader", { name: "Webhook" }).waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByLabel("Save this view").fill("Slow bank");
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("View “Slow bank” saved").waitFor();
    await page.goto(`${service.baseUrl}/console/s/${id}/payouts`);
    await page.getByRole("columnheader", { name: "Webhook" }).waitFor();
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("button", { name: "Slow bank", exact: true }).click();
    await page.getByRole("columnheader", { name: "Webhook" }).waitFor({ state: "detached" });
    await page.getByText("1 payout: 0.77 AUD").waitFor();
    await page.getByRole("button", { name: "Period" }).click();
    await page.getByRole("button", { name: "Yesterday" }).click();
    await page.getByText("No matching payouts").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  },
);

inBrowser("a phone shows at least seven payouts, and the pipeline in one column", async () => {
  const id = await withPayouts();
  const operator = service.enter("operator");
  const where = { browser, baseUrl: service.baseUrl };
  for (const colorScheme of ["light", "dark"] as const) {
    const look = { width: 390, colorScheme };
    const path = `/console/s/${id}/payouts`;
    const { page, context, faults } = await openWindow(where, path, operator, look);
    await page.getByText("Jun Chen", { exact: true }).waitFor();
    const rows = await page.locator("tbody tr").evaluateAll((lines) =>
      lines.map((line) => {
        const { bottom, height } = line.getBoundingClientRect();
        return { bottom, height };
      }),
    );
    expect(Math.max(...rows.map(({ height }) => height))).toBeLessThan(64);
    expect(rows.filter(({ bottom }) => bottom <= 800).length).toBeGreaterThanOrEqual(7);
    expect(await isWiderThanScreen(page)).toBe(false);
    expect(await seriousFindings(page)).toEqual([]);
    // Filters take one line until they are wanted.
    expect(await page.getByRole("button", { name: "Currency" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("button", { name: "Currency" }).waitFor();

    await page.goto(`${service.baseUrl}${path}/board`);
    await page.getByRole("link", { name: /^Failed\s*10\b/ }).waitFor();
    const lefts = await page
      .locator("main li a")
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().left));
    expect(new Set(lefts).size).toBe(1);
    expect(await isWiderThanScreen(page)).toBe(false);
    expect(await seriousFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }
});
