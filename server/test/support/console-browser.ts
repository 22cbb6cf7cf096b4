// The browser and a console for all tests of a file.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { sharedBrowser } from "./browser.ts";
import { buildConsole } from "./console-build.ts";
import { closeContexts } from "./reused-contexts.ts";
import { testUnless } from "./skippable.ts";

/** The console is started before the tests and closed after them. `inBrowser` skips its test where there is no browser. */
export async function useBrowser(start: () => Promise<{ close(): Promise<void> }>) {
  const { browser, reason } = await sharedBrowser();
  let service: { close(): Promise<void> } | undefined;
  beforeAll(async () => {
    await buildConsole();
    service = await start();
  });
  afterAll(async () => {
    await closeContexts(browser);
    await service?.close();
  });
  return { browser: browser as Browser, inBrowser: testUnless(reason), reason };
}
