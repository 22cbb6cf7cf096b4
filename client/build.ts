// Builds the package twice over with tsc alone: dist/esm for `import`, dist/cjs for `require`.

import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const clientFolder = import.meta.dirname;

/** Fills `esm` and `cjs` in the given folder. */
export function build(distFolder: string): void {
  rmSync(distFolder, { recursive: true, force: true });
  compile("tsconfig.esm.json", join(distFolder, "esm"));
  compile("tsconfig.cjs.json", join(distFolder, "cjs"));
  // The package as a whole says "module"; this half says otherwise.
  writeFileSync(join(distFolder, "cjs", "package.json"), `{ "type": "commonjs" }\n`);
}

function compile(project: string, outFolder: string): void {
  const tsc = join(clientFolder, "..", "node_modules", "typescript", "bin", "tsc");
  const commandLine = [tsc, "-p", join(clientFolder, project), "--outDir", outFolder];
  execFileSync(process.execPath, commandLine, { stdio: "inherit" });
}

if (import.meta.main) build(join(clientFolder, "dist"));
