// Builds the package twice over with tsc alone: dist/esm for `import`, dist/cjs for `require`. With --if-changed only
// where dist is not of these sources.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const clientFolder = import.meta.dirname;

/** Fills `esm` and `cjs` in the given folder. */
export function build(distFolder: string): void {
  rmSync(distFolder, { recursive: true, force: true });
  compile("tsconfig.esm.json", join(distFolder, "esm"));
  compile("tsconfig.cjs.json", join(distFolder, "cjs"));
  // The package as a whole says "module"; this half says otherwise.
  writeFileSync(join(distFolder, "cjs", "package.json"), `{ "type": "commonjs" }\n`);
}

/** Into JavaScript and types, for `import` wherever the project says nothing else. */
export function compile(project: string, outFolder: string): void {
  const tsc = join(clientFolder, "..", "node_modules", "typescript", "bin", "tsc");
  const commandLine = [tsc, "-p", resolve(clientFolder, project), "--outDir", outFolder];
  execFileSync(process.execPath, commandLine, { stdio: "inherit" });
  makeDeclarationsPlain(outFolder);
}

/**
 * tsc leaves "./list.ts" and `Uint8Array<ArrayBuffer>` in declarations, which TypeScript before 5.7 can't read:
 * "./list.js" and `Uint8Array` work for all.
 */
function makeDeclarationsPlain(folder: string): void {
  for (const name of globSync("**/*.d.ts", { cwd: folder })) {
    const file = join(folder, name);
    const text = readFileSync(file, "utf8");
    const plain = text
      .replaceAll(/(?<=["']\.{1,2}\/[\w./-]+)\.ts(?=["'])/g, ".js")
      .replaceAll(/Uint8Array<\w+>/g, "Uint8Array");
    writeFileSync(file, plain);
  }
}

function buildIfChanged(distFolder: string): void {
  const stamp = join(distFolder, ".built");
  const hash = createHash("sha256");
  const settings = readdirSync(clientFolder).filter((name) => /\.(json|ts)$/.test(name));
  const sources = readdirSync(join(clientFolder, "src")).map((name) => join("src", name));
  for (const name of [...settings, ...sources]) hash.update(readFileSync(join(clientFolder, name)));
  const wanted = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  build(distFolder);
  writeFileSync(stamp, wanted);
}

if (import.meta.main) {
  const isLazy = process.argv.includes("--if-changed");
  (isLazy ? buildIfChanged : build)(join(clientFolder, "dist"));
}
