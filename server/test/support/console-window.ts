// A browser window on the console with a signed-in user, and the faults found in it.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { expect, inject } from "vitest";
import { isProving } from "../scenarios/scale.ts";
import type { TestPerson } from "./console.ts";
import { takeContext } from "./reused-contexts.ts";

export type Look = { colorScheme?: "light" | "dark"; width?: number };

/** `faults` has policy violations, script errors and requests to other hosts. */
export async function openWindow(
  { browser, baseUrl }: { browser: Browser; baseUrl: string },
  path: string,
  person: TestPerson | undefined,
  { colorScheme = "light", width = 1280 }: Look = {},
) {
  const { context, page } = await takeContext(browser);
  await page.setViewportSize({ width, height: 800 });
  // Without transitions, which take a fifth of the processor time.
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  if (person) {
    await person.ready;
    const [name = "", value = ""] = person.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: baseUrl }]);
  }
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

// Run without its AxeBuilder, which sends the source again for each look, and the results of rules that found nothing.
const axe = createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core");
const axeSource = readFileSync(axe.replace(/axe\.js$/, "axe.min.js"), "utf8");

type Violation = { id: string; impact: string; nodes: { html: string }[] };
type Axe = {
  _audit: { rules: { id: string; impact: string | null }[] };
  run(options: object): Promise<{ violations: Violation[] }>;
};

/** Whether no test of this run has looked at a screen. All workers share the folder. */
function isNew(screen: string): boolean {
  const hash = createHash("sha256").update(screen).digest("hex");
  try {
    mkdirSync(join(inject("runFolder"), `screen-${hash}`));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * What makes a page inaccessible. A run looks once at each screen, with its tab, dialog, refused fields and colours;
 * `npm run prove` looks each time.
 */
export async function seriousFindings(page: Page): Promise<string[]> {
  const screen = await page.evaluate(() => {
    // Without names and numbers: "Approve erasure of", "Events".
    const words = (selector: string) =>
      [...document.querySelectorAll(selector)].map(
        ({ textContent }) => /^\S+(?: [a-z]+)*/.exec(textContent)?.[0],
      );
    return JSON.stringify([
      window.location.pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id"),
      words("[role=dialog] h2, [role=tab][aria-selected=true]"),
      document.querySelector("[aria-invalid=true]") !== null,
      window.matchMedia("(prefers-color-scheme: dark)").matches,
    ]);
  });
  if (!isProving && !isNew(screen)) return [];
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  return page.evaluate(async () => {
    // A colour that is still changing, as after a change of the colour scheme, would be judged in between.
    for (let frames = 0; frames < 3; frames += 1) {
      await new Promise(requestAnimationFrame);
      const ending = document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === "running" &&
            effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
        );
      await Promise.allSettled(ending.map(({ finished }) => finished));
    }
    const { axe } = window as unknown as { axe: Axe };
    // All findings of a rule have its impact, so these rules can't find anything that counts here.
    const lesser = axe._audit.rules.filter(({ impact }) => /^(minor|moderate)$/.test(impact ?? ""));
    const rules = Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }]));
    const { violations } = await axe.run({ resultTypes: ["violations"], rules });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}

export function isWiderThanScreen(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}
