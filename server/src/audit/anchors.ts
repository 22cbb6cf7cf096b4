// Anchors: ends of the audit's chain that are kept outside the database. The database of an earlier day looks whole, and so
// does an empty one; an anchor tells them apart from the real one.

import { appendFileSync, readFileSync } from "node:fs";
import type { ChainLink } from "./entry.ts";

/** As it is printed, logged and kept: `1204:bGs3…`. */
export function anchorText({ number, hash }: ChainLink): string {
  return `${number}:${hash}`;
}

/** Every anchor in a text, whatever is around them: a file of ours, or lines of a log. */
export function readAnchors(text: string): ChainLink[] {
  const found = text.matchAll(/(?<![\w-])(\d{1,15}):([\w-]{43})(?![\w-])/g);
  return [...found].map(([, number, hash]) => ({ number: Number(number), hash: hash as string }));
}

/** None, where there is no such file yet. */
export function readAnchorFile(path: string): ChainLink[] {
  try {
    return readAnchors(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** A short line in one write, so that several processes may share the file. */
export function appendAnchor(path: string, head: ChainLink): void {
  const line = `${anchorText(head)} ${new Date().toISOString()}\n`;
  appendFileSync(path, line, { mode: 0o600 });
}
