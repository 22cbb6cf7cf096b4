// The files of the client of a command that runs over HTTP: it sends those that the command reads, and writes those that come
// with the response.

import { CliError, exitCodes } from "../setup/index.ts";
import type { RemoteRun } from "./terminal.ts";

/** A file of the client. Without it the command ends, and the client sends its words again with the file. */
export function fileOfClient(run: RemoteRun, path: string): Buffer {
  const bytes = run.files.get(path);
  if (bytes) return bytes;
  run.needsFile = path;
  throw new CliError(`The service needs the file ${path}.`, exitCodes.usage);
}

/** What all files that a command writes may have. */
const writtenBytesMax = 10_000_000;

/** What an import writes next to its file. Only these replace a file that is there. */
const besides = [".result.csv", ".problems.csv"] as const;

const isBeside = ({ files }: RemoteRun, path: string) =>
  besides.some((ending) => path.endsWith(ending) && files.has(path.slice(0, -ending.length)));

/** Before an act whose outcome is written: the file must be new. */
export function requireNewFile(run: RemoteRun, path: string): void {
  if (path === "-" || !run.existing.has(path) || isBeside(run, path)) return;
  throw new CliError(`${path} exists already. Name another file.`);
}

/** Before an act whose outcome is written: it has to fit into a response. */
export function requireSmall(bytes: number): void {
  if (bytes <= writtenBytesMax) return;
  throw new CliError(
    "The file has more than 10 MB: download it at the console.",
    exitCodes.refused,
  );
}

/** A file that the client writes. It is whole when it is closed. `-` is the standard output: text is printed there. */
export class FileForClient {
  readonly #run: RemoteRun;
  readonly #path: string;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(run: RemoteRun, path: string) {
    requireNewFile(run, path);
    this.#run = run;
    this.#path = path;
  }

  add(chunk: string | Uint8Array): void {
    const { withoutHiddenNames, stdout } = this.#run;
    const bytes = Buffer.from(typeof chunk === "string" ? withoutHiddenNames(chunk) : chunk);
    this.#bytes += bytes.length;
    requireSmall(this.#bytes);
    if (this.#path === "-" && typeof chunk === "string") stdout.push(chunk);
    else this.#chunks.push(bytes);
  }

  close(): void {
    if (this.#path === "-" && this.#chunks.length === 0) return;
    this.#run.written.set(this.#path, Buffer.concat(this.#chunks));
  }
}

/** Only of a file that an import wrote next to its own before. */
export function removeOfClient(run: RemoteRun, path: string): void {
  if (isBeside(run, path)) run.written.set(path, null);
}
