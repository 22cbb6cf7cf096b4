// Compares the rows of a subaccount in two cells.

import type { Db } from "../../platform/db/index.ts";
import { type Contents, type Part, readContents, type TablePart } from "./compare-queries.ts";
import { type MovedTable, movedTables } from "./tables.ts";

type Cells = { source: Db; target: Db; subaccountId: string };

export type TableDifference = { table: string; source: Contents; target: Contents };

type Compared = {
  /** The number of rows in each table. */
  rows: Map<string, bigint>;
  differences: TableDifference[];
};

async function compareTables(
  { source, target, subaccountId }: Cells,
  parts: readonly TablePart[],
): Promise<Compared> {
  const [ours, theirs] = await Promise.all([
    readContents(source, subaccountId, parts),
    readContents(target, subaccountId, parts),
  ]);
  const compared: Compared = { rows: new Map(), differences: [] };
  for (const { table } of parts.map(({ moved }) => moved)) {
    const [mine, other] = [ours.get(table), theirs.get(table)];
    if (!mine || !other) throw new Error(`the rows of ${table} must be counted`);
    compared.rows.set(table, BigInt(mine.rows));
    if (mine.rows !== other.rows || mine.hash !== other.hash) {
      compared.differences.push({ table, source: mine, target: other });
    }
  }
  return compared;
}

const comparedBefore = movedTables.filter(({ byTime }) => byTime !== undefined);

/** Rows from before `ms` that were equal before the freeze, by table. */
export type EqualBefore = { ms: number; rows: ReadonlyMap<string, bigint> };

/**
 * Before the freeze: rows from before `ms`, where tables have ids that grow with time. Such rows seldom change. A table
 * that differs at this moment is compared as a whole later. Each table has a snapshot of its own, which lasts less long.
 */
export async function compareOldRows(cells: Cells, ms: number): Promise<EqualBefore> {
  const equal = new Map<string, bigint>();
  for (const moved of comparedBefore) {
    const part = { kind: "before", ms } as const;
    const { rows, differences } = await compareTables(cells, [{ moved, part }]);
    if (differences.length > 0) continue;
    for (const [table, count] of rows) equal.set(table, count);
  }
  return { ms, rows: equal };
}

/** While it is frozen: all rows, except those that were equal before. Returns the number of rows of the subaccount. */
export async function compareFrozen(
  cells: Cells,
  before: EqualBefore,
): Promise<{ rows: bigint; differences: TableDifference[] }> {
  const partOf = ({ table }: MovedTable): Part =>
    before.rows.has(table) ? { kind: "since", ms: before.ms } : { kind: "all" };
  const { rows, differences } = await compareTables(
    cells,
    movedTables.map((moved) => ({ moved, part: partOf(moved) })),
  );
  const all = [...rows.values(), ...before.rows.values()].reduce((sum, count) => sum + count, 0n);
  return { rows: all, differences };
}
