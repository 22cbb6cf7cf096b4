// The browser that other tests use: which one is chosen, and that it can show text.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { launchBrowser } from "../../support/browser.ts";
import { fontEnvironment, hasPackagedBrowser, unpackInto } from "../../support/packaged-browser.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";

afterEach(() => vi.unstubAllEnvs());

/** The fonts of the package in a folder whose name needs escaping in XML. */
async function unpackFonts() {
  const parent = mkdtempSync(join(tmpdir(), "disburse-fonts-"));
  const folder = join(parent, "a & b <c>");
  await unpackInto(folder, ["fonts.tar.br"]);
  return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

test("the packaged browser's fonts.conf names the folder that holds its fonts", async () => {
  const { folder, remove } = await unpackFonts();
  const { FONTCONFIG_PATH = "" } = fontEnvironment(folder);
  const config = readFileSync(join(FONTCONFIG_PATH, "fonts.conf"), "utf8");
  const named = [...config.matchAll(/<dir>(.*)<\/dir>/g)].map(([, name = ""]) =>
    name.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
  const fonts = named.flatMap((name) => readdirSync(name, { recursive: true }).map(String));
  expect(fonts.filter((name) => name.endsWith(".ttf"))).toHaveLength(3);
  remove();
});

testUnless(missingCommands("fc-list"))("fontconfig finds the packaged fonts", async () => {
  const { folder, remove } = await unpackFonts();
  const env = { ...process.env, ...fontEnvironment(folder) };
  const { stdout } = spawnSync("fc-list", [":", "file"], { env, encoding: "utf8" });
  expect(stdout.split("\n").filter((line) => line.includes(folder))).toHaveLength(3);
  const { stdout: match } = spawnSync("fc-match", ["sans-serif"], { env, encoding: "utf8" });
  expect(match).toContain("OpenSans");
  remove();
});

const launched = await launchBrowser();
afterAll(() => launched.browser?.close());

testUnless(launched.reason)("text has a height", async () => {
  const page = await (
    await (launched.browser as Browser).newContext({ locale: "en-GB" })
  ).newPage();
  await page.setContent("<span>Grüße, 漢字</span>");
  const box = await page.locator("span").boundingBox();
  expect(box?.height).toBeGreaterThan(5);
  expect(box?.width).toBeGreaterThan(20);
});

test("DISBURSE_TEST_BROWSER=packaged ignores the machine's browser", async () => {
  vi.stubEnv("DISBURSE_TEST_BROWSER", "packaged");
  vi.stubEnv("CHROMIUM_PATH", "/nowhere/chromium");
  const { browser, ...rest } = await launchBrowser();
  await browser?.close();
  if (hasPackagedBrowser) expect(browser).toBeDefined();
  else expect(rest).toEqual({ reason: expect.stringContaining("no Chromium is packaged for") });
});

test("another value of DISBURSE_TEST_BROWSER is refused", async () => {
  vi.stubEnv("DISBURSE_TEST_BROWSER", "firefox");
  await expect(launchBrowser()).rejects.toThrow('not "firefox"');
});
