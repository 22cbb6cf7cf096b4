// The version of this build, from the package that it is, and its commit.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "..", "package.json"), "utf8"),
) as { version: string; gitHead?: string };

export const version: string = manifest.version;

/** Empty when it is not known. A package has it as `gitHead`, a clone in .git. */
export const commit: string = (
  manifest.gitHead ?? commitOf(join(import.meta.dirname, "..", "..", "..", ".."))
).slice(0, 12);

/** Read from the files, because git may be missing, and starting it would take longer. */
export function commitOf(root: string): string {
  try {
    const folder = gitFolder(join(root, ".git"));
    const head = readText(join(folder, "HEAD"));
    const ref = /^ref: (.+)$/.exec(head)?.[1];
    if (ref === undefined) return head;
    // A second worktree shares the branches of the first.
    const shared = optionalText(join(folder, "commondir"));
    const main = shared === undefined ? folder : resolve(folder, shared);
    const packed = optionalText(join(main, "packed-refs"))?.split("\n") ?? [];
    return (
      optionalText(join(main, ref)) ??
      packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0] ??
      ""
    );
  } catch {
    return "";
  }
}

/** In a second worktree, .git is a file that names the folder. */
function gitFolder(path: string): string {
  const pointer = optionalText(path);
  return pointer === undefined ? path : resolve(path, "..", pointer.replace("gitdir: ", ""));
}

function readText(path: string): string {
  return readFileSync(path, "utf8").trim();
}

function optionalText(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}
