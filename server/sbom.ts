// npm run sbom: writes the bill of materials (CycloneDX, JSON) of the package, from package-lock.json, into dist/ or the
// folder that is given. It lists what runs: the dependencies of the server and of the packages in it, and those that are built into the console.
// Not "npm sbom": it leaves out packages that run, if a package for development names them too.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
/** Node itself is a package of tools/node. */
export const serverParts = [
  "server",
  "packages/bank-formats",
  "packages/bank-simulator",
  "packages/command-line",
  "packages/name-matching",
  "tools/node",
];
const parts = [...serverParts, "console"];

type Locked = {
  version: string;
  integrity?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
export type Lock = Record<string, Locked>;

/** Where Node finds a package: in the nearest node_modules above. */
function find(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)[^/]+$/, "")) {
    const path = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`;
    if (lock[path]) return path;
    if (!folder) return undefined;
  }
}

/** The packages that a package needs to run. Optional ones may be missing from the lock file. */
function neededBy(lock: Lock, path: string): string[] {
  const { dependencies, optionalDependencies } = lock[path] as Locked;
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap(
    (name) => find(lock, path, name) ?? [],
  );
}

export const nameOf = (path: string) => path.split("node_modules/").at(-1) as string;

function componentOf(lock: Lock, path: string) {
  const { version, license, integrity } = lock[path] as Locked;
  const name = nameOf(path);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const content = Buffer.from(integrity?.replace("sha512-", "") ?? "", "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(license ? { licenses: [{ license: { name: license } }] } : {}),
    ...(integrity?.startsWith("sha512-") ? { hashes: [{ alg: "SHA-512", content }] } : {}),
  };
}

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));

/** The command line is no workspace, so the lock file has only what it needs. */
export const readLock = (): Lock => ({
  ...readJson("package-lock.json").packages,
  "packages/command-line": readJson("packages/command-line/package.json"),
});

/** The paths of all packages that these folders need to run. */
export function shippedWith(lock: Lock, folders: readonly string[]): Set<string> {
  const paths = new Set(folders.flatMap((folder) => neededBy(lock, folder)));
  for (const path of paths) for (const needed of neededBy(lock, path)) paths.add(needed);
  return paths;
}

/** Returns the name of the file. */
export function writeSbom(folder: string): string {
  const lock = readLock();
  const { version } = lock.server as Locked;
  const first = parts.flatMap((part) => neededBy(lock, part));
  const paths = shippedWith(lock, parts);
  const refOf = (path: string) => componentOf(lock, path)["bom-ref"];
  const components = new Map([...paths].map((path) => [refOf(path), componentOf(lock, path)]));
  const purl = `pkg:npm/disburse@${version}`;
  const links = new Map([[purl, new Set(first.map(refOf))]]);
  for (const path of paths) {
    const known = links.get(refOf(path)) ?? new Set();
    links.set(refOf(path), known.union(new Set(neededBy(lock, path).map(refOf))));
  }
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": purl, name: "disburse", version, purl },
    },
    components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
    dependencies: [...links].map(([ref, needed]) => ({ ref, dependsOn: [...needed].sort() })),
  };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `disburse-${version}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
  return file;
}

if (import.meta.main) {
  process.stdout.write(`${writeSbom(resolve(process.argv[2] ?? join(root, "dist")))}\n`);
}
