// disburse conformance, from the packed command line in an empty folder and from the server: its reports, its exit codes, what it
// hides, and which keys it takes.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { XmlDocument } from "libxml2-wasm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addedPromises, basePromises } from "../../../../packages/conformance/src/index.ts";
import { writePackages } from "../../../pack.ts";
import { startChangingProxy } from "../../support/changing-proxy.ts";
import { command } from "../../support/commands.ts";
import { sign, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService({ bankDelayMs: 0 });

const folder = mkdtempSync(join(tmpdir(), "disburse-conformance-"));
const empty = join(folder, "empty");
beforeAll(() => {
  writePackages(join(folder, "packages"));
  mkdirSync(empty);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Environment = Record<string, string>;

/** Without a clone, a profile and a database. */
async function packed(words: string[], environment: Environment = {}) {
  const bin = join(folder, "packages", "command-line", "dist", "main.js");
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: empty, ...environment };
  const child = spawn(process.execPath, [bin, "conformance", ...words], { cwd: empty, env });
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed,
  ]);
  return { stdout, stderr, code };
}

const inEnvironment = ({ key, secret }: TestCaller): Environment => ({
  DISBURSE_API_KEY: key,
  DISBURSE_API_SECRET: secret,
});

test("packed, it reports as JSON and as JUnit, without secrets and account numbers", async () => {
  const [by, other] = [await service.newCaller(), await service.newCaller()];
  const environment = {
    ...inEnvironment(by),
    DISBURSE_OTHER_API_KEY: other.key,
    DISBURSE_OTHER_API_SECRET: other.secret,
  };
  const words = [service.baseUrl, "--disburse", "--json", "--junit", "report.xml"];
  const { stdout, stderr, code } = await packed(words, environment);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  const report = JSON.parse(stdout);
  const all = basePromises.length + addedPromises.length;
  expect(report).toMatchObject({ kept: all, broken: 0, not_tried: 0, url: service.baseUrl });
  expect(Object.keys(report.promises[0]).sort()).toEqual(
    ["expected", "name", "outcome", "promise", "request", "section", "seen"].sort(),
  );
  const junit = readFileSync(join(empty, "report.xml"), "utf8");
  const document = XmlDocument.fromString(junit);
  expect(document.find("//testcase")).toHaveLength(all);
  expect(document.find("//failure")).toHaveLength(0);
  document.dispose();
  for (const shown of [stdout, junit]) {
    for (const secret of [by.secret, other.secret]) expect(shown).not.toContain(secret);
    expect(shown).not.toMatch(/0?12345(999|111)/);
    expect(shown).not.toContain('"signature"');
  }
  const found = await by.call("GET", `/api/receiver?reference=${report.marker}`);
  expect(found.json.payload).toHaveLength(2);
  for (const { first_name } of found.json.payload) expect(first_name).toBe("Conformance");
});

