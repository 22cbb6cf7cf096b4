// Natural batching. A call that finds nothing under way goes to the database at once; calls that arrive
// meanwhile form the next statement together. No timer, so nothing waits when idle; under load one round
// trip and one commit serve dozens of calls.

import { limits } from "../limits.ts";
import { apartLanes, type Waiting } from "./apart.ts";
import { isLockTimeout, isStatementError } from "./connect.ts";

export type Batching = {
  /** Calls that one statement may serve. 1 switches batching off. */
  sizeMax: number;
  /** Statements under way at once. */
  slots: number;
  /** While one is under way, another starts only for this many waiting calls: small batches waste both. */
  crowd: number;
};

export const naturalBatching: Batching = { sizeMax: limits.batchSizeMax, slots: 2, crowd: 32 };

/** For what nobody waits for. */
export const oneAfterTheOther: Batching = { ...naturalBatching, slots: 1 };

export type Batched<Call, Answer> = ((call: Call) => Promise<Answer>) & {
  /** Until the returned function is called, calls of this subaccount share no statement with others. */
  keepApart(subaccountId: string): () => void;
};

export type BatchOptions<Call> = {
  /** Called with each statement's number of calls. */
  observe?: ((size: number) => void) | undefined;
  /** Where calls of several subaccounts share a statement that takes locks: whose call it is. */
  subaccountOf?: (call: Call) => string;
};

/**
 * `run` serves many calls with one statement and answers them in the order given. Where an answer is a
 * refusal it is a value, so one call's refusal never touches its neighbours. A call whose subaccount has a lock that is
 * not free soon leaves the shared statement, and is served apart.
 */
export function batch<Call, Answer>(
  run: (calls: Call[]) => Promise<Answer[]>,
  { sizeMax, slots, crowd }: Batching = naturalBatching,
  { observe, subaccountOf }: BatchOptions<Call> = {},
): Batched<Call, Answer> {
  let queue: Waiting<Call, Answer>[] = [];
  let busy = 0;
  /** Calls that a statement under way serves. */
  let serving = 0;
  const apart = subaccountOf && apartLanes<Call, Answer>({ subaccountOf, sizeMax, attempt });

  /** Rejects what failed. True: a lock was not free, nothing happened, and nobody has been answered. */
  async function attempt(waiting: Waiting<Call, Answer>[]): Promise<boolean> {
    observe?.(waiting.length);
    try {
      const answers = await run(waiting.map(({ call }) => call));
      if (answers.length !== waiting.length) throw new Error("a batch must answer every call");
      for (const [index, { resolve }] of waiting.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (apart && isLockTimeout(error)) return true;
      // A statement that PostgreSQL refused was rolled back whole, so each call may go again alone and
      // only the one at fault fails. After a lost connection the outcome is open: none is repeated.
      if (waiting.length > 1 && isStatementError(error)) {
        for (const one of waiting) if (await attempt([one])) apart?.add([one]);
      } else {
        for (const { reject } of waiting) reject(error);
      }
    }
    return false;
  }

  async function serve(waiting: Waiting<Call, Answer>[]): Promise<void> {
    if (await attempt(waiting)) apart?.add(waiting);
  }

  const isWorthAStatement = (others: number) =>
    queue.length > 0 && (others === 0 || queue.length >= crowd);

  /**
   * One slot's share of the calls under way, so that the slots take turns: while PostgreSQL serves one half of the
   * callers, the others are read and answered. A statement for all of them would let both wait for each other.
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
      serving += waiting.length;
      await serve(waiting);
      serving -= waiting.length;
    }
    busy -= 1;
  }

  const ask = (call: Call) =>
    new Promise<Answer>((resolve, reject) => {
      const waiting = { call, resolve, reject };
      if (apart?.has(call)) {
        apart.add([waiting]);
        return;
      }
      queue.push(waiting);
      if (busy >= slots || !isWorthAStatement(busy)) return;
      busy += 1;
      // At the end of this turn of the event loop, so that calls which came in together go together.
      setImmediate(drain);
    });
  return Object.assign(ask, { keepApart: (id: string) => apart?.keep(id) ?? (() => {}) });
}
