// One first load of a page of the console in a browser with an empty cache, over a link with latency.

import type { Browser } from "playwright-core";

export type PageLoad = {
  /** From the start of the navigation until the page shows what it is for. */
  ms: number;
  /** Scripts, styles, fonts and images. */
  files: number;
  /** All requests, with the page itself and its data. */
  requests: number;
  /** All that was received. */
  bytes: number;
};

export async function loadPage(
  browser: Browser,
  {
    url,
    cookie,
    latencyMs,
    shown,
  }: {
    url: string;
    cookie: string | undefined;
    latencyMs: number;
    /** What must be there. */
    shown: string;
  },
): Promise<PageLoad> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 832 } });
  try {
    const [name = "", value = ""] = cookie?.split(/=(.*)/s) ?? [];
    if (cookie) await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send("Network.enable");
    await network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: latencyMs,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    let bytes = 0;
    network.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    // A file that is preloaded and then used is reported twice.
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(new URL(request.url()).pathname));
    await page.goto(url, { waitUntil: "commit" });
    const handle = await page.waitForFunction(
      (selector) =>
        !!document.querySelector(selector) &&
        !document.querySelector(".mantine-Skeleton-root") &&
        performance.now(),
      shown,
    );
    const ms = Number(await handle.jsonValue());
    return {
      ms,
      files: [...asked].filter((path) => path.startsWith("/console/assets/")).length,
      requests: asked.size,
      bytes,
    };
  } finally {
    await context.close();
  }
}
