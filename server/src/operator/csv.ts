// A list as CSV, page by page as it is read, so that any length of it takes little memory.

import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";

/**
 * `nextPage` is asked again and again, with what it gave last, until it gives nothing. A cell that begins like
 * a formula would be run by a spreadsheet: it gets an apostrophe.
 */
export function csvOf<Row extends object>(
  columns: readonly (keyof Row & string)[],
  nextPage: (last: Row | undefined) => Promise<readonly Row[]>,
): Readable {
  async function* lines(): AsyncGenerator<string> {
    yield stringify([[...columns]]);
    for (let last: Row | undefined; ; ) {
      const rows = await nextPage(last);
      if (rows.length === 0) return;
      yield stringify([...rows], { columns: [...columns], escape_formulas: true });
      last = rows.at(-1);
    }
  }
  return Readable.from(lines());
}
