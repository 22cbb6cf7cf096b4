// The page that sends requests: its headers and files, and its signed requests in a real browser.

import { createHash, createHmac } from "node:crypto";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registerDocs } from "../../../src/doors/app/docs.ts";
import { sharedBrowser } from "../../support/browser.ts";
import { closeContexts } from "../../support/reused-contexts.ts";
import { testUnless } from "../../support/skippable.ts";

const apiKey = "ak_test_0000000000000000000001";
const secret = "sk_test_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const receiver = { first_name: "Zoë", last_name: "Łukasz 漢字" };
const browserTimeoutMs = 300_000;

const signed = {
  security: [{ apiKey: [], signature: [] }],
  responses: { 200: { description: "Done" } },
};
const openapi = {
  openapi: "3.1.0",
  info: { title: "Disburse API", version: "1.0.0" },
  // A published document may name another origin. Send must use this one.
  servers: [{ url: "https://api.example.com" }],
  tags: [{ name: "Receivers" }],
  components: {
    securitySchemes: {
      apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
      signature: { type: "apiKey", in: "header", name: "signature" },
    },
  },
  paths: {
    "/api/receiver": {
      get: {
        ...signed,
        tags: ["Receivers"],
        summary: "List receivers",
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer" }, example: 10 },
          { name: "cursor", in: "query", schema: { type: "string" }, example: "a+b= ü" },
        ],
      },
      post: {
        ...signed,
        tags: ["Receivers"],
        summary: "Create a receiver",
        requestBody: {
          content: { "application/json": { schema: { type: "object" }, example: receiver } },
        },
      },
    },
  },
};

const operatorDocument = {
  openapi: "3.1.0",
  info: { title: "Disburse: operator API", version: "1.0.0" },
  security: [{ token: [] }],
  components: {
    securitySchemes: { token: { type: "http", scheme: "bearer", bearerFormat: "ot_…" } },
  },
  paths: { "/operator/v1/me": { get: { tags: ["me"], summary: "Read me" } } },
};

interface Call {
  method: string;
  path: string;
  headers: string[];
  body: string;
  isVerified: boolean;
}

let calls: Call[] = [];
let app: FastifyInstance;
let origin: string;

/** Verifies a version 2 signature of the raw request, without code of the page. */
function isVerified({ raw }: FastifyRequest, body: Buffer): boolean {
  const [version, ms, nonce, code] = String(raw.headers.signature).split(".");
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const message = [version, ms, nonce, apiKey, raw.method, raw.url, bodyHash].join("\n");
  return (
    version === "v2" &&
    raw.headers["x-api-key"] === apiKey &&
    /^[A-Za-z0-9_-]{16,64}$/.test(nonce ?? "") &&
    Math.abs(Date.now() - Number(ms)) < 60_000 &&
    code === createHmac("sha256", secret).update(message).digest("hex")
  );
}

beforeAll(async () => {
  app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addHook("preHandler", async (request) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    calls.push({
      method: request.method,
      path: request.url,
      headers: request.raw.rawHeaders,
      body: body.toString(),
      isVerified: isVerified(request, body),
    });
  });
  app.get("/openapi.json", () => openapi);
  app.get("/operator/v1/openapi.json", () => operatorDocument);
  app.get("/operator/v1/me", () => ({ role: "auditor" }));
  app.all("/api/*", (_request, reply) =>
    reply.code(calls.at(-1)?.isVerified ? 200 : 401).send({ message: "seen" }),
  );
  await registerDocs(app);
  origin = await app.listen({ port: 0, host: "127.0.0.1" });
});

afterAll(async () => {
  await closeContexts(browser);
  await app.close();
});

beforeEach(() => {
  calls = [];
});

