// The console while its server is away, after a deploy, and after a session: in a real browser.

import { expect } from "vitest";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow, seriousFindings } from "../../support/console-window.ts";
import { startGateway } from "../../support/gateway.ts";

const { service, browser, inBrowser } = await useBrowser(startConsole);

inBrowser(
  "while the server is away there is a banner, and a page whose code is missing loads when it is back",
  async () => {
    const { subaccountId } = await service.newCaller();
    const gateway = await startGateway(service.port);
    const window = { browser, baseUrl: gateway.url };
    const path = `/console/s/${subaccountId}/overview`;
    const { page, context } = await openWindow(window, path, service.enter("operator"));
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

    await gateway.goDown();
    await page.getByText("Can't reach the server. Data may be out of date.").waitFor();
    await page.getByRole("link", { name: "Statements" }).click();
    await page.getByText("this page could not be loaded").waitFor();
    expect(await page.title()).toContain("Disburse");
    expect(await seriousFindings(page)).toEqual([]);

    // Nothing is pressed: the page comes by itself.
    await gateway.comeBack();
    await page.getByRole("heading", { level: 1, name: "Bank statements" }).waitFor();
    await page.getByText("Can't reach the server").waitFor({ state: "hidden" });
    await context.close();
    await gateway.close();
  },
);

inBrowser("after a deploy, a page whose code has another name now loads by itself", async () => {
  const { subaccountId } = await service.newCaller();
  const window = { browser, baseUrl: service.baseUrl };
  const path = `/console/s/${subaccountId}/overview`;
  const { page, context } = await openWindow(window, path, service.enter("operator"));
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  // The document asks for the new names once it is loaded again; until then the old ones are gone.
  let isOld = true;
  await context.route(/\/assets\/banks-/, (route) =>
    isOld ? route.fulfill({ status: 404, body: "" }) : route.continue(),
  );
  await context.route(
    ({ pathname }) => pathname === "/console/reconcile/statements",
    (route) => {
      if (route.request().isNavigationRequest()) isOld = false;
      return route.continue();
    },
  );
  await page.getByRole("link", { name: "Statements" }).click();
  // The frame has the heading before the code of the page is there.
  await expect.poll(() => isOld).toBe(false);
  await page.getByRole("heading", { level: 1, name: "Bank statements" }).waitFor();
  await page.getByText("No statements yet").waitFor();
  await context.close();
});

inBrowser("a session that has ended says why", async () => {
  const { subaccountId } = await service.newCaller();
  const window = { browser, baseUrl: service.baseUrl };
  const path = `/console/s/${subaccountId}/receivers`;
  for (const [awayMs, text] of [
    [0, "A session lasts 12 hours"],
    [31 * 60_000, "after 30 minutes without activity"],
  ] as const) {
    const operator = service.enter("operator");
    const { page, context } = await openWindow(window, path, operator);
    await page.getByRole("heading", { level: 1, name: "Receivers" }).waitFor();
    // The user was last active so long ago.
    await page.evaluate((ms) => {
      const { now } = Date;
      Date.now = () => now() + ms;
    }, awayMs);
    await service.db.pool.query("delete from user_session where user_id = $1", [
      operator.person.id,
    ]);
    await page.getByText(text).waitFor();
    await context.close();
  }
});
