// Anchors: ends of the audit chain that are stored outside the database. A restored backup looks complete, and so does
// an empty database; only an anchor shows the difference.

import { appendFileSync, readFileSync } from "node:fs";
import type { ChainLink } from "./entry.ts";

/** The format in which it is printed, logged and stored: `1204:bGs3…`. */
export function anchorText({ number, hash }: ChainLink): string {
  return `${number}:${hash}`;
}

/** Every anchor in a text: our own file, or lines of a log. */
export function readAnchors(text: string): ChainLink[] {
  const found = text.matchAll(/(?<![\w-])(\d{1,15}):([\w-]{43})(?![\w-])/g);
  return [...found].map(([, number, hash]) => ({ number: Number(number), hash: hash as string }));
}

/** Empty if there is no such file yet. */
export function readAnchorFile(path: string): ChainLink[] {
  try {
    return readAnchors(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** One short line in one write, so that several processes can share the file. */
export function appendAnchor(path: string, head: ChainLink): void {
  const line = `${anchorText(head)} ${new Date().toISOString()}\n`;
  appendFileSync(path, line, { mode: 0o600 });
}
