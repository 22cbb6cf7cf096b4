// disburse screening compare: pairs of a CSV file, without a server.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { command as disburse } from "../../support/commands.ts";

const folder = mkdtempSync(join(tmpdir(), "disburse-screening-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("compare answers each pair in order, whatever the order of the columns", async () => {
  const path = file(
    "pairs.csv",
    'note,name2,schema,name1\nx,"Moreau, Isabelle",Person,Isabelle Moreau\n,Nordwind GmbH,Company,Nordwind AG\n',
  );
  const { code, stdout } = await disburse(["screening", "compare", path, "--json"]);
  expect(code).toBe(0);
  const [same, other] = JSON.parse(stdout);
  expect(same).toMatchObject({ is_match: true, reasons: expect.any(Array) });
  expect(same.score).toBeGreaterThan(0.9);
  expect(other).toMatchObject({ is_match: false });
  expect(Object.keys(same)).toEqual(["score", "is_match", "reasons"]);

  const table = await disburse(["screening", "compare", path]);
  expect(table.stdout).toMatch(/^name1 +name2 +score +match +reasons\n/);
  expect(table.stdout).toContain("form stock/limited");
});

test.each([
  ["no-column.csv", "schema,name1\nPerson,A B\n", "line 1: there is no column name2."],
  [
    "empty-cell.csv",
    "schema,name1,name2\nPerson,A B,C D\n\nPerson,,C D\n",
    "line 4: name1 is empty.",
  ],
  ["quote.csv", 'schema,name1,name2\nPerson,"A B,C D\n', "A quote is not closed."],
  ["empty.csv", "", "is empty: it needs a header with schema, name1, name2."],
])("%s is refused with its line", async (name, text, message) => {
  const { code, stdout, stderr } = await disburse(["screening", "compare", file(name, text)]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
});

test("a file that does not exist is refused", async () => {
  const { code, stderr } = await disburse(["screening", "compare", join(folder, "none.csv")]);
  expect(code).toBe(2);
  expect(stderr).toContain("can't be read (ENOENT)");
});
