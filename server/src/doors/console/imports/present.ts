// How a file is read and what is wrong with its cells, as the pages of imports show it.

import {
  cureOf,
  type ReadingOfFile,
  type RowFormat,
  type RowProblem,
} from "../../../money/imports/index.ts";
import type { CellProblem, FileReading } from "./schema.ts";

export function presentReading(
  { header, samples, columns, fixed, missing, decimals, notes }: ReadingOfFile,
  format: RowFormat,
): FileReading {
  const { mark, isTold, example } = decimals;
  return {
    header,
    samples,
    fields: format.columns.map(({ name, isRequired, meaning }) => ({
      name,
      is_required: isRequired,
      meaning,
    })),
    columns,
    fixed,
    missing,
    decimals: { mark, is_told: isTold, example },
    notes,
  };
}

export function presentProblem(problem: RowProblem): CellProblem {
  const { row, column, code, message, value = "", suggestion = "" } = problem;
  return { row, column, code, message, value, cure: cureOf(problem), suggestion };
}
