// The table of four eyes against the code: every write of money has its row, and every row its check.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fourEyesTable, moneyActs, otherMoneyWrites } from "../../src/users/four-eyes-table.ts";
import { moneyWritesBy } from "./money-writes.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const folder = join(root, "server", "src");
const files = globSync("**/*.ts", { cwd: folder }).sort();
const writing = moneyWritesBy(folder, files);

test("every file that writes a table of money is in the table of four eyes", () => {
  expect(writing.size).toBeGreaterThan(40);
  const named = new Set([
    ...moneyActs.flatMap(({ writtenIn }) => writtenIn),
    ...Object.keys(otherMoneyWrites),
  ]);
  const missing = [...writing].filter(([file]) => !named.has(file));
  expect(Object.fromEntries(missing)).toEqual({});
  expect([...named].filter((file) => !writing.has(file))).toEqual([]);
});

test("every act that takes a second user refuses its makers", () => {
  for (const { act, second, checkedIn } of moneyActs) {
    expect(second === undefined, act).toBe(checkedIn === undefined);
    if (checkedIn === undefined) continue;
    expect(readFileSync(join(folder, checkedIn), "utf8"), act).toMatch(/\brequireOtherUser\(/);
  }
});

test("SECURITY.md shows the table", () => {
  expect(readFileSync(join(root, "SECURITY.md"), "utf8")).toContain(fourEyesTable());
});
