// The files that commands read and write. A command over HTTP reads those of its client, and writes none: its user has no
// account on the server.

import fs from "node:fs";
import promises from "node:fs/promises";
import { fileOfClient, remoteRun, requireOwnFiles } from "./terminal.ts";

function own<Work extends (...given: never[]) => unknown>(work: Work): Work {
  return ((...given: never[]) => {
    requireOwnFiles();
    return work(...given);
  }) as Work;
}

export const closeSync = own(fs.closeSync);
export const createReadStream = own(fs.createReadStream);
export const createWriteStream = own(fs.createWriteStream);
export const existsSync = own(fs.existsSync);
export const mkdirSync = own(fs.mkdirSync);
export const openSync = own(fs.openSync);
export const readSync = own(fs.readSync);
export const renameSync = own(fs.renameSync);
export const rm = own(promises.rm);
export const rmSync = own(fs.rmSync);
export const statSync = own(fs.statSync);
export const writeFile = own(promises.writeFile);
export const writeFileSync = own(fs.writeFileSync);
export const writeSync = own(fs.writeSync);

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
