// The running service, and its shutdown from the first signal to the exit.

import type { RunningScreener } from "../../people/screening/index.ts";
import type { WalArchiver } from "../../platform/backup/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Tracer } from "../../platform/tracing/index.ts";
import type { Opened } from "../database/index.ts";
import type { Admin } from "./admin.ts";
import { processLimits } from "./process-limits.ts";
import type { Background, Listening } from "./service-parts.ts";

export class ServiceProcess {
  admin: Admin | undefined;
  /** Of a supervisor: its processes. */
  listening: Pick<Listening, "close"> | undefined;
  background: Background | undefined;
  screener: RunningScreener | undefined;
  archiver: WalArchiver | undefined;
  opened: Opened | undefined;
  tracer: Tracer | undefined;
  #endingSinceMs = Number.POSITIVE_INFINITY;
  #isReplaced = false;
  get isEnding(): boolean {
    return this.#endingSinceMs < Number.POSITIVE_INFINITY;
  }
  /** False while only this process ends, and others go on. */
  get isServiceEnding(): boolean {
    return this.isEnding && !this.#isReplaced;
  }
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  endOn(signals: readonly NodeJS.Signals[]): void {
    for (const signal of signals) process.on(signal, () => void this.end(0, signal));
  }

  async end(exitCode: number, why: string): Promise<void> {
    // A second signal ends the process at once; PostgreSQL still stops cleanly, because its pipe to us closes.
    // At a terminal one Ctrl-C arrives twice, directly and through npm, so an early second signal is ignored.
    if (this.isEnding) {
      if (performance.now() - this.#endingSinceMs > limits.signalEchoMs)
        process.exit(exitCode || 1);
      return;
    }
    await this.#close(exitCode, why);
  }

  /** Called by the supervisor. `isReplaced`: the service goes on without this process. */
  async endAsTold(why: string, isReplaced: boolean): Promise<void> {
    const isNew = !this.isEnding;
    this.#isReplaced = isReplaced;
    if (isNew) await this.#close(0, why);
  }

  async #close(exitCode: number, why: string): Promise<void> {
    this.#endingSinceMs = performance.now();
    this.#log.info({ why }, "stopping: current requests are finished first");
    setTimeout(() => process.exit(1), limits.shutdownMs + 10_000).unref();
    await this.listening?.close(() =>
      this.#isReplaced ? processLimits.replacedDrainMs : limits.drainMs,
    );
    await this.background?.close();
    await this.screener?.close();
    await this.admin?.close();
    await this.archiver?.close();
    await this.opened?.close();
    await this.tracer?.close();
    this.#log.info("stopped");
    // Log lines are written in the background; exiting now would lose the last ones.
    await new Promise<void>((resolve) => this.#log.flush(() => resolve()));
    process.exit(exitCode);
  }

  /** Open handles would keep the process alive after a failed start. */
  async closeAfterFailure(): Promise<void> {
    await Promise.all([this.background?.close(), this.admin?.close()]);
    await this.screener?.close();
    await this.archiver?.close();
    await this.opened?.close();
    await this.tracer?.close();
  }

  endWithParent(): void {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) void this.end(0, "npm start has ended");
    }, 1_000).unref();
  }
}
