// Which tables a move takes along. The list must name every table of a subaccount.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listUnfitTables } from "../../../src/doors/moves/check-queries.ts";
import { listColumns } from "../../../src/doors/moves/guard-queries.ts";
import { columnOf, movedTables, tablesLeftOut } from "../../../src/doors/moves/tables.ts";
import { newDatabase } from "../../support/service.ts";

const schema = readFileSync(
  join(import.meta.dirname, "..", "..", "..", "src", "platform", "db", "schema.sql"),
  "utf8",
);
const tables = [...schema.matchAll(/^create table (\w+) \(([\s\S]*?)\n\)/gm)].map(
  ([, name = "", body = ""]) => ({ name, body }),
);

test("every table with subaccount_id is moved, or is left out with a reason", () => {
  const ofSubaccounts = tables
    .filter(({ name, body }) => name === "subaccount" || /^\s+subaccount_id /m.test(body))
    .map(({ name }) => name);
  expect(ofSubaccounts.length).toBeGreaterThan(50);
  const moved = movedTables.map(({ table }) => table);
  const known = [...moved, ...Object.keys(tablesLeftOut)];
  expect(ofSubaccounts.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !ofSubaccounts.includes(name))).toEqual([]);
  expect(moved.filter((name) => name in tablesLeftOut)).toEqual([]);
  for (const reason of Object.values(tablesLeftOut)) expect(reason).toMatch(/\w+ \w+/);
});

test("a moved table comes after the tables that it refers to", () => {
  const moved = movedTables.map(({ table }) => table);
  for (const [place, table] of moved.entries()) {
    const body = tables.find(({ name }) => name === table)?.body ?? "";
    const references = [...body.matchAll(/REFERENCES (\w+)\(/g)].map(([, name = ""]) => name);
    for (const name of references.filter((one) => one !== table)) {
      expect(moved.slice(0, place), `${table} refers to ${name}`).toContain(name);
    }
  }
});

test("the columns that the list names exist, and every table can be replicated by its subaccount", async () => {
  const { db } = await newDatabase();
  try {
    const columns = await listColumns(
      db,
      movedTables.map(({ table }) => table),
    );
    for (const moved of movedTables) {
      const { table, unguarded = [], byTime } = moved;
      const named = [columnOf(moved), ...unguarded, ...(byTime ? [byTime] : [])];
      expect(columns.get(table), table).toEqual(expect.arrayContaining(named));
    }
    expect(await listUnfitTables(db)).toEqual([]);
  } finally {
    await db.close();
  }
});
