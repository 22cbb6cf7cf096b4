// The tag of npm run release-check -- --tag, in a clone of its own.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTag } from "../../../release-check.ts";

test("a tag is made once, of what is committed and written into the changelog", () => {
  const clone = mkdtempSync(join(tmpdir(), "disburse-tag-"));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: clone, encoding: "utf8" }).trim();
  const writeChangelog = (unreleased: string) =>
    writeFileSync(join(clone, "CHANGELOG.md"), `## Unreleased\n${unreleased}\n## 1.2.0\n\n- New\n`);
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message", "release");
  };
  git("init", "--quiet");
  git("config", "user.name", "Release");
  git("config", "user.email", "release@example.com");

  writeChangelog("\n- Newer\n");
  expect(makeTag("1.2.0", clone)).toEqual(["commit everything first"]);
  commit();
  expect(makeTag("1.2.0", clone).join()).toContain("Unreleased");
  writeChangelog("");
  commit();
  expect(git("tag")).toBe("");
  expect(makeTag("1.2.0", clone)).toEqual([]);
  expect(git("tag", "--format=%(refname:short) %(objecttype) %(subject)")).toBe(
    "v1.2.0 tag Disburse 1.2.0",
  );
  expect(git("rev-parse", "v1.2.0^{commit}")).toBe(git("rev-parse", "HEAD"));
  // Again: it is there already. On another commit it stays where it is.
  expect(makeTag("1.2.0", clone)).toEqual([]);
  commit();
  expect(makeTag("1.2.0", clone).join()).toContain("another commit");
});
