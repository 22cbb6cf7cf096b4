// Which columns of a CSV statement are the amount and the balance: proven where the balances follow from the amounts.

import { type AmountMarks, readCsvAmount } from "./amounts.ts";
import type { ColumnFacts } from "./column-facts.ts";
import type { ColumnUse } from "./header-words.ts";
import { type CsvMapping, hasWord } from "./mapping.ts";

/** The amounts of all lines, signed, in the order of the file. */
type Model = {
  kind: "signed" | "debit_credit" | "indicator";
  columns: readonly ColumnFacts[];
  /** Debits have the other sign than usual. */
  isFlipped: boolean;
  debitWords: string[];
  creditWords: string[];
  score: number;
  amounts: readonly bigint[];
};

export type GuessedAmount = Omit<Model, "amounts" | "score"> & {
  marks: readonly AmountMarks[];
  balance: ColumnFacts | undefined;
  /** Undefined where the balances don't say it. */
  order: CsvMapping["order"] | undefined;
  /** Whether the balances follow from the amounts: in this way, or in others too. */
  proof: "only" | "one_of_several" | "none";
  /** Whether some amounts are debits and some credits. */
  hasBothSides: boolean;
};

/** Numeric columns beyond these are never amounts of a statement. */
const columnsMax = 8;
/** Fewer could be chance. */
const stepsMin = 2;

const indicatorPairs: readonly (readonly [string, string])[] = [
  ["D", "C"],
  ["DR", "CR"],
  ["DBIT", "CRDT"],
  ["Debit", "Credit"],
  ["Debet", "Credit"],
  ["Af", "Bij"],
  ["S", "H"],
  ["Soll", "Haben"],
  ["Débit", "Crédit"],
  ["Debe", "Haber"],
  ["Cargo", "Abono"],
  ["Dare", "Avere"],
  ["Withdrawal", "Deposit"],
  ["-", "+"],
];

/** Undefined where no column can be an amount. */
export function guessAmount(
  columns: readonly ColumnFacts[],
  fileOrder: CsvMapping["order"] | undefined,
  currency: string,
): GuessedAmount | undefined {
  const numeric = columns.filter(isNumeric).slice(0, columnsMax);
  const models = numeric
    .flatMap((column) => modelsOf(column, numeric, columns, currency))
    .toSorted((one, other) => other.score - one.score);
  const proven = models.flatMap((model) => proofsOf(model, numeric, fileOrder, currency));
  const [best] = proven.toSorted((one, other) => other.score - one.score);
  if (best) {
    const isOnly = proven.every((other) => isSameProof(other, best));
    return guessed(best.model, best.balance, best.order, isOnly ? "only" : "one_of_several");
  }
  const [first] = models;
  return first && guessed(first, undefined, undefined, "none");
}

/** Equal amounts follow from each other in both directions. */
function isSameProof(one: Proof, other: Proof): boolean {
  return (
    one.order === other.order &&
    one.balance === other.balance &&
    one.model.kind === other.model.kind &&
    one.model.isFlipped === other.model.isFlipped &&
    one.model.columns.every((column, place) => column === other.model.columns[place])
  );
}

function isNumeric({ marks, hasDecimals, uses }: ColumnFacts): boolean {
  if (marks.length === 0) return false;
  return hasDecimals || moneyUses.some((use) => (uses.get(use) ?? 0) >= 2);
}

const moneyUses = ["amount", "debit", "credit", "balance"] as const satisfies ColumnUse[];

function guessed(
  { kind, columns, isFlipped, debitWords, creditWords, amounts }: Model,
  balance: ColumnFacts | undefined,
  order: CsvMapping["order"] | undefined,
  proof: GuessedAmount["proof"],
): GuessedAmount {
  const used = balance ? [...columns, balance] : columns;
  return {
    kind,
    columns,
    isFlipped,
    debitWords,
    creditWords,
    marks: commonMarks(used.filter(({ marks }) => marks.length > 0)),
    balance,
    order,
    proof,
    hasBothSides: amounts.some((amount) => amount < 0n) && amounts.some((amount) => amount > 0n),
  };
}

/** Rows that have only a balance, such as the first. */
function missingMax(rows: number): number {
  return rows < 4 ? 0 : Math.max(1, Math.floor(rows / 20));
}

/** Every way in which a column can be the amount, alone or with another. */
function modelsOf(
  column: ColumnFacts,
  numeric: readonly ColumnFacts[],
  columns: readonly ColumnFacts[],
  currency: string,
): Model[] {
  const values = readCells(column, column.marks, currency);
  const models: Model[] = [];
  const plain = { isFlipped: false, debitWords: [], creditWords: [] };
  const missing = values.filter((value) => value === undefined).length;
  if (missing <= missingMax(values.length)) {
    const amounts = values.map((value) => value ?? 0n);
    // A column of balances has a name of its own, as one of debits.
    const other = Math.max(
      ...(["balance", "debit", "credit"] as const).map((use) => scoreOf(column, use)),
    );
    const score = scoreOf(column, "amount") * 2 - other * 4 - missing * 4;
    const hasDebits = amounts.some((amount) => amount < 0n);
    models.push({
      ...plain,
      kind: "signed",
      columns: [column],
      amounts,
      score: score + (hasDebits ? 2 : 0),
    });
    models.push({
      ...plain,
      kind: "signed",
      columns: [column],
      isFlipped: true,
      amounts: amounts.map((amount) => -amount),
      score: score - 8,
    });
    if (!hasDebits) models.push(...indicatorModels(column, columns, amounts, score));
  }
  for (const credit of numeric) {
    const model = credit === column ? undefined : pairModel(column, credit, currency);
    if (model) models.push(model);
  }
  return models;
}

