// Progress of a long command: one line that is rewritten on a terminal, and a line now and then elsewhere.

import { stderr } from "./terminal.ts";

type Output = {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  write(text: string): unknown;
};

type ProgressParts = {
  /** The name of the work, such as "importing". */
  what: string;
  /** Number of rows; undefined while it is not known. */
  total?: number;
  output?: Output;
  now?: () => number;
};

const barChars = 10;
const clearLine = "\r\u001B[K";

export class Progress {
  readonly #what: string;
  readonly #total: number | undefined;
  readonly #output: Output;
  readonly #now: () => number;
  readonly #startedMs: number;
  readonly #everyMs: number;
  #shownMs: number;
  #rows = 0;

  constructor({ what, total, output = stderr, now = () => performance.now() }: ProgressParts) {
    this.#what = what;
    this.#total = total;
    this.#output = output;
    this.#now = now;
    this.#startedMs = now();
    this.#shownMs = this.#startedMs;
    this.#everyMs = output.isTTY ? 100 : 2_000;
  }

  get seconds(): number {
    return (this.#now() - this.#startedMs) / 1000;
  }

  get rowsPerSecond(): number {
    return Math.round(this.#rows / Math.max(this.seconds, 0.001));
  }

  /** `done` is the finished share of the work, from 0 to 1. */
  at(rows: number, done: number): void {
    this.#rows = rows;
    const nowMs = this.#now();
    if (nowMs - this.#shownMs < this.#everyMs) return;
    this.#shownMs = nowMs;
    const left = done > 0 ? time((this.seconds * (1 - done)) / done) : "?";
    const percent = `${Math.floor(done * 100)}%`;
    const facts = `${this.#rowsOfRows()}, ${count(this.rowsPerSecond)} rows/s, ${left} left`;
    if (this.#output.isTTY) {
      const line = `${this.#what} ${bar(done)} ${percent.padStart(4)}  ${facts}`;
      // A line that wraps can't be rewritten.
      this.#output.write(clearLine + line.slice(0, (this.#output.columns ?? 80) - 1));
    } else this.#output.write(`${this.#what}: ${percent}, ${facts}\n`);
  }

  /** Prints the last line, which stays. */
  end(rows: number): void {
    this.#rows = rows;
    const start = this.#output.isTTY ? clearLine : "";
    const facts = `${this.#rowsOfRows()} in ${time(this.seconds)}, ${count(this.rowsPerSecond)} rows/s`;
    this.#output.write(`${start}${this.#what}: ${facts}\n`);
  }

  #rowsOfRows(): string {
    const of = this.#total === undefined ? "" : ` of ${count(this.#total)}`;
    return `${count(this.#rows)}${of} rows`;
  }
}

function bar(done: number): string {
  const full = Math.round(Math.min(done, 1) * barChars);
  return "█".repeat(full) + "░".repeat(barChars - full);
}

const counts = new Intl.NumberFormat("en");

export function count(amount: number): string {
  return counts.format(amount);
}

function time(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
