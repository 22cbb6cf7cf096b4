// A browser window on the console with a signed-in user, and the faults found in it.

import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import type { TestPerson } from "./console.ts";

export type Look = { colorScheme?: "light" | "dark"; width?: number };

/** `faults` has policy violations, script errors and requests to other hosts. */
export async function openWindow(
  { browser, baseUrl }: { browser: Browser; baseUrl: string },
  path: string,
  person: TestPerson | undefined,
  { colorScheme = "light", width = 1280 }: Look = {},
) {
  const context = await browser.newContext({
    // The tests write dates and amounts as this locale does.
    locale: "en-GB",
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: "reduce",
  });
  if (person) {
    await person.ready;
    const [name = "", value = ""] = person.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: baseUrl }]);
  }
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    const text = message.text();
    // The browser also prints refusals by the server, which are no faults of the page.
    if (message.type() === "error" && !text.startsWith("Failed to load resource"))
      faults.push(text);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${baseUrl}/`)) faults.push(request.url());
  });
  await page.goto(baseUrl + path);
  return { page, context, faults };
}

/** Opens a window of the console, works in it, expects no faults and closes it. */
export async function withWindow(
  parts: { browser: Browser; baseUrl: string },
  path: string,
  person: TestPerson,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, context, faults } = await openWindow(parts, `/console${path}`, person);
  await work(page);
  expect(faults).toEqual([]);
  await context.close();
}

export async function seriousFindings(page: Page): Promise<string[]> {
  // The default mode opens another page for cross-origin frames, which takes most of its time. We have none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

export function isWiderThanScreen(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}
