// A few threads of one module, for files that are read one after the other.

import { type ThreadCalls, WorkThread } from "./work-thread.ts";

type PoolLimits = {
  /** Threads at the same time. More work waits. */
  threadsMax: number;
  /** Until a thread must be done with a file. */
  readMs: number;
  onTooLong: () => Error;
  onOutOfMemory: () => Error;
};

export class ThreadPool<Calls extends ThreadCalls> {
  readonly #url: string;
  readonly #limits: PoolLimits;
  /** One that has nothing to do is kept for the next file. */
  #idle: WorkThread<Calls> | undefined;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** `url`: of the module that serves the calls. */
  constructor(url: string, limits: PoolLimits) {
    this.#url = url;
    this.#limits = limits;
  }

  /** `isLarge`: the thread is not kept, because it would keep its memory. */
  async run<T>(isLarge: boolean, work: (thread: WorkThread<Calls>) => Promise<T>): Promise<T> {
    const { threadsMax, readMs, onTooLong, onOutOfMemory } = this.#limits;
    if (this.#running < threadsMax) this.#running += 1;
    else await new Promise<void>((go) => this.#waiting.push(go));
    const idle = this.#idle;
    const thread = idle && !idle.hasEnded ? idle : new WorkThread<Calls>(this.#url);
    this.#idle = undefined;
    const timer = setTimeout(() => thread.fail(onTooLong()), readMs).unref();
    try {
      return await work(thread);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code === "ERR_WORKER_OUT_OF_MEMORY" ? onOutOfMemory() : error;
    } finally {
      clearTimeout(timer);
      if (this.#idle || isLarge || thread.hasEnded) void thread.end();
      else this.#idle = thread;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
