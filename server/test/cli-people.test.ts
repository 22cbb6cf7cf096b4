// People from the command line: for the first admin, and for whoever has locked themselves out.

import { afterAll, beforeAll, expect, test } from "vitest";
import { me, type OperatorTest, operatorTest } from "./cli-operator.ts";

let operator: OperatorTest;
beforeAll(async () => {
  operator = await operatorTest();
});
afterAll(() => operator.db.close());

test("invite, list, reset and disable; each is in the audit, and the last admin stays", async () => {
  const { json, run, db, subaccountId } = operator;
  const invite = (...words: string[]) => json("people", "invite", ...words);
  const ada = await invite("--email", "Ada@example.com", "--role", "admin", "--name", "Ada");
  expect(ada.link).toMatch(/^http:\/\/localhost:4000\/console\/set-up#[\w-]{43}$/);
  await invite("--email", "dev@example.com", "--role", "developer", "--subaccount", subaccountId);

  const listed = await json("people", "list");
  expect(listed.map(({ email, role }: Record<string, string>) => [email, role])).toEqual([
    ["ada@example.com", "admin"],
    ["dev@example.com", "developer"],
  ]);
  const reset = await json("people", "reset", "ada@example.com");
  expect(reset.link).not.toBe(ada.link);
  expect(await json("people", "disable", "dev@example.com")).toMatchObject({ disabled: true });

  const last = await run("people", "disable", "ada@example.com");
  expect([last.code, last.stderr]).toEqual([1, expect.stringContaining("CONS207")]);
  const unknown = await run("people", "reset", "nobody@example.com");
  expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining("Nobody has")]);

  const { rows } = await db.pool.query("select who, action from audit_entry order by number");
  expect(rows.map(({ action }) => action)).toEqual([
    "person.invite",
    "person.invite",
    "person.reset",
    "person.change",
  ]);
  expect(new Set(rows.map(({ who }) => who))).toEqual(new Set([me]));
});
