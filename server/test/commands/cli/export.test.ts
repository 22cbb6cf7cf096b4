// disburse export: every row once, in order, with a checksum; parts that add up to the whole; and no row left out.

import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findExportEnd, writeExport } from "../../../src/doors/exports/export.ts";
import { type ExportKind, exportKinds } from "../../../src/doors/exports/queries.ts";
import { fund } from "../../../src/money/ledger/fund.ts";
import { firstIdOf, readCursor } from "../../../src/platform/base/cursor.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { meAs } from "../../support/cli-operator.ts";
import { command } from "../../support/commands.ts";
import { pastOf } from "../../support/past-payouts.ts";
import { settingsOf } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

type Line = { kind: string; id: string; subaccount_id: string; at: string; data: object };
type End = { kind: "end"; count: number; sha256: string; cursor: string };

const changed = limits as { listMax: number; exportLagMs: number };
const { listMax, exportLagMs } = limits;
afterEach(() => Object.assign(changed, { listMax, exportLagMs }));

const dayMs = 86_400_000;
const longAgo = Date.UTC(2026, 0);
const later = () => Date.now() + 3_600_000;
const soon = () => firstIdOf(later());

type Part = {
  after?: string;
  endId?: string;
  kinds?: readonly ExportKind[];
  subaccountId?: string;
};

/** The lines without the last one, which is checked. */
async function exportText({ after, endId = soon(), kinds = exportKinds, subaccountId }: Part = {}) {
  const afterId = after === undefined ? undefined : readCursor(after);
  let text = "";
  const request = { kinds, afterId, subaccountId };
  for await (const chunk of writeExport(service, request, endId)) text += chunk;
  return checked(text);
}

function checked(text: string) {
  const cut = text.trimEnd().lastIndexOf("\n") + 1;
  const [lines, end] = [text.slice(0, cut), JSON.parse(text.slice(cut)) as End];
  const rows = lines
    .split("\n")
    .slice(0, -1)
    .map((line): Line => JSON.parse(line));
  expect(end).toMatchObject({ kind: "end", count: rows.length });
  expect(end.sha256).toBe(createHash("sha256").update(lines).digest("hex"));
  return { lines, rows, end };
}

/** Two subaccounts with payouts of several months. */
let ids: { paid: string; subaccountId: string };
beforeAll(async () => {
  for (let number = 0; number < 2; number++) {
    const caller = await service.newCaller();
    const past = await pastOf(service, caller);
    await past.fund(longAgo, 100_000);
    const made: string[] = [];
    for (let day = 0; day < 40; day++)
      made.push(await past.make(longAgo + day * 5 * dayMs, 10 + day));
    for (let count = 0; count < 12; count++) made.push(await past.make(longAgo + dayMs, 5));
    await past.move(made[0] as string, "submit", longAgo + dayMs);
    await past.move(made[0] as string, "settle", longAgo + dayMs);
    ids = { paid: made[0] as string, subaccountId: caller.subaccountId };
  }
});

async function countRows(): Promise<number> {
  const tables = ["receiver", "receiver_account", "payout", "ledger_transfer", "event"];
  const counts = tables.map((table) => `(select count(*) from ${table})`).join(" + ");
  const { rows } = await service.db.pool.query(`select (${counts})::int as count`);
  return rows[0].count;
}

test("has every row of every kind once, in the order of ids", async () => {
  const { rows } = await exportText();
  expect(rows).toHaveLength(await countRows());
  const found = rows.map(({ id }) => id);
  expect(found).toEqual(found.toSorted());
  expect(new Set(found).size).toBe(found.length);
  expect([...new Set(rows.map(({ kind }) => kind))].sort()).toEqual([
    ...["account", "event", "payout", "receiver", "transfer"],
  ]);
});

test("a line has the row as the API shows it, with the account number masked", async () => {
  const { rows, lines } = await exportText({ subaccountId: ids.subaccountId });
  expect(rows.every(({ subaccount_id }) => subaccount_id === ids.subaccountId)).toBe(true);
  expect(rows.find(({ id }) => id === ids.paid)).toEqual({
    ...{ kind: "payout", id: ids.paid, subaccount_id: ids.subaccountId },
    at: new Date(longAgo).toISOString(),
    data: expect.objectContaining({ id: ids.paid, amount: 10, status: "successful" }),
  });
  expect(rows.find(({ kind }) => kind === "account")?.data).toMatchObject({
    account_number_masked: "•••• 5999",
    bsb: "062000",
  });
  expect(lines).not.toContain("12345999");
});

test.each([3, 7, listMax])("parts add up to the whole, with pages of %i rows", async (size) => {
  changed.listMax = size;
  const endId = soon();
  const whole = await exportText({ endId });
  for (const cutMs of [longAgo - 1, longAgo + dayMs, longAgo + 77 * dayMs, Date.now()]) {
    const first = await exportText({ endId: firstIdOf(cutMs) });
    const second = await exportText({ after: first.end.cursor, endId });
    expect(first.lines + second.lines).toBe(whole.lines);
    expect(second.end.cursor).toBe(whole.end.cursor);
  }
});

