// Creates the rows of a file and reports each. Started again, it goes on where it stopped.

import type { Db } from "../../platform/db/index.ts";
import { refusals } from "../../platform/refusals/index.ts";
import type { ActBy } from "../../tenants/acts/index.ts";
import { type Creator, createRows } from "./create-rows.ts";
import type { ImportKey } from "./file-import-queries.ts";
import type { Row } from "./import-rows.ts";
import { type RequestOf, rowRecorder } from "./record-rows.ts";
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
  /** `stillMay` is called before each batch of rows. False ends the import. */
  by: ActBy;
  /** Called after each commit. */
  onCreated: () => void;
  requestOf?: RequestOf;
  /** Creates first what the rows of later imports need. */
  first?: AsyncGenerator<ImportLine> | undefined;
};

export async function* runRows<Creation>(
  { db, isDraining, log }: RunParts,
  { key, total, rows, creator, by, onCreated, requestOf, first }: Running<Creation>,
): AsyncGenerator<ImportLine> {
  const { id } = key;
  yield { kind: "start", rows: total, id };
  const recorder = rowRecorder(db, key, requestOf);
  let done = 0;
  const isStopped = async () => isDraining() || (await by.stillMay?.()) === false;
  let isFirstDone = first === undefined;
  try {
    for await (const line of first ?? []) {
      yield line;
      if (await isStopped()) throw new Error("stopped before its rows");
    }
    isFirstDone = true;
    for await (const some of createRows({ rows: recorder.watch(rows), creator, isStopped })) {
      onCreated();
      done += some.length;
      await recorder.record(some);
      for (const { row, outcome, id: object = "", code = "" } of some) {
        const message = code && refusals[code][1];
        yield { kind: "row", row, outcome, id: object, code, message };
      }
    }
  } catch (error) {
    log.warn({ err: error, import_id: id }, "import stopped");
  } finally {
    await recorder.end();
  }
  if (done === total && isFirstDone) yield { kind: "end" };
  else
    yield { kind: "stopped", message: "The import stopped. Start it again: it goes on from here." };
}
