// In a real browser, with the real service: the documentation page sends requests, and the client works in a page and
// in a worker.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, expect } from "vitest";
import { build } from "../../../../client/build.ts";
import { sharedBrowser } from "../../support/browser.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { closeContexts } from "../../support/reused-contexts.ts";
import { ada, startService } from "../../support/service.ts";
import { testUnless } from "../../support/skippable.ts";

const launched = await sharedBrowser();
const browser = launched.browser as Browser;
// The page's script is large, and other tests may be using the processor.
const browserTimeoutMs = 300_000;
const test = testUnless(launched.reason);

const service = await closeAfterTests(startService());
afterAll(async () => {
  await closeContexts(browser);
});

test("Send on the documentation page lists the receivers of the given key", async () => {
  const caller = await service.newCaller();
  const input = ada();
  await caller.disburse.receivers.create(input);

  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(browserTimeoutMs);
  // Opens the operation directly: the page renders only what is near.
  await page.goto(`${service.baseUrl}/docs/send#tag/receivers/GET/api/receiver`);
  const bar = page.getByRole("region", { name: "Request signing" });
  await bar.getByLabel(/API key/i).fill(caller.key);
  await bar
    .getByLabel(/secret/i)
    .first()
    .fill(caller.secret);
  await page
    .getByRole("button", { name: /Test Request.*get \/api\/receiver\)?$/is })
    .first()
    .click();
  const window = page.getByRole("dialog", { name: "API Client" });
  await window.getByRole("button", { name: /^Send/ }).first().click();
  await window.getByText("200 OK").waitFor();
  await window.getByText(input.email).waitFor();
  await page.close();
});

/** Serves the built client and forwards API requests, because a browser needs both on one origin. */
async function servePage(folder: string): Promise<{ server: Server; origin: string }> {
  const server = createServer(async (request, response) => {
    const path = request.url as string;
    if (path.startsWith("/api/")) {
      const headers = request.headers as Record<string, string>;
      const { status, text, type } = await forward(path, headers);
      response.writeHead(status, { "content-type": type }).end(text);
    } else if (path.startsWith("/client/")) {
      response.setHeader("content-type", "text/javascript");
      response.end(readFileSync(join(folder, "esm", path.slice("/client/".length))));
    } else {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>client</title>");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function forward(path: string, headers: Record<string, string>) {
  const { "x-api-key": key = "", signature = "" } = headers;
  const response = await fetch(service.baseUrl + path, {
    headers: { "x-api-key": key, signature },
  });
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, text: await response.text(), type };
}

test("the client signs requests in a page and in a worker", async () => {
  const folder = mkdtempSync(join(tmpdir(), "disburse-browser-"));
  build(folder);
  const { server, origin } = await servePage(folder);
  const { key, secret, subaccountId } = await service.newCaller();
  const page = await (await browser.newContext({ locale: "en-GB" })).newPage();
  await page.goto(origin);

  // As strings: the test runner would rewrite the imports.
  const settings = JSON.stringify({ apiKey: key, apiSecret: secret, baseUrl: origin });
  const inPage = await page.evaluate(`import("/client/index.js")
    .then(({ Disburse }) => new Disburse(${settings}).subaccount.get())
    .then(({ id }) => id)`);

  const inWorker = await page.evaluate(async (settings) => {
    const source = `
      import { Disburse } from "${location.origin}/client/index.js";
      const { id } = await new Disburse(${settings}).subaccount.get();
      postMessage(id);`;
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(url, { type: "module" });
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
  }, settings);

  expect([inPage, inWorker]).toEqual([subaccountId, subaccountId]);
  await page.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
