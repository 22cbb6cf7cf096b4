// Brings a Chromium to the tests: the one named, else the machine's own, else one from npm.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

export type LaunchedBrowser = { browser: Browser } | { browser: undefined; reason: string };

const machinePaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

// No sandbox, because tests may run as root; the rest keeps the browser from calling its maker.
const launchArguments = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** A running browser, or in words why this machine has none, so that a test can say why it skips. */
export async function launchBrowser(): Promise<LaunchedBrowser> {
  const path = process.env.CHROMIUM_PATH || machinePaths.find((path) => existsSync(path));
  if (path !== undefined) return { browser: await launch(path) };

  // The npm package holds a binary for this one platform.
  if (process.platform !== "linux" || process.arch !== "x64") {
    const reason = `no Chromium found on ${process.platform} ${process.arch}; set CHROMIUM_PATH`;
    return { browser: undefined, reason };
  }
  return launchFromPackage();
}

async function launchFromPackage(): Promise<LaunchedBrowser> {
  const folder = mkdtempSync(join(tmpdir(), "disburse-chromium-"));
  const formerFolder = process.env.TMPDIR;
  // Runs at the same time would unpack over each other in a shared folder.
  process.env.TMPDIR = folder;
  // With this the package also unpacks the shared libraries that a bare machine lacks.
  process.env.AWS_EXECUTION_ENV ??= "AWS_Lambda_nodejs22.x";
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    const browser = await launch(await packaged.executablePath());
    browser.on("disconnected", () => rmSync(folder, { recursive: true, force: true }));
    return { browser };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return { browser: undefined, reason: `the packaged Chromium does not run here: ${error}` };
  } finally {
    if (formerFolder === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = formerFolder;
  }
}

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: launchArguments });
}
