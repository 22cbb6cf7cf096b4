// disburse receivers import that is killed, interrupted or run twice at once: each row is created once.

import { once } from "node:events";
import { expect, test } from "vitest";
import { csvOf, importTest, rowsOf } from "../../support/cli-importer.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { ada } from "../../support/service.ts";

const suite = await closeAfterTests(importTest());
const { fileOf, importer } = suite;

test("an import that is killed many times and then completed imports every row exactly once", async () => {
  const { start, run, stored, sinceRows } = await importer();
  const inputs = Array.from({ length: 3_000 }, () => ada());
  const file = fileOf(csvOf(inputs));
  for (const least of [0, 500, 1_000]) {
    const child = start(file);
    const ended = once(child, "close");
    await sinceRows(least);
    child.kill("SIGKILL");
    expect((await ended)[1]).toBe("SIGKILL");
  }
  const before = await stored();
  expect(before.length).toBeLessThan(3_000);

  const { code, stdout } = await run(file, "--json");
  expect(code).toBe(0);
  const { rows, created, already_imported } = JSON.parse(stdout);
  expect([rows, created + already_imported]).toEqual([3_000, 3_000]);
  expect(already_imported).toBeGreaterThanOrEqual(before.length);

  const after = await stored();
  const idOf = new Map(after.map(({ email, id }) => [email, id]));
  expect([after.length, idOf.size]).toEqual([3_000, 3_000]);
  expect(rowsOf(`${file}.result.csv`).map(({ row, receiver_id }) => [row, receiver_id])).toEqual(
    inputs.map(({ email }, index) => [String(index + 2), idOf.get(email)]),
  );
  expect(after.slice(0, before.length).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s: the import finishes and reports its current batches, and the next run continues",
  async (signal) => {
    const { start, run, stored, sinceRows } = await importer();
    const file = fileOf(csvOf(Array.from({ length: 6_000 }, () => ada())));
    const child = start(file);
    const ended = once(child, "close");
    await sinceRows(0);
    child.kill(signal);
    expect(await ended).toEqual([130, null]);
    expect(child.said()).toMatch(/importing: [\d,]+ of 6,000 rows in /);
    expect(child.said()).toContain("Interrupted. Run the command again to continue");

    const before = await stored();
    expect(before.length).toBeLessThan(6_000);
    expect(rowsOf(`${file}.result.csv`)).toHaveLength(before.length);
    const { code, stdout } = await run(file, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      created: 6_000 - before.length,
      already_imported: before.length,
    });
  },
);

test("two imports at once import no row twice, and both know every id", async () => {
  const { runAlone, stored } = await importer();
  const text = csvOf(Array.from({ length: 1_000 }, () => ada()));
  const [one, other] = [fileOf(text), fileOf(text)];
  const runs = await Promise.all([runAlone(one, "--json"), runAlone(other, "--json")]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  const created = runs.map(({ stdout }) => JSON.parse(stdout).created as number);
  expect(created.reduce((sum, count) => sum + count)).toBe(1_000);
  expect(await stored()).toHaveLength(1_000);
  const ids = [one, other].map((file) =>
    rowsOf(`${file}.result.csv`).map(({ receiver_id }) => receiver_id),
  );
  expect(ids[0]).toEqual(ids[1]);
});

test("without a terminal, the progress of 5,000 rows is whole lines without control characters", async () => {
  const { runAlone } = await importer();
  const text = csvOf(Array.from({ length: 5_000 }, () => ada()));
  const { code, stderr } = await runAlone(fileOf(text));
  expect(code).toBe(0);
  const line = /^(checking|importing): (\d+%, )?[\d,]+( of 5,000)? rows.* rows\/s(, .* left)?$/;
  const lines = stderr.trimEnd().split("\n");
  expect(lines.filter((text) => !line.test(text))).toEqual([]);
  expect(lines.at(-1)).toMatch(/^importing: 5,000 of 5,000 rows in .* s, [\d,]+ rows\/s$/);
});
