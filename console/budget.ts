// Measures the size of the console's first load against its budget.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const kB = 1000;

/** JavaScript, compressed with gzip, which every browser accepts. */
export const budget = { firstLoadBytesMax: 230 * kB, routeBytesMax: 150 * kB } as const;

type Chunk = {
  file: string;
  name?: string;
  isEntry?: boolean;
  imports?: string[];
};
type Manifest = Record<string, Chunk>;

type Size = { name: string; gzip: number; brotli: number };
type Sizes = { firstLoad: Size; routes: Size[] };

/**
 * The entry with all that it imports; the parts that all screens share, which load with it; and what each group of screens
 * brings beyond both.
 */
export function sizesOf(dist: string): Sizes {
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry);
  if (entry === undefined) throw new Error("the build has no entry");
  const first = withImports(manifest, entry);
  const scripts = Object.keys(manifest).filter((key) => manifest[key]?.file.endsWith(".js"));
  const shared = scripts.filter((key) => manifest[key]?.name === "parts");
  return {
    firstLoad: sizeOf(dist, manifest, "first load", first),
    routes: scripts
      .filter((key) => !first.has(key))
      .map((key) => {
        const known = shared.includes(key) ? first : first.union(new Set(shared));
        const brought = withImports(manifest, key).difference(known);
        return sizeOf(dist, manifest, manifest[key]?.name ?? key, brought);
      }),
  };
}

/** In words, what is over the budget. Empty: nothing. */
export function overBudget({ firstLoad, routes }: Sizes): string[] {
  const { firstLoadBytesMax, routeBytesMax } = budget;
  return [
    ...(firstLoad.gzip > firstLoadBytesMax ? [tooLarge(firstLoad, firstLoadBytesMax)] : []),
    ...routes.filter(({ gzip }) => gzip > routeBytesMax).map((one) => tooLarge(one, routeBytesMax)),
  ];
}

function tooLarge({ name, gzip }: Size, max: number): string {
  return `${name} is ${kilobytes(gzip)}, the budget is ${kilobytes(max)}`;
}

export function kilobytes(bytes: number): string {
  return `${(bytes / kB).toFixed(1)} kB`;
}

function withImports(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const imported of manifest[key]?.imports ?? []) withImports(manifest, imported, found);
  return found;
}

function sizeOf(dist: string, manifest: Manifest, name: string, keys: Set<string>): Size {
  const files = [...keys].map((key) => (manifest[key] as Chunk).file);
  const bytes = (ending: string) =>
    files
      .filter((file) => file.endsWith(".js"))
      .reduce((sum, file) => sum + readFileSync(join(dist, file + ending)).length, 0);
  return { name, gzip: bytes(".gz"), brotli: bytes(".br") };
}
