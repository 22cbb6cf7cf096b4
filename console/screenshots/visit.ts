// A browser at the company: the first admin signs in, and pages are looked at when they have loaded.

import type { Browser, Page } from "playwright-core";
import { linkOf, newSetUpTokens } from "../../server/src/tenants/users/invitation.ts";
import type { Company } from "./company.ts";
import { haveAToday } from "./today.ts";

/** The first admin follows the set-up link, as on any first day. Returns the state of the signed-in browser. */
export async function setUpAdmin(
  browser: Browser,
  company: Company,
  onSetUp: (page: Page) => Promise<unknown> = async () => {},
) {
  const token = (await newSetUpTokens(company.db))?.first;
  if (!token) throw new Error("an admin is set up already");
  const page = await browser.newPage({ viewport: { width: 1280, height: 832 } });
  await page.goto(linkOf(company.consoleUrl, token));
  await untilLoaded(page);
  await onSetUp(page);
  await page.getByLabel("Name").fill("Mara Lindqvist");
  await page.getByLabel("Email").fill("mara@northwind.example");
  await page.getByLabel("Password", { exact: true }).fill("harbour-lantern-quartz-9");
  await page.getByRole("button", { name: /set up|create|continue|join/i }).click();
  await page.waitForURL(/\/s\//);
  await haveAToday(company, page.context());
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

export async function untilLoaded(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.waitForSelector("h1");
  // The live stream never comes to rest, so the page is asked what it still waits for.
  await page.waitForFunction(
    () => !document.querySelector("[aria-busy=true], .mantine-Skeleton-root"),
  );
}
