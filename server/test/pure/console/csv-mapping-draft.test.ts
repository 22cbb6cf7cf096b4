// The form of a mapping for CSV statements: choosing a column changes what it is read as, and nothing else.

import { expect, test } from "vitest";
import {
  type CsvMapping,
  columnUseAt,
  openUses,
  withUse,
} from "../../../../console/src/banks/csv-mapping-draft.ts";

const mapping: CsvMapping = {
  delimiter: ",",
  skip_rows: 0,
  skip_last_rows: 0,
  has_header: true,
  date: { column: "Booked", format: "DD/MM/YYYY" },
  amount: { kind: "signed", column: "Amount" },
  decimal: ".",
  group: "",
  currency: { column: "Ccy" },
  description: ["Text"],
  balance: "Balance",
  order: "oldest_first",
};
const header = ["booked ", "Amount", "Ccy", "Text", "Balance", "Text"];
const at = (place: number) => ({ header, place, currency: "AUD" });

test("a column is found by its name however it is written, and freed by another choice", () => {
  expect(header.slice(0, 5).map((_, place) => columnUseAt(mapping, header, place))).toEqual([
    "date",
    "amount",
    "currency",
    "description",
    "balance",
  ]);
  const without = withUse(mapping, at(2), undefined);
  expect(without).toEqual({ ...mapping, currency: { fixed: "AUD" } });
  expect(withUse(without, at(2), "currency")).toEqual(mapping);
  // A name that two columns have says too little.
  expect(withUse(mapping, at(5), "reference")).toMatchObject({ reference: 6 });
  const open = withUse(mapping, at(0), "value_date");
  expect(open.value_date).toEqual({ column: "booked ", format: "DD/MM/YYYY" });
  expect(openUses(open)).toEqual(["date"]);
});

test("debits and credits in two columns, and a column that says which, ask for what is missing", () => {
  const debit = withUse(mapping, at(1), "debit");
  expect(debit.amount).toEqual({ kind: "debit_credit", debit: "Amount", credit: "" });
  expect(openUses(debit)).toEqual(["credit"]);
  const both = withUse(debit, at(4), "credit");
  expect(openUses(both)).toEqual([]);
  expect(both.balance).toBeUndefined();
  expect(withUse(both, at(1), "amount").amount).toEqual({ kind: "signed", column: "Amount" });
  const indicator = withUse(mapping, at(3), "indicator");
  expect(indicator).toMatchObject({
    description: [],
    amount: { kind: "indicator", column: "Amount", indicator: 4 },
  });
  expect(openUses(indicator)).toEqual([]);
});
