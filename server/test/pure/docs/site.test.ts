// The documentation site as it is served: every link leads somewhere, every page is Markdown too, and what is made of all pages.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, expect, test } from "vitest";
import openapi from "../../../../openapi.json" with { type: "json" };
import type { buildApp } from "../../../src/doors/app/app.ts";
import { withDocumentApp } from "../../../src/doors/app/document-app.ts";
import { clientFaces } from "../../../src/doors/app/site/client-calls.ts";
import type { Site } from "../../../src/doors/app/site/site.ts";
import { refusals } from "../../../src/platform/refusals/refusals.ts";

type App = Awaited<ReturnType<typeof buildApp>>;

let app: App;
let site: Site;
let close: () => void;
let closed: Promise<void>;

beforeAll(async () => {
  app = await new Promise<App>((give) => {
    closed = withDocumentApp(async (built) => {
      give(built);
      await new Promise<void>((end) => {
        close = end;
      });
    });
  });
  site = app.documentationSite();
});

afterAll(async () => {
  close();
  await closed;
});

const get = async (address: string) => app.inject(address);
const read = (file: string) =>
  readFileSync(join(import.meta.dirname, "..", "..", "..", "..", file), "utf8");

/** Addresses that are served outside of the site. */
const served = ["/openapi.json", "/docs/send", "/docs/operator", "/docs/inter.woff2"];

test("no link of a page is dead, and no anchor", async () => {
  const html = new Map<string, string>();
  for (const { path } of site.pages) html.set(path, (await get(path)).payload);
  expect(html.size).toBeGreaterThan(500);
  const dead: string[] = [];
  for (const [path, page] of html) {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    if (new Set(ids).size < ids.length) dead.push(`${path} has an id twice`);
    for (const [, address = ""] of page.matchAll(/ (?:href|src|data-index)="([^"]+)"/g)) {
      if (/^(https?|mailto|data):/.test(address)) continue;
      const [to = "", anchor] = address.split("#");
      const target = to === "" ? path : to;
      const isThere = html.has(target) || site.files.includes(target) || served.includes(target);
      if (!isThere) dead.push(`${path}: ${address}`);
      const text = html.get(target);
      if (anchor && text && !text.includes(` id="${anchor}"`)) dead.push(`${path}: ${address}`);
    }
  }
  expect(dead).toEqual([]);
  const missing = [];
  for (const file of site.files)
    if ((await get(file)).statusCode !== 200 && !served.includes(file)) missing.push(file);
  expect(missing).toEqual([]);
});

test("every guide is a page, with all of its headings, and can be read as its file", async () => {
  const guides = site.pages.filter(({ source }) => source?.startsWith("docs/"));
  expect(guides.length).toBeGreaterThan(50);
  for (const { path, source = "" } of guides) {
    const markdown = (await get(`/${source}`)).payload;
    expect(markdown, source).toBe(read(source));
    const headings = markdown.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,4} (?=\S)/gm);
    const { payload } = await get(path);
    expect([...payload.matchAll(/<h[1-4] id=/g)].length, path).toBe([...headings].length);
    expect(payload, path).not.toMatch(/&lt;!--|undefined/);
  }
});