test("the server's command says which line is broken, and what was expected and seen", async () => {
  const by = await service.newCaller();
  const url = await startChangingProxy(service.baseUrl, {
    answered: (answered) => ({
      ...answered,
      text: answered.text.replace("Email already exist", "Email <already> exists"),
    }),
  });
  const secretFile = join(folder, "secret.txt");
  writeFileSync(secretFile, `${by.secret}\n`);
  const junit = join(folder, "broken.xml");
  const words = [
    "conformance",
    url,
    "--key",
    by.key,
    "--secret-file",
    secretFile,
    "--junit",
    junit,
  ];
  const { stdout, stderr, code } = await command(words);
  expect({ stderr, code }).toEqual({ stderr: "", code: 1 });
  const [, block] =
    /\n(broken {5}7 {2}createReceiver\.taken\.text: .*\n(?: {11}.*\n){3})/.exec(stdout) ?? [];
  expect(block).toMatch(/^ {11}request {3}POST \/api\/receiver \{"first_name":"Conformance",/m);
  expect(block).toContain('expected  error.0.message: "Email already exist"\n');
  expect(block).toContain('seen      error.0.message: "Email <already> exists"\n');
  expect(stdout.match(/^broken /gm)).toHaveLength(1);
  expect(stdout).toMatch(new RegExp(`^${basePromises.length} promises: .* 1 broken, `, "m"));
  const document = XmlDocument.fromString(readFileSync(junit, "utf8"));
  expect(document.find("//failure")).toHaveLength(1);
  document.dispose();
});

test("a live key is refused by its name before anything is sent, and by the word of the server before anything is written", async () => {
  const live = await service.newCaller({ mode: "live" });
  const named = await packed(["http://127.0.0.1:9", "--disburse"], inEnvironment(live));
  expect(named.code).toBe(2);
  expect(named.stderr).toBe("The key is a live one by its name. Give a test key.\n");

  // Behind another name, the server knows.
  const asked: string[] = [];
  const url = await startChangingProxy(service.baseUrl, {
    asked: (request) => {
      asked.push(`${request.method} ${request.path}`);
      const signature = sign({ ...request, key: live.key, secret: live.secret });
      return { ...request, headers: { ...request.headers, "x-api-key": live.key, signature } };
    },
  });
  const words = [url, "--key", "k1", "--secret", "s1", "--test-key"];
  const told = await packed(words);
  expect(told).toMatchObject({ code: 2, stdout: "" });
  expect(told.stderr).toBe("The server says that the key is a live one. Give a test key.\n");
  expect(asked).toEqual(["POST /api/test-helpers/status"]);
});

test("where neither key nor server says that it is a test key, the caller has to", async () => {
  const by = await service.newCaller();
  const url = await startChangingProxy(service.baseUrl, {
    asked: (request) => {
      const { "x-api-key": key, signature } = request.headers;
      if (key !== "k1" || !signature) return request;
      const again = sign({ ...request, key: by.key, secret: by.secret });
      return { ...request, headers: { ...request.headers, "x-api-key": by.key, signature: again } };
    },
    answered: (answered, { path }) =>
      path.startsWith("/api/test-helpers")
        ? { ...answered, status: 404, text: "not found" }
        : answered,
  });
  const words = [url, "--key", "k1", "--secret", "s1"];
  const refused = await packed(words);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("add --test-key");
  expect((await by.call("GET", "/api/receiver")).json.payload).toEqual([]);
  // The proxy signs whatever it gets, so forged signatures are accepted.
  const begun = await packed([...words, "--test-key"]);
  expect(begun.code).toBe(1);
  expect(begun.stdout).toMatch(/^broken {5}5 {2}getReceiver\.forged/m);
  expect(begun.stdout).toMatch(/^kept {7}4\.3 {2}createReceiver\.status/m);
});

test("what it can't begin with is said, with exit code 2", async () => {
  const by = await service.newCaller();
  const credentials = inEnvironment(by);
  const said = async (words: string[], environment: Environment = credentials) => {
    const { code, stderr, stdout } = await packed(words, environment);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toContain(by.secret);
    return stderr;
  };
  expect(await said([])).toContain("Usage: disburse conformance <url>");
  expect(await said([service.baseUrl, "--nothing"])).toContain("--nothing");
  expect(await said([service.baseUrl], {})).toContain("Give --key");
  expect(await said(["payouts.example.com"])).toContain("Give the address of the service");
  expect(await said(["http://user:word@127.0.0.1"])).not.toContain("word");
  expect(await said([service.baseUrl, "--secret-file", "missing"])).toContain(
    "missing can't be used",
  );
  expect(await said([service.baseUrl, "--other-key", "ak_test_1"])).toContain("Give both");
  expect(await said(["http://127.0.0.1:9"])).toContain("can't be reached");
  const forged = { ...credentials, DISBURSE_API_SECRET: "sk_test_wrong" };
  expect(await said([service.baseUrl], forged)).toContain("AUTH105");
  const help = await packed(["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toContain("--secret-file <file>");
});