function indicatorModels(
  column: ColumnFacts,
  columns: readonly ColumnFacts[],
  amounts: readonly bigint[],
  score: number,
): Model[] {
  return columns.flatMap((indicator) => {
    const { words, cells } = indicator;
    if (words.length === 0 || words.length > 2 || cells.some((cell) => cell === "")) return [];
    const pair = indicatorPairs.find((both) => words.every((word) => hasWord(both, word)));
    if (!pair) return [];
    const [debit, credit] = pair;
    return {
      kind: "indicator" as const,
      columns: [column, indicator],
      isFlipped: false,
      debitWords: [words.find((word) => hasWord([debit], word)) ?? debit],
      creditWords: [words.find((word) => hasWord([credit], word)) ?? credit],
      amounts: amounts.map((amount, row) =>
        hasWord([debit], cells[row] ?? "") ? -amount : amount,
      ),
      score: score + 6 + scoreOf(indicator, "indicator"),
    };
  });
}

/** Where each row has a debit or a credit, and never both. */
function pairModel(debit: ColumnFacts, credit: ColumnFacts, currency: string): Model | undefined {
  const marks = commonMarks([debit, credit]);
  if (marks.length === 0) return undefined;
  const out = readCells(debit, marks, currency);
  const into = readCells(credit, marks, currency);
  const isSet = (value: bigint | undefined) => value !== undefined && value !== 0n;
  const isBoth = out.some((value, row) => isSet(value) && isSet(into[row]));
  const missing = out.filter((value, row) => !isSet(value) && !isSet(into[row])).length;
  if (isBoth || missing > missingMax(out.length)) return undefined;
  const debits = out.filter(isSet) as bigint[];
  const credits = into.filter(isSet) as bigint[];
  const isNegative = debits.length > 0 && debits.every((value) => value < 0n);
  const hasReversals =
    (!isNegative && debits.some((value) => value < 0n)) || credits.some((value) => value < 0n);
  const names = scoreOf(debit, "debit") * 3 + scoreOf(credit, "credit") * 3;
  // Where a side is empty, only the names of the columns tell them apart.
  if (hasReversals || ((debits.length === 0 || credits.length === 0) && names < 12))
    return undefined;
  const amounts = out.map((value, row) => {
    if (!isSet(value)) return into[row] ?? 0n;
    return isNegative ? (value as bigint) : -(value as bigint);
  });
  const score = names - missing * 4;
  const columns = [debit, credit];
  return {
    kind: "debit_credit",
    columns,
    isFlipped: isNegative,
    debitWords: [],
    creditWords: [],
    amounts,
    score,
  };
}

type Proof = {
  model: Model;
  balance: ColumnFacts;
  order: CsvMapping["order"];
  score: number;
};

/** Balances that follow from the amounts of the model, from the first row to the last or the other way round. */
function proofsOf(
  model: Model,
  numeric: readonly ColumnFacts[],
  fileOrder: CsvMapping["order"] | undefined,
  currency: string,
): Proof[] {
  const orders = fileOrder ? [fileOrder] : (["oldest_first", "newest_first"] as const);
  return numeric.flatMap((balance) => {
    const marks = commonMarks([balance, ...model.columns.filter((one) => one.marks.length > 0)]);
    if (marks.length === 0 || model.columns.includes(balance)) return [];
    const balances = readCells(balance, marks, currency);
    return orders.flatMap((order) => {
      if (!followsFrom(balances, model.amounts, order)) return [];
      const score =
        model.score + scoreOf(balance, "balance") * 2 + (order === "oldest_first" ? 1 : 0);
      return { model, balance, order, score };
    });
  });
}

function followsFrom(
  fileBalances: readonly (bigint | undefined)[],
  fileAmounts: readonly bigint[],
  order: CsvMapping["order"],
): boolean {
  const isReversed = order === "newest_first";
  const balances = isReversed ? fileBalances.toReversed() : fileBalances;
  const amounts = isReversed ? fileAmounts.toReversed() : fileAmounts;
  let expected: bigint | undefined;
  let steps = 0;
  for (const [row, balance] of balances.entries()) {
    if (expected !== undefined) expected += amounts[row] ?? 0n;
    if (balance === undefined) continue;
    if (expected !== undefined && expected !== balance) return false;
    if (expected !== undefined) steps += 1;
    expected = balance;
  }
  return steps >= stepsMin;
}

/** Undefined where a cell is empty. */
function readCells(
  { cells }: ColumnFacts,
  [marks]: readonly AmountMarks[],
  currency: string,
): (bigint | undefined)[] {
  return cells.map((cell) => {
    if (cell === "" || !marks) return undefined;
    const result = readCsvAmount(cell, marks, currency);
    return "minor" in result ? result.minor : undefined;
  });
}

function commonMarks(columns: readonly ColumnFacts[]): AmountMarks[] {
  const [first, ...others] = columns;
  return (first?.marks ?? []).filter((marks) =>
    others.every((other) => other.marks.some((one) => isSame(one, marks))),
  );
}

function isSame(one: AmountMarks, other: AmountMarks): boolean {
  return one.decimal === other.decimal && one.group === other.group;
}

function scoreOf({ uses }: ColumnFacts, use: ColumnUse): number {
  return uses.get(use) ?? 0;
}
