// prepare.mjs with the real npm, in a small project whose packages are local folders: no registry is called.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
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
import { readConfig } from "../../../src/platform/config/config.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..", "..");

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
    "packages/bank-formats": {},
    "packages/bank-simulator": {},
    "packages/name-matching": {},
    "prove/openapi-client": { devDependencies: ["for-documents"] },
    "tools/browser": { devDependencies: ["a-browser"] },
    "tools/node": {},
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
  const all = ["for-work", "for-the-build", "for-tests", "for-documents", "a-browser"];
  const inModules = (name: string) => join(folder, "node_modules", name);
  return {
    ...{ folder, write },
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

/** A project on a Node before 24, and a registry with a package of Node for this machine. */
async function newProjectWithOldNode() {
  const project = await newProject();
  const { folder, write } = project;
  const name = "a-node";
  const manifest = { name, version: "24.9.0" };
  write("packages/a-node/package.json", manifest);
  write("packages/a-node/include/a.h", "a header");
  write("packages/a-node/bin/node", "a binary");
  await run("npm", ["pack", "./packages/a-node", "--pack-destination", "."], { cwd: folder });
  const packed = readFileSync(join(folder, "a-node-24.9.0.tgz"));
  const registry = createServer(({ url }, response) => {
    if (url?.endsWith(".tgz")) return response.end(packed);
    const dist = { tarball: `${address}/a-node/-/a-node-24.9.0.tgz` };
    const versions = { "24.9.0": { ...manifest, dist } };
    return response.end(JSON.stringify({ name, "dist-tags": { latest: "24.9.0" }, versions }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => registry.once("listening", resolve));
  onTestFinished(() => void registry.close());
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

  const optionalDependencies = { [name]: "24.9.0" };
  const part = { name: "tools-node", version: "1.0.0", optionalDependencies };
  write("tools/node/package.json", part);
  const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  lock.packages["tools/node"] = part;
  const writeLock = (of: Buffer) => {
    const integrity = `sha512-${createHash("sha512").update(of).digest("base64")}`;
    const { platform: os, arch: cpu } = process;
    lock.packages["node_modules/a-node"] = {
      ...{ version: "24.9.0", integrity, optional: true, os: [os], cpu: [cpu] },
    };
    write("package-lock.json", lock);
  };
  writeLock(packed);
  write("old.mjs", `Object.defineProperty(process.versions, "node", { value: "20.1.0" });`);
  const environment = {
    NODE_OPTIONS: `--import ${join(folder, "old.mjs")}`,
    npm_config_offline: "false",
    npm_config_registry: address,
  };
  return {
    ...{ ...project, writeLock },
    prepare: () => project.prepare("start", environment),
    /** As npm does it when a Node was installed: node_modules/.bin is first on the PATH. */
    prepareByInstalledNode() {
      const path = project.inModules(join(".node-24.9.0", "node"));
      const text = `Object.defineProperty(process, "execPath", { value: ${JSON.stringify(path)} });`;
      write("installed.mjs", text);
      const NODE_OPTIONS = `--import ${join(folder, "installed.mjs")}`;
      return project.prepare("start", { ...environment, NODE_OPTIONS, npm_execpath: "" });
    },
  };
}

test("a Node before 24 gets another one: of its package only the binary", async () => {
  const { installed, prepare, inModules } = await newProjectWithOldNode();
  expect(await prepare()).toMatchObject({ code: 0 });
  expect(installed()).toEqual(forStart);
  const binary = join(".bin", "node");
  expect(readFileSync(inModules(binary), "utf8")).toBe("a binary");
  expect(statSync(inModules(binary)).mode & 0o777).toBe(0o755);
  expect(existsSync(inModules("a-node"))).toBe(false);
  // It is brought again where it is missing, and its link too.
  rmSync(realpathSync(inModules(binary)));
  expect((await prepare()).stderr).toContain("installed in");
  expect(readFileSync(inModules(binary), "utf8")).toBe("a binary");
});

test("after a change of the lock file, a Node that was installed before is there again", async () => {
  const { prepare, prepareByInstalledNode, inModules, write, folder } =
    await newProjectWithOldNode();
  await prepare();
  write("package-lock.json", `${readFileSync(join(folder, "package-lock.json"), "utf8")}\n`);
  const { code, stderr } = await prepareByInstalledNode();
  expect([code, stderr]).toEqual([0, expect.stringContaining("installed in")]);
  expect(readFileSync(inModules(join(".bin", "node")), "utf8")).toBe("a binary");
});

test("a package of Node that the lock file does not name is refused", async () => {
  const { prepare, writeLock, inModules } = await newProjectWithOldNode();
  writeLock(Buffer.from("another one"));
  const { code, stderr } = await prepare();
  expect([code, stderr]).toEqual([1, expect.stringContaining("is not what the lock file names")]);
  expect(existsSync(inModules(join(".bin", "node")))).toBe(false);
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
