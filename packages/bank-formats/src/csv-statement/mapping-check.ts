// What can be wrong with a mapping, beside the kinds of its values.

import { isCurrency } from "../money.ts";
import { isDateFormat } from "./dates.ts";
import { type CsvAmount, type CsvMapping, columnsOf, hasWord } from "./mapping.ts";

export type MappingProblem = { field: string; message: string };

export function csvMappingProblems(mapping: CsvMapping): MappingProblem[] {
  const { date, value_date, decimal, group, has_header, currency } = mapping;
  const problems: MappingProblem[] = [];
  const add = (field: string, message: string) => problems.push({ field, message });
  for (const [field, given] of Object.entries({ date, value_date })) {
    if (given && !isDateFormat(given.format)) {
      add(`${field}.format`, "It must have a day, a month and a year, such as DD.MM.YYYY");
    }
  }
  if ("fixed" in currency && !isCurrency(currency.fixed)) {
    add("currency.fixed", "It must be a currency such as EUR");
  }
  if (decimal === group) add("group", "It must be another mark than the one before decimals");
  const columns = columnsOf(mapping);
  const named = columns.find(({ column }) => typeof column === "string");
  if (!has_header && named) add(named.use, "Without a header, give the number of the column");
  const money = columns.filter(({ use }) => /^(amount|debit|credit|balance)$/.test(use));
  if (new Set(money.map(({ column }) => column)).size < money.length) {
    add("amount", "The amount, the debit, the credit and the balance must be different columns");
  }
  if (hasSharedWord(mapping.amount)) add("amount", "A word can't mean both debit and credit");
  return problems;
}

function hasSharedWord(amount: CsvAmount): boolean {
  if (amount.kind !== "indicator") return false;
  const { debit_words, credit_words } = amount;
  return debit_words.some((word) => hasWord(credit_words, word));
}
