// Calls functions in a thread of its own: a long file must not delay the requests that this process serves.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** What a thread can be asked for, by name. Arguments and results are copied, except for shared memory. */
// biome-ignore lint/suspicious/noExplicitAny: any function of one argument fits
export type ThreadCalls = Record<string, (given: any) => unknown>;

type Request = { name: string; given: unknown };
type Reply = { value: unknown } | { error: unknown };

/** A thread that answers one call after another. */
export class WorkThread<Calls extends ThreadCalls> {
  readonly #worker: Worker;
  #answering: Promise<unknown> = Promise.resolve();
  #failure: Error | undefined;

  /** `url`: of the module that serves the calls, `import.meta.url` there. */
  constructor(url: string) {
    this.#worker = new Worker(new URL(url), { workerData: { serves: url } });
    this.#worker.unref();
    this.#worker.once("error", (error: Error) => {
      this.#failure ??= error;
    });
    this.#worker.once("exit", () => {
      this.#failure ??= new Error("the thread has ended");
    });
  }

  /** Ends it, and fails the call that it answers with this error. */
  fail(error: Error): void {
    this.#failure ??= error;
    void this.#worker.terminate();
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  call<Name extends keyof Calls & string>(
    name: Name,
    given: Parameters<Calls[Name]>[0],
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    const answer = this.#answering.then(() => this.#ask({ name, given }));
    this.#answering = answer.catch(() => {});
    return answer as Promise<Awaited<ReturnType<Calls[Name]>>>;
  }

  #ask(request: Request): Promise<unknown> {
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      const onMessage = (reply: Reply) => {
        stop();
        if ("error" in reply) reject(reply.error);
        else resolve(reply.value);
      };
      // After the listener of the constructor, which notes why.
      const onExit = () => {
        stop();
        reject(this.#failure ?? new Error("the thread has ended"));
      };
      const stop = () => {
        worker.unref();
        worker.off("message", onMessage).off("exit", onExit);
      };
      worker.on("message", onMessage).on("exit", onExit);
      // The process stays until it has the answer.
      worker.ref();
      worker.postMessage(request);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Serves the calls where the module is that of a thread, and does nothing elsewhere. */
export function serveCalls(url: string, calls: ThreadCalls): void {
  if (isMainThread || workerData?.serves !== url) return;
  parentPort?.on("message", async ({ name, given }: Request) => {
    parentPort?.postMessage(await replyTo(() => calls[name]?.(given)));
  });
}

async function replyTo(work: () => unknown): Promise<Reply> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
