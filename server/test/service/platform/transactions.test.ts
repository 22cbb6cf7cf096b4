// Statements of one transaction that are called at the same time.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, statement } from "../../../src/platform/db/connect.ts";
import { newDatabase } from "../../support/service.ts";

let db: Db;
beforeAll(async () => {
  ({ db } = await newDatabase());
  await db.pool.query("create sequence turns");
});
afterAll(() => db.close());

const numbered = statement<{ number: string }>("test-number", "select nextval('turns') as number");
const failing = statement<never>("test-fail", "select 1 / 0");

test("they run in the order of their calls, and the driver does not warn", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on("warning", note);
  const rows = await db.transaction((tx) =>
    Promise.all(Array.from({ length: 20 }, () => tx.run(numbered))),
  );
  // Warnings are emitted in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  const numbers = rows.flat().map(({ number }) => Number(number));
  expect(numbers).toHaveLength(20);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(warnings).toEqual([]);
});

test("after a failure those that wait fail too, and the transaction is rolled back", async () => {
  const outcomes = await db
    .transaction(async (tx) => {
      const all = [tx.run(failing), tx.run(numbered), tx.run(numbered)];
      const settled = await Promise.allSettled(all);
      throw Object.assign(new Error("stop"), { settled });
    })
    .catch((error: { settled: PromiseSettledResult<unknown>[] }) => error.settled);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await db.transaction((tx) => tx.run(numbered))).toHaveLength(1);
});

test("statements that wait for a failed one are never sent, not even after the rollback, and the driver does not warn", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on("warning", note);
  await db.pool.query("create table sent (place int)");
  const insert = statement<never>("test-insert", "insert into sent values (1)");
  const work = db.transaction((tx) =>
    Promise.all([tx.run(failing), tx.run(insert), tx.run(insert), tx.run(insert)]),
  );
  await expect(work).rejects.toThrow("division by zero");
  // On the same connection, so that a statement behind the rollback would have ended.
  await db.transaction((tx) => tx.run(numbered));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  expect((await db.pool.query("select from sent")).rowCount).toBe(0);
  expect(warnings).toEqual([]);
});

test("no timeout ends the statements of an unhurried transaction, and those after it have theirs again", async () => {
  const show = statement<{ statement_timeout: string }>("test-timeout", "show statement_timeout");
  const timeoutIn = (options: object) =>
    db.transaction(async (tx) => (await tx.run(show))[0]?.statement_timeout, options);
  expect(await timeoutIn({ isUnhurried: true, snapshot: true })).toBe("0");
  expect(await timeoutIn({})).toBe("10s");
});
