// A receiver in a real browser: the link for the person, on its page and in the review queue, and the payee name check.

import { expect } from "vitest";
import { type ConsoleService, startConsole } from "../support/console.ts";
import { useBrowser } from "../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../support/console-window.ts";
import { ada, addAccount } from "../support/service.ts";

let service: ConsoleService;

const { browser, inBrowser } = await useBrowser(async () => {
  service = await startConsole();
  return service;
});

inBrowser(
  "an operator gets the link for the person with its end, and sees the payee name check of an account",
  async () => {
    const caller = await service.newCaller();
    const { subaccountId } = caller;
    const { receiver_id: id } = await caller.disburse.receivers.create(ada());
    const accountId = await addAccount(service, subaccountId, id);
    await service.db.pool.query(
      "update payee_name_check set outcome = 'close_match', checked_at_ms = $2 where account_id = $1",
      [accountId, Date.now()],
    );
    const operator = service.enter("operator");
    const window = { browser, baseUrl: service.baseUrl };
    const url = `https://identity-check.example/sandbox/${id}`;

    const path = `/console/s/${subaccountId}/receivers/${id}`;
    const { page, context, faults } = await openWindow(window, path, operator);
    await page.getByRole("button", { name: "Copy link for the person…" }).click();
    const dialog = page.getByRole("dialog", { name: "Link for the person" });
    await dialog.getByText(url).waitFor();
    await dialog.getByText(/It works until/).waitFor();
    await dialog.getByRole("button", { name: "Copy link", exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });

    await page.getByRole("tab", { name: /Bank accounts/ }).click();
    await page.getByText("Payee name check").waitFor();
    await page.getByText("Name nearly matches").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();

    const narrow = { width: 390, colorScheme: "dark" } as const;
    const reviews = `/console/reviews?case=${subaccountId}.${id}`;
    const second = await openWindow(window, reviews, operator, narrow);
    await second.page.getByRole("button", { name: "Copy link for the person…" }).click();
    await second.page.getByRole("dialog").getByText(url).waitFor();
    expect(await isWiderThanScreen(second.page)).toBe(false);
    expect(await seriousFindings(second.page)).toEqual([]);
    expect(second.faults).toEqual([]);
    await second.context.close();
  },
  300_000,
);
