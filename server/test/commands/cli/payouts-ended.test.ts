// disburse payouts import that is killed, interrupted or run twice at once: each row is paid once.

import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { rowsOf } from "../../support/cli-importer.ts";
import { payoutTest } from "../../support/cli-payouts-setup.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";

const suite = await closeAfterTests(payoutTest());
afterAll(async () => {
  await suite.verified();
});

/** A subaccount with the money for all rows, and the file with these rows. */
async function fileOfRows(rows: number) {
  const payer = await suite.payer(BigInt(rows) * 101n);
  const payees = await Promise.all(Array.from({ length: 5 }, () => payer.payee()));
  const wanted = Array.from({ length: rows }, (_, index) => ({
    ...(payees[index % payees.length] as object),
    amount: "1.01",
    currency: "AUD",
    // Ten identical rows for each reference and receiver. They are allowed, and differ only by their position.
    reference: String(Math.floor(index / 50)).padStart(6, "0"),
    allow_duplicate: "true",
  }));
  return { payer, wanted, file: suite.fileOf(wanted) };
}

test("an import that is killed many times and then completed pays every row exactly once", async () => {
  const { payer, wanted, file } = await fileOfRows(4_000);
  for (const least of [0, 600, 1_200, 1_800]) {
    const child = payer.start("import", file, "--yes");
    const ended = once(child, "close");
    await payer.sinceRows(least);
    child.kill("SIGKILL");
    expect((await ended)[1]).toBe("SIGKILL");
  }
  const before = await payer.stored();
  expect(before.length).toBeLessThan(4_000);

  const { code, stdout } = await payer.run("import", file, "--yes", "--json");
  expect(code).toBe(0);
  const { rows, created, already_imported, refused } = JSON.parse(stdout);
  expect([rows, created + already_imported, refused]).toEqual([4_000, 4_000, 0]);
  expect(already_imported).toBeGreaterThanOrEqual(before.length);

  const after = await payer.stored();
  expect(after.slice(0, before.length).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const resultRows = rowsOf(`${file}.result.csv`);
  expect(resultRows.map(({ row }) => row)).toEqual(wanted.map((_, index) => String(index + 2)));
  const byId = new Map(after.map((payout) => [payout.id, payout]));
  expect([after.length, new Set(resultRows.map(({ payout_id }) => payout_id)).size]).toEqual([
    4_000, 4_000,
  ]);
  const asWanted = resultRows.map(({ payout_id }) => {
    const { receiver_id, account_id, reference, amount } = byId.get(payout_id);
    return [receiver_id, account_id, reference, amount];
  });
  expect(asWanted).toEqual(
    wanted.map((one) => {
      const { receiver_id, account_id, reference } = one as unknown as Record<string, string>;
      return [receiver_id, account_id, reference, "101"];
    }),
  );
  expect(await payer.available()).toBe(0n);
  await suite.verified();
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s: the import finishes and reports its current batches, and the next run continues",
  async (signal) => {
    const { payer, file } = await fileOfRows(6_000);
    const child = payer.start("import", file, "--yes");
    const ended = once(child, "close");
    await payer.sinceRows(0);
    child.kill(signal);
    expect(await ended).toEqual([130, null]);
    expect(child.said()).toMatch(/importing: [\d,]+ of 6,000 rows in /);
    expect(child.said()).toContain("Interrupted. Run the command again to continue");

    const before = await payer.stored();
    expect(before.length).toBeLessThan(6_000);
    expect(rowsOf(`${file}.result.csv`)).toHaveLength(before.length);
    const { code, stdout, stderr } = await payer.run("import", file, "--yes", "--json");
    expect(code).toBe(0);
    const known = before.length.toLocaleString("en");
    expect(stderr).toContain(`\n${known} rows were imported before and are not paid again.`);
    expect(JSON.parse(stdout)).toMatchObject({
      created: 6_000 - before.length,
      already_imported: before.length,
    });
    expect(await payer.available()).toBe(0n);
  },
);

test("two imports at once pay no row twice, and both know every id", async () => {
  const { payer, wanted, file: one } = await fileOfRows(1_000);
  const other = suite.fileOf(wanted);
  const runs = await Promise.all(
    [one, other].map((file) => payer.runAlone("import", file, "--yes", "--json")),
  );
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  const created = runs.map(({ stdout }) => JSON.parse(stdout).created as number);
  expect(created.reduce((sum, count) => sum + count)).toBe(1_000);
  expect(await payer.stored()).toHaveLength(1_000);
  const ids = [one, other].map((file) =>
    rowsOf(`${file}.result.csv`).map(({ payout_id }) => payout_id),
  );
  expect(ids[0]).toEqual(ids[1]);
});
