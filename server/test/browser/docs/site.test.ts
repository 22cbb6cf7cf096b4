// The documentation site in a browser: readable without script, in both colours and on a phone; its search, its links to the page that
// sends, and the samples of one who comes from the console.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import {
  isWiderThanScreen,
  type Look,
  openWindow,
  seriousFindings,
} from "../../support/console-window.ts";

const timeoutMs = 300_000;
let service: ConsoleService;
const { browser, inBrowser } = await useBrowser(async () => {
  service = await startConsole();
  return service;
});

async function onPage(path: string, look: Look, work: (page: Page) => Promise<void>) {
  const parts = { browser, baseUrl: service.baseUrl };
  const { page, context, faults } = await openWindow(parts, path, undefined, look);
  await work(page);
  expect(faults, path).toEqual([]);
  await context.close();
}

const looked = [
  ["/docs", {}],
  ["/docs", { colorScheme: "dark" }],
  ["/docs/start/going-live", {}],
  ["/docs/start/going-live", { colorScheme: "dark" }],
  ["/docs/operations/createPayout", {}],
  ["/docs/operations/createPayout", { colorScheme: "dark" }],
  ["/docs/errors/REVR201", {}],
  // Others on the phone: a path is judged once in each colour.
  ["/docs/operations/createReceiver", { width: 390 }],
  ["/docs/api/interface", { width: 390 }],
  ["/docs/operate/tried", { width: 390, colorScheme: "dark" }],
  ["/docs/console", { width: 390 }],
] as const;

inBrowser(
  "no page has serious findings, or is wider than the screen",
  async () => {
    for (const [path, look] of looked)
      await onPage(path, look, async (page) => {
        await page.getByRole("button", { name: "Colours" }).waitFor();
        expect(await seriousFindings(page), path).toEqual([]);
        expect(await isWiderThanScreen(page), path).toBe(false);
      });
  },
  timeoutMs,
);

inBrowser(
  "every guide can be read without script, and so can all languages of a sample",
  async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const listed = await (await fetch(`${service.baseUrl}/llms.txt`)).text();
    const guides = [...listed.matchAll(/\]\(\/(docs\/\w+\/[\w-]+)\.md\)/g)].map(
      ([, path = ""]) => path,
    );
    expect(guides.length).toBeGreaterThan(50);
    for (const path of guides.filter((path) => !/operations\//.test(path))) {
      await page.goto(`${service.baseUrl}/${path.replace(/\/README$/, "")}`, {
        waitUntil: "commit",
      });
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.locator("main p, main table, main pre").first().isVisible(), path).toBe(
        true,
      );
    }
    await page.goto(`${service.baseUrl}/docs/operations/createPayout`);
    await page.getByText("openssl dgst").first().waitFor();
    await page.getByText("PHP", { exact: true }).click();
    await page.getByText("$disburse->payouts->create").waitFor();
    expect(await page.getByText("openssl dgst").first().isVisible()).toBe(false);
    await page.getByRole("link", { name: /^Next/ }).click();
    await page.getByRole("heading", { level: 1, name: "Validate a payout" }).waitFor();
    await context.close();
  },
  timeoutMs,
);

test("the first load of a page takes at most 150 kB, compressed, and so does the longest page", async () => {
  const sizeOf = async (path: string) => {
    const headers = { "accept-encoding": "gzip" };
    const answer = await fetch(service.baseUrl + path, { headers });
    expect(answer.status, path).toBe(200);
    const encoded = answer.headers.get("content-length");
    return Number(encoded);
  };
  const shared = ["/docs/site.css", "/docs/site.js", "/docs/inter.woff2"];
  const sizes = await Promise.all(shared.map(sizeOf));
  const sum = sizes.reduce((total, size) => total + size, 0);
  for (const path of [
    "/docs",
    "/docs/api/interface",
    "/docs/reference/commands",
    "/docs/reference/errors",
  ])
    expect(sum + (await sizeOf(path)), path).toBeLessThan(150_000);
});

inBrowser(
  "the search finds a heading and leads to it, by the keyboard alone",
  () =>
    onPage("/docs", {}, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("idempotency");
      const results = page.getByRole("region", { name: "Search results" });
      await results.getByRole("link", { name: /^The interface › Idempotency/ }).waitFor();
      await page.keyboard.press("ArrowDown");
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole("searchbox").fill("Idempotency POST dry run");
      await results.getByRole("link", { name: /^The interface › Idempotency/ }).waitFor();
      await page.getByRole("searchbox").press("Enter");
      await page.waitForURL("**/docs/api/interface#idempotency");
      await page.getByRole("heading", { name: "Idempotency", exact: false }).first().waitFor();
    }),
  timeoutMs,
);

inBrowser(
  "the chosen colours and the chosen language stay",
  () =>
    onPage("/docs/operations/getBalance", {}, async (page) => {
      const colours = page.getByRole("button", { name: "Colours" });
      await colours.click();
      await colours.click();
      await page.getByRole("button", { name: "Colours: Dark" }).waitFor();
      await page.getByText("Python", { exact: true }).click();
      await page.goto(`${service.baseUrl}/docs/operations/getPayout`);
      await page.getByRole("button", { name: "Colours: Dark" }).waitFor();
      await page.getByText("print(disburse.payouts.get(").waitFor();
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(await ground()).toBe("rgb(16, 18, 23)");
      await page.evaluate(() => localStorage.clear());
    }),
  timeoutMs,
);

inBrowser(
  "one who comes from the console finds the own key and ids in the samples, and no address has them",
  async () => {
    const { subaccountId, key, disburse } = await service.newCaller();
    const { receiver_id } = await disburse.receivers.create({
      ...{ first_name: "Ada", last_name: "Byron", email: "ada@docs.example", dob: "1990-12-10" },
      ...{ dialcode: "61", phone: "412345678", gender: "F", address: "1 Road", address2: "" },
      ...{ city: "Melbourne", state: "VIC", postcode: "3004", country: "AUS" },
    });
    const parts = { browser, baseUrl: service.baseUrl };
    const developer = service.enter("developer", { subaccountId });
    const at = `/console/s/${subaccountId}/keys`;
    const { page, context, faults } = await openWindow(parts, at, developer);
    await page.getByRole("link", { name: "Docs" }).click();
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
    await expect.poll(() => page.url()).toBe(`${service.baseUrl}/docs`);
    await page.goto(`${service.baseUrl}/docs/operations/getReceiver`);
    await page.getByText(`KEY=${key}`).waitFor();
    const code = await page.locator("pre").first().textContent();
    expect(code).toContain(`/api/receiver/${receiver_id}`);
    expect(code).toContain(`BASE=${service.baseUrl}`);
    expect(page.url()).not.toContain(key);
    expect(faults).toEqual([]);
    await context.close();
  },
  timeoutMs,
);

inBrowser(
  "Send opens the operation on the page that signs, and so does an address from before",
  () =>
    onPage("/docs/operations/createPayout", {}, async (page) => {
      await page.getByRole("link", { name: "Send it from this browser" }).click();
      await page
        .getByRole("button", { name: /Test Request.*post \/api\/payout\/single/s })
        .waitFor();
      const hash = new URL(page.url()).hash;
      expect(hash).toContain("/api/payout/single");
      await page.goto(`${service.baseUrl}/docs${hash}`);
      await page.waitForURL(`**/docs/send${hash}`);
    }),
  timeoutMs,
);
