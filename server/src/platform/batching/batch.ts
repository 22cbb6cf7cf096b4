// Natural batching. A call on an idle batcher goes to the database at once; calls that arrive meanwhile share the next
// statement. Under load, one round trip and one commit serve dozens of calls.

import { isLockTimeout, isStatementError, type ProcessPlace, shareOf } from "../db/index.ts";
import { limits } from "../limits/index.ts";
import type { TraceContext } from "../tracing/index.ts";
import { apartQueues, type Waiting } from "./apart.ts";
import { gatherer } from "./gather.ts";
import { type StatementSpan, traceStatement } from "./trace-statement.ts";

export type Batching = {
  /** Calls that one statement may serve. 1 switches batching off. */
  sizeMax: number;
  /** Statements that run at once. */
  slots: number;
  /** While one statement runs, another starts only for this many waiting calls: small batches waste both. */
  crowd: number;
  /** How long a statement waits at most for callers of the last one to call again. Undefined: it does not wait. */
  patienceMs?: number;
  /** Queues of single subaccounts that try at once to get their lock. */
  apartAtOnce?: number;
};

const naturalBatching: Batching = { sizeMax: limits.batchSizeMax, slots: 2, crowd: 32 };

/** Statements of all processes wait for the same locks, so together they run no more at once than one process would. */
export function batchingAt(place: ProcessPlace): Batching {
  return {
    ...naturalBatching,
    slots: shareOf(naturalBatching.slots, place),
    patienceMs: limits.batchPatienceMs,
    apartAtOnce: shareOf(limits.apartAtOnce, place),
  };
}

/** For background work, which no caller waits for. */
export const oneAfterTheOther: Batching = { ...naturalBatching, slots: 1 };

/** Thrown by `run` before it sends anything to the database. Its cause is the error of one of the calls. */
class NotSent extends Error {}

/** For what `run` computes before its statement: an error in it is that of one call, and the others are served. */
export function beforeStatement<Result>(compute: () => Result): Result {
  try {
    return compute();
  } catch (cause) {
    throw new NotSent("a call could not be prepared", { cause });
  }
}

/** `trace`: the span of the request that makes the call. */
type Batched<Call, Answer> = ((call: Call, trace?: TraceContext | undefined) => Promise<Answer>) & {
  /** Until the returned function is called, calls of this subaccount share no statement with others. */
  keepApart(subaccountId: string): () => void;
};

type BatchOptions<Call, Answer> = {
  /** Where tracing is on: each statement has a span. */
  span?: StatementSpan<Answer> | undefined;
  /** Called with each statement's number of calls. */
  observe?: ((size: number) => void) | undefined;
  /** The subaccount of a call. Needed when calls of several subaccounts share a statement that takes locks. */
  subaccountOf?: (call: Call) => string;
};

/**
 * `run` serves many calls with one statement and returns the answers in the same order. A refusal is a value, not an
 * error, so it does not affect the other calls. A call that waits too long for a lock of its subaccount leaves the shared
 * statement and is served separately.
 */
export function batch<Call, Answer>(
  run: (calls: Call[]) => Promise<Answer[]>,
  {
    sizeMax,
    slots,
    crowd,
    patienceMs = 0,
    apartAtOnce = limits.apartAtOnce,
  }: Batching = naturalBatching,
  { observe, subaccountOf, span }: BatchOptions<Call, Answer> = {},
): Batched<Call, Answer> {
  let queue: Waiting<Call, Answer>[] = [];
  let busy = 0;
  /** Calls in the statements that run now. */
  let serving = 0;
  const apart =
    subaccountOf &&
    apartQueues<Call, Answer>({ subaccountOf, sizeMax, atOnce: apartAtOnce, attempt });

  /** Answers or rejects every call, or returns true: a lock was not free, nothing happened, and no call is answered. */
  async function attempt(waiting: Waiting<Call, Answer>[]): Promise<boolean> {
    observe?.(waiting.length);
    try {
      const calls = waiting.map(({ call }) => call);
      const answers = span
        ? await traceStatement(span, waiting, () => run(calls))
        : await run(calls);
      if (answers.length !== waiting.length) throw new Error("a batch must answer every call");
      for (const [index, { resolve }] of waiting.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (apart && isLockTimeout(error)) return true;
      // PostgreSQL rolled the refused statement back, or it was not sent. So each call is tried again alone and only the
      // one at fault fails. After a lost connection the outcome is unknown, so nothing is repeated.
      const isUndone = isStatementError(error) || error instanceof NotSent;
      if (waiting.length > 1 && isUndone) {
        for (const one of waiting) if (await attempt([one])) apart?.add([one]);
      } else {
        for (const { reject } of waiting) reject(error instanceof NotSent ? error.cause : error);
      }
    }
    return false;
  }

  async function serve(waiting: Waiting<Call, Answer>[]): Promise<void> {
    if (await attempt(waiting)) apart?.add(waiting);
  }

  const gathering = gatherer(patienceMs, () => {
    if (busy === 0) start();
  });

  const isWorthAStatement = (others: number) =>
    queue.length > 0 && (others === 0 ? gathering.isEnough(queue.length) : queue.length >= crowd);

  function start(): void {
    busy += 1;
    // At the end of this turn of the event loop, so that calls which arrive together share a statement.
    setImmediate(drain);
  }

  /**
   * Takes one slot's share of the calls, so that the slots alternate: while PostgreSQL serves one half of the callers, we
   * read and answer the other half. With one statement for all, each side would wait for the other.
   */
  function take(): Waiting<Call, Answer>[] {
    const share = Math.ceil((queue.length + serving) / slots);
    const size = Math.min(sizeMax, Math.max(share, crowd));
    const taken = queue.slice(0, size);
    queue = queue.slice(size);
    return taken;
  }

  async function drain(): Promise<void> {
    while (isWorthAStatement(busy - 1)) {
      const waiting = take();
      const startMs = performance.now();
      serving += waiting.length;
      await serve(waiting);
      serving -= waiting.length;
      gathering.note(waiting.length, performance.now() - startMs);
    }
    busy -= 1;
  }

  const ask = (call: Call, trace?: TraceContext) =>
    new Promise<Answer>((resolve, reject) => {
      const waiting = { call, trace, resolve, reject };
      if (apart?.has(call)) {
        apart.add([waiting]);
        return;
      }
      queue.push(waiting);
      if (busy < slots && isWorthAStatement(busy)) start();
    });
  return Object.assign(ask, { keepApart: (id: string) => apart?.keep(id) ?? (() => {}) });
}
