// Records the results of an import for the console: the counts of its rows, and the refused rows.

import type { Db } from "../../platform/db/index.ts";
import type { PayoutRequest } from "../payouts/index.ts";
import { type CreatedRow, withPatience } from "./create-rows.ts";
import {
  endFileImport,
  type ImportKey,
  insertRefusals,
  updateImportCounts,
} from "./file-import-queries.ts";
import type { Row } from "./import-rows.ts";

/** Makes the request that is kept of a refused row, so that it can be retried. Nothing is kept of refused receivers. */
export type RequestOf = (row: Row) => PayoutRequest;

export type RowRecorder = {
  /** Passes the rows of the file on, and remembers their requests until they are recorded. */
  watch(rows: AsyncIterable<Row[]>): AsyncIterable<Row[]>;
  /** Called with the results of each batch of these rows. */
  record(some: readonly CreatedRow[]): Promise<void>;
  /** Called at the end, also of an import that stops before its last row. */
  end(): Promise<void>;
};

/** For an import that is inserted already. */
export function rowRecorder(db: Db, key: ImportKey, requestOf: RequestOf | undefined): RowRecorder {
  const requests = new Map<number, PayoutRequest>();
  const counts = { created: 0, already_imported: 0, refused: 0 };

  async function* watch(rows: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
    for await (const some of rows) {
      if (requestOf) for (const row of some) requests.set(row.number, requestOf(row));
      yield some;
    }
  }

  async function record(some: readonly CreatedRow[]): Promise<void> {
    for (const { outcome } of some) counts[outcome] += 1;
    const refused = some.flatMap(({ row, outcome, code = "" }) =>
      outcome === "refused" ? [{ number: row, code, request: requests.get(row) }] : [],
    );
    await withPatience(async () => {
      await insertRefusals(db, key, refused);
      await updateImportCounts(db, key, counts, Date.now());
    });
    for (const { row } of some) requests.delete(row);
  }

  return { watch, record, end: () => endFileImport(db, key, Date.now()) };
}
