// The files of this computer that a command reads. Only words of the command name files: the service can't ask for others.

import { readFileSync } from "node:fs";
import { Problem } from "./problem.ts";

const bytesMax = 10_000_000;

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
      const { code } = error as NodeJS.ErrnoException;
      throw new Problem(`${path} can't be read (${code}).`);
    }
    const bytes = [...this.#files.values()].reduce((sum, { length }) => sum + length, 0);
    if (bytes > bytesMax) throw new Problem("The files of a command may have 10 MB in all.");
  }

  given(): { files?: Record<string, string> } {
    if (this.#files.size === 0) return {};
    const files = [...this.#files].map(([path, bytes]) => [path, bytes.toString("base64")]);
    return { files: Object.fromEntries(files) };
  }
}

/** A word may be a file, or an option with one: --file=rules.json. */
function filesIn(word: string): string[] {
  const [, value] = /^--[^=]+=(.+)$/s.exec(word) ?? [];
  return value === undefined ? [word] : [word, value];
}
