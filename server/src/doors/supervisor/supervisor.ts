// Starts the processes of the service, starts those again that die, replaces them one by one, and ends them.
//
// They share one listening socket through node:cluster, and an idle process accepts sooner than a busy one; see
// accept-in-turn.ts. The other ways lose connections when a process dies: SO_REUSEPORT those that wait for it, and a
// supervisor that accepts and hands them over in turn those that are on their way. That also takes twice the time for
// callers that open a connection for each request.

import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../../platform/limits/index.ts";
import type { Log } from "../../platform/log/index.ts";
import { type Metrics, mergeMetrics, type ProcessStates } from "../../platform/metrics/index.ts";
import {
  type Answers,
  type AskedOfProcess,
  type FromProcess,
  type ListeningAt,
  processLimits,
  type ToProcess,
} from "../process/index.ts";
import { CliError, type ProcessRole } from "../setup/index.ts";

type Child = {
  worker: Worker;
  number: number;
  state: keyof ProcessStates;
  /** It does the work that only one process does. */
  isLeader: boolean;
  /** We told it to end. */
  isDismissed: boolean;
  startedAtMs: number;
  /** Rejects when it ends before it is ready. */
  ready: Promise<ListeningAt>;
  ended: Promise<void>;
};

type SupervisorOptions = { processes: number; role: ProcessRole; log: Log; metrics: Metrics };

