// Progress of a command that copies bytes: one line that is rewritten, at a terminal only.

import { stderr } from "./terminal.ts";

const everyMs = 200;

export class ByteProgress {
  readonly #what: string;
  #shownMs = 0;

  constructor(what: string) {
    this.#what = what;
  }

  at(bytes: number): void {
    const nowMs = performance.now();
    if (!stderr.isTTY || nowMs - this.#shownMs < everyMs) return;
    this.#shownMs = nowMs;
    stderr.write(`\r\u001B[K${this.#what}: ${(bytes / 1e6).toFixed(0)} MB`);
  }

  end(): void {
    if (stderr.isTTY) stderr.write("\r\u001B[K");
  }
}
