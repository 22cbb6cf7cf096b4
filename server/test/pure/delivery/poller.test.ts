// The poller: no wake-up is lost, no failure ends it, and it ends when closed.

import { expect, onTestFinished, test } from "vitest";
import { startPoller } from "../../../src/platform/db/poller.ts";

const neverMs = 86_400_000;

/** A poller whose polls end when the test calls `ends`. */
function start(everyMs = neverMs) {
  const ends: ((failure?: Error) => void)[] = [];
  const errors: unknown[] = [];
  const poller = startPoller({
    poll: () =>
      new Promise((resolve, reject) => {
        ends.push((failure) => (failure ? reject(failure) : resolve()));
      }),
    everyMs,
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => void poller.close());
  return { ends, errors, poller };
}

test("the poller polls at the start, and once more after a poll during which it was woken", async () => {
  const { ends, poller } = start();
  expect(ends).toHaveLength(1);
  for (let times = 0; times < 3; times += 1) poller.wake();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await new Promise(setImmediate);
  expect(ends).toHaveLength(2);
  poller.wake();
  expect(ends).toHaveLength(3);
});

test("a failure is reported, and the next poll follows at the interval", async () => {
  const { ends, errors, poller } = start(20);
  ends[0]?.(new Error("no database"));
  await expect.poll(() => ends.length).toBe(2);
  poller.wake();
  ends[1]?.(new Error("still none"));
  await expect.poll(() => ends.length).toBe(3);
  expect(errors.map(String)).toEqual(["Error: no database", "Error: still none"]);
});

test("close waits for the current poll, and no poll follows", async () => {
  const { ends, poller } = start();
  poller.wake();
  let isClosed = false;
  const closing = poller.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  ends[0]?.();
  await closing;
  poller.wake();
  expect(ends).toHaveLength(1);
});
