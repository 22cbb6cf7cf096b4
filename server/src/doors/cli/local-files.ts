// The files that commands read and write. A command over HTTP reads and writes those of its client: its user has no account
// on the server.

import fs from "node:fs";
import promises from "node:fs/promises";
import { CliError, exitCodes } from "../setup/index.ts";
import { FileForClient, fileOfClient, removeOfClient } from "./client-files.ts";
import { remoteRun } from "./terminal.ts";

function own<Work extends (...given: never[]) => unknown>(work: Work): Work {
  return ((...given: never[]) => {
    if (!remoteRun()) return work(...given);
    throw new CliError("This command needs files of the server: run it there.", exitCodes.usage);
  }) as Work;
}

export const createReadStream = own(fs.createReadStream);
export const createWriteStream = own(fs.createWriteStream);
export const existsSync = own(fs.existsSync);
export const mkdirSync = own(fs.mkdirSync);
export const renameSync = own(fs.renameSync);
export const rm = own(promises.rm);
export const statSync = own(fs.statSync);
export const writeFileSync = own(fs.writeFileSync);

export function fileSize(path: string): number {
  const run = remoteRun();
  return run ? fileOfClient(run, path).length : fs.statSync(path).size;
}

/** `-` is the standard input. */
export function readFileSync(path: string): Buffer;
export function readFileSync(path: string, encoding: "utf8"): string;
export function readFileSync(path: string, encoding?: "utf8"): Buffer | string {
  const run = remoteRun();
  const bytes = run ? fileOfClient(run, path) : fs.readFileSync(path === "-" ? 0 : path);
  return encoding ? bytes.toString(encoding) : bytes;
}

/** Enough to tell what kind of file it is. */
export function readFirstBytes(path: string): Uint8Array {
  const run = remoteRun();
  if (run) return fileOfClient(run, path).subarray(0, 8);
  const descriptor = fs.openSync(path, "r");
  try {
    const bytes = Buffer.alloc(8);
    return bytes.subarray(0, fs.readSync(descriptor, bytes));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Replaces an existing file; over HTTP only one that the command has written before. */
export function openToWrite(path: string): { add(part: string | Uint8Array): void; close(): void } {
  const run = remoteRun();
  if (run) return new FileForClient(run, path);
  const descriptor = fs.openSync(path, "w");
  return {
    add: (part) => fs.writeFileSync(descriptor, part),
    close: () => fs.closeSync(descriptor),
  };
}

export function removeFile(path: string): void {
  const run = remoteRun();
  if (run) removeOfClient(run, path);
  else fs.rmSync(path, { force: true });
}
