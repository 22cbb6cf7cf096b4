// The version and the dependencies in package.json.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { VERSION } from "../src/version.ts";

test("the version in the user agent is the version of the package", () => {
  expect(VERSION).toBe(manifest.version);
});

test("the package has no dependencies", () => {
  const kinds = Object.keys(manifest).filter((key) => /dependencies/i.test(key));
  // Those for development are not installed with the package.
  expect(kinds.filter((kind) => kind !== "devDependencies")).toEqual([]);
  const folder = join(import.meta.dirname, "..", "src");
  for (const file of readdirSync(folder)) {
    const source = readFileSync(join(folder, file), "utf8");
    const imports = [...source.matchAll(/from "([^"]+)"/g)].map(([, name]) => name);
    expect(imports.filter((name) => !name?.startsWith("./"))).toEqual([]);
    expect(source).not.toMatch(/\bBuffer\b|\brequire\(|[^.]\bprocess\.env/);
  }
});