test("an export without news has no lines and keeps its cursor", async () => {
  const { end } = await exportText();
  const again = await exportText({ after: end.cursor, endId: firstIdOf(longAgo) });
  expect([again.rows, again.end.cursor]).toEqual([[], end.cursor]);
});

test("kinds can be chosen", async () => {
  const { rows } = await exportText({ kinds: ["payouts"] });
  expect([...new Set(rows.map(({ kind }) => kind))]).toEqual(["payout"]);
});

describe("rows whose transactions commit late", () => {
  const transfersOf = async (part: Part) =>
    (await exportText({ ...part, kinds: ["transfers"] })).rows.map(({ id }) => id);
  const newFunding = (subaccountId: string) => ({
    ...{ subaccountId, currency: "AUD", amount: 1n, reference: crypto.randomUUID() },
    ...{ who: "service", atMs: Date.now() },
  });

  test("hold the end of the export back until they are there", async () => {
    const [slow, fast] = [await service.newCaller(), await service.newCaller()];
    const opened = Promise.withResolvers<string>();
    const release = Promise.withResolvers<void>();
    const slowly = service.db.transaction(async (tx) => {
      opened.resolve(await fund(tx, newFunding(slow.subaccountId)));
      await release.promise;
    });
    const slowId = await opened.promise;
    const fastId = await service.db.transaction((tx) => fund(tx, newFunding(fast.subaccountId)));
    expect(fastId > slowId).toBe(true);

    // The clock is an hour ahead, so only the open transaction can hold it back.
    const endId = await findExportEnd(service.db, later);
    const first = await exportText({ kinds: ["transfers"], endId });
    expect(endId < slowId).toBe(true);
    release.resolve();
    await slowly;
    await expect.poll(async () => (await findExportEnd(service.db, later)) > fastId).toBe(true);
    const found = await transfersOf({ after: first.end.cursor });
    expect(found.filter((id) => id === slowId || id === fastId)).toEqual([slowId, fastId]);
  });

  test("are never lost while many write and exports follow each other", async () => {
    changed.exportLagMs = 50;
    const callers = await Promise.all([1, 2, 3].map(() => service.newCaller()));
    const written: string[] = [];
    let writing = callers.length;
    let exportEnded = Promise.withResolvers<void>();
    const writers = callers.map(async ({ subaccountId }, index) => {
      for (let count = 0; count < 25; count++) {
        await service.db.transaction(async (tx) => {
          written.push(await fund(tx, newFunding(subaccountId)));
          // Some stay open until an export has ended.
          if (count % 5 < index) await exportEnded.promise;
        });
      }
      writing -= 1;
    });
    const exported: string[] = [];
    let after: string | undefined;
    const step = async () => {
      const endId = await findExportEnd(service.db, Date.now);
      const { rows, end } = await exportText({
        ...{ endId, kinds: ["transfers"] },
        ...(after !== undefined && { after }),
      });
      exported.push(...rows.map(({ id }) => id));
      after = end.cursor;
      exportEnded.resolve();
      exportEnded = Promise.withResolvers<void>();
    };
    while (writing > 0) await step();
    await Promise.all(writers);
    await expect
      .poll(async () => {
        await step();
        return written.every((id) => exported.includes(id));
      })
      .toBe(true);
    expect(new Set(exported).size).toBe(exported.length);
  });
});

describe("the command", () => {
  const folder = mkdtempSync(join(tmpdir(), "disburse-export-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = (...words: string[]) => command(["export", ...words], settingsOf(service));

  test("writes a file for its owner alone, is in the audit log, and continues from its cursor", async () => {
    const out = join(folder, "first.jsonl");
    const { code, stderr } = await run("--out", out, "--by", "Erin");
    expect([code, stderr]).toEqual([0, ""]);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const first = checked(readFileSync(out, "utf8"));
    expect(first.rows.some(({ id }) => id === ids.paid)).toBe(true);

    const { stdout } = await run("--after", first.end.cursor, "--kinds", "payouts,events");
    const second = checked(stdout);
    const known = new Set(first.rows.map(({ id }) => id));
    expect(second.rows.filter(({ id }) => known.has(id))).toEqual([]);

    const { rows } = await service.db.pool.query(
      "select who from audit_entry where action = 'export.write' order by number limit 1",
    );
    expect(rows).toEqual([{ who: meAs("Erin") }]);
  });

  test.each([
    [["--after", "yesterday"], "the cursor of an export"],
    [["--kinds", "payouts,secrets"], "receivers,accounts,payouts,transfers,events"],
    [["--subaccount", "x"], "subaccount's id"],
  ])("%j is refused", async (words, why) => {
    const { code, stderr } = await run(...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});
