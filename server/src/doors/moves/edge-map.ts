// The map of the edge: the API keys that lead to another cell than their text says. One line each: the key and the backend.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

export function mapLines(keys: readonly string[], cell: string): string[] {
  return keys.map((key) => `${key} cell_${cell}`);
}

/** Replaces the lines of these keys, and keeps all others. The edge never reads half a file. */
export function writeEdgeMap(path: string, keys: readonly string[], cell: string): void {
  const moved = new Set(keys);
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  const others = lines.filter((line) => line !== "" && !moved.has(line.split(/\s/, 1)[0] ?? ""));
  const draft = `${path}.new`;
  writeFileSync(draft, [...others, ...mapLines(keys, cell), ""].join("\n"), { mode: 0o644 });
  renameSync(draft, path);
}
