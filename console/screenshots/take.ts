// npm run screenshots: takes a picture of every screen, of a company with a month behind it, into docs/images.
// `-- --only overview,payouts` takes some of them; `-- --days 3` lives a shorter month.

import "./moved-clock.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { launchBrowser } from "../../server/test/support/browser.ts";
import { startCompany } from "./company.ts";
import { pathOf, screens } from "./screens.ts";
import { setUpAdmin, untilLoaded } from "./visit.ts";

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
  const state = await setUpAdmin(launched.browser, company, (page) =>
    page.screenshot({ path: join(values.into, "set-up.png") }),
  );
  for (const look of looks) {
    const { width, height, scheme, suffix } = look;
    const context = await launched.browser.newContext({
      storageState: state,
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    for (const screen of wanted) {
      const { name, prepare } = screen;
      await page.goto(`${company.consoleUrl}/console${await pathOf(company, screen)}`);
      await settled(page);
      await prepare?.(page);
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

/** What fades in has come. */
async function settled(page: Page): Promise<void> {
  await untilLoaded(page);
  await page.waitForTimeout(400);
}
