// npm run screenshots: takes a picture of every screen, of a company with a month behind it, into docs/images.
// `-- --only overview,payouts` takes some of them; `-- --days 3` lives a shorter month.

import "./moved-clock.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { linkOf, newSetUpToken } from "../../server/src/users/invitation.ts";
import { launchBrowser } from "../../server/test/support/browser.ts";
import { startCompany } from "./company.ts";
import { screens } from "./screens.ts";
import { haveAToday } from "./today.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    days: { type: "string", default: "30" },
    into: { type: "string", default: join(import.meta.dirname, "..", "..", "docs", "images") },
  },
});
const only = values.only?.split(",");
const wanted = screens.filter(({ name }) => !only || only.includes(name));
const say = (text: string) => process.stderr.write(`screenshots: ${text}\n`);

const looks = [
  { suffix: "", width: 1280, height: 832, scheme: "light" },
  { suffix: "-dark", width: 1280, height: 832, scheme: "dark" },
  { suffix: "-phone", width: 390, height: 844, scheme: "light" },
] as const;

mkdirSync(values.into, { recursive: true });
const launched = await launchBrowser();
if (!launched.browser) throw new Error(launched.reason);
say("a company lives a month");
const company = await startCompany({ days: Number(values.days), say });
try {
  const state = await setUp(launched.browser);
  for (const look of looks) {
    const { width, height, scheme, suffix } = look;
    const context = await launched.browser.newContext({
      storageState: state,
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    for (const { name, path, prepare } of wanted) {
      await page.goto(`${company.consoleUrl}/console${await path(company)}`);
      await settled(page);
      if (prepare) await prepare(page);
      await settled(page);
      await page.screenshot({ path: join(values.into, `${name}${suffix}.png`) });
      say(`${name}${suffix}`);
    }
    await context.close();
  }
} finally {
  await launched.browser.close();
  await company.close();
}

/** The first admin follows the set-up link, as on any first day. */
async function setUp(browser: Browser) {
  const token = await newSetUpToken(company.db);
  if (!token) throw new Error("an admin is set up already");
  const page = await browser.newPage({ viewport: { width: 1280, height: 832 } });
  await page.goto(linkOf(company.consoleUrl, token));
  await settled(page);
  await page.screenshot({ path: join(values.into, "set-up.png") });
  await page.getByLabel("Name").fill("Mara Lindqvist");
  await page.getByLabel("Email").fill("mara@northwind.example");
  await page.getByLabel("Password", { exact: false }).first().fill("harbour-lantern-quartz-9");
  await page.getByRole("button", { name: /set up|create|continue|join/i }).click();
  await page.waitForURL(/\/s\//);
  await haveAToday(company, page.context());
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.waitForSelector("h1");
  // The live stream never comes to rest, so the page is asked what it still waits for.
  await page.waitForFunction(
    () => !document.querySelector("[aria-busy=true], .mantine-Skeleton-root"),
  );
  await page.waitForTimeout(400);
}
