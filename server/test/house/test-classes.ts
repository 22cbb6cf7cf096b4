// The class of each test file, which is its project in Vitest. `npm test` runs the quick classes, `npm run test:all` all.

import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

export const testClasses = ["tidy", "client", "service", "commands", "browser", "long"] as const;
export type TestClass = (typeof testClasses)[number];

/** Service files that take longest by design: each one is many sequences, rows, requests or SFTP sessions. */
export const longByDesign: readonly string[] = [
  "server/test/api/fuzz-writes.test.ts",
  "server/test/api/fuzz.test.ts",
  "server/test/api/tenants.test.ts",
  "server/test/banks/inbound-folder-servers.test.ts",
  "server/test/banks/inbound-folder.test.ts",
  "server/test/banks/inbound-large.test.ts",
  "server/test/banks/sftp.test.ts",
  "server/test/rules/payout-plans.test.ts",
];

/** What a file is or imports, also through other test files. The first rule that fits decides. */
const rules: readonly { testClass: TestClass; path?: RegExp; imports?: RegExp }[] = [
  { testClass: "tidy", path: /^server\/test\/house\/tidy/ },
  { testClass: "browser", imports: /^playwright-core$|\/support\/console-build\.ts$/ },
  {
    testClass: "long",
    path: /^server\/test\/crashes\//,
    imports: /\/scenarios\/[\w-]+-run\.ts$|\/support\/(own-postgres|postgres-servers|worker)\.ts$/,
  },
  {
    testClass: "commands",
    path: /^server\/test\/cli\//,
    imports: /^node:child_process$|\/support\/programs\.ts$/,
  },
  { testClass: "client", path: /^client\/test\// },
  { testClass: "service", path: /^server\/test\// },
];

export function classOf(file: string): TestClass | undefined {
  if (longByDesign.includes(file)) return "long";
  const reached = [...importsOf(file)];
  return rules.find(
    ({ path, imports }) =>
      path?.test(file) || (imports !== undefined && reached.some((name) => imports.test(name))),
  )?.testClass;
}

/** The files of each class, as paths from the root. */
export function filesByClass(): Map<TestClass, string[]> {
  const files = globSync(["server/test/**/*.test.ts", "client/test/**/*.test.ts"], { cwd: root });
  const found = new Map<TestClass, string[]>(testClasses.map((name) => [name, []]));
  for (const file of files.sort()) found.get(classOf(file) as TestClass)?.push(file);
  return found;
}

/** The packages and test files that a test file imports, also through others. */
export function importsOf(file: string, known = new Set<string>()): Set<string> {
  for (const name of directImports(file)) {
    const path = name.startsWith(".") ? join(dirname(file), name) : name;
    if (known.has(path)) continue;
    known.add(path);
    if (/^(server|client)\/test\//.test(path) && existsSync(join(root, path)))
      importsOf(path, known);
  }
  return known;
}

const read = new Map<string, string[]>();

function directImports(file: string): string[] {
  const known = read.get(file);
  if (known) return known;
  const text = readFileSync(join(root, file), "utf8");
  // A type is no code.
  const values = text.replaceAll(/^(?:import|export) type [^;]*;$/gm, "");
  const names = [...values.matchAll(/(?:\bfrom|\bimport\(|^import)\s*"([^"]+)"/gm)].map(
    ([, name]) => name as string,
  );
  read.set(file, names);
  return names;
}