export class Supervisor {
  readonly #numbers: number[];
  readonly #options: SupervisorOptions;
  readonly #children = new Set<Child>();
  /** How often each process died soon after its start, in a row. */
  readonly #deaths = new Map<number, number>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  readonly #asks = new Map<number, (child: Child, answer: Answers[AskedOfProcess]) => void>();
  #lastAsk = 0;
  #hasStarted = false;
  #isEnding = false;
  #replacing: Promise<void> | undefined;
  #mustReplace = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#numbers = Array.from({ length: options.processes }, (_, index) => index + 1);
    options.metrics.collectProcesses(() => this.states());
    cluster.schedulingPolicy = cluster.SCHED_NONE;
  }

  /** Resolves when every process is ready. */
  async start(): Promise<ListeningAt> {
    const children = this.#numbers.map((number) => this.#fork(number));
    const [listening] = await Promise.all(children.map(({ ready }) => ready));
    this.#hasStarted = true;
    // One may have died after it was ready, while others were still starting.
    for (const number of this.#numbers) this.#restart(number);
    return listening;
  }

  states(): ProcessStates {
    const count = (state: Child["state"]) =>
      [...this.#children].filter((child) => child.state === state).length;
    return { ready: count("ready"), starting: count("starting"), draining: count("draining") };
  }

  /** Replaces every process, one by one. A process ends only when its successor is ready. */
  replaceAll(): void {
    this.#mustReplace = true;
    this.#replacing ??= this.#replaceWhileWanted();
  }

  async #replaceWhileWanted(): Promise<void> {
    const { log } = this.#options;
    while (this.#mustReplace && !this.#isEnding) {
      this.#mustReplace = false;
      log.info("rolling restart: begins");
      const isDone = await this.#replaceEach();
      if (isDone) log.info("rolling restart: done");
      else if (!this.#isEnding)
        log.error(
          "rolling restart: stopped, because a new process did not start; the others go on",
        );
    }
    this.#replacing = undefined;
  }

  async #replaceEach(): Promise<boolean> {
    for (const number of this.#numbers) {
      if (this.#isEnding) return false;
      const before = this.#serving(number);
      const child = this.#fork(number);
      const isReady = await child.ready.then(
        () => true,
        () => false,
      );
      if (!isReady) return false;
      for (const old of before) this.#dismiss(old, "replaced by a new process", true);
      await Promise.all(before.map(({ ended }) => ended));
    }
    return true;
  }

  /** Resolves when every process has ended. */
  async close(): Promise<void> {
    this.#isEnding = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    for (const child of this.#children) this.#dismiss(child, "the service ends", false);
    const allEnded = Promise.all([...this.#children].map(({ ended }) => ended));
    await Promise.race([allEnded, sleep(limits.shutdownMs + 10_000, undefined, { ref: false })]);
    this.kill();
  }

  /** Ends what is left, at once. */
  kill(): void {
    for (const { worker } of this.#children) worker.process.kill("SIGKILL");
  }

  /** The metrics of all processes. One that does not answer in time is left out. */
  async metricsText(): Promise<string> {
    const asked = this.#askAll("metrics", processLimits.metricsMs);
    const own = await this.#options.metrics.families();
    const answers = await asked;
    return mergeMetrics(
      own,
      answers.flatMap(({ number, answer }) => (answer ? [{ number, families: answer }] : [])),
    );
  }

  /** Why processes don't do their background work, such as a lost lock; empty when all do. */
  async workerReasons(): Promise<string[]> {
    const answers = await this.#askAll("reasons", processLimits.reasonsMs);
    return answers.flatMap(({ number, answer = ["it does not answer"] }) =>
      answer.map((reason) => `process ${number}: ${reason}`),
    );
  }

  /** Of each ready process, in their order: its answer, or undefined if it gave none in time. */
  async #askAll<About extends AskedOfProcess>(
    about: About,
    timeoutMs: number,
  ): Promise<{ number: number; answer: Answers[About] | undefined }[]> {
    const asked = [...this.#children].filter(({ state }) => state === "ready");
    const ask = this.#lastAsk++;
    const answers = new Map<Child, Answers[About]>();
    const answered = new Promise<void>((resolve) => {
      if (asked.length === 0) resolve();
      this.#asks.set(ask, (child, answer) => {
        answers.set(child, answer as Answers[About]);
        if (answers.size === asked.length) resolve();
      });
    });
    for (const child of asked) this.#send(child, { kind: "ask", about, ask });
    await Promise.race([answered, sleep(timeoutMs, undefined, { ref: false })]);
    this.#asks.delete(ask);
    return (
      asked
        // One that ended meanwhile is replaced.
        .filter((child) => answers.has(child) || this.#children.has(child))
        .map((child) => ({ number: child.number, answer: answers.get(child) }))
        .sort((one, other) => one.number - other.number)
    );
  }

  /** Those that serve under this number: two while one replaces the other. */
  #serving(number: number): Child[] {
    return [...this.#children].filter(
      (child) => child.number === number && child.state !== "draining",
    );
  }

  #fork(number: number): Child {
    const { role, processes, log } = this.#options;
    const args = ["serve", "--role", role, "--processes", `${processes}`, "--process", `${number}`];
    cluster.setupPrimary({ args });
    const worker = cluster.fork();
    const ready = Promise.withResolvers<ListeningAt>();
    // Who waits for it handles the failure; a restart after a death does not wait.
    ready.promise.catch(() => {});
    const ended = Promise.withResolvers<void>();
    const child: Child = {
      worker,
      number,
      state: "starting",
      isLeader: false,
      isDismissed: false,
      startedAtMs: performance.now(),
      ready: ready.promise,
      ended: ended.promise,
    };
    this.#children.add(child);
    worker.on("error", (error) => log.warn({ err: error, number }, "process: no answer"));
    worker.on("message", (message: FromProcess) => {
      if (message.kind === "ready") {
        if (child.state === "starting") child.state = "ready";
        this.#chooseLeader();
        ready.resolve(message.listening);
      } else if (message.kind === "failed") {
        if (this.#hasStarted) log.error({ number, why: message.text }, "process: no start");
        ready.reject(new CliError(message.text, message.exitCode));
      } else if (message.kind === "draining") {
        child.state = "draining";
        this.#chooseLeader();
      } else if (message.kind === "answer") {
        this.#asks.get(message.ask)?.(child, message.answer);
      } else this.#tellOthers(child, message);
    });
    worker.once("exit", (code, signal) => {
      this.#children.delete(child);
      ready.reject(new CliError(`Process ${number} ended while it started (${signal ?? code}).`));
      this.#chooseLeader();
      if (!child.isDismissed) this.#onDeath(child, signal ?? code);
      ended.resolve();
    });
    return child;
  }

  #onDeath({ number, startedAtMs }: Child, how: string | number): void {
    if (this.#isEnding || !this.#hasStarted) return;
    const { log, metrics } = this.#options;
    const isStable = performance.now() - startedAtMs > processLimits.stableMs;
    const deaths = isStable ? 1 : (this.#deaths.get(number) ?? 0) + 1;
    this.#deaths.set(number, deaths);
    const pauseMs = restartPauseMs(deaths);
    log.error({ number, how, pauseMs }, "process: it died and is started again");
    metrics.processRestarted();
    const timer = setTimeout(() => {
      this.#restarts.delete(timer);
      this.#restart(number);
    }, pauseMs);
    this.#restarts.add(timer);
  }

  #restart(number: number): void {
    if (!this.#isEnding && this.#serving(number).length === 0) this.#fork(number);
  }

  #dismiss(child: Child, why: string, isReplaced: boolean): void {
    child.isDismissed = true;
    child.state = "draining";
    this.#chooseLeader();
    this.#send(child, { kind: "end", why, isReplaced });
  }

  #chooseLeader(): void {
    const ready = [...this.#children].filter(({ state }) => state === "ready");
    const [next] = ready.sort((one, other) => one.number - other.number);
    if (this.#isEnding || !next || ready.some(({ isLeader }) => isLeader)) return;
    next.isLeader = true;
    this.#send(next, { kind: "lead" });
  }

  #tellOthers(teller: Child, message: ToProcess): void {
    for (const child of this.#children) {
      if (child !== teller && child.state === "ready") this.#send(child, message);
    }
  }

  #send({ worker }: Child, message: ToProcess): void {
    // It may be ending; its exit is handled elsewhere.
    if (worker.isConnected()) worker.send(message, undefined, undefined, () => {});
  }
}

/** A first death costs no time: the process may have lived for long, or have been killed by hand. */
export function restartPauseMs(deaths: number): number {
  if (deaths <= 1) return 0;
  const doubled = processLimits.restartPauseMs * 2 ** (deaths - 2);
  return Math.min(doubled, processLimits.restartPauseMaxMs);
}
