// Payout import in the console: the whole file is checked, its totals confirm it, and each row is paid once.

import { randomUUID } from "node:crypto";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { expect, test, vi } from "vitest";
import type { ImportLine } from "../../../src/money/imports/schema.ts";
import { streamWhileRead } from "../../../src/platform/http/stream.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { asFile, sentBody } from "../../support/import-file.ts";
import { newPayee } from "../../support/payers.ts";
import { ada } from "../../support/service.ts";
import { spreadsheet } from "../../support/spreadsheets.ts";

const service = await closeAfterTests(startConsole(), expectBalancedLedger);
const person = service.enter("operator");

/** A subaccount with `cents` of AUD, and a receiver to pay. */
async function payer(cents: number) {
  const caller = await service.newCaller();
  const { disburse, subaccountId } = caller;
  if (cents > 0) {
    await disburse.testHelpers.fund({ amount: cents, currency: "AUD", reference: "start" });
  }
  const { receiver_id, account_id } = await newPayee(disburse);
  const to = { receiver_id, account_id };
  const path = `/s/${subaccountId}/payouts/import`;
  const startImport = async (csv: string, totals: object[], by = person) => {
    const { status, text, json, headers } = await by.post(path, { ...asFile(csv), totals });
    if (status !== 200) return { status, code: json.error[0].code, lines: [] };
    expect(headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    const lines = text.trimEnd().split("\n");
    return { status, code: "", lines: lines.map((line) => JSON.parse(line) as ImportLine) };
  };
  return {
    disburse,
    subaccountId,
    to,
    path,
    startImport,
    row: (amount: string, more = {}) => ({
      ...to,
      amount,
      currency: "AUD",
      reference: "",
      ...more,
    }),
    check: async (csv: string) => (await person.post(`${path}/check`, asFile(csv))).json,
    count: async () => (await disburse.payouts.list({ limit: 1000 }).toArray()).length,
  };
}
const csvOf = (rows: object[]) => stringify(rows, { header: true });
const outcomes = (lines: ImportLine[]) =>
  lines.flatMap((line) => (line.kind === "row" ? [line.outcome] : []));

test("names each problem by row and column: wrong values, repeated rows, receivers that can't be paid", async () => {
  const { row, check, to, disburse } = await payer(10_000);
  const { receiver_id } = await disburse.receivers.create(ada());
  const found = await check(
    csvOf([
      row("1.00", { reference: "a" }),
      row("1.001", { reference: "b" }),
      row("2.00", { currency: "aud" }),
      row("1.00", { reference: "a" }),
      row("3.00", { receiver_id, reference: "c" }),
      row("4.00", { account_id: randomUUID() }),
      row("5.00", { currency: "NZD" }),
      row("6.00", { receiver_id: to.account_id }),
    ]),
  );
  const problems = found.problems.map(
    ({ row, column, code }: Record<string, string>) => `${row} ${column} ${code}`,
  );
  expect(problems).toEqual([
    "3 amount PAYO207",
    "4 currency PAYO208",
    "5  PAYO226",
    "6 receiver_id PAYO221",
    "7 account_id PAYO206",
    "8 currency PAYO223",
    "9 receiver_id PAYO205",
  ]);
  expect([found.rows, found.problem_count]).toEqual([8, 7]);
  expect(found.problems[0].message).toBe("1.001 has more than 2 decimals");
});

test("a file that can't be read is refused with the reason, and the template can be read", async () => {
  const { path, check } = await payer(0);
  const unknown = await check("receiver_id,colour\n1,2\n");
  expect(unknown.reading).toMatchObject({
    header: ["receiver_id", "colour"],
    samples: [["1"], ["2"]],
    columns: { receiver_id: 0 },
    missing: ["amount", "currency"],
  });
  const broken = await person.post(`${path}/check`, asFile(""));
  expect(broken.status).toBe(400);
  const messageOf = async (file: string | Uint8Array) => {
    const { json } = await person.post(`${path}/check`, asFile(file));
    return `${json.error[0].code} ${json.error[0].message}`;
  };
  expect(await messageOf(" ")).toBe("CONS502 The file is empty: it needs a header row.");
  expect(await messageOf('PK\u0003\u0004\u0014\u0000"x')).toMatch(
    "Excel workbook can't be imported",
  );
  const macros = spreadsheet([["a"]], { parts: { "xl/vbaProject.bin": "x" } });
  expect(await messageOf(macros)).toMatch("macros");
  const template = await person.get(`${path}/template.csv`);
  expect(template.headers.get("content-type")).toContain("text/csv");
  const found = await check(template.text);
  expect(found.problems.map(({ code }: { code: string }) => code)).toEqual(["PAYO205"]);
});

test("a reference like a formula or a phone number is unchanged after import and export", async () => {
  const { row, check, startImport, subaccountId, disburse } = await payer(10_000);
  const references = ["=1+1", "'=1+1", "+61 412 345 678", "'+61", "-5.50", "-x", "@a", "it's"];
  const cells = ["'=1+1", "''=1+1", "+61 412 345 678", "''+61", "-5.50", "'-x", "'@a", "it's"];
  const rowsOf = (column: string[]) => csvOf(column.map((reference) => row("1", { reference })));
  await startImport(rowsOf(cells), [{ currency: "AUD", amount: 800 }]);
  const made = await disburse.payouts.list({ limit: 1000 }).toArray();
  expect(made.map(({ reference }) => reference).sort()).toEqual(references.sort());
  const { text } = await person.get(`/s/${subaccountId}/payouts.csv`);
  const exported = parse(text, { columns: true }) as { reference: string }[];
  const column = exported.map(({ reference }) => reference);
  expect(column.sort()).toEqual(cells.sort());
  // Rows are recognised by their content: every exported row counts as imported before.
  expect((await check(rowsOf(column))).remarks.join()).toContain("8 rows were imported before");
});

test("is confirmed by its totals, and pays each row once, however often it is started", async () => {
  const { row, check, startImport, count, subaccountId, disburse } = await payer(10_000);
  const csv = csvOf([row("10.50", { reference: "May" }), row("20", { reference: "June" })]);
  const { totals, remarks, problems } = await check(csv);
  expect([problems, remarks]).toEqual([[], []]);
  const facts = { currency: "AUD", payouts: 2, amount: 3_050, available: 10_000 };
  expect(totals).toEqual([{ ...facts, short: 0, imported_before: 0 }]);

  const agreed = [{ currency: "AUD", amount: 3_050 }];
  const wrong = [[], [{ currency: "AUD", amount: 3_049 }], [{ currency: "NZD", amount: 3_050 }]];
  wrong.push([...agreed, { currency: "NZD", amount: 1 }]);
  for (const typed of wrong) {
    expect(await startImport(csv, typed)).toMatchObject({ status: 409, code: "CONS504" });
  }
  expect(await count()).toBe(0);

  const [one, other] = await Promise.all([startImport(csv, agreed), startImport(csv, agreed)]);
  const started = [one, other].filter(({ status }) => status === 200);
  expect(started.length).toBeGreaterThan(0);
  for (const { lines } of started) {
    expect([lines[0]?.kind, lines.at(-1)?.kind]).toEqual(["start", "end"]);
    expect(lines[0]).toMatchObject({ rows: 2 });
  }
  expect(await count()).toBe(2);
  // The payouts have the batch id of the first line of a run.
  const runs = started.map(({ lines }) => (lines[0] as { id?: string }).id);
  const made = await disburse.payouts.list().toArray();
  expect(runs).toEqual(expect.arrayContaining(made.map(({ batch_id }) => batch_id)));

  const again = await check(csv);
  expect(again.totals).toMatchObject([{ payouts: 0, amount: 0, imported_before: 2 }]);
  expect(again.remarks[0]).toMatch("2 rows were imported before");
  const { lines } = await startImport(csv, []);
  expect(outcomes(lines)).toEqual(["already_imported", "already_imported"]);
  expect(await count()).toBe(2);

  const { rows } = await service.db.pool.query(
    "select who, after from audit_entry where subaccount_id = $1 and action = 'payouts.import' order by number",
    [subaccountId],
  );
  expect(rows[0]).toMatchObject({
    who: person.who,
    after: { rows: 2, totals: [{ currency: "AUD", payouts: 2, amount: 3_050 }] },
  });
  const listed = await person.get(`/s/${subaccountId}/payouts`);
  expect(listed.json.rows.map(({ created_by }: { created_by: string }) => created_by)).toEqual([
    person.who,
    person.who,
  ]);
});

test("the check warns of insufficient funds, and the last rows are then refused", async () => {
  const { row, check, startImport } = await payer(2_500);
  const csv = csvOf([row("10"), row("15", { reference: "b" }), row("0.01", { reference: "c" })]);
  const { totals, remarks } = await check(csv);
  expect(totals).toMatchObject([{ amount: 2_501, available: 2_500, short: 1 }]);
  expect(remarks[0]).toMatch("not enough");
  const { lines } = await startImport(csv, [{ currency: "AUD", amount: 2_501 }]);
  expect(outcomes(lines)).toEqual(["created", "created", "refused"]);
  expect(lines.find((line) => line.kind === "row" && line.row === 4)).toMatchObject({
    code: "PAYO227",
    message: "Funds are not sufficient",
    id: "",
  });
});

test("accepts a large file, refuses one with a problem, and continues after an interruption", async () => {
  const { row, check, startImport, count, path } = await payer(1_000_000);
  const rows = Array.from({ length: 1_500 }, (_, index) =>
    row("0.01", { reference: `r-${index}` }),
  );
  const csv = csvOf(rows);
  expect(csv.length).toBeGreaterThan(limits.bodyBytesMax);
  const agreed = [{ currency: "AUD", amount: 1_500 }];
  const bad = csvOf([...rows, row("x")]);
  expect((await check(bad)).problem_count).toBe(1);
  const onlyBad = csvOf([row("x")]);
  expect(await startImport(onlyBad, [])).toMatchObject({ status: 400, code: "CONS503" });
  expect(await count()).toBe(0);

  // The page is closed as soon as the first rows are reported.
  const closing = new AbortController();
  const sent = sentBody({ ...asFile(csv), totals: agreed });
  const { body } = await fetch(`${service.baseUrl}/console/api${path}`, {
    method: "POST",
    headers: {
      cookie: person.cookie,
      origin: service.baseUrl,
      "sec-fetch-site": "same-origin",
      "x-requested-with": "disburse-console",
      "content-type": sent.type,
    },
    body: sent.body,
    signal: closing.signal,
  });
  const reader = body?.getReader();
  for (let told = ""; !told.includes('"kind":"row"'); ) {
    told += new TextDecoder().decode((await reader?.read())?.value);
  }
  closing.abort();
  let made = -1;
  await vi.waitFor(
    async () => {
      const before = made;
      // A batch in progress when the page was closed is still completed.
      const { rows } = await service.db.pool.query(
        `select count(*)::int from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
      );
      made = await count();
      expect([made, rows[0].count]).toEqual([before, 0]);
    },
    { interval: 300, timeout: 60_000 },
  );
  expect(made).toBeGreaterThan(0);

  const { totals } = await check(csv);
  expect(totals).toMatchObject([{ amount: 1_500 - made, imported_before: made }]);
  const left = made < 1_500 ? [{ currency: "AUD", amount: 1_500 - made }] : [];
  const { lines } = await startImport(csv, left);
  const told = Map.groupBy(outcomes(lines), (outcome) => outcome);
  expect(told.get("already_imported")).toHaveLength(made);
  expect(lines.at(-1)).toEqual({ kind: "end" });
  expect(await count()).toBe(1_500);
});

test("an import ends after the batch in progress when its operator is disabled", async () => {
  const { row, startImport, count, subaccountId } = await payer(1_000_000);
  const rows = Array.from({ length: 700 }, (_, index) => row("0.01", { reference: `d-${index}` }));
  const leaving = service.enter("operator");
  // The balance is locked, so the first batch waits, and so does the rest of the import.
  const holder = await service.db.pool.connect();
  await holder.query("begin");
  await holder.query("select from ledger_balance where subaccount_id = $1 for update", [
    subaccountId,
  ]);
  const importing = startImport(csvOf(rows), [{ currency: "AUD", amount: 700 }], leaving);
  await expect
    .poll(async () => {
      const { rows } = await service.db.pool.query(
        `select count(*)::int from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger_balance%'`,
      );
      return rows[0].count;
    })
    .toBeGreaterThan(0);
  await service.db.pool.query("update console_user set disabled_at = now() where id = $1", [
    leaving.person.id,
  ]);
  await holder.query("rollback");
  holder.release();
  const { lines } = await importing;
  expect(lines.at(-1)?.kind).toBe("stopped");
  expect(await count()).toBeLessThan(700);
});

test("a stream that is not read for 30 s is closed, and so is its generator", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let isEnded = false;
    async function* texts(): AsyncGenerator<string> {
      try {
        for (;;) yield "x".repeat(limits.bodyBytesMax);
      } finally {
        isEnded = true;
      }
    }
    const stream = streamWhileRead(texts());
    await new Promise<void>((resolve) => stream.once("readable", resolve));
    vi.advanceTimersByTime(limits.streamStallMs - 1);
    expect(stream.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(stream.destroyed).toBe(true);
    await new Promise<void>((resolve) => stream.once("close", resolve));
    expect(isEnded).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
