// A list as CSV, page by page as it is read, so that any length of it takes little memory.

import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { guardFormula } from "../csv-formulas.ts";

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

/** Times in a file are by their date, of UTC: a spreadsheet makes nothing of milliseconds. Empty: none. */
export function isoTime(ms: number | null): string {
  return ms === null ? "" : new Date(ms).toISOString();
}

/** The same rows, with these columns as such times. */
export function withIsoTimes<Row extends object, Name extends keyof Row>(
  names: readonly Name[],
  nextPage: () => Promise<readonly Row[]>,
): () => Promise<(Omit<Row, Name> & Record<Name, string>)[]> {
  return async () =>
    (await nextPage()).map((row) => {
      const times = names.map((name) => [name, isoTime(row[name] as number | null)]);
      return { ...row, ...Object.fromEntries(times) };
    });
}