describe("the page", () => {
  test.each(["/docs/send", "/docs/operator"])(
    "%s has a strict content security policy with a new nonce",
    async (url) => {
      const first = await app.inject(url);
      const second = await app.inject(url);

      expect(first.statusCode).toBe(200);
      expect(first.body).toContain("<title>Disburse ");
      expect(first.body).not.toContain("{{");
      const policy = String(first.headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toBe(second.headers["content-security-policy"]);
      expect(first.headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
      });
    },
  );

  test("the page of the operator API has its own title and document, and each leads to the other", async () => {
    const [page, other] = await Promise.all(
      ["/docs/operator", "/docs/send"].map((url) => app.inject(url)),
    );
    expect(page?.body).toContain("<title>Disburse operator API</title>");
    expect(page?.body).toContain('data-document="/operator/v1/openapi.json"');
    expect(page?.body).toContain('href="/docs/send"');
    expect(page?.body).not.toContain("{{");
    expect(other?.body).toContain('href="/docs/operator"');
    expect(String(page?.headers["content-security-policy"])).toContain("connect-src 'self'");
  });

  test.each(["page.js", "credentials.js", "sign.js", "page.css"])(
    "%s is revalidated",
    async (name) => {
      const first = await app.inject(`/docs/${name}`);
      expect(first.statusCode).toBe(200);

      const headers = { "if-none-match": String(first.headers.etag) };
      const again = await app.inject({ url: `/docs/${name}`, headers });
      expect(again.statusCode).toBe(304);
      expect(again.body).toBe("");
    },
  );
});

describe("the bundle", () => {
  async function getBundle(headers: Record<string, string>) {
    const page = await app.inject("/docs/send");
    const url = /\/docs\/scalar\.js\?v=[\d.]+/.exec(page.body)?.[0] ?? "";
    return app.inject({ url, headers });
  }

  test("is compressed, cached permanently, and not sent twice", async () => {
    const first = await getBundle({ "accept-encoding": "gzip, deflate, br, zstd" });
    expect(first.statusCode).toBe(200);
    expect(first.headers).toMatchObject({
      "content-encoding": "br",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
    });
    expect(first.rawPayload.length).toBeLessThan(1_500_000);

    const again = await getBundle({
      "accept-encoding": "br",
      "if-none-match": String(first.headers.etag),
    });
    expect(again.statusCode).toBe(304);
    expect(again.rawPayload.length).toBe(0);
  });

  test("is sent as gzip or uncompressed, as the request accepts", async () => {
    const gzip = await getBundle({ "accept-encoding": "br;q=0, gzip" });
    const plain = await getBundle({});

    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.rawPayload.length).toBeGreaterThan(gzip.rawPayload.length);
    expect(plain.headers.etag).not.toBe(gzip.headers.etag);
  });

  test("is not cached permanently under a URL without its version", async () => {
    const response = await app.inject("/docs/scalar.js");
    expect(response.headers["cache-control"]).toBe("no-cache");
  });
});

test("the page's signature matches the published vector", async () => {
  // Browser code, so it is imported by its URL.
  const { sign } = await import(
    new URL("../../../src/doors/app/docs-page/sign.js", import.meta.url).href
  );
  const body = new TextEncoder().encode('{"first_name":"Zoë","last_name":"O\'Brien"}').buffer;

  const signature = await sign(
    { apiKey: "A24b4fSJ8SKhowxlY", secret: "test_secret_0123456789abcdef" },
    { method: "POST", path: "/api/receiver", body },
    { ms: "1712042205773", nonce: "nonce-02-ABCDEFGHIJ" },
  );

  expect(signature).toBe(
    "v2.1712042205773.nonce-02-ABCDEFGHIJ.bba13ccacfa9bd0ee49aed3ddf460fa250174192f59b30c6377483c23412f5e5",
  );
});

const launched = await sharedBrowser();
const { browser } = launched;

