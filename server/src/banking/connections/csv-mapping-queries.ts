// The SQL of mappings for CSV statements.

import type { CsvMapping } from "../../../../packages/bank-formats/src/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

export type CsvMappingRow = {
  connection_id: string;
  version: number;
  mapping: CsvMapping;
  saved_at_ms: string;
  saved_by: string;
};

const findNewest = statement<CsvMappingRow>(
  "bank-connection-csv-mapping",
  `select connection_id, version, mapping, saved_at_ms, saved_by from bank_csv_mapping where connection_id = $1
   order by version desc limit 1`,
);

/** The one in use. */
export async function findCsvMapping(
  db: Runner,
  connectionId: string,
): Promise<CsvMappingRow | undefined> {
  return (await db.run(findNewest, [connectionId]))[0];
}

const insert = statement<CsvMappingRow>(
  "bank-connection-csv-mapping-insert",
  `insert into bank_csv_mapping (connection_id, version, mapping, saved_at_ms, saved_by) values ($1, $2, $3, $4, $5)
   returning connection_id, version, mapping, saved_at_ms, saved_by`,
);

export async function insertCsvMapping(
  tx: Tx,
  row: Omit<CsvMappingRow, "saved_at_ms"> & { saved_at_ms: number },
): Promise<CsvMappingRow> {
  const { connection_id, version, mapping, saved_at_ms, saved_by } = row;
  const values = [connection_id, version, JSON.stringify(mapping), saved_at_ms, saved_by];
  return (await tx.run(insert, values))[0] as CsvMappingRow;
}
