// prepare.mjs with the real npm, in a small project whose packages are local folders: no registry is called.

import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..");

/** A project with a workspace and a package of each kind. */
async function newProject() {
  const folder = mkdtempSync(join(tmpdir(), "disburse-prepare-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, content: object) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(content));
  };
  for (const name of ["for-work", "for-development", "for-some"]) {
    write(`packages/${name}/package.json`, { name, version: "1.0.0" });
  }
  write("app/package.json", {
    name: "app",
    version: "1.0.0",
    dependencies: { "for-work": "file:../packages/for-work" },
  });
  write("package.json", {
    name: "project",
    private: true,
    workspaces: ["app"],
    devDependencies: { "for-development": "file:packages/for-development" },
    optionalDependencies: { "for-some": "file:packages/for-some" },
  });
  copyFileSync(join(root, "prepare.mjs"), join(folder, "prepare.mjs"));

  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const environment = { ...process.env, PATH: path, npm_config_offline: "true" };
  const runIn = (command: string, words: string[], more: Record<string, string>) =>
    run(command, words, { cwd: folder, env: { ...environment, ...more } });
  await runIn("npm", ["install", "--package-lock-only", "--ignore-scripts"], {});
  return {
    inModules: (name: string) => join(folder, "node_modules", name),
    has: (name: string) => existsSync(join(folder, "node_modules", name)),
    prepare: (more: Record<string, string> = {}) =>
      runIn(process.execPath, ["prepare.mjs"], more).then(({ stderr }) => stderr),
  };
}

test.each([
  { NODE_ENV: "production" },
  // npm reads a list from the environment in this form.
  { npm_config_omit: "dev\n\noptional" },
])("the packages that npm start needs are installed with %j", async (environment) => {
  const { has, prepare } = await newProject();
  await prepare(environment);
  const missing = ["for-work", "for-development", "for-some"].filter((name) => !has(name));
  expect(missing).toEqual([]);
});

test("an incomplete installation is completed, and a complete one is not changed", async () => {
  const { has, prepare, inModules } = await newProject();
  await prepare();
  rmSync(inModules("for-development"));
  expect(await prepare()).toContain("installed in");
  expect(has("for-development")).toBe(true);
  const stampedMs = statSync(inModules(".installed")).mtimeMs;
  expect(await prepare()).toBe("");
  expect(statSync(inModules(".installed")).mtimeMs).toBe(stampedMs);
});
