// Subaccounts that move to another cell: the condition by which background work skips them, and the errors of their rows.

import pg from "pg";

/**
 * True where background work may serve the subaccount of a row. It is false in the cell that a subaccount leaves, from
 * shortly before the switch, and in the cell that it joins, until the switch. The table has a row for each move.
 */
export const worksHere = (column: string) => `not exists (
       select from subaccount_move moving where moving.subaccount_id = ${column}
         and moving.work_stops_until_ms > (extract(epoch from now()) * 1000)::bigint)`;

/** False for the rows that a move left behind: the other cell has the subaccount. */
export const isStillHere = (column: string) => `not exists (
       select from subaccount_move moved where moved.subaccount_id = ${column} and moved.has_moved)`;

/** The trigger refused a write: the subaccount is moving, or has moved. */
export function moveStateOf(error: unknown): "moving" | "moved" | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return error.code === "UN002" ? "moving" : error.code === "UN003" ? "moved" : undefined;
}
