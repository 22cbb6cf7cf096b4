// A browser and a console for all tests of a file.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchBrowser } from "./browser.ts";
import { buildConsole } from "./console-build.ts";
import { testUnless } from "./skippable.ts";

/** Both are started before the tests and closed after them. `inBrowser` skips its test where there is no browser. */
export async function useBrowser(start: () => Promise<{ close(): Promise<void> }>) {
  const { browser, reason } = await launchBrowser();
  let service: { close(): Promise<void> } | undefined;
  beforeAll(async () => {
    await buildConsole();
    service = await start();
  });
  afterAll(async () => {
    await service?.close();
    await browser?.close();
  });
  return { browser: browser as Browser, inBrowser: testUnless(reason), reason };
}
