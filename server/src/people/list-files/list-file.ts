// The files of a publisher: their text, their hash, and what every reader of a list gives back.

import type { FileProblems } from "../../../../packages/bank-formats/src/documents/index.ts";
import { type ListEntry, sha256 } from "./list-entry.ts";

export type ListFile = { name: string; bytes: Uint8Array };

export type ReadList = {
  entries: ListEntry[];
  /** YYYY-MM-DD; empty where the files don't say it. */
  publishedDay: string;
};

/** Reads the files of one list. Whatever is wrong goes to `problems`, with the index of the file. */
export type ListReader = (files: readonly ListFile[], problems: ListProblems) => ReadList;

/** The problems of several files, each with its name and place. Never with content: names stay out of logs. */
export class ListProblems {
  readonly all: { file: string; line: number; column: number; message: string }[] = [];

  error(file: string, place: { line: number; column: number }, message: string): void {
    this.all.push({ file, ...place, message });
  }

  /** Takes over the problems of one file. */
  addAll(file: string, { all }: FileProblems): void {
    for (const { line, column, message } of all) this.all.push({ file, line, column, message });
  }
}

/** The hash of all files together, whatever their names and their order. */
export function hashOfFiles(files: readonly ListFile[]): string {
  const hashes = files.map(({ bytes }) => sha256(bytes)).sort();
  return hashes.length === 1 ? (hashes[0] as string) : sha256(hashes.join("\n"));
}

/** Undefined for text that is not UTF-8. `legacy` is an older encoding that the publisher has used. */
export function decodeText(bytes: Uint8Array, legacy?: "windows-1252"): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return legacy && new TextDecoder(legacy).decode(bytes);
  }
}
