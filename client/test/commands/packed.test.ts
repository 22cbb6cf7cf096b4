// The package from a fresh clone: packed, installed elsewhere, imported, required and typed.

import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..");
const folder = mkdtempSync(join(tmpdir(), "disburse-packed-"));
const clone = join(folder, "clone");
const project = join(folder, "project");
const packageFolder = join(project, "node_modules", "@disburse", "client");
const env = {
  ...process.env,
  PATH: `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH}`,
  // Set by the npm that runs these tests, for this repository's workspaces.
  npm_config_local_prefix: undefined,
  npm_config_offline: "true",
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const parts = ["client", "prepare.mjs", "package.json", "package-lock.json", ".npmrc"];
  const words = ["ls-files", "--cached", "--others", "--exclude-standard", ...parts];
  const tracked = execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim().split("\n");
  for (const file of tracked.filter((name) => existsSync(join(root, name)))) {
    mkdirSync(join(clone, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(clone, file));
  }
  installCompiler(join(clone, "node_modules"));
  await run("npm", ["pack", "--pack-destination", folder], { cwd: join(clone, "client"), env });
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), `{ "name": "shop", "private": true }\n`);
  const tarball = join(folder, `disburse-client-${manifest.version}.tgz`);
  const install = ["install", "--offline", "--no-audit", "--no-fund", tarball];
  await run("npm", install, { cwd: project, env });
});

/** As prepare.mjs leaves it: with what builds the client, and nothing else. */
function installCompiler(modules: string): void {
  mkdirSync(modules);
  for (const name of [".bin", "typescript", "@typescript"])
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  const lock = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  const stamp = { lock: lock.digest("hex"), folders: ["client"] };
  writeFileSync(join(modules, ".installed.json"), JSON.stringify(stamp));
  mkdirSync(join(clone, "tools", "node"), { recursive: true });
  writeFileSync(join(clone, "tools", "node", "package.json"), "{}");
}

test("npm pack ./client in the clone makes the same package", async () => {
  const other = join(folder, "other");
  mkdirSync(other);
  rmSync(join(clone, "client", "dist"), { recursive: true });
  const words = ["pack", "./client", "--silent", "--pack-destination", other];
  const { stdout } = await run("npm", words, { cwd: clone, env });
  const list = (file: string) => execFileSync("tar", ["-tzf", file], { encoding: "utf8" });
  const name = stdout.trim();
  expect(list(join(other, name)).split("\n").sort()).toEqual(
    list(join(folder, name)).split("\n").sort(),
  );
});

test("npm pack of a fresh clone builds the package: it can be imported and required", async () => {
  const program = "console.log(typeof Disburse, typeof webhooks.verify, typeof signV2)";
  const names = "{ Disburse, signV2, webhooks }";
  writeFileSync(join(project, "a.mjs"), `import ${names} from "@disburse/client";\n${program}`);
  writeFileSync(
    join(project, "b.cjs"),
    `const ${names} = require("@disburse/client");\n${program}`,
  );
  for (const file of ["a.mjs", "b.cjs"]) {
    const { stdout } = await run(process.execPath, [file], { cwd: project });
    expect(stdout.trim()).toBe("function function function");
  }
});

test("its types compile with TypeScript 5, for import and for require", async () => {
  const program = `
    import { Disburse, type Payout } from "@disburse/client";
    export const payouts: AsyncIterable<Payout> = new Disburse().payouts.list({ status: "failed" });
    // @ts-expect-error: there is no such status
    new Disburse().payouts.list({ status: "paid" });
  `;
  writeFileSync(join(project, "a.mts"), program);
  writeFileSync(join(project, "b.cts"), program);
  const typescript5 = join(root, "prove", "openapi-client", "node_modules", "typescript");
  expect(JSON.parse(readFileSync(join(typescript5, "package.json"), "utf8")).version).toMatch(
    /^5\./,
  );
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: false,
    module: "nodenext",
    target: "es2022",
    types: [],
    lib: ["es2022", "dom", "dom.iterable"],
  };
  const config = JSON.stringify({ compilerOptions, files: ["a.mts", "b.cts"] });
  writeFileSync(join(project, "tsconfig.json"), config);
  const words = [join(typescript5, "bin", "tsc"), "-p", project];
  const { stdout } = await run(process.execPath, words).catch((error) => error);
  expect(stdout).toBe("");
});

test("declarations have no .ts import and no generic Uint8Array, which TypeScript before 5.7 can't read", () => {
  for (const half of ["esm", "cjs"]) {
    const dist = join(packageFolder, "dist", half);
    const declarations = readdirSync(dist).filter((name) => name.endsWith(".d.ts"));
    expect(declarations.length).toBeGreaterThan(20);
    for (const name of declarations) {
      const text = readFileSync(join(dist, name), "utf8");
      expect(text).not.toMatch(/["']\.\/[\w-]+\.ts["']|Uint8Array</);
    }
  }
});

test("in a clone the package is built once, and again when its sources change", async () => {
  const built = join(clone, "client", "dist", "esm", "index.js");
  const build = async () => {
    const words = [join(clone, "client", "build.ts"), "--if-changed"];
    await run(process.execPath, words);
    return statSync(built).ino;
  };
  const first = await build();
  expect(await build()).toBe(first);
  const version = join(clone, "client", "src", "version.ts");
  writeFileSync(version, `${readFileSync(version, "utf8")}export const changed = 1;\n`);
  await build();
  const text = readFileSync(join(dirname(built), "version.js"), "utf8");
  expect(text).toContain("changed");
});
