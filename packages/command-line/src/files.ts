// The files of this computer that a command reads and writes. Only words of the command name files: the service can't ask for
// others, nor write them.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { exitCodes, Problem } from "./problem.ts";

const bytesMax = 10_000_000;

/** What an import writes next to its file. Only these replace a file that is there. */
const besides = [".result.csv", ".problems.csv"];

type Given = { files?: Record<string, string>; existing_files?: string[] };

export class FilesOfCommand {
  readonly #named: ReadonlySet<string>;
  readonly #files = new Map<string, Buffer>();

  constructor(words: readonly string[]) {
    this.#named = new Set(words.flatMap(filesIn));
  }

  /** `-` is the standard input. */
  read(path: string): void {
    if (!this.#named.has(path) || this.#files.has(path)) {
      throw new Problem(
        `The service asks for ${path}: the command names no such file, or sent it.`,
      );
    }
    try {
      this.#files.set(path, readFileSync(path === "-" ? 0 : path));
    } catch (error) {
      throw new Problem(`${path} can't be read (${codeOf(error)}).`);
    }
    const bytes = [...this.#files.values()].reduce((sum, { length }) => sum + length, 0);
    if (bytes > bytesMax) throw new Problem("The files of a command may have 10 MB in all.");
  }

  given(): Given {
    const files = [...this.#files].map(([path, bytes]) => [path, bytes.toString("base64")]);
    const existing = [...this.#named].filter((word) => word !== "" && existsSync(word));
    return {
      ...(files.length > 0 && { files: Object.fromEntries(files) }),
      ...(existing.length > 0 && { existing_files: existing }),
    };
  }

  /** Never over a file that is there, except over what an import wrote before. Null: the file is removed. */
  write(files: Readonly<Record<string, string | null>>): void {
    for (const [path, base64] of Object.entries(files)) {
      const isBeside = this.#isBeside(path);
      if (!isBeside && (base64 === null || !this.#named.has(path))) {
        throw new Problem(`The service sends ${path}: the command names no such file.`);
      }
      const bytes = Buffer.from(base64 ?? "", "base64");
      if (path === "-") print(bytes);
      else {
        if (isBeside) rmSync(path, { force: true });
        if (base64 !== null) writeNew(path, bytes);
      }
    }
  }

  #isBeside(path: string): boolean {
    const isOf = (ending: string) =>
      path.endsWith(ending) && this.#files.has(path.slice(0, -ending.length));
    return besides.some(isOf);
  }
}

/** A word may be a file, or an option with one: --file=rules.json. */
function filesIn(word: string): string[] {
  const [, value] = /^--[^=]+=(.+)$/s.exec(word) ?? [];
  return value === undefined ? [word] : [word, value];
}
function writeNew(path: string, bytes: Buffer): void {
  try {
    writeFileSync(path, bytes, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const code = codeOf(error);
    const why =
      code === "EEXIST" ? "exists already. Name another file." : `can't be written (${code}).`;
    throw new Problem(`${path} ${why}`, exitCodes.unexpected);
  }
}

/** Only what is not text comes as a file. */
function print(bytes: Buffer): void {
  if (process.stdout.isTTY) throw new Problem("Name a file for the document with --out.");
  process.stdout.write(bytes);
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
