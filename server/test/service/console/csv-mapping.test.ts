// The mapping for CSV statements in the console: proposed from a sample, tried, saved with its versions, audited.

import { expect, test } from "vitest";
import type { Mode } from "../../../src/platform/base/caller.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { outcomeOf } from "../../support/service.ts";

const service = await closeAfterTests(startBankConsole());

const sample = `Date,Details,Payee account,Amount,Balance
13/11/2026,Rent,DE89370400440532013000,-100.00,900.00
14/11/2026,Salary,,"2,000.00","2,900.00"
15/11/2026,Shop,,-50.50,"2,849.50"
`;
const encoded = (text: string) => Buffer.from(text).toString("base64");

async function newConnection(mode: Mode = "test"): Promise<string> {
  const { subaccountId } = await service.newCaller({ mode });
  const id = await service.connect(subaccountId, [subaccountId], { mode });
  return `/banks/connections/${id}/csv-mapping`;
}

test("an admin tries a sample, saves the mapping that is proposed, and changes it", async () => {
  const path = await newConnection("live");
  /** Another admin confirms it: a mapping decides about the sign and amount of every later file. */
  const save = async (mapping: object) => {
    const before = (await admin.get(path)).json;
    const { request_id, ...inForce } = (await admin.put(path, { mapping })).json;
    expect(inForce).toEqual(before);
    expect(outcomeOf(await service.confirm(request_id, admin))).toBe("403 CONS402");
    expect(outcomeOf(await service.confirm(request_id, service.enter("finance")))).toBe(
      "403 CONS102",
    );
    expect((await service.confirm(request_id, service.enter("admin"))).status).toBe(200);
    return (await admin.get(path)).json;
  };
  const admin = service.enter("admin");
  expect((await admin.get(path)).json).toEqual({
    mapping: null,
    version: 0,
    saved_at: null,
    saved_by: "",
  });
  const tried = await admin.post(`${path}/preview`, { content: encoded(sample) });
  expect(tried.status).toBe(200);
  const { mapping, notes, columns, lines, statements, problems } = tried.json;
  expect(mapping).toEqual({
    delimiter: ",",
    skip_rows: 0,
    skip_last_rows: 0,
    has_header: true,
    date: { column: "Date", format: "DD/MM/YYYY" },
    amount: { kind: "signed", column: "Amount" },
    decimal: ".",
    group: ",",
    currency: { fixed: "AUD" },
    description: ["Details"],
    party_account: "Payee account",
    balance: "Balance",
    order: "oldest_first",
  });
  expect(notes).toContainEqual({
    field: "balance",
    confidence: "proven",
    reason: "each balance follows from the one before and the amount",
  });
  expect(columns).toEqual(["Date", "Details", "Payee account", "Amount", "Balance"]);
  expect(lines[0]).toEqual({
    line: 2,
    day: "2026-11-13",
    value_day: "",
    amount: -10_000,
    currency: "AUD",
    text: "Rent",
    reference: "",
    bank_reference: "",
    party: "",
    party_account: "…000",
  });
  expect(statements).toMatchObject([{ opening: 100_000, closing: 284_950, lines: 3 }]);
  expect(problems).toEqual([]);
  expect(tried.text).not.toContain("DE89370400440532013000");
  expect(tried.json.samples).toMatchObject([
    ["13/11/2026", "14/11/2026", "15/11/2026"],
    ["Rent", "Salary", "Shop"],
    ["…000"],
    ["-100.00", "2,000.00", "-50.50"],
    ["900.00", "2,900.00", "2,849.50"],
  ]);

  expect(await save(mapping)).toMatchObject({ version: 1, mapping, saved_by: admin.who });
  const changed = { ...mapping, date: { column: 1, format: "YYYY-MM-DD" } };
  const second = await admin.post(`${path}/preview`, {
    content: encoded(sample),
    mapping: changed,
  });
  expect(second.json.problems[0]).toMatchObject({ severity: "error", line: 2, column: 1 });
  expect((await save(changed)).version).toBe(2);
  expect((await admin.get(path)).json).toMatchObject({ version: 2, mapping: changed });

  const { rows } = await service.db.pool.query(
    "select version, mapping, saved_by from bank_csv_mapping where connection_id = $1 order by version",
    [path.split("/")[3]],
  );
  expect(rows).toEqual([
    { version: 1, mapping, saved_by: admin.who },
    { version: 2, mapping: changed, saved_by: admin.who },
  ]);
  const { rows: entries } = await service.db.pool.query(
    "select action, who from audit_entry where action = 'bank.csv-mapping' and object_id = $1",
    [path.split("/")[3]],
  );
  expect(entries).toHaveLength(2);
});