describe("in a browser", { timeout: browserTimeoutMs }, () => {
  const test = testUnless(launched.reason);
  let context: BrowserContext;
  let page: Page;
  let problems: string[];

  // Shared, so that the browser loads and compiles the page's large script once.
  beforeAll(async () => {
    if (!browser) return;
    context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(browserTimeoutMs / 2);
  });

  beforeEach(async () => {
    problems = [];
    if (!browser) return;
    page = await context.newPage();
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !url.startsWith("data:"))
        problems.push(`left for ${url}`);
    });
    page.on("console", (message) => {
      // The browser also logs a response of 401 as an error, which is no problem of the page.
      const isAnswer = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isAnswer) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(`${origin}/docs/send`);

    return async () => {
      // Session storage ends with the tab.
      await page.evaluate("localStorage.clear()");
      await page.close();
      expect(problems).toEqual([]);
      expect(JSON.stringify(calls)).not.toContain(secret);
    };
  });

  const bar = () => page.getByRole("region", { name: "Request signing" });
  const requestWindow = () => page.getByRole("dialog", { name: "API Client" });

  async function enterCredentials() {
    await bar().getByLabel("API key").fill(apiKey);
    await bar().getByLabel("API secret").fill(secret);
  }

  async function openOperation(method: string) {
    await page
      .getByRole("button", { name: new RegExp(`Test Request.*${method} /api`, "s") })
      .click();
    await requestWindow().getByRole("button", { name: /^Send/ }).first().waitFor();
  }

  async function send() {
    await requestWindow().getByRole("button", { name: /^Send/ }).first().click();
  }

  const apiCalls = () => calls.filter(({ path }) => path.startsWith("/api/"));

  test("Send signs path and query, but not without credentials or with a secret as the key", async () => {
    await openOperation("get");
    await expect(requestWindow().getByText("Authentication").first().isVisible()).resolves.toBe(
      false,
    );
    await send();
    await requestWindow().getByText("401 Unauthorized").waitFor();
    await bar().getByLabel("API key").fill(secret);
    await bar().getByLabel("API secret").fill(secret);
    await bar().getByText("the first field holds a secret").waitFor();
    await send();
    await expect.poll(apiCalls).toHaveLength(2);
    for (const { headers } of apiCalls()) expect(headers).not.toContain("x-api-key");

    for (const label of ["API key", "API secret"]) await bar().getByLabel(label).fill("");
    await bar().getByLabel("API key").click();
    await page.keyboard.type(apiKey);
    await page.keyboard.press("Tab");
    await page.keyboard.type(secret);
    await bar().getByText("Signing as ak_test_0000…0001").waitFor();
    await send();
    await requestWindow().getByText("200 OK").waitFor();
    expect(apiCalls().at(-1)).toMatchObject({ method: "GET", isVerified: true });
    expect(apiCalls().at(-1)?.path).toMatch(
      /^\/api\/receiver\?limit=10&cursor=a%2Bb%3D(%20|\+)%C3%BC$/,
    );
  });

  test("Send signs the exact bytes of a non-ASCII body, and two signatures differ", async () => {
    await enterCredentials();
    await openOperation("post");
    await send();

    await requestWindow().getByText("200 OK").waitFor();
    expect(apiCalls()).toMatchObject([{ method: "POST", path: "/api/receiver", isVerified: true }]);
    expect(JSON.parse(apiCalls()[0]?.body ?? "")).toEqual(receiver);
    await send();
    await expect.poll(apiCalls).toHaveLength(2);

    expect(apiCalls().every((call) => call.isVerified)).toBe(true);
    const signatures = apiCalls().map(({ headers }) => headers[headers.indexOf("signature") + 1]);
    expect(new Set(signatures).size).toBe(2);
  });

  test("Send calls the operator API with the token that was entered, and does not sign", async () => {
    await page.getByRole("link", { name: "Disburse operator API" }).click();
    await page.getByRole("heading", { name: "Disburse: operator API" }).waitFor();
    expect(await page.getByLabel("API secret").isVisible()).toBe(false);
    await page.getByPlaceholder("Token").first().fill("ot_example");
    await page.getByRole("button", { name: /Test Request.*get \/operator/s }).click();
    await send();
    await requestWindow().getByText("200 OK").waitFor();
    const call = calls.find(({ path }) => path === "/operator/v1/me");
    expect(call?.headers).toContain("Bearer ot_example");
    expect(call?.headers).not.toContain("signature");
  });

  test("credentials survive a reload only when the tab is set to remember them", async () => {
    await enterCredentials();
    await page.reload();
    expect(await bar().getByLabel("API secret").inputValue()).toBe("");

    await enterCredentials();
    await bar().getByLabel("Remember in this tab").check();
    await page.reload();
    await bar().getByText("Signing as").waitFor();
    expect(await bar().getByLabel("API secret").inputValue()).toBe(secret);
    // Holds cookies and local storage, not the tab's session storage.
    expect(JSON.stringify(await page.context().storageState())).not.toContain(secret);

    await bar().getByLabel("Remember in this tab").uncheck();
    await page.reload();
    expect(await bar().getByLabel("API secret").inputValue()).toBe("");
  });
});
