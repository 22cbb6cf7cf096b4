// The bank simulator: watches a folder for files of payments and writes its answers into another.
// Nothing is remembered but the two folders: an answer that is there is not written again, so it can be restarted.

import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AnswerOptions, accountStatements, answersTo, type BankAnswer } from "./answers.ts";
import { type DecidedFile, decideFile } from "./decision.ts";
import type { OutcomeRules } from "./outcomes.ts";

export type SimulatorOptions = OutcomeRules &
  AnswerOptions & {
    inFolder: string;
    outFolder: string;
    /** Answers all files that are there at once, without delays, and ends. */
    once: boolean;
    onFile(file: DecidedFile): void;
    onAnswer(name: string): void;
  };

const pollMs = 200;

/** By its name: it is still being written. */
export function isUnfinished(name: string): boolean {
  return /^\.|\.(tmp|part|filepart|uploading)$/i.test(name);
}

export class BankSimulator {
  readonly #options: SimulatorOptions;
  readonly #taken = new Set<string>();
  /** The size at the last look: a file that grows is not taken yet. */
  readonly #sizes = new Map<string, number>();
  /** The name of the first file with each hash. */
  readonly #hashes = new Map<string, string>();
  readonly #files: DecidedFile[] = [];
  #answers: BankAnswer[] = [];
  readonly #written: Set<string>;

  constructor(options: SimulatorOptions) {
    this.#options = options;
    for (const folder of [options.inFolder, options.outFolder]) {
      mkdirSync(folder, { recursive: true });
    }
    this.#written = new Set(readdirSync(options.outFolder));
  }

  async run(signal: AbortSignal): Promise<void> {
    const { once } = this.#options;
    if (once) {
      this.#take({ isStable: true });
      this.#answer(Number.POSITIVE_INFINITY);
      return;
    }
    while (!signal.aborted) {
      this.#take({ isStable: false });
      this.#answer(Date.now());
      await sleep(pollMs, undefined, { signal }).catch(() => {});
    }
  }

  #take({ isStable }: { isStable: boolean }): void {
    const { inFolder, onFile } = this.#options;
    const found = readdirSync(inFolder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !isUnfinished(entry.name))
      .filter(({ name }) => !this.#taken.has(name))
      .flatMap(({ name }) => {
        const stats = statSync(join(inFolder, name), { throwIfNoEntry: false });
        return stats ? [{ name, size: stats.size, receivedMs: stats.ctimeMs }] : [];
      })
      .filter(({ name, size }) => {
        const isSame = this.#sizes.get(name) === size;
        this.#sizes.set(name, size);
        return isSame || isStable;
      })
      .sort((one, other) => one.receivedMs - other.receivedMs || (one.name < other.name ? -1 : 1));
    for (const { name, receivedMs } of found) {
      const decided = this.#decide(name, receivedMs);
      if (!decided) continue;
      this.#files.push(decided);
      this.#answers.push(...answersTo(decided, this.#options));
      onFile(decided);
    }
    if (found.length === 0) return;
    const statements = accountStatements(this.#files, this.#options);
    const names = new Set(statements.map(({ name }) => name));
    this.#answers = [...this.#answers.filter(({ name }) => !names.has(name)), ...statements];
  }

  #decide(name: string, receivedMs: number): DecidedFile | undefined {
    const { inFolder } = this.#options;
    this.#taken.add(name);
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(inFolder, name));
    } catch {
      // It was taken away meanwhile.
      return undefined;
    }
    const decided = decideFile({ name, bytes, receivedMs }, this.#hashes, this.#options);
    if (!this.#hashes.has(decided.sha256)) this.#hashes.set(decided.sha256, name);
    return decided;
  }

  #answer(nowMs: number): void {
    const due = this.#answers.filter(({ dueMs }) => dueMs <= nowMs);
    this.#answers = this.#answers.filter(({ dueMs }) => dueMs > nowMs);
    for (const { name, write } of due.sort((one, other) => one.dueMs - other.dueMs)) {
      if (this.#written.has(name)) continue;
      this.#written.add(name);
      const { outFolder, onAnswer } = this.#options;
      // Readers of the folder never see half a file.
      const temporary = join(outFolder, `.${name}.tmp`);
      writeFileSync(temporary, write());
      renameSync(temporary, join(outFolder, name));
      onAnswer(name);
    }
  }
}
