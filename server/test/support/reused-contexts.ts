// Browser contexts that are used again. A new one starts a process and compiles the console's scripts again, which takes
// three times as long as loading a page in one that was used.

import type { Browser, BrowserContext, Page } from "playwright-core";

type Reused = { context: BrowserContext; page: Page };

const free = new WeakMap<Browser, Reused[]>();

const listened = ["console", "pageerror", "request", "response", "dialog", "download"] as const;

/** A context with one empty page, without cookies or stored data. `context.close()` gives it back. */
export async function takeContext(browser: Browser): Promise<Reused> {
  return free.get(browser)?.pop() ?? (await newReused(browser));
}

/** Closes what the tests of a file have left open, so that its server can end. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  if (!browser) return;
  const unused = free.get(browser)?.map(({ context }) => context) ?? [];
  const open = browser.contexts().filter((context) => !unused.includes(context));
  for (const context of open) await context.close();
}

async function newReused(browser: Browser): Promise<Reused> {
  // The tests write dates and amounts as this locale does.
  const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce" });
  const page = await context.newPage();
  const { close, newCDPSession } = context;
  let isReusable = true;
  context.newCDPSession = (of) => {
    // What a session changes, such as a virtual device, can't be found and undone.
    isReusable = false;
    return newCDPSession.call(context, of);
  };
  context.close = async () => {
    if (!isReusable || !(await isCleared({ context, page }))) return close.call(context);
    const others = free.get(browser);
    if (others) others.push({ context, page });
    else free.set(browser, [{ context, page }]);
  };
  return { context, page };
}

/** False: the page was closed, or its server was. Then the context can't be used again. */
async function isCleared({ context, page }: Reused): Promise<boolean> {
  const [first, ...others] = context.pages();
  if (first !== page) return false;
  for (const other of others) await other.close();
  for (const event of listened) page.removeAllListeners(event);
  await Promise.all([context.unrouteAll(), page.unrouteAll(), context.setOffline(false)]);
  await Promise.all([context.clearCookies(), context.clearPermissions()]);
  try {
    // A page of the same origin that runs no script, which could store something again.
    await page.goto(new URL("/console/assets/", page.url()).href);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.goto("about:blank");
    return true;
  } catch {
    return false;
  }
}
