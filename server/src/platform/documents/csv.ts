// Streams a list as CSV, page by page, so that a long list takes little memory.

import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { guardFormula } from "./formula-guard.ts";

/** Calls `nextPage` until it returns no rows. */
export function csvOf<Row extends object>(
  columns: readonly (keyof Row & string)[],
  nextPage: () => Promise<readonly Row[]>,
): Readable {
  async function* lines(): AsyncGenerator<string> {
    yield stringify([[...columns]]);
    for (let rows = await nextPage(); rows.length > 0; rows = await nextPage()) {
      yield stringify([...rows], { columns: [...columns], cast: { string: guardFormula } });
    }
  }
  return Readable.from(lines());
}

/** One page of a list, with the header. Cells that begin like formulas are guarded. */
export function csvPage<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  return stringify([...rows], {
    header: true,
    columns: [...columns],
    cast: { string: guardFormula },
  });
}

/** A UTC date that spreadsheets understand. Empty if there is none. */
export function isoTime(ms: unknown): string {
  return typeof ms === "number" ? new Date(ms).toISOString() : "";
}
