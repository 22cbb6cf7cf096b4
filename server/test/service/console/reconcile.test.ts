// Reconcile: the opening balance, transfers and closing balance of a period, to the cent, and closed months.

import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { postTransfers } from "../../../src/money/ledger/queries.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { october, september, twoMonthsOf } from "../../support/past-payouts.ts";

const service = await closeAfterTests(startConsole());

const dayMs = 86_400_000;

async function newBooks() {
  const caller = await service.newCaller();
  const { subaccountId } = caller;
  const { past } = await twoMonthsOf(service, caller);
  const finance = service.enter("finance");
  const reconcile = async (query: string) => {
    const { status, json } = await finance.get(`/s/${subaccountId}/reconcile?${query}`);
    expect([status, json]).toEqual([200, expect.anything()]);
    return json;
  };
  const close = (month: string, currency = "AUD") =>
    finance.post(`/s/${subaccountId}/reconcile/close`, { month, currency });
  return { caller, subaccountId, past, finance, reconcile, close };
}

test("a month opens with the closing balance of the month before, and its transfers explain the change", async () => {
  const { reconcile } = await newBooks();
  const { balances, currencies } = await reconcile("month=2026-09");
  expect(currencies).toEqual(["AUD", "NZD"]);
  expect(balances[0]).toMatchObject({
    currency: "AUD",
    opening: 0,
    funded: 10_000,
    paid: 1_000,
    returned: 0,
    closing: 9_000,
    released: 70,
    available: 8_800,
    held: 0,
    clearing: 200,
    drift: 0,
    differences: [],
    closed: null,
    is_closable: true,
  });
  expect(balances[0].days.map(({ closing }: { closing: number }) => closing)).toEqual([
    ...[10_000, 10_000, 9_000, 9_000, 9_000],
  ]);
  expect(balances[1]).toMatchObject({ currency: "NZD", opening: 0, funded: 500, closing: 500 });

  const [aud] = (await reconcile("month=2026-10&currency=AUD")).balances;
  expect(aud).toMatchObject({
    opening: 9_000,
    funded: 0,
    paid: 200,
    returned: 1_000,
    closing: 9_800,
    drift: 0,
    available: 9_770,
    held: 30,
    clearing: 0,
  });
  const day = `from=${october}&to=${october + dayMs}&currency=AUD`;
  expect((await reconcile(day)).balances[0]).toMatchObject({ opening: 9_000, closing: 8_800 });
});

test("monthClosed is sent once, where it was asked for", async () => {
  const { caller, close, subaccountId } = await newBooks();
  expect((await close("2026-09", "NZD")).status).toBe(200);
  await caller.disburse.subaccount.update({ event_types: ["monthClosed"] });
  expect((await close("2026-09")).status).toBe(200);
  expect((await close("2026-09")).json.error).toMatchObject([{ code: "CONS803" }]);
  const { rows } = await service.db.pool.query(
    "select body from event where subaccount_id = $1 and type = 'monthClosed'",
    [subaccountId],
  );
  expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([
    { month: "2026-09", currency: "AUD", closing: 9_000, status: "closed" },
  ]);
});

test("pending payouts are shown by age, and a difference from the ledger is drift", async () => {
  const { reconcile, past, subaccountId } = await newBooks();
  await past.make(Date.now() - 5 * dayMs, 11);
  const [aud] = (await reconcile("currency=AUD")).balances;
  const aged = aud.exceptions.map(({ age, held_amount }: { age: string; held_amount: number }) => [
    age,
    held_amount,
  ]);
  expect(aged).toEqual([
    ["0–1 d", 0],
    ["2–3 d", 0],
    ["4–7 d", 11],
    ["> 7 d", 30],
  ]);
  await service.db.pool.query(
    "update payout set amount = amount + 1 where subaccount_id = $1 and amount = 11",
    [subaccountId],
  );
  const [other] = (await reconcile("currency=AUD")).balances;
  expect(other).toMatchObject({ drift: 1, differences: [{ what: "payouts", amount: -1 }] });
});

test("the statement has the opening and closing balance of the page, as CSV and PDF", async () => {
  const { finance, subaccountId, reconcile } = await newBooks();
  for (const month of ["2026-09", "2026-10"]) {
    const [books] = (await reconcile(`month=${month}&currency=AUD`)).balances;
    const query = `month=${month}&currency=AUD`;
    const { text, headers } = await finance.get(`/s/${subaccountId}/statement.csv?${query}`);
    expect(headers.get("content-disposition")).toContain(`statement-AUD-${month}.csv`);
    const lines: Record<string, string>[] = parse(text, { columns: true });
    const cents = (amount: string | undefined) => Math.round(Number(amount) * 100);
    expect(cents(lines[0]?.balance)).toBe(books.opening);
    expect(cents(lines.at(-1)?.balance)).toBe(books.closing);
    const sum = lines.reduce((total, { amount }) => total + cents(amount), 0);
    expect(books.opening + sum).toBe(books.closing);
    const pdf = await finance.get(`/s/${subaccountId}/statement.pdf?${query}`);
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    expect(pdf.headers.get("content-disposition")).toContain(`statement-AUD-${month}.pdf`);
    expect(pdf.text).toMatch(/^%PDF-1\.7[\s\S]*%%EOF\s*$/);
  }
});