test("a page has a strict policy, is compressed, and is not sent twice", async () => {
  const headers = { "accept-encoding": "gzip, br" };
  const page = await app.inject({ url: "/docs/api/interface", headers });
  const policy = String(page.headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self'");
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toContain("unsafe");
  expect(page.headers["content-encoding"]).toBe("br");
  const again = await app.inject({
    url: "/docs/api/interface",
    headers: { ...headers, "if-none-match": String(page.headers.etag) },
  });
  expect([again.statusCode, again.payload]).toEqual([304, ""]);
  expect((await get("/docs/nowhere")).statusCode).toBe(404);
  expect((await get("/docs/../package.json")).statusCode).toBe(404);
});

test("each operation of both APIs has a page, and each of the public API code in four languages", async () => {
  for (const [path, methods] of Object.entries(openapi.paths)) {
    for (const { operationId } of Object.values(methods)) {
      expect(operationId in clientFaces, operationId).toBe(path.startsWith("/api/"));
      const { payload } = await get(`/docs/operations/${operationId}`);
      for (const title of ["curl", "TypeScript", "Python", "PHP"])
        expect(payload, operationId).toContain(`>${title}</label>`);
    }
  }
  const operator = (await get("/operator/v1/openapi.json")).json();
  const ids = Object.values<Record<string, { operationId: string }>>(operator.paths).flatMap(
    (methods) => Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(ids.length).toBeGreaterThan(100);
  const paths = new Set(site.pages.map(({ path }) => path));
  expect(ids.filter((id) => !paths.has(`/docs/operator/operations/${id}`))).toEqual([]);
});

test("a refusal leads to the page of its code, which has its text and its cure", async () => {
  for (const address of ["/api/receiver", "/nowhere", "/console/api/me", "/operator/v1/me"]) {
    const refused = await get(address);
    const [{ code }] = refused.json().error;
    expect(refused.headers.link, address).toBe(`</docs/errors/${code}>; rel="help"`);
  }
  for (const [code, [status, text, cure]] of Object.entries(refusals)) {
    const { payload } = await get(`/docs/errors/${code}.md`);
    for (const part of [String(status), text, cure]) expect(payload).toContain(part);
    expect((await get(`/docs/errors/${code}`)).statusCode).toBe(200);
  }
});

test("llms.txt names every page of the navigation, as Markdown that is there", async () => {
  const text = (await get("/llms.txt")).payload;
  const named = [...text.matchAll(/\]\((\S+)\)/g)].map(([, address = ""]) => address);
  expect(named.length).toBe(site.pages.filter(({ isAside }) => !isAside).length - 1);
  expect(named.filter((address) => !site.files.includes(address))).toEqual([]);
});

test("the search has every heading of every page, and no address that is dead", async () => {
  const entries = (await get("/docs/search.json")).json<string[][]>();
  const paths = new Set(site.pages.map(({ path }) => path));
  expect(entries.filter(([, , address]) => !paths.has(address?.split("#")[0] ?? ""))).toEqual([]);
  expect(
    entries.some(([title, heading]) => title === "The interface" && heading === "Idempotency"),
  ).toBe(true);
});

test("the feed has an entry for each release of the changelog", async () => {
  const { payload, headers } = await get("/docs/changelog.atom");
  expect(headers["content-type"]).toContain("application/atom+xml");
  const names: string[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => names.push(name));
  parser.write(payload).close();
  const releases = [...read("CHANGELOG.md").matchAll(/^## (?!Unreleased)(.+)$/gm)];
  expect(names.filter((name) => name === "entry")).toHaveLength(releases.length);
  for (const [, release = ""] of releases) {
    const [, version, day] = /^(\S+) \((\d{4}-\d\d-\d\d)\)$/.exec(release) ?? [];
    expect(payload).toContain(`<title>Disburse ${version}</title>`);
    expect(payload).toContain(`<updated>${day}T00:00:00Z</updated>`);
  }
  expect(payload).toContain('<link href="/docs/changelog"/>');
});

test("the collection has each operation once, and its script signs with version 2", async () => {
  const collection = (await get("/docs/disburse.postman_collection.json")).json();
  const requests = collection.item.flatMap((group: { item: object[] }) => group.item);
  const count = Object.values(openapi.paths).flatMap((methods) => Object.keys(methods)).length;
  expect(requests).toHaveLength(count);
  // The two functions of crypto-js that the script uses, in hexadecimal as they are there.
  const crypto = {
    SHA256: (text: string) => createHash("sha256").update(text).digest("hex"),
    HmacSHA256: (text: string, key: string) => createHmac("sha256", key).update(text).digest("hex"),
  };
  const variables: Record<string, string> = {
    apiKey: "ak_test_1",
    apiSecret: "sk",
    $guid: "g".repeat(36),
  };
  const headers = new Map<string, string>();
  const fill = (text: string) =>
    text.replaceAll(/\{\{(.+?)\}\}/g, (_, name) => variables[name] ?? "");
  const pm = {
    variables: { get: (name: string) => variables[name], replaceIn: fill },
    request: {
      method: "POST",
      url: { getPathWithQuery: () => "/api/receiver?a=1" },
      body: { raw: '{"key":"{{apiKey}}"}' },
      headers: { upsert: (one: { key: string; value: string }) => headers.set(one.key, one.value) },
    },
  };
  const script = collection.event[0].script.exec.join("\n");
  runInNewContext(script, { pm, require: () => crypto, Date, String });
  const [version, ms, nonce, hex] = String(headers.get("signature")).split(".");
  const body = '{"key":"ak_test_1"}';
  const lines = ["v2", ms, nonce, "ak_test_1", "POST", "/api/receiver?a=1", crypto.SHA256(body)];
  expect([version, hex]).toEqual(["v2", crypto.HmacSHA256(lines.join("\n"), "sk")]);
  expect(pm.request.body.raw).toBe(body);
});

test("the colours are those of the console", () => {
  const theme = read("console/src/theme.ts");
  const css = read("server/src/doors/app/site/site.css");
  const scheme = (name: string) =>
    new RegExp(`^ {2}${name}: \\{\n([\\s\\S]*?)^ {2}\\}`, "m").exec(theme)?.[1];
  for (const name of [
    "page-ground",
    "panel-ground",
    "panel-hover",
    "line",
    "line-strong",
    "text-quiet",
  ]) {
    const [, light, dark] =
      new RegExp(`--${name}: light-dark\\((\\S+), (\\S+)\\);`).exec(css) ?? [];
    expect(scheme("light"), name).toContain(`"--${name}": "${light}"`);
    expect(scheme("dark"), name).toContain(`"--${name}": "${dark}"`);
  }
});
