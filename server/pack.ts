// npm run pack: writes the packages `disburse` (server, console, command line), `@disburse/client` and those of packages/ as
// files for `npm install`, into dist/ or the folder that is given.
//
// Node strips no types inside node_modules. So the package `disburse` has the same files without their types: each line
// stays where it was, and stack traces match the sources.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { build, compile } from "../client/build.ts";
import { compress } from "../console/compress.ts";
import { guideFiles } from "./src/doors/app/site/guides.ts";

const root = join(import.meta.dirname, "..");

/** Folders whose code the server imports, and that are also packages for others. */
export const packageFolders = globSync("packages/*/", { cwd: root }).sort();

/** Files of server/src that only write documents of the repository, or of a release. */
const left = ["generate", "document-app", "write-site"].map(
  (name) => `server/src/doors/app/${name}.ts`,
);

type Manifest = {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

/** Fills the folder with what the package `disburse` holds. */
export function writePackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const file of globSync(["{server,packages/*}/src/**/*.*", "client/src/*.ts"], {
    cwd: root,
  })) {
    if (!left.includes(file)) copyWithoutTypes(file, folder);
  }
  copyDocs(join(folder, "docs"));
  copyBesideDocs(folder);
  copyConsole(join(folder, "console", "dist"));
  mkdirSync(join(folder, "bin"));
  cpSync(join(root, "server", "bin", "disburse"), join(folder, "bin", "disburse"));
  chmodSync(join(folder, "bin", "disburse"), 0o755);
  cpSync(join(root, "server", "README.md"), join(folder, "README.md"));
  for (const name of ["LICENSE", "NOTICE"]) cpSync(join(root, name), join(folder, name));
  writeManifests(folder);
}

function copyWithoutTypes(file: string, folder: string): void {
  const target = join(folder, file.replace(/\.ts$/, ".js"));
  mkdirSync(dirname(target), { recursive: true });
  if (!/\.(ts|mjs)$/.test(file)) {
    cpSync(join(root, file), target);
    return;
  }
  const text = readFileSync(join(root, file), "utf8");
  writeFileSync(target, importPlainFiles(file.endsWith(".ts") ? withoutTypes(text) : text));
}

/** Node warns that the function is experimental. The package is tested with this version of it. */
function withoutTypes(text: string): string {
  return stripTypeScriptTypes(text, { mode: "strip" });
}

/** "./program.ts" is "./program.js" in the package. */
export function importPlainFiles(text: string): string {
  return text.replaceAll(/(?<=\b(?:from|import|import\()\s*"\.[^"\n]*)\.ts(?=")/g, ".js");
}

function copyConsole(folder: string): void {
  const built = join(root, "console", "dist");
  cpSync(built, folder, {
    recursive: true,
    filter: (path) => path !== join(built, ".built"),
  });
}

function writeManifests(folder: string): void {
  const server = readManifest("server");
  const write = (file: string, manifest: object) =>
    writeFileSync(join(folder, file), `${JSON.stringify(manifest, null, 2)}\n`);
  write("package.json", {
    name: "disburse",
    version: server.version,
    description: "A payout service: server, console and command line",
    license: "Apache-2.0",
    type: "module",
    os: ["linux", "darwin"],
    engines: { node: ">=20" },
    bin: { disburse: "bin/disburse" },
    dependencies: Object.assign(
      {},
      ...["server", ...packageFolders].map((part) => readManifest(part).dependencies),
    ),
    // An embedded PostgreSQL, and Node 24 for machines with an older one.
    optionalDependencies: {
      ...server.optionalDependencies,
      ...readManifest("tools/node").optionalDependencies,
    },
  });
  // version.ts reads this one.
  write("server/package.json", {
    name: "@disburse/server",
    version: server.version,
    private: true,
    type: "module",
  });
}

/** Fills a folder for each of packages/, of its name, with JavaScript and types. */
export function writePackages(folder: string): void {
  for (const part of packageFolders) {
    const to = join(folder, basename(part));
    rmSync(to, { recursive: true, force: true });
    compile(join(root, part, "tsconfig.json"), join(to, "dist"));
    for (const name of ["package.json", "README.md"])
      cpSync(join(root, part, name), join(to, name));
    cpSync(join(root, "LICENSE"), join(to, "LICENSE"));
    if (basename(part) !== "command-line") continue;
    // For its tools for agents.
    copyDocs(join(to, "dist", "docs"));
    // It needs no other package, so what it runs of ours is in it.
    compile(
      join(root, "packages", "conformance", "tsconfig.json"),
      join(to, "dist", "conformance"),
    );
  }
}

/** The pages of the documentation, without pictures. */
function copyDocs(folder: string): void {
  for (const page of globSync("**/*.md", { cwd: join(root, "docs") })) {
    cpSync(join(root, "docs", page), join(folder, page));
  }
}

/** What the documentation site shows besides: pages that are elsewhere, and the pictures of pages. README.md is the package's own. */
function copyBesideDocs(folder: string): void {
  const pages = globSync("docs/**/*.md", { cwd: root }).map((page) =>
    readFileSync(join(root, page), "utf8"),
  );
  const pictures = pages.join().matchAll(/(?<=\()\.\.\/images\/[\w-]+\.png(?=\))/g);
  const others = guideFiles.filter((file) => file !== "README.md" && existsSync(join(root, file)));
  for (const file of [...others, ...[...pictures].map(([path]) => join("docs", "start", path))]) {
    cpSync(join(root, file), join(folder, file));
  }
}

/** The documentation site as files, for any web server. In a program of its own: it needs the service. */
function packSite(folder: string): string {
  const { version } = readManifest("server");
  const site = join(folder, "docs");
  rmSync(site, { recursive: true, force: true });
  execFileSync(process.execPath, [join(root, "server/src/doors/app/write-site.ts"), site]);
  const file = join(folder, `disburse-docs-${version}.tar.gz`);
  execFileSync("tar", ["-czf", file, "-C", folder, "docs"]);
  return file;
}

/** Writes all packages, and returns their files: `disburse` first. */
export async function pack(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const client = join(folder, "client");
  for (const name of readdirSync(folder)) if (name.endsWith(".tgz")) rmSync(join(folder, name));
  writePackage(join(folder, "disburse"));
  await compress(join(folder, "disburse", "console", "dist"), "well");
  rmSync(client, { recursive: true, force: true });
  build(join(client, "dist"));
  for (const name of ["package.json", "README.md"])
    cpSync(join(root, "client", name), join(client, name));
  cpSync(join(root, "LICENSE"), join(client, "LICENSE"));
  writePackages(folder);
  return ["disburse", "client", ...packageFolders.map((part) => basename(part))].map((name) => {
    // What they hold is built already.
    const words = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
    const printed = execFileSync("npm", words, {
      cwd: join(folder, name),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    return join(folder, printed.trim());
  });
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, "dist"));
  for (const file of [...(await pack(folder)), packSite(folder)]) process.stdout.write(`${file}\n`);
}
