// The first load of the console in a browser with an empty cache: few files, each kept for a year.

import { expect } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { ada } from "../../support/service.ts";

const filesMax = 8;

const { service, browser, inBrowser } = await useBrowser(startConsole);

/** The files that a page asks for until it shows `shown`, and how each was kept. */
async function filesOf(path: string, person: TestPerson | undefined, shown: string) {
  const context = await browser.newContext();
  if (person) {
    await person.ready;
    const [name = "", value = ""] = person.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: service.baseUrl }]);
  }
  const page = await context.newPage();
  // A file that is preloaded and then used is reported twice.
  const files = new Set<string>();
  const caching = new Set<string | undefined>();
  const data: string[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/console/api/")) data.push(pathname);
    if (!/^\/console\/assets\//.test(pathname)) return;
    files.add(pathname);
    caching.add(response.headers()["cache-control"]);
  });
  await page.goto(service.baseUrl + path);
  await page.locator(shown).first().waitFor();
  // What loads behind the first screen is loaded now.
  await page.waitForFunction(() => document.readyState === "complete");
  await context.close();
  return { files: [...files], caching: [...caching], data };
}

inBrowser("the first load of the sign-in page and of the overview takes few files", async () => {
  const caller = await service.newCaller();
  const { testHelpers, receivers, receiverAccounts, payouts } = caller.disburse;
  await testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: newId() });
  const { receiver_id } = await receivers.create(ada());
  await testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  const bank = { account_type: "I" as const, bsb: "062000", account_number: "12345999" };
  const { account_id } = await receiverAccounts.create({ receiver_id, ...bank });
  await payouts.create({ receiver_id, account_id, amount: 5_000, currency: "AUD" });

  const signIn = await filesOf("/console", undefined, "input[type=password]");
  const operator = service.enter("operator");
  const overview = `/console/s/${caller.subaccountId}/overview`;
  const charts = await filesOf(overview, operator, "figure svg, section svg rect");
  const payoutsList = `/console/s/${caller.subaccountId}/payouts`;
  const list = await filesOf(payoutsList, operator, "tbody tr");
  for (const { files, caching, data } of [signIn, charts, list]) {
    expect(files.length).toBeGreaterThan(2);
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(filesMax);
    expect(caching).toEqual(["public, max-age=31536000, immutable"]);
    // The response that is loaded together with the page is the one that the page uses.
    expect(data.filter((path) => path === "/console/api/me")).toHaveLength(1);
  }
});
