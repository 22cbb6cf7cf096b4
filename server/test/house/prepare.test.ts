// prepare.mjs with the real npm, in a small project whose packages are local folders: no registry is called.

import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..");

type Run = { code: number; stderr: string };

/** A project with the folders of this one, a package in each, and an empty build of the client. */
async function newProject() {
  const folder = mkdtempSync(join(tmpdir(), "disburse-prepare-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, content: object | string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(folder, path), text);
  };
  const parts = {
    server: { dependencies: ["for-work"] },
    console: { devDependencies: ["for-the-build"] },
    client: {},
    "prove/openapi-client": { devDependencies: ["for-documents"] },
    "tools/browser": { devDependencies: ["a-browser"] },
    "tools/node": { optionalDependencies: ["a-node"] },
  };
  for (const [part, kinds] of Object.entries(parts)) {
    const manifest: Record<string, unknown> = { name: part.replace("/", "-"), version: "1.0.0" };
    const up = part.includes("/") ? "../.." : "..";
    for (const [kind, names] of Object.entries(kinds)) {
      manifest[kind] = Object.fromEntries(
        names.map((name) => [name, `file:${up}/packages/${name}`]),
      );
      for (const name of names) write(`packages/${name}/package.json`, { name, version: "1.0.0" });
    }
    write(`${part}/package.json`, manifest);
  }
  write("packages/for-tests/package.json", { name: "for-tests", version: "1.0.0" });
  write("package.json", {
    name: "project",
    private: true,
    workspaces: Object.keys(parts),
    devDependencies: { "for-tests": "file:packages/for-tests" },
  });
  write("client/build.ts", "");
  copyFileSync(join(root, "prepare.mjs"), join(folder, "prepare.mjs"));

  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const environment = { ...process.env, PATH: path, npm_config_offline: "true", PORT: "0" };
  const runIn = (command: string, words: string[], more: Record<string, string>): Promise<Run> =>
    run(command, words, { cwd: folder, env: { ...environment, ...more } }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }) => ({ code, stderr }),
    );
  await runIn("npm", ["install", "--package-lock-only", "--ignore-scripts"], {});
  const all = ["for-work", "for-the-build", "for-tests", "for-documents", "a-browser", "a-node"];
  const inModules = (name: string) => join(folder, "node_modules", name);
  return {
    inModules,
    installed: () => all.filter((name) => existsSync(inModules(name))),
    prepare: (stage: string, more: Record<string, string> = {}) =>
      runIn(process.execPath, ["prepare.mjs", "--for", stage], more),
  };
}

const forStart = ["for-work", "for-the-build"];
const forTests = [...forStart, "for-tests"];

test.each([
  { NODE_ENV: "production", DISBURSE_EMBEDDED: "1" },
  // npm reads a list from the environment in this form.
  { npm_config_omit: "dev\n\noptional" },
])("npm start installs what it needs and nothing else, with %j", async (environment) => {
  const { installed, prepare } = await newProject();
  await prepare("start", environment);
  // The Node that runs this test is new enough, so no other is installed.
  expect(installed()).toEqual(forStart);
});

test("npm test adds its packages to those that are there, and npm start keeps them", async () => {
  const { installed, prepare, inModules } = await newProject();
  await prepare("start");
  const marks = [join("for-work", "kept"), "kept"].map(inModules);
  for (const file of marks) writeFileSync(file, "");
  await prepare("test");
  expect(installed()).toEqual(forTests);
  // `npm ci` would have deleted it.
  expect(marks.map((file) => existsSync(file))).toEqual([true, true]);
  await prepare("all");
  expect(installed()).toEqual([...forTests, "for-documents", "a-browser"]);
  expect((await prepare("start")).stderr).toBe("");
  expect(installed()).toContain("a-browser");
});

test("an incomplete installation is completed, and a complete one is not changed", async () => {
  const { installed, prepare, inModules } = await newProject();
  await prepare("test");
  rmSync(inModules("for-tests"));
  expect((await prepare("start")).stderr).toContain("installed in");
  expect(installed()).toEqual(forTests);
  const stampedMs = statSync(inModules(".installed.json")).mtimeMs;
  expect((await prepare("test")).stderr).toBe("");
  expect(statSync(inModules(".installed.json")).mtimeMs).toBe(stampedMs);
});

test("a Node before 24 gets another one", async () => {
  const { installed, prepare } = await newProject();
  const old = join(mkdtempSync(join(tmpdir(), "disburse-old-node-")), "old.mjs");
  onTestFinished(() => rmSync(dirname(old), { recursive: true, force: true }));
  writeFileSync(old, `Object.defineProperty(process.versions, "node", { value: "20.1.0" });`);
  await prepare("start", { NODE_OPTIONS: `--import ${old}` });
  expect(installed()).toEqual([...forStart, "a-node"]);
});

test.each(["PORT", "ADMIN_PORT"])(
  "a %s that is in use is reported before anything is installed",
  async (name) => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { installed, prepare } = await newProject();
    const { code, stderr } = await prepare("start", { [name]: String(port) });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `disburse: Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set ${name} to another port.\n`,
    );
    expect(installed()).toEqual([]);
  },
);

test("production without a database is refused in the words of the service, before anything is installed", async () => {
  const { installed, prepare } = await newProject();
  const environment = { NODE_ENV: "production" };
  const { code, stderr } = await prepare("start", { ...environment, DATABASE_URL: "" });
  expect(code).toBe(1);
  expect(() => readConfig(environment)).toThrow(stderr.replace("disburse: ", "").trim());
  expect(installed()).toEqual([]);
});

test("the addresses that are tried are those that the service listens on by default", () => {
  const { host, port, admin } = readConfig({});
  const text = readFileSync(join(root, "prepare.mjs"), "utf8");
  expect(text).toContain(`"PORT", PORT || "${port}", HOST || "${host}"`);
  expect(text).toContain(`ADMIN_HOST || "${admin.host}"`);
});

test("every folder with packages is part of a stage, and every command names one", () => {
  const { workspaces, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const text = readFileSync(join(root, "prepare.mjs"), "utf8");
  for (const folder of workspaces) expect(text).toContain(`"${folder}"`);
  const preparing = Object.values<string>(scripts).filter((line) => line.includes("prepare.mjs"));
  expect(preparing.length).toBeGreaterThan(5);
  for (const line of preparing) expect(line).toMatch(/^node prepare\.mjs --for (start|test|all) /);
});
