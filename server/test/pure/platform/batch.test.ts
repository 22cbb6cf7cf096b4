// Batching of calls that arrive while a statement runs.

import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { batch, beforeStatement } from "../../../src/platform/batching/batch.ts";
import { gatherer } from "../../../src/platform/batching/gather.ts";

/** A batch whose statements end when the test calls `end`. */
function held(options?: Parameters<typeof batch>[1]) {
  const statements: { calls: number[]; end: () => void }[] = [];
  const call = batch(async (calls: number[]) => {
    await new Promise<void>((end) => statements.push({ calls, end }));
    return calls.map((value) => value * 10);
  }, options);
  return { statements, call };
}

test("a call runs at once when no other is running", async () => {
  const { statements, call } = held();
  const answer = call(1);
  await turn();
  expect(statements.map(({ calls }) => calls)).toEqual([[1]]);
  statements[0]?.end();
  expect(await answer).toBe(10);
});

test("calls that arrive while one runs form the next statement, each with its own result", async () => {
  const { statements, call } = held();
  const first = call(1);
  await turn();
  const rest = [2, 3, 4].map((each) => call(each));
  await turn();
  expect(statements).toHaveLength(1);
  statements[0]?.end();
  await first;
  await turn();
  expect(statements[1]?.calls).toEqual([2, 3, 4]);
  statements[1]?.end();
  expect(await Promise.all(rest)).toEqual([20, 30, 40]);
});

test("a statement serves at most the allowed number of calls, and the rest follow", async () => {
  const { statements, call } = held({ sizeMax: 2, slots: 1, crowd: 1 });
  const answers = [1, 2, 3].map((each) => call(each));
  await turn();
  statements[0]?.end();
  await turn();
  await turn();
  statements[1]?.end();
  expect(await Promise.all(answers)).toEqual([10, 20, 30]);
  expect(statements.map(({ calls }) => calls)).toEqual([[1, 2], [3]]);
});

test("a statement serves one slot's share of many calls, so that the slots take turns", async () => {
  const { statements, call } = held({ sizeMax: 100, slots: 2, crowd: 3 });
  const sizes = () => statements.map(({ calls }) => calls.length);
  const answers = Array.from({ length: 10 }, (_, index) => call(index));
  await turn();
  expect(sizes()).toEqual([5, 5]);
  answers.push(...Array.from({ length: 9 }, (_, index) => call(10 + index)));
  statements[0]?.end();
  await turn();
  // 14 calls are running.
  expect(sizes()).toEqual([5, 5, 7]);
  statements[1]?.end();
  await turn();
  // Two waiting calls are fewer than `crowd`, so they wait for the running statement.
  expect(sizes()).toEqual([5, 5, 7]);
  statements[2]?.end();
  await turn();
  expect(sizes()).toEqual([5, 5, 7, 2]);
  for (const { end } of statements) end();
  expect(await Promise.all(answers)).toEqual(answers.map((_, index) => index * 10));
});

test("a failure outside the statement fails every call of the batch, and not the next batch", async () => {
  let runs = 0;
  const call = batch(async (calls: number[]) => {
    runs += 1;
    if (runs === 1) throw new Error("the connection is gone");
    return calls;
  });
  const outcomes = await Promise.allSettled([call(1), call(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await call(3)).toBe(3);
});

test("a call that can't be prepared fails alone, with its own error", async () => {
  const sent: number[][] = [];
  const call = batch(async (calls: number[]) => {
    const prepared = beforeStatement(() =>
      calls.map((value) => {
        if (value < 0) throw new RangeError("below zero");
        return value * 10;
      }),
    );
    sent.push(calls);
    return prepared;
  });
  const answers = await Promise.allSettled([1, -2, 3].map((each) => call(each)));
  expect(answers).toEqual([
    { status: "fulfilled", value: 10 },
    { status: "rejected", reason: new RangeError("below zero") },
    { status: "fulfilled", value: 30 },
  ]);
  expect(sent).toEqual([[1], [3]]);
});

test("after a statement for many calls, a lone call is served although no other comes", async () => {
  const { statements, call } = held({ sizeMax: 100, slots: 1, crowd: 32, patienceMs: 60_000 });
  const first = Array.from({ length: 10 }, (_, index) => call(index));
  await turn();
  statements[0]?.end();
  await Promise.all(first);
  const answer = call(7);
  await expect.poll(() => statements.length).toBe(2);
  expect(statements[1]?.calls).toEqual([7]);
  statements[1]?.end();
  expect(await answer).toBe(70);
});

const longMs = 60_000;

test("after a statement for many calls, the next one waits for nearly as many", () => {
  const { isEnough, note } = gatherer(longMs, () => {});
  expect(isEnough(1)).toBe(true);
  note(10, longMs);
  expect([1, 8, 9, 8].map(isEnough)).toEqual([false, false, true, false]);
  // A small statement among large ones hardly changes that: nine are still expected.
  note(2, longMs);
  expect([8, 9].map(isEnough)).toEqual([false, true]);
});

test("after small statements nothing waits", () => {
  const { isEnough, note } = gatherer(longMs, () => {});
  note(3, longMs);
  expect(isEnough(1)).toBe(true);
  note(10, longMs);
  for (let count = 0; count < 10; count += 1) note(1, longMs);
  expect(isEnough(1)).toBe(true);
});

test("nothing waits longer than the last statement took, nor longer than is allowed", async () => {
  for (const [patienceMs, tookMs] of [
    [longMs, 2],
    [2, longMs],
  ] as const) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { isEnough, note } = gatherer(patienceMs, resolve);
    note(10, tookMs);
    isEnough(1);
    await promise;
    await expect.poll(() => isEnough(1)).toBe(true);
  }
});
