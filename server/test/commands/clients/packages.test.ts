// The clients in Python and PHP as packages: their types, their syntax, their metadata and the examples of their pages.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../../../../client/package.json" with { type: "json" };
import { clientsFolder, phpLoader, pythonFolder } from "../../support/clients.ts";
import { newCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";

const run = promisify(execFile);

await useService();

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "disburse-clients-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The examples of a page, one after the other: each goes on from the one before. */
const examplesOf = (language: string) =>
  [
    ...readFileSync(join(clientsFolder, language, "README.md"), "utf8").matchAll(
      new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"),
    ),
  ].map(([, code = ""]) => code.replace(/^<\?php\n/, ""));

testUnless(missingCommands("mypy"))(
  "mypy --strict finds nothing in the Python client, its story and its examples, as of Python 3.9",
  async () => {
    const folder = newFolder();
    const readme = join(folder, "readme.py");
    writeFileSync(readme, examplesOf("python").join("\n"));
    const wrong = join(folder, "wrong.py");
    const calls = `from disburse import Disburse
Disburse().receivers.list({"status": "asleep"})
Disburse().payouts.create({"amount": 1})
Disburse().balance.get()[0]["free"]
`;
    writeFileSync(wrong, calls);
    const words = ["--strict", "--cache-dir", join(folder, "cache"), "--python-version", "3.9"];
    const options = { cwd: folder, env: { ...process.env, MYPYPATH: pythonFolder } };
    const checked = [
      join(pythonFolder, "disburse"),
      join(clientsFolder, "story", "story.py"),
      readme,
    ];
    const { stdout } = await run("mypy", [...words, ...checked], options).catch((error) => error);
    expect(stdout).toMatch(/^Success: no issues found/);
    const refused = await run("mypy", [...words, wrong], options).catch((error) => error);
    expect(refused.stdout.match(/wrong\.py:\d/g)).toEqual([
      "wrong.py:2",
      "wrong.py:3",
      "wrong.py:4",
    ]);
  },
);

testUnless(missingCommands("php"))(
  "php -l finds nothing in the PHP client and its story",
  async () => {
    const sources = join(clientsFolder, "php", "src");
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
    const named = files.filter((file) => file.endsWith(".php")).map((file) => join(sources, file));
    expect(named.length).toBeGreaterThan(20);
    for (const file of [...named, join(clientsFolder, "story", "story.php")]) {
      const { stdout } = await run("php", ["-l", file]).catch((error) => error);
      expect(stdout.trim()).toBe(`No syntax errors detected in ${file}`);
    }
  },
);

testUnless(missingCommands("composer"))("composer finds the PHP package valid", async () => {
  const folder = newFolder();
  cpSync(join(clientsFolder, "php", "composer.json"), join(folder, "composer.json"));
  const words = ["validate", "--strict", "--no-interaction", "--working-dir", folder];
  const { stdout } = await run("composer", words).catch((error) => error);
  expect(stdout).toContain("composer.json is valid");
});

test("the packages depend on nothing, and the Python package is typed", () => {
  const pyproject = readFileSync(join(clientsFolder, "python", "pyproject.toml"), "utf8");
  expect(pyproject).toContain("dependencies = []");
  expect(pyproject).toContain('requires-python = ">=3.9"');
  expect(readdirSync(join(pythonFolder, "disburse"))).toContain("py.typed");
  const composer = JSON.parse(readFileSync(join(clientsFolder, "php", "composer.json"), "utf8"));
  const needed = Object.keys(composer.require);
  expect(needed.filter((name) => name !== "php" && !name.startsWith("ext-"))).toEqual([]);
  const tables = readFileSync(join(pythonFolder, "disburse", "tables.py"), "utf8");
  expect(tables).toContain(`VERSION = "${manifest.version}"`);
});

const printed = [
  "pending pending",
  "active",
  "12500 pending",
  "2 25000",
  "PAYO227 amount",
  "no such receiver",
  "zoe@example.com",
  "payoutFailure invoice 7",
  "payoutUpdate",
  "",
];

/** Runs the examples of a page with a new key. */
async function runExamples(program: string, file: string, start: string, examples: string[]) {
  const { key, secret } = await newCaller(service, { isAlone: true });
  const folder = newFolder();
  const secretOfHook = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const source = start + examples.join("\n").replaceAll("whsec_…", secretOfHook);
  const own = join(folder, file);
  writeFileSync(
    own,
    source
      .replaceAll("ak_test_…", key)
      .replaceAll("sk_test_…", secret)
      .replaceAll("https://payouts.example", service.baseUrl),
  );
  const env = { PATH: process.env.PATH, PYTHONPATH: pythonFolder, PYTHONDONTWRITEBYTECODE: "1" };
  return (await run(program, [own], { env })).stdout;
}

testUnless(missingCommands("python3"))("the examples of clients/python/README.md run", async () => {
  const stdout = await runExamples("python3", "readme.py", "", examplesOf("python"));
  expect(stdout.split("\n")).toEqual(printed);
});

testUnless(missingCommands("php"))("the examples of clients/php/README.md run", async () => {
  const examples = examplesOf("php").map((code) => code.replace(/^require .*\n/m, ""));
  const stdout = await runExamples("php", "readme.php", phpLoader, examples);
  expect(stdout.split("\n")).toEqual(printed);
});
