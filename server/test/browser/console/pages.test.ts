// The console's page and its files: their headers and sizes, and that no other file is served.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { budget, overBudget, sizesOf } from "../../../../console/budget.ts";
import {
  decimalsOf,
  moneyHint,
  moneyText,
  readMoney,
} from "../../../../console/src/state/money.ts";
import { registerConsolePages } from "../../../src/doors/app/console-pages.ts";
import { currencyCodes, decimals, parseDecimal } from "../../../src/platform/base/money.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { buildConsole, consoleDist } from "../../support/console-build.ts";
import { openWire } from "../../support/raw-http.ts";
import { startService } from "../../support/service.ts";

await buildConsole();
const service = await closeAfterTests(startService());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.baseUrl + path, { headers, redirect: "manual" });

const someId = "01890a5d-ac96-774b-bcce-b302099a8057";
const pages = [
  "/console",
  "/console/",
  "/console/sign-in",
  `/console/s/${someId}/payouts/${someId}`,
];

test.each(pages)("%s is the page, with a strict policy and a new nonce each time", async (path) => {
  const [first, second] = await Promise.all([get(path), get(`${path}?next=%2F`)]);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(first.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const nonceOf = ({ headers }: Response) =>
    /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1];
  const nonce = nonceOf(first);
  expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
  expect(nonceOf(second)).not.toBe(nonce);
  expect(first.headers.get("content-security-policy")?.split("; ").sort()).toEqual(
    [
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "manifest-src 'self'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
    ].sort(),
  );
  expect(Object.fromEntries(first.headers)).toMatchObject({
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  const html = await first.text();
  expect(html).toContain(`nonce="${nonce}"`);
  expect(html).not.toMatch(/\{\{|<style|<script(?![^>]* src="\/console\/assets\/)/);
});

test("HEAD works like GET, other methods are refused, and unknown API and asset paths are not found", async () => {
  const head = await fetch(`${service.baseUrl}/console/sign-in`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  for (const path of ["/console/sign-in", `/console/s/${someId}/overview`]) {
    const post = await fetch(service.baseUrl + path, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  }
  for (const path of ["/console/api", "/console/api/nothing", "/console/assets"]) {
    const { status, headers } = await get(path);
    expect([path, status, headers.get("content-type")]).toEqual([
      ...[path, 404, "application/json; charset=utf-8"],
    ]);
  }
});

test("files are compressed for clients that accept it, and cached for a year", async () => {
  const html = await (await get("/console")).text();
  const files = [...html.matchAll(/"(\/console\/assets\/[^"]+\.(?:js|css))"/g)].map(([, at]) => at);
  expect(files.length).toBeGreaterThan(1);
  for (const path of files as string[]) {
    const name = path.replace("/console/", "");
    const content = readFileSync(join(consoleDist, name));
    for (const [accepted, encoding, decode] of [
      ["br, gzip", "br", brotliDecompressSync],
      ["gzip", "gzip", gunzipSync],
      ["identity", undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const { status, headers, bytes } = await rawGet(path, accepted);
      expect([status, headers.get("content-encoding")]).toEqual([200, encoding]);
      expect(decode(bytes).equals(content)).toBe(true);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("vary")).toMatch(/accept-encoding/i);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-type")).toMatch(
        /^(application\/javascript|text\/css); charset=utf-8$/i,
      );
    }
  }
});

/** The bytes as they were sent: fetch would decompress them. */
async function rawGet(path: string, accepted: string) {
  const { request } = await import("node:http");
  return new Promise<{ status: number; headers: Map<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const headers = { "accept-encoding": accepted };
      request(service.baseUrl + path, { headers }, async (answer) => {
        const bytes = Buffer.concat(await answer.toArray());
        const given = new Map<string, unknown>(Object.entries(answer.headers));
        resolve({ status: answer.statusCode ?? 0, headers: given, bytes });
      })
        .on("error", reject)
        .end();
    },
  );
}

test.each([
  "../index.html",
  "..%2findex.html",
  "%2e%2e/index.html",
  "..%5cindex.html",
  "../.built",
  "../../package.json",
  "%2e%2e%2f%2e%2e%2fpackage.json",
  "..%252f..%252fpackage.json",
  "./../.vite/manifest.json",
  "//etc/passwd",
  "%00",
  "nothing.js",
  "",
])("/console/assets/%s is not found", async (path) => {
  const wire = await openWire(service.port);
  wire.write(`GET /console/assets/${path} HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\n\r\n`);
  const answer = await wire.answer();
  wire.socket.destroy();
  expect(answer?.status).toBe(404);
  expect(JSON.parse(answer?.text ?? "").error[0].code).toBe("SYST101");
});

test("a browser gets the page for any unknown console URL, but not for API or asset paths", async () => {
  const accept = "text/html,*/*;q=0.8";
  for (const path of ["/console/no/such/page", "/console/no/such/page/at/all?x=1"]) {
    const answer = await get(path, { accept });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect(answer.headers.get("content-security-policy")).toContain("'nonce-");
    expect((await get(path)).status).toBe(404);
  }
  for (const path of ["/console/api/nothing/here", "/console/assets/nothing.js", "/api/no/such"]) {
    const answer = await get(path, { accept });
    expect([answer.status, (await answer.json()).error[0].code]).toEqual([404, "SYST101"]);
  }
});

test("without a build, the page says how to build it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "disburse-unbuilt-"));
  const app = Fastify();
  await registerConsolePages(app, pathToFileURL(`${folder}/`));
  const page = await app.inject({ url: "/console/sign-in" });
  expect([page.statusCode, page.headers["content-type"]]).toEqual([
    503,
    "text/plain; charset=utf-8",
  ]);
  expect(page.body).toContain("npm start");
  expect(page.body).toContain("node console/build.ts");
  expect((await app.inject({ url: "/console/assets/x.js" })).statusCode).toBe(404);
  await app.close();
  rmSync(folder, { recursive: true });
});

test("the page is within its size budget, and each file has its compressed forms", () => {
  const sizes = sizesOf(consoleDist);
  expect(overBudget(sizes)).toEqual([]);
  expect(sizes.firstLoad.gzip).toBeGreaterThan(50_000);
  expect(sizes.routes.length).toBeGreaterThan(3);
  const heavy = { name: "x", gzip: budget.routeBytesMax + 1, brotli: 0 };
  expect(overBudget({ firstLoad: sizes.firstLoad, routes: [heavy] })).toHaveLength(1);
  const files = readdirSync(join(consoleDist, "assets"));
  for (const file of files.filter((name) => /\.(js|css)$/.test(name)))
    expect(files).toEqual(expect.arrayContaining([`${file}.br`, `${file}.gz`]));
});

test("the page shows amounts with the same decimals as the server", () => {
  for (const code of currencyCodes)
    expect([code, decimalsOf(code)]).toEqual([code, decimals(code)]);
  expect(moneyText(123456789, "AUD")).toBe("1,234,567.89 AUD");
  expect(moneyText(-5, "AUD")).toBe("−0.05 AUD");
  expect(moneyText(1000, "JPY")).toBe("1,000 JPY");
  expect(moneyText(9_007_199_254_740_991, "KWD")).toBe("9,007,199,254,740.991 KWD");
  expect(moneyHint("AUD")).toContain("1250.00 or 1,250.00");
});

test.each([
  ["1250", "AUD", 125_000],
  [" 1250.5 ", "AUD", 125_050],
  ["1,250.00", "AUD", 125_000],
  ["1,234.5", "AUD", 123_450],
  ["1,234,567", "JPY", 1_234_567],
  ["0", "AUD", 0],
  ["1.250", "KWD", 1_250],
  ["1,250.000", "KWD", 1_250_000],
])("the amount %s in %s is read", (text, currency, amount) => {
  expect(readMoney(text, currency)).toBe(amount);
});

test.each([
  ...["12,50", "100,00", "1.250,00", "1,25.00", ",250", "12,5000", "1,,250", "1250,", "1250."],
  ...["12.345", "1e3", "-1", "007", ".5", "1 250", "1'250", "", "99999999999999999"],
])("the amount %s is refused, not misread", (text) => {
  expect(readMoney(text, "AUD")).toBeUndefined();
});

test("a typed amount means the same as in an imported file, or is refused", () => {
  const texts = ["12,50", "1,250", "1250", "1250.5", "0.05", "12.505", "1.250", "12.5", "01", "7."];
  for (const text of texts)
    for (const currency of ["AUD", "JPY", "KWD", "CLF"]) {
      const imported = parseDecimal(text, currency);
      const typed = readMoney(text, currency);
      if (imported !== undefined) expect([text, typed]).toEqual([text, Number(imported)]);
      else if (typed !== undefined) expect(text).toBe("1,250");
    }
  expect(readMoney("1,250", "KWD")).toBeUndefined();
});