test("a tab, a space between thousands and every kind of amount are kept as they are", async () => {
  const path = await newConnection();
  const admin = service.enter("admin");
  const base = {
    delimiter: "\t",
    skip_rows: 1,
    skip_last_rows: 2,
    has_header: false,
    date: { column: 1, format: "DD.MM.YY" },
    value_date: { column: 2, format: "DD MMM YYYY" },
    decimal: ",",
    group: " ",
    currency: { column: 3 },
    description: [4, 5],
    status: { column: 6, booked_words: ["Booked"] },
    order: "newest_first",
  };
  const amounts = [
    { kind: "signed", column: 7, debits_positive: true },
    { kind: "debit_credit", debit: 7, credit: 8, debits_negative: true },
    { kind: "indicator", column: 7, indicator: 8, debit_words: ["D"], credit_words: ["C", "H"] },
  ];
  for (const amount of amounts) {
    const { json } = await admin.put(path, { mapping: { ...base, amount } });
    expect(json.mapping).toEqual({ ...base, amount });
  }
});

test("a mapping that is not valid is refused with every field", async () => {
  const path = await newConnection();
  const admin = service.enter("admin");
  const { mapping } = (await admin.post(`${path}/preview`, { content: encoded(sample) })).json;
  const wrong = {
    ...mapping,
    decimal: ";",
    amount: { kind: "signed" },
    colour: "red",
    order: null,
  };
  const refused = await admin.put(path, { mapping: wrong });
  expect(refused.status).toBe(400);
  const fields = refused.json.error.map(
    ({ code, field }: { code: string; field: string }) => `${code} ${field}`,
  );
  expect(fields).toEqual(["BANK462 colour", "BANK462 amount", "BANK462 decimal", "BANK462 order"]);
  const unlikely = { ...mapping, group: ".", date: { column: "Date", format: "MM" } };
  const { json } = await admin.put(path, {
    mapping: { ...unlikely, date: { column: "Date", format: "DD/MM/DD" } },
  });
  expect(json.error.map(({ field }: { field: string }) => field)).toEqual(["date.format", "group"]);
  expect((await admin.get(path)).json.version).toBe(0);
});

test("where no mapping can be proposed, the notes say why", async () => {
  const path = await newConnection();
  const admin = service.enter("admin");
  const { json } = await admin.post(`${path}/preview`, { content: encoded("nothing here\n") });
  expect(json).toMatchObject({ mapping: null, lines: [], notes: [{ field: "date.column" }] });
  const binary = Buffer.from([1, 0, 2, 0]).toString("base64");
  expect(outcomeOf(await admin.post(`${path}/preview`, { content: binary }))).toBe("400 BANK402");
});

test("a mapping of an unknown connection is refused", async () => {
  const path = await newConnection();
  const admin = service.enter("admin");
  const { mapping } = (await admin.post(`${path}/preview`, { content: encoded(sample) })).json;
  const unknown = "/banks/connections/01890000-0000-7000-8000-000000000000/csv-mapping";
  expect(outcomeOf(await admin.get(unknown))).toBe("404 BANK102");
  expect(outcomeOf(await admin.put(unknown, { mapping }))).toBe("404 BANK102");
});
