// Brings a Chromium to the tests: the one named, else the machine's own, else one from npm.

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { hasPackagedBrowser, unpackBrowser } from "./packaged-browser.ts";

type LaunchedBrowser =
  | { browser: Browser; reason?: undefined }
  | { browser: undefined; reason: string };

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
 * A running browser, or why there is none, so that a test can be skipped with that reason.
 * `DISBURSE_TEST_BROWSER=packaged` ignores the machine's browser.
 */
export async function launchBrowser(): Promise<LaunchedBrowser> {
  const { DISBURSE_TEST_BROWSER: choice, CHROMIUM_PATH: named } = process.env;
  if (choice !== undefined && choice !== "" && choice !== "packaged") {
    throw new Error(`DISBURSE_TEST_BROWSER is "packaged" or not set, not "${choice}"`);
  }
  if (choice !== "packaged") {
    const path = named || machinePaths.find((path) => existsSync(path));
    if (path !== undefined) return { browser: await launch(path) };
  }
  if (!hasPackagedBrowser) {
    const platform = `${process.platform} ${process.arch}`;
    const reason = `no Chromium on this machine (CHROMIUM_PATH names one), and none is packaged for ${platform}`;
    return {
      browser: undefined,
      reason: choice === "packaged" ? `no Chromium is packaged for ${platform}` : reason,
    };
  }
  try {
    const { executablePath, env } = await unpackBrowser();
    return { browser: await launch(executablePath, env) };
  } catch (error) {
    return { browser: undefined, reason: `the packaged Chromium does not run here: ${error}` };
  }
}

let shared: Promise<LaunchedBrowser> | undefined;

/** The browser of all test files that a worker runs. It ends with the worker: close contexts, and not the browser. */
export async function sharedBrowser(): Promise<LaunchedBrowser> {
  shared ??= launchBrowser();
  const launched = await shared;
  if (launched.browser?.isConnected() !== false) return launched;
  // It has crashed. Only the file that caused it fails.
  shared = launchBrowser();
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
