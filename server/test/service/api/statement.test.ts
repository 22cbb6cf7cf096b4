// GET /api/balance/statement: one line for each movement, from the opening to the closing balance, to the cent.

import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { rollups } from "../../../src/doors/console/rollups/catch-up.ts";
import { openStatement, statementPages } from "../../../src/money/ledger/account-statement.ts";
import { type Kind, postings } from "../../../src/money/ledger/ledger.ts";
import { movementKinds, movementSign, movementText } from "../../../src/money/ledger/movements.ts";
import { ensureBalances, postTransfers } from "../../../src/money/ledger/queries.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { september, twoMonthsOf } from "../../support/past-payouts.ts";
import { readPdf } from "../../support/pdf-reader.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

const dayMs = 86_400_000;
const path = "/api/balance/statement?currency=AUD";

async function newBooks() {
  const caller = await service.newCaller();
  const { past, paid, sent } = await twoMonthsOf(service, caller);
  const get = async (query: string) => (await caller.call("GET", `${path}&${query}`)).json;
  const getAs = (type: string, query: string) =>
    caller.call("GET", `${path}&${query}`, { headers: { accept: type } });
  return { caller, past, paid, sent, get, getAs };
}

test("every kind of transfer that changes the balance has a direction and words", () => {
  for (const kind of Object.keys(postings) as Kind[]) {
    const isMovement = [...movementKinds.in, ...movementKinds.out].includes(kind);
    expect(isMovement, kind).toBe(movementSign(kind) !== 0);
    if (isMovement) expect(movementText(kind), kind).toMatch(/^[A-Z][\w, ]+$/);
  }
  expect(movementKinds.in).toEqual(expect.arrayContaining(["fund", "return"]));
  expect(movementKinds.out).toEqual(expect.arrayContaining(["settle", "fee", "reversal"]));
  for (const kind of ["hold", "release", "submit", "reject", "credit"] as const) {
    expect(movementSign(kind), kind).toBe(0);
  }
});

test("a month opens with the closing balance before it; a payout is one line, on the day it was paid", async () => {
  const { get, paid, sent } = await newBooks();
  const { payload } = await get("month=2026-09");
  expect(payload).toMatchObject({
    ...{ currency: "AUD", from: "2026-09-01", to: "2026-09-30", opening: 0, closing: 9_000 },
    lines: [
      { date: "2026-09-01", kind: "fund", description: "Funding", amount: 10_000, balance: 10_000 },
      {
        ...{ date: "2026-09-03", kind: "settle", description: "Payout", payout_id: paid },
        ...{ reference: paid, receiver_or_payer: "Ada Lovelace", amount: -1_000, balance: 9_000 },
      },
    ],
  });
  expect((await get("month=2026-10")).payload).toMatchObject({
    ...{ opening: 9_000, closing: 9_800 },
    lines: [
      { date: "2026-10-01", payout_id: sent, amount: -200, balance: 8_800 },
      { date: "2026-10-02", kind: "return", payout_id: paid, amount: 1_000, balance: 9_800 },
    ],
  });
});

test("a range of days includes its last day, and days without movements open and close the same", async () => {
  const { get } = await newBooks();
  const days = (await get("from=2026-09-03&to=2026-10-01")).payload;
  expect([days.opening, days.closing, days.lines.length]).toEqual([10_000, 8_800, 2]);
  const quiet = (await get("from=2026-09-10&to=2026-09-20")).payload;
  expect(quiet).toMatchObject({ opening: 9_000, closing: 9_000, lines: [] });
  expect((await get("month=2020-01")).payload).toMatchObject({ opening: 0, closing: 0, lines: [] });
});

