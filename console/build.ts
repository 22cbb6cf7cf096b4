// Builds the console's page into console/dist, when what it is made of has changed. Run before the service starts.

import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { budget, kilobytes, overBudget, sizesOf } from "./budget.ts";
import { compress } from "./compress.ts";

const here = import.meta.dirname;
const root = join(here, "..");
const dist = join(here, "dist");
const stampOf = (folder: string) => join(folder, ".built");

const wanted = await hashOfSources();
if (!isBuilt(wanted)) {
  try {
    await build();
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : error}\n` +
        "disburse: the console could not be built, see above. Mend that, then run the same command again.\n",
    );
    process.exit(1);
  }
}

function isBuilt(hash: string): boolean {
  const stamp = stampOf(dist);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === hash;
}

async function hashOfSources(): Promise<string> {
  const ours = globSync(["src/**/*.*", "*.{ts,json,html}"], {
    cwd: here,
    exclude: ["node_modules", "dist"],
  });
  const hash = createHash("sha256").update(process.version);
  for (const file of [...ours.sort(), "../package-lock.json"]) {
    const bytes = await readFile(join(here, file));
    hash.update(`${file}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

/** In a folder of its own until it is whole: another process may be building, or giving out the one before. */
async function build(): Promise<void> {
  const startedMs = Date.now();
  const folder = join(root, "node_modules", ".cache", `console-${randomUUID()}`);
  try {
    process.stderr.write("disburse: building the console …\n");
    await mkdir(folder, { recursive: true });
    // Under tests it says otherwise, and React would come with all that helps to develop.
    process.env.NODE_ENV = "production";
    // Only here, so that a start with nothing to build doesn't load it.
    const vite = await import("vite");
    await vite.build({
      configFile: join(here, "vite.config.ts"),
      build: { outDir: folder, emptyOutDir: true },
      logLevel: "warn",
    });
    await compress(folder, "quickly");
    const sizes = sizesOf(folder);
    const problems = overBudget(sizes);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    await writeFile(stampOf(folder), wanted);
    await putInPlace(folder);
    const { gzip, brotli } = sizes.firstLoad;
    process.stderr.write(
      `disburse: console built in ${((Date.now() - startedMs) / 1000).toFixed(1)} s; first load ` +
        `${kilobytes(brotli)} of JavaScript (${kilobytes(gzip)} as gzip, at most ${kilobytes(budget.firstLoadBytesMax)})\n`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder that isn't empty can't be renamed over, so the one before goes first. */
async function putInPlace(folder: string): Promise<void> {
  const former = `${folder}-former`;
  for (let tries = 0; ; tries += 1) {
    await rename(dist, former).catch(unlessMissing);
    try {
      await rename(folder, dist);
      break;
    } catch (error) {
      // Another process has put its own there in between.
      if (isBuilt(wanted)) break;
      if (tries === 3) throw error;
    } finally {
      await rm(former, { recursive: true, force: true });
    }
  }
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
