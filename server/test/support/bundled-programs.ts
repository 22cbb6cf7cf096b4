// Bundles the programs that tests start as processes, because loading the thousand files of `disburse` and its packages
// takes most of the time of a start. A run of the tests does it once, before its first file.

import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";
import { folderVariable, programs, root } from "./programs.ts";

/** These read files that lie beside them, or load what may be missing. */
const unbundled = ["pdfkit", "pg-native", "pino", "pino-pretty", "ssh2"];

// Beside the server's own packages, so that what is not bundled is found.
const folderOf = (name: string) => join(root, "server", "node_modules", ".cache", name);
const prefix = "programs-";
const unusedMs = 86_400_000;

export default async function setup(): Promise<void> {
  // Another project of this run has bundled them.
  if (process.env[folderVariable]) return;
  const folder = folderOf(prefix + hashOfSources());
  if (!existsSync(folder)) await bundle(folder);
  const now = new Date();
  utimesSync(folder, now, now);
  process.env[folderVariable] = folder;
}

function hashOfSources(): string {
  const ours = globSync(
    ["{server,client,packages/*}/src/**/*.{ts,mjs,json}", "server/test/**/*.ts"],
    {
      cwd: root,
    },
  );
  const hash = createHash("sha256").update(process.version);
  for (const file of [...ours.sort(), "package-lock.json"]) {
    const bytes = readFileSync(join(root, file));
    hash.update(`${file}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex").slice(0, 16);
}

/** In another folder until it is whole: another run may be building the same. */
async function bundle(folder: string): Promise<void> {
  const cache = dirname(folder);
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache).filter((name) => name.startsWith(prefix))) {
    const isUsed = statSync(join(cache, name)).mtimeMs > Date.now() - unusedMs;
    if (!isUsed) rmSync(join(cache, name), { recursive: true, force: true });
  }
  const draft = folderOf(`${prefix}${randomUUID()}`);
  const input = Object.entries(programs).map(([name, path]) => [name, join(root, path)]);
  await build({
    configFile: false,
    root,
    logLevel: "error",
    plugins: [keepPlaces],
    resolve: { alias: { "@disburse/client": join(root, "client", "src", "index.ts") } },
    ssr: { noExternal: true, external: unbundled },
    build: {
      ssr: true,
      target: "node24",
      minify: false,
      outDir: draft,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(input),
        output: { entryFileNames: "[name].mjs", chunkFileNames: "chunks/[name].mjs" },
      },
    },
  });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
}

/** Keeps the place of each source: our files find others by it. */
const keepPlaces: Plugin = {
  name: "keep-places",
  enforce: "pre",
  transform: {
    filter: { id: /\/(server|client)\/(src|test)\// },
    handler(code, id) {
      return code
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
        .replaceAll("import.meta.filename", JSON.stringify(id))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)));
    },
  },
};
