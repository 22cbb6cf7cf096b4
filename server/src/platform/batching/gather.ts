// Whether enough calls wait for a statement. The callers of the last one call again as soon as they are answered, so the
// next waits a moment for them: a statement for thirty calls takes hardly longer than one for ten. After small
// statements, as when one caller calls at a time, nothing waits.

export type Gatherer = {
  /** False: more calls are expected. `onPatienceEnd` is called if they don't come in time. */
  isEnough(waiting: number): boolean;
  /** Called after each statement, with its number of calls and the time that it took. */
  note(calls: number, tookMs: number): void;
};

/** Where fewer calls are expected, nothing waits. */
const expectedMin = 4;
/** This share of the expected calls is enough: a few callers may have stopped. */
const enoughShare = 0.9;
/** What is expected shrinks with each smaller statement, so that one small one among large ones does not end the waiting. */
const shrinking = 0.9;

/** It waits as long as the last statement took, but at most for `patienceMs`. */
export function gatherer(patienceMs: number, onPatienceEnd: () => void): Gatherer {
  let expected = 0;
  let waitsUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;

  return {
    isEnough(waiting) {
      const leftMs = waitsUntilMs - performance.now();
      if (expected < expectedMin || waiting >= expected * enoughShare || leftMs <= 0) {
        clearTimeout(timer);
        timer = undefined;
        return true;
      }
      timer ??= setTimeout(() => {
        timer = undefined;
        onPatienceEnd();
      }, Math.ceil(leftMs));
      return false;
    },
    note(calls, tookMs) {
      expected = Math.max(calls, expected * shrinking);
      waitsUntilMs = performance.now() + Math.min(patienceMs, tookMs);
    },
  };
}
