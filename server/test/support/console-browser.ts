// The browser and a console for all tests of a file.

import type { Browser } from "playwright-core";
import { sharedBrowser } from "./browser.ts";
import { closeAfterTests } from "./close-after-tests.ts";
import { buildConsole } from "./console-build.ts";
import { closeContexts } from "./reused-contexts.ts";
import { testUnless } from "./skippable.ts";

/** The console is started before the tests and closed after them. `inBrowser` skips its test where there is no browser. */
export async function useBrowser<Served extends { close(): Promise<void> }>(
  start: () => Promise<Served>,
) {
  const { browser, reason } = await sharedBrowser();
  await buildConsole();
  const service = await closeAfterTests(start(), () => closeContexts(browser));
  return { service, browser: browser as Browser, inBrowser: testUnless(reason), reason };
}
