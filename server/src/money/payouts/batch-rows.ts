// Reads the rows of a payout batch: the request of each row, and every problem of its form.

import { setImmediate as nextTurn } from "node:timers/promises";
import { readAmount } from "../../platform/base/index.ts";
import { checkOf, type Fields } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type Problem, problem, Refusal } from "../../platform/refusals/index.ts";
import { type PayoutRequest, toPayoutRequest } from "./payout.ts";
import { NewPayout } from "./schema.ts";

export type BatchRows = {
  /** The rows whose form is right, each with its place in the batch. */
  sound: { row: number; request: PayoutRequest }[];
  problems: Problem[];
};

const checkPayout = checkOf(NewPayout);

/** Yields to other requests between chunks. Refuses at once where no row is valid, or enough is wrong. */
export async function readBatchRows(rows: readonly unknown[]): Promise<BatchRows> {
  const read: BatchRows = { sound: [], problems: [] };
  for (const [row, given] of rows.entries()) {
    if (read.problems.length >= limits.problemsMax) break;
    if (row > 0 && row % limits.payoutBatchChunk === 0) await nextTurn();
    const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
    const { fields, problems } = checkPayout(isObject ? (given as Fields) : {});
    // A text of digits may be too large although its form is right.
    if (problems.length === 0 && readAmount(fields.amount) === undefined) {
      problems.push(problem("PAYO207", "amount"));
    }
    if (problems.length === 0)
      read.sound.push({ row, request: toPayoutRequest(fields as NewPayout) });
    for (const one of problems) {
      read.problems.push({ ...one, field: fieldOf(row, one.field) });
    }
  }
  const isOver = read.sound.length === 0 || read.problems.length >= limits.problemsMax;
  if (isOver) refuseAll(read.problems);
  return read;
}

/** Which row, and which of its fields where it is one. */
export function fieldOf(row: number, field?: string): string {
  return field === undefined ? `payouts[${row}]` : `payouts[${row}].${field}`;
}

export function refuseAll(problems: readonly Problem[]): void {
  const [first, ...rest] = problems.slice(0, limits.problemsMax);
  if (first) throw new Refusal([first, ...rest]);
}
