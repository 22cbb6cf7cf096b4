// Batching of calls that arrive while a statement runs.

import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { batch } from "../../src/db/batch.ts";

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

const patient = { sizeMax: 100, slots: 1, crowd: 32, patienceMs: 60_000 };

test("after a statement for many calls, the next one waits for their callers", async () => {
  const { statements, call } = held(patient);
  const first = Array.from({ length: 10 }, (_, index) => call(index));
  await turn();
  // It waits as long as this statement took.
  await sleep(1_000);
  statements[0]?.end();
  await Promise.all(first);
  // Each in a turn of its own, as requests arrive. The ninth of ten is enough.
  for (let index = 0; index < 8; index += 1) {
    void call(index);
    await turn();
  }
  expect(statements).toHaveLength(1);
  void call(8);
  await turn();
  expect(statements[1]?.calls).toHaveLength(9);
});

test("calls are served when the others don't come, no later than the last statement took", async () => {
  const { statements, call } = held(patient);
  const first = Array.from({ length: 10 }, (_, index) => call(index));
  await turn();
  await sleep(50);
  statements[0]?.end();
  await Promise.all(first);
  const answer = call(7);
  await expect.poll(() => statements.length).toBe(2);
  expect(statements[1]?.calls).toEqual([7]);
  statements[1]?.end();
  expect(await answer).toBe(70);
});

test("after small statements nothing waits", async () => {
  const { statements, call } = held(patient);
  for (let index = 0; index < 5; index += 1) {
    const answers = [call(1), call(2), call(3)];
    await turn();
    await sleep(10);
    expect(statements).toHaveLength(index + 1);
    statements[index]?.end();
    await Promise.all(answers);
  }
  void call(4);
  await turn();
  expect(statements[5]?.calls).toEqual([4]);
});