test("the journal has exactly the transfers of the period, oldest first", async () => {
  const { finance, subaccountId } = await newBooks();
  const { text, headers } = await finance.get(
    `/s/${subaccountId}/reconcile.csv?month=2026-10&currency=AUD`,
  );
  expect(headers.get("content-disposition")).toContain("journal-AUD-2026-10.csv");
  const [head, ...lines] = text
    .trim()
    .split("\n")
    .map((row) => row.split(","));
  expect(lines.map((line) => line[head?.indexOf("kind") ?? 0])).toEqual([
    ...["settle", "return", "credit", "hold"],
  ]);
  const cell = (name: string) => lines[0]?.[head?.indexOf(name) ?? 0];
  expect(cell("when")).toMatch(/^2026-10-\d\dT[\d:.]+Z$/);
  for (const name of ["amount", "available", "held"]) expect(cell(name)).toMatch(/^\d+\.\d\d$/);
});

describe("closing a month", () => {
  test("works once, after its end, and is in the audit log", async () => {
    const { close, reconcile, finance, subaccountId } = await newBooks();
    const current = new Date().toISOString().slice(0, 7);
    expect((await close(current)).json.error[0].code).toBe("CONS802");
    expect((await close("2026-09", "EUR")).json.error[0].code).toBe("CONS110");

    const races = await Promise.all([close("2026-09"), close("2026-09")]);
    expect(races.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await close("2026-09")).json.error[0].code).toBe("CONS803");
    const [aud] = (await reconcile("month=2026-09&currency=AUD")).balances;
    expect(aud).toMatchObject({ drift: 0, is_closable: false, closed: { by: finance.who } });
    const { rows } = await service.db.pool.query(
      "select who, object_id from audit_entry where action = 'month.close' and subaccount_id = $1",
      [subaccountId],
    );
    expect(rows).toEqual([{ who: finance.who, object_id: "2026-09 AUD" }]);
    expect((await close("2026-10")).status).toBe(200);
    expect(await faultsOf(subaccountId)).toEqual([]);
  });

  test("is refused while the payouts and the ledger differ", async () => {
    const { close, subaccountId } = await newBooks();
    await service.db.pool.query(
      "update payout set amount = amount + 1 where subaccount_id = $1 and status = 'pending'",
      [subaccountId],
    );
    expect((await close("2026-09")).json.error[0].code).toBe("CONS804");
  });

  test("is checked: verification reports figures that differ from the closed ones", async () => {
    const { close, reconcile, subaccountId } = await newBooks();
    await close("2026-10", "NZD");
    await close("2026-09", "NZD");
    expect(await faultsOf(subaccountId)).toEqual([]);
    // A transfer dated into the closed month. The service itself would never post it.
    const late = { subaccountId, currency: "NZD", id: newId(), kind: "fund" as const };
    await service.db.transaction((tx) =>
      postTransfers(tx, [
        { ...late, amount: 7n, reference: newId(), who: "x", atMs: october + dayMs },
      ]),
    );
    const [nzd] = (await reconcile("month=2026-10&currency=NZD")).balances;
    expect(nzd).toMatchObject({ differences: [{ what: "closed", amount: 7 }] });
    await service.db.pool.query(
      "update ledger_transfer set amount = 501 where subaccount_id = $1 and amount = 500",
      [subaccountId],
    );
    expect(await faultsOf(subaccountId)).toEqual([
      "2026-09 is closed, but funded was 500 and is now 501",
      "2026-10 is closed, but the books have a transfer of it elsewhere",
    ]);
  });

  test("a transfer dated into a closed month is found however late it was posted", async () => {
    const { close, subaccountId } = await newBooks();
    await close("2026-09", "NZD");
    const post = (atMs: number) =>
      service.db.transaction((tx) => {
        const of = { subaccountId, currency: "NZD", id: newId(), kind: "fund" as const };
        return postTransfers(tx, [{ ...of, amount: 7n, reference: newId(), who: "x", atMs }]);
      });
    await post(october + dayMs);
    expect(await faultsOf(subaccountId)).toEqual([]);
    await post(september + dayMs);
    expect(await faultsOf(subaccountId)).toEqual([
      "2026-09 is closed, but the books have a transfer of it elsewhere",
    ]);
  });

  test("can't be undone by the service", async () => {
    const { rows } = await service.db.pool.query(
      "select has_table_privilege('disburse_service', 'closed_month', 'update, delete, truncate') as may",
    );
    expect(rows).toEqual([{ may: false }]);
  });
});

async function faultsOf(subaccountId: string): Promise<string[]> {
  const { differences } = await verifyLedger(service.db);
  return differences
    .filter((one) => one.subaccountId === subaccountId && one.what.includes("closed"))
    .map(({ what }) => what);
}

test("an invalid period is refused", async () => {
  const { subaccountId } = await service.newCaller();
  const developer = service.enter("developer", { subaccountId });
  for (const query of ["from=1&to=2", `from=${october}`, `from=${october}&to=${september}`]) {
    const { json } = await developer.get(`/s/${subaccountId}/reconcile?${query}`);
    expect(json.error[0].code).toBe("CONS801");
  }
});
