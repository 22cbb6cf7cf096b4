// Sixty spreadsheets as people make them, of three countries, as CSV and as workbooks, each with one ordinary mistake: every row
// is paid as it was meant, or refused with its cell and the cure. A second upload pays nothing twice.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { FileCheck } from "../../../src/doors/console/imports/schema.ts";
import type { ImportLine } from "../../../src/money/imports/schema.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { asFile } from "../../support/import-file.ts";
import { newPayee, type Payee } from "../../support/payers.ts";
import type { TestCaller } from "../../support/service.ts";
import {
  amountText,
  type Locale,
  locales,
  type Mistake,
  type MistakenSheet,
  mistakes,
  textOf,
} from "../../support/sheet-mistakes.ts";
import { type Cell, spreadsheet } from "../../support/spreadsheets.ts";

/** A row as it is meant. The amount is in minor units. */
type Meant = { to: number; amount: number; day: string };

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

let service: ConsoleService;
let finance: TestPerson;
let caller: TestCaller;
/** By currency: each is paid in the currency of its country. */
const payees: Record<string, (Payee & { email: string; number: string })[]> = {};
const numbers: Record<string, string[]> = {
  AUD: ["00112233", "11223344", "22334455"],
  EUR: ["DE02120300000000202051", "DE02500105170137075030", "DE02100500000054540402"],
};
const countries: Record<string, [person: object, bank?: object]> = {
  AUD: [{}],
  EUR: [{ country: "DEU", state: "", postcode: "10115" }, {}],
};
beforeAll(async () => {
  service = await startConsole();
  finance = service.enter("operator");
  caller = await service.newCaller();
  const { disburse } = caller;
  for (const [currency, ofCurrency] of Object.entries(numbers)) {
    await disburse.testHelpers.fund({ amount: 1_000_000_000, currency, reference: currency });
    const [person, bank] = countries[currency] ?? [{}];
    payees[currency] = [];
    for (const number of ofCurrency) {
      const email = `payee-${number.toLowerCase()}@example.com`;
      const payee = await newPayee(disburse, number, { email, ...person }, bank);
      payees[currency].push({ ...payee, email, number });
    }
  }
});
afterAll(async () => {
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await service.close();
});

const daySerial = (iso: string) => Date.parse(iso) / 86_400_000 + 25_569;

function csvOf({ above, header, rows }: MistakenSheet, separator: string): string {
  const cell = (value: Cell) => {
    const text = textOf(value);
    return text.includes(separator) || text.includes('"')
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  };
  return [...above, header, ...rows].map((row) => row.map(cell).join(separator)).join("\r\n");
}

function fileOf(mistake: Mistake, locale: Locale, isWorkbook: boolean, name: string) {
  const random = seeded(name.length * 7_919);
  const ofCurrency = payees[locale.currency] ?? [];
  const meant: Meant[] = Array.from({ length: 6 }, (_, index) => ({
    to: index % ofCurrency.length,
    // Thousands in every file, so that it says how it writes decimals.
    amount: 123_401 + Math.floor(random() * 900_000) + index,
    day: `2027-0${1 + (index % 9)}-${14 + index}`,
  }));
  const rows = meant.map(({ to, amount, day }, index): Cell[] => {
    const { email = "", number = "" } = ofCurrency[to] ?? {};
    const shown = isWorkbook ? amount / 100 : amountText(amount, locale);
    const on = isWorkbook ? { value: daySerial(day), style: 1 } : locale.day(day);
    return [email, shown, locale.currency, `${name} ${index + 2}`, on, number];
  });
  const sheet: MistakenSheet = {
    header: [...locale.header],
    rows,
    above: [],
    merged: [],
    hidden: [],
  };
  mistake.make(sheet, locale, isWorkbook);
  if (isWorkbook) {
    const { merged, hidden } = sheet;
    return {
      meant,
      file: spreadsheet([...sheet.above, sheet.header, ...sheet.rows], { merged, hidden }),
    };
  }
  const separator = mistake.name.includes("tabs") ? "\t" : locale.separator;
  const csv = csvOf(sheet, separator);
  return { meant, file: mistake.text?.(csv) ?? csv };
}

async function importOnce(file: string | Uint8Array) {
  const path = `/s/${caller.subaccountId}/payouts/import`;
  const check = (await finance.post(`${path}/check`, asFile(file))).json as FileCheck;
  const totals = check.totals
    .filter(({ payouts }) => payouts > 0)
    .map(({ currency, amount }) => ({ currency, amount }));
  const { status, text } = await finance.post(path, { ...asFile(file), totals });
  expect(status).toBe(200);
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ImportLine);
  return { check, outcomes: lines.flatMap((line) => (line.kind === "row" ? [line.outcome] : [])) };
}

async function paidFor(name: string) {
  const { rows } = await service.db.pool.query(
    `select reference, amount::int, currency, account_id, send_on::text from payout
     where subaccount_id = $1 and reference like $2 order by reference`,
    [caller.subaccountId, `${name} %`],
  );
  return rows;
}

const cases = locales.flatMap((locale) =>
  mistakes.flatMap((mistake) =>
    (["csv", "xlsx"] as const)
      .filter((format) => mistake.only === undefined || mistake.only === format)
      .map((format) => ({ locale, mistake, format })),
  ),
);

test("there are at least sixty", () => {
  expect(cases.length).toBeGreaterThanOrEqual(60);
});

test.each(cases.map((one) => [one.locale.name, one.format, one.mistake.name, one] as const))(
  "%s, %s: %s",
  async (country, format, _, { locale, mistake }) => {
    const name = `${country} ${format} ${mistakes.indexOf(mistake)}`;
    const { meant, file } = fileOf(mistake, locale, format === "xlsx", name);
    const { refused = {}, later = [] } = mistake;
    const above = mistake.name.includes("title") ? 2 : 0;
    const { check, outcomes } = await importOnce(file);
    expect(check.reading.missing).toEqual([]);
    const wrong = new Map(check.problems.map((problem) => [problem.row - above, problem]));
    expect([...wrong.keys()]).toEqual(Object.keys(refused).map(Number));
    for (const [row, [field, message]] of Object.entries(refused)) {
      const problem = wrong.get(Number(row));
      expect(problem?.column).toBe(field);
      expect(problem?.message).toMatch(message);
      if (field !== "" && !/required|not valid/.test(problem?.message ?? "")) {
        expect(problem?.cure).not.toBe("");
      }
    }
    expect(check.waiting.rows.map(({ row }) => row)).toEqual(later);
    const expected = meant.flatMap(({ to, amount, day }, index) =>
      index + 2 in refused || later.includes(index + 2)
        ? []
        : [
            {
              reference: `${name} ${index + 2}`,
              amount,
              currency: locale.currency,
              account_id: payees[locale.currency]?.[to]?.account_id,
              send_on: day,
            },
          ],
    );
    expect(await paidFor(name)).toEqual(expected);
    expect(outcomes).toEqual(expected.map(() => "created"));

    const again = await importOnce(file);
    expect(again.outcomes).toEqual(expected.map(() => "already_imported"));
    expect(await paidFor(name)).toEqual(expected);
  },
);
