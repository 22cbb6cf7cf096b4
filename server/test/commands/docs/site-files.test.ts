// The documentation site as files, as a release has it: any web server can serve the folder.

import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const program = join(import.meta.dirname, "../../../src/doors/app/write-site.ts");

test("every address in the files is relative, and leads to one of them", () => {
  const folder = mkdtempSync(join(tmpdir(), "disburse-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [program, folder]);
  const pages = globSync("**/*.html", { cwd: folder });
  expect(pages.length).toBeGreaterThan(500);
  for (const file of [
    "index.html",
    "start/going-live.md",
    "llms.txt",
    "changelog.atom",
    "openapi.json",
  ])
    expect(existsSync(join(folder, file)), file).toBe(true);
  const bad: string[] = [];
  for (const page of pages) {
    const html = readFileSync(join(folder, page), "utf8");
    for (const [, address = ""] of html.matchAll(/ (?:href|src|data-index)="([^"#]+)/g)) {
      if (/^(https?|mailto|data):/.test(address) || address.endsWith("inter.woff2")) continue;
      if (address.startsWith("/") || !existsSync(join(folder, dirname(page), address)))
        bad.push(`${page}: ${address}`);
    }
  }
  expect(bad).toEqual([]);
  const entries: string[][] = JSON.parse(readFileSync(join(folder, "search.json"), "utf8"));
  const dead = entries.filter(
    ([, , address]) => !existsSync(join(folder, address?.split("#")[0] ?? "")),
  );
  expect(dead).toEqual([]);
});
