// Another commit, checked out beside this tree, with the packages of this tree.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export type Checkout = { commit: string; folder: string; close(): void };

export function checkOut(revision: string): Checkout {
  const git = (...words: string[]) => execFileSync("git", words, { cwd: root, encoding: "utf8" });
  const commit = git("rev-parse", "--short", `${revision}^{commit}`).trim();
  const folder = join(mkdtempSync(join(tmpdir(), "disburse-compare-")), "before");
  git("worktree", "add", "--detach", folder, commit);
  for (const packages of ["node_modules", join("server", "node_modules")]) {
    symlinkSync(join(root, packages), join(folder, packages));
  }
  return {
    commit,
    folder,
    close() {
      git("worktree", "remove", "--force", folder);
      rmSync(join(folder, ".."), { recursive: true, force: true });
    },
  };
}
