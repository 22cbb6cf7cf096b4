// Creates the rows of a file and reports each. Started again, it goes on where it stopped.

import { type Creator, createRows } from "../../imports/create-rows.ts";
import type { Row } from "../../imports/csv-rows.ts";
import { refusals } from "../../refusals/refusals.ts";
import type { ImportLine } from "./schema.ts";

export type RunParts = {
  isDraining: () => boolean;
  log: { warn(context: object, message: string): void };
};

type Running<Creation> = {
  id: string;
  /** How many rows there are. */
  total: number;
  rows: AsyncIterable<Row[]>;
  creator: Creator<Creation>;
  /** Called before each batch of rows. False ends the import. */
  stillMay: () => Promise<boolean>;
  /** Called after each commit. */
  onCreated: () => void;
};

export async function* runRows<Creation>(
  { isDraining, log }: RunParts,
  { id, total, rows, creator, stillMay, onCreated }: Running<Creation>,
): AsyncGenerator<ImportLine> {
  yield { kind: "start", rows: total, id };
  let done = 0;
  const isStopped = async () => isDraining() || !(await stillMay());
  try {
    for await (const some of createRows({ rows, creator, isStopped })) {
      onCreated();
      done += some.length;
      for (const { row, outcome, id: object = "", code = "" } of some) {
        const message = code && refusals[code][1];
        yield { kind: "row", row, outcome, id: object, code, message };
      }
    }
  } catch (error) {
    log.warn({ err: error, import_id: id }, "import stopped");
  }
  if (done === total) yield { kind: "end" };
  else
    yield { kind: "stopped", message: "The import stopped. Start it again: it goes on from here." };
}
