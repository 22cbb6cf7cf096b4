// Closed months of bank connections, and their documents.

import { type ClosingRow, findClosingDocument } from "../../../banking/statements/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { connectionNames } from "../bank-inbound/inbound.ts";
import type { BankClosing } from "./schema.ts";

export async function presentClosings(db: Runner, rows: ClosingRow[]) {
  const names = await connectionNames(db);
  return rows.map((row) => presentClosing(row, names.get(row.connection_id) ?? ""));
}

export function presentClosing(row: ClosingRow, connectionName: string): BankClosing {
  const sum = (amount: string) => toSum(BigInt(amount));
  const { connection_id, month, currency, pdf_sha256, csv_sha256, closed_by } = row;
  return {
    connection_id,
    connection_name: connectionName,
    month,
    currency,
    books: sum(row.books),
    bank: sum(row.bank),
    in_transit: sum(row.in_transit),
    pdf_sha256,
    csv_sha256,
    closed_at: Number(row.closed_at_ms),
    closed_by,
  };
}

/** As it was written when the month was closed. */
export async function readClosing(
  db: Runner,
  { connectionId, month, kind }: { connectionId: string; month: string; kind: "pdf" | "csv" },
): Promise<{ name: string; type: string; bytes: Buffer }> {
  const document = await findClosingDocument(db, connectionId, month);
  if (!document) throw new Refusal("BANK489");
  const name = (await connectionNames(db)).get(connectionId) ?? "";
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return {
    name: `closing-${plain}-${month}.${kind}`,
    type: kind === "pdf" ? "application/pdf" : "text/csv; charset=utf-8",
    bytes: document[kind],
  };
}
