// Calls that arrive in one turn of the event loop: their order, and what one call can do to the others.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { byTurn, stepByStep } from "../../../src/platform/http/by-turn.ts";

test("each step runs for all of a turn, then the next; an error or a promise concerns one alone", async () => {
  const done: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const steps = stepByStep<string>(
    [
      (item) => {
        done.push(`first ${item}`);
        if (item === "bad") throw new Error("refused");
        return item === "slow" ? promise : undefined;
      },
      (item) => {
        done.push(`second ${item}`);
        if (item === "late") throw new Error("refused late");
        return undefined;
      },
    ],
    (error, item) => done.push(`${item}: ${(error as Error).message}`),
  );
  const turn = byTurn(steps);
  for (const item of ["slow", "bad", "late", "good"]) turn.add(item);
  expect(done).toEqual([]);
  await nextTurn();
  const before = [
    ...["first slow", "first bad", "bad: refused", "first late", "first good"],
    ...["second late", "late: refused late", "second good"],
  ];
  expect(done).toEqual(before);
  resolve();
  await nextTurn();
  expect(done).toEqual([...before, "second slow"]);
});

test("a step that fails later reports its item once", async () => {
  const failed: unknown[] = [];
  const run = stepByStep<string>(
    [
      async () => {
        throw new Error("too slow");
      },
      () => {
        throw new Error("never reached");
      },
    ],
    (error, item) => failed.push([item, (error as Error).message]),
  );
  run(["a"]);
  await nextTurn();
  expect(failed).toEqual([["a", "too slow"]]);
});

test("flush does not wait for the end of the turn, and nothing is done twice", async () => {
  const seen: number[][] = [];
  const turn = byTurn<number>((items) => seen.push(items));
  turn.add(1);
  turn.add(2);
  turn.flush();
  expect(seen).toEqual([[1, 2]]);
  await nextTurn();
  expect(seen.flat()).toEqual([1, 2]);
});