test("pages continue with the balance, and a cursor leads to no other period", async () => {
  const { caller, get } = await newBooks();
  const whole = (await get("from=2026-09-01&to=2026-10-31")).payload;
  const lines = [];
  let next: string | undefined = `${path}&from=2026-09-01&to=2026-10-31&limit=1`;
  while (next) {
    const { json, headers } = await caller.call("GET", next);
    expect(json.payload).toMatchObject({ opening: whole.opening, closing: whole.closing });
    lines.push(...json.payload.lines);
    next = /<(.*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  }
  expect(lines).toEqual(whole.lines);
  expect((await get("month=2026-10&cursor=0")).payload.lines).toHaveLength(2);
  expect((await get("month=2026-09&cursor=999999")).payload.lines).toEqual([]);
  expect(await caller.disburse.balance.statement({ currency: "AUD", month: "2026-09" })).toEqual(
    (await get("month=2026-09")).payload,
  );
});

test("as CSV it has an opening and a closing line, decimals, and no formulas", async () => {
  const { getAs, caller } = await newBooks();
  await service.db.pool.query(
    "update receiver set first_name = '=cmd()', middle_name = '', last_name = 'x' where subaccount_id = $1",
    [caller.subaccountId],
  );
  const { status, text, headers } = await getAs("text/csv", "month=2026-10");
  expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  const lines: Record<string, string>[] = parse(text, { columns: true });
  expect(Object.keys(lines[0] ?? {})).toEqual([
    ...["date", "description", "receiver_or_payer", "reference", "payout_id"],
    ...["amount", "balance", "currency"],
  ]);
  expect(
    lines.map(({ date, description, amount, balance }) => [date, description, amount, balance]),
  ).toEqual([
    ["2026-10-01", "Opening balance", "", "90.00"],
    ["2026-10-01", "Payout", "-2.00", "88.00"],
    ["2026-10-02", "Payout returned", "10.00", "98.00"],
    ["2026-10-31", "Closing balance", "", "98.00"],
  ]);
  expect(lines[1]?.receiver_or_payer).toBe("'=cmd() x");
});

test("as PDF it is a document with the same lines", async () => {
  const { getAs } = await newBooks();
  const { bytes, headers } = await getAs("application/pdf", "month=2026-10");
  expect(headers.get("content-type")).toBe("application/pdf");
  const pdf = readPdf(bytes);
  expect(pdf.title).toBe("Statement AUD, 2026-10-01 to 2026-10-31");
  const page = pdf.lines[0] ?? [];
  expect(page).toContain("2026-10-01 | Opening balance | 90.00");
  expect(page.find((line) => line.includes("| Payout |"))).toMatch(
    /Ada Lovelace .* \| -2\.00 \| 88\.00$/,
  );
  expect(page).toContain("2026-10-31 | Closing balance | 98.00");
});

test("BALA101 to BALA114: parameters are checked", async () => {
  const { caller } = await newBooks();
  const codes = async (query: string) =>
    (await caller.call("GET", `/api/balance/statement?${query}`)).json.error
      .map(({ code }: { code: string }) => code)
      .sort();
  expect(await codes("month=2026-13&from=x&to=2026-02-30&limit=0&cursor=z&sort=1")).toEqual([
    ...["BALA101", "BALA102", "BALA105", "BALA106", "BALA111", "BALA112", "BALA113"],
  ]);
  for (const days of [
    "from=2026-10-01",
    "to=2026-10-01",
    "from=2026-10-02&to=2026-10-01",
    "from=2024-10-02&to=2026-10-01",
    "month=2026-10&from=2026-10-01&to=2026-10-02",
  ]) {
    expect(await codes(`currency=AUD&${days}`), days).toEqual(["BALA114"]);
  }
});

test("BALA115: a statement that is too long for PDF is refused before it begins, and works as CSV", async () => {
  const { getAs } = await newBooks();
  const { pdfRowsMax } = limits;
  const changed = limits as { pdfRowsMax: number };
  changed.pdfRowsMax = 1;
  try {
    const { status, json } = await getAs("application/pdf", "month=2026-10");
    expect([status, json.error[0].code]).toEqual([400, "BALA115"]);
    expect((await getAs("text/csv", "month=2026-10")).status).toBe(200);
  } finally {
    changed.pdfRowsMax = pdfRowsMax;
  }
});

test("the lines of another subaccount are not shown", async () => {
  await newBooks();
  const other = await service.newCaller();
  const { json } = await other.call("GET", `${path}&month=2026-09`);
  expect(json.payload).toMatchObject({ opening: 0, closing: 0, lines: [] });
});

describe("against a model of all transfers", () => {
  const currency = "AUD";
  const kinds: Kind[] = [
    "fund",
    "hold",
    "submit",
    "settle",
    "return",
    "credit",
    "fee",
    "fee_refund",
    "reversal",
  ];

  /** Transfers of ten days; some have a time a little before the one above them, as from another process. */
  async function randomBooks(subaccountId: string, seed: number) {
    let state = seed;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    const transfer = (kind: Kind, amount: number, atMs: number) => {
      const id = newId();
      const key = { subaccountId, currency };
      return { ...key, id, kind, amount: BigInt(amount), reference: id, who: "service", atMs };
    };
    let atMs = september;
    const transfers = [transfer("fund", 1_000_000, atMs)];
    for (let round = 0; round < 60; round++) {
      atMs += random(dayMs / 3);
      const amount = 1 + random(900);
      for (const kind of kinds) transfers.push(transfer(kind, amount, atMs - random(120_000)));
    }
    await service.db.transaction(async (tx) => {
      await ensureBalances(tx, [{ subaccountId, currency }]);
      await postTransfers(tx, transfers);
    });
    let latest = 0;
    return transfers.map(({ kind, amount, atMs: made }) => {
      latest = Math.max(latest, made);
      return { bookedMs: latest, change: BigInt(movementSign(kind)) * amount };
    });
  }

  test.each([1, 2, 3])(
    "every range of days adds up, before and after the roll-ups (seed %i)",
    async (seed) => {
      const { subaccountId } = await service.newCaller();
      const booked = await randomBooks(subaccountId, seed);
      const before = (ms: number) =>
        booked
          .filter(({ bookedMs }) => bookedMs < ms)
          .reduce((sum, { change }) => sum + change, 0n);
      const { db } = service;
      const check = async () => {
        for (let first = 0; first < 12; first += 3) {
          for (let last = first; last < 12; last += 2) {
            const period = {
              fromMs: september + first * dayMs,
              toMs: september + (last + 1) * dayMs,
            };
            const statement = await openStatement(db, { subaccountId, currency }, period);
            expect(statement.opening).toBe(before(period.fromMs));
            expect(statement.closing).toBe(before(period.toMs));
            let lines = 0;
            for await (const page of statementPages(db, statement)) lines += page.length;
            const { fromMs, toMs } = period;
            const own = booked.filter(
              ({ bookedMs, change }) => change !== 0n && bookedMs >= fromMs && bookedMs < toMs,
            );
            expect(lines).toBe(own.length);
          }
        }
      };
      await check();
      const rolled = rollups({
        db,
        clock: Date.now,
        onError: (error) => expect.fail(String(error)),
      });
      expect(await rolled.catchUp(subaccountId)).toBe(true);
      await check();
      // New transfers, which the roll-ups do not have.
      await service.db.transaction((tx) =>
        postTransfers(tx, [
          {
            ...{
              subaccountId,
              currency,
              id: newId(),
              kind: "fund",
              amount: 5n,
              reference: newId(),
            },
            ...{ who: "service", atMs: september + 40 * dayMs },
          },
        ]),
      );
      booked.push({ bookedMs: september + 40 * dayMs, change: 5n });
      await check();
      await rolled.close();
    },
  );
});
