// Creates the rows of a file and reports each. Started again, it goes on where it stopped.

import type { Db } from "../../db/connect.ts";
import { type CreatedRow, type Creator, createRows } from "../../imports/create-rows.ts";
import type { Row } from "../../imports/csv-rows.ts";
import {
  addImportCounts,
  endFileImport,
  type ImportKey,
  insertRefusals,
} from "../../imports/file-import-queries.ts";
import type { PayoutRequest } from "../../payouts/payout.ts";
import { refusals } from "../../refusals/refusals.ts";
import type { ImportLine } from "./schema.ts";

export type RunParts = {
  db: Db;
  isDraining: () => boolean;
  log: { warn(context: object, message: string): void };
};

type Running<Creation> = {
  /** The import, which has been inserted. */
  key: ImportKey;
  /** How many rows there are. */
  total: number;
  rows: AsyncIterable<Row[]>;
  creator: Creator<Creation>;
  /** Called before each batch of rows. False ends the import. */
  stillMay: () => Promise<boolean>;
  /** Called after each commit. */
  onCreated: () => void;
  /** What is kept of a refused row, so that it can be retried. */
  requestOf?: (row: Row) => PayoutRequest;
};

export async function* runRows<Creation>(
  { db, isDraining, log }: RunParts,
  { key, total, rows, creator, stillMay, onCreated, requestOf }: Running<Creation>,
): AsyncGenerator<ImportLine> {
  const { id } = key;
  yield { kind: "start", rows: total, id };
  const requests = new Map<number, PayoutRequest>();
  const seen = requestOf ? remembering(rows, requestOf, requests) : rows;
  let done = 0;
  const isStopped = async () => isDraining() || !(await stillMay());
  try {
    for await (const some of createRows({ rows: seen, creator, isStopped })) {
      onCreated();
      done += some.length;
      await record(some, requests);
      for (const { row, outcome, id: object = "", code = "" } of some) {
        const message = code && refusals[code][1];
        yield { kind: "row", row, outcome, id: object, code, message };
      }
    }
  } catch (error) {
    log.warn({ err: error, import_id: id }, "import stopped");
  } finally {
    await endFileImport(db, key, Date.now());
  }
  if (done === total) yield { kind: "end" };
  else
    yield { kind: "stopped", message: "The import stopped. Start it again: it goes on from here." };

  async function record(some: readonly CreatedRow[], kept: Map<number, PayoutRequest>) {
    const counts = { created: 0, already_imported: 0, refused: 0 };
    for (const { outcome } of some) counts[outcome] += 1;
    const refused = some.flatMap(({ row, outcome, code = "" }) =>
      outcome === "refused" ? [{ number: row, code, request: kept.get(row) }] : [],
    );
    await insertRefusals(db, key, refused);
    await addImportCounts(db, key, counts, Date.now());
    for (const { row } of some) kept.delete(row);
  }
}

async function* remembering(
  rows: AsyncIterable<Row[]>,
  requestOf: (row: Row) => PayoutRequest,
  kept: Map<number, PayoutRequest>,
): AsyncGenerator<Row[]> {
  for await (const some of rows) {
    for (const row of some) kept.set(row.number, requestOf(row));
    yield some;
  }
}
