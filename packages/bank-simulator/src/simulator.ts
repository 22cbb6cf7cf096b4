// The bank simulator: watches a folder for files of payments and deposits, and writes its answers into another.
// Nothing is remembered but the two folders: an answer that is there is not written again, so it can be restarted.

import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { answersTo } from "./answers.ts";
import { type DecidedFile, decideFile } from "./decision.ts";
import { type BankDeposit, isDepositName, readDeposit } from "./deposit-file.ts";
import type { OutcomeRules } from "./outcomes.ts";
import type { BankAnswer } from "./schedule.ts";
import { readJournal, writeStatementFile, writeWhole } from "./statement-journal.ts";
import {
  type AccountStatement,
  accountStatements,
  type SimulatedStatements,
  type WrittenStatement,
} from "./statements.ts";

export type SimulatorOptions = OutcomeRules &
  SimulatedStatements & {
    inFolder: string;
    outFolder: string;
    /** Answers all files that are there at once, without delays, and ends. */
    once: boolean;
    onFile(file: DecidedFile): void;
    onDeposit(deposit: BankDeposit | { name: string; problem: string }): void;
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
  readonly #deposits: BankDeposit[] = [];
  #answers: BankAnswer[] = [];
  readonly #written: Set<string>;
  #statements: AccountStatement[] = [];
  readonly #journal: WrittenStatement[];

  constructor(options: SimulatorOptions) {
    this.#options = options;
    for (const folder of [options.inFolder, options.outFolder]) {
      mkdirSync(folder, { recursive: true });
    }
    this.#journal = readJournal(options);
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
    const { inFolder } = this.#options;
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
      this.#taken.add(name);
      const bytes = this.#read(name);
      if (!bytes) continue;
      if (isDepositName(name)) this.#takeDeposit({ name, receivedMs }, bytes);
      else this.#takeFile({ name, receivedMs }, bytes);
    }
    if (found.length === 0) return;
    const moved = { files: this.#files, deposits: this.#deposits };
    this.#statements = accountStatements(moved, this.#options, this.#journal);
  }

  #takeFile(facts: { name: string; receivedMs: number }, bytes: Buffer): void {
    const decided = decideFile({ ...facts, bytes }, this.#hashes, this.#options);
    if (!this.#hashes.has(decided.sha256)) this.#hashes.set(decided.sha256, facts.name);
    this.#files.push(decided);
    this.#answers.push(...answersTo(decided, this.#options));
    this.#options.onFile(decided);
  }

  #takeDeposit(facts: { name: string; receivedMs: number }, bytes: Buffer): void {
    const deposit = readDeposit(facts, bytes);
    if ("amount" in deposit) this.#deposits.push(deposit);
    this.#options.onDeposit(deposit);
  }

  /** Undefined where it was taken away meanwhile. */
  #read(name: string): Buffer | undefined {
    try {
      return readFileSync(join(this.#options.inFolder, name));
    } catch {
      return undefined;
    }
  }

  #answer(nowMs: number): void {
    const due = this.#answers.filter(({ dueMs }) => dueMs <= nowMs);
    this.#answers = this.#answers.filter(({ dueMs }) => dueMs > nowMs);
    for (const { name, write } of due.sort((one, other) => one.dueMs - other.dueMs)) {
      if (this.#written.has(name)) continue;
      this.#written.add(name);
      writeWhole(this.#options, { name, write });
      this.#options.onAnswer(name);
    }
    const ended = this.#statements.filter(({ dueMs }) => dueMs <= nowMs);
    this.#statements = this.#statements.filter(({ dueMs }) => dueMs > nowMs);
    for (const statement of ended) {
      writeStatementFile(this.#options, statement);
      this.#journal.push(statement.facts);
      this.#options.onAnswer(statement.name);
    }
  }
}
