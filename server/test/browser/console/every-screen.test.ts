// Every screen of the console, with the data of a company: accessible in light and dark mode, and as wide as a phone.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pathOf, screens } from "../../../../console/screenshots/screens.ts";
import { isProving, unlessProving } from "../../scenarios/scale.ts";
import { launchBrowser } from "../../support/browser.ts";
import { buildConsole } from "../../support/console-build.ts";
import { isWiderThanScreen, seriousFindings } from "../../support/console-window.ts";
import { testUnless } from "../../support/skippable.ts";

test("the list of screens has every route of the console", () => {
  const router = join(import.meta.dirname, "../../../../console/src/router.tsx");
  const routes = readFileSync(router, "utf8").matchAll(
    /\b(across|of)\(\s*"([^"]+)"|getParentRoute: \(\) => subaccount,\s*path: "([^"]+)"/g,
  );
  const known = [...routes].map(([, kind, path, ofSubaccount = path]) =>
    kind === "across" ? path : `/s/$subaccountId/${ofSubaccount}`,
  );
  expect(known.length).toBeGreaterThan(30);
  expect(known.toSorted()).toEqual([...new Set(screens.map(({ route }) => route))].toSorted());
});

const launched = isProving ? await launchBrowser() : undefined;

testUnless(unlessProving ?? launched?.reason)(
  "every screen is accessible in light and dark mode, and fits a phone",
  async () => {
    const browser = launched?.browser;
    if (!browser) throw new Error("there is no browser");
    await buildConsole();
    // Later, because they replace the clock.
    const { startCompany } = await import("../../../../console/screenshots/company.ts");
    const { setUpAdmin, untilLoaded } = await import("../../../../console/screenshots/visit.ts");
    const company = await startCompany({ days: 2, say: () => {} });
    try {
      const storageState = await setUpAdmin(browser, company);
      const context = await browser.newContext({
        locale: "en-GB",
        storageState,
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      const findings: string[] = [];
      page.on("pageerror", (error) => findings.push(`${page.url()}: ${error.message}`));
      for (const screen of screens) {
        await page.setViewportSize({ width: 1280, height: 844 });
        await page.goto(`${company.consoleUrl}/console${await pathOf(company, screen)}`);
        await untilLoaded(page);
        await screen.prepare?.(page);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const found = await seriousFindings(page);
          findings.push(...found.map((finding) => `${screen.name} ${colorScheme}: ${finding}`));
        }
        await page.setViewportSize({ width: 390, height: 844 });
        if (await isWiderThanScreen(page)) findings.push(`${screen.name}: wider than a phone`);
      }
      expect(findings).toEqual([]);
    } finally {
      await company.close();
      await browser.close();
    }
  },
  900_000,
);
