// Suspends a statement line whose match was undone: its money waits again for a user who knows whose it is.

import type { Mode } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { insertInboundLines, type NewInboundLine, suspendLines } from "../answers/index.ts";
import { railIdOf } from "../connections/index.ts";
import { emptyLine, type InboundLine } from "../readers/index.ts";
import { type StatementLineRow, setLineReport, takeReportNumber } from "./queries.ts";

export async function suspendLine(
  tx: Tx,
  line: StatementLineRow,
  {
    connectionId,
    mode,
    who,
    atMs,
  }: { connectionId: string; mode: Mode; who: string; atMs: number },
): Promise<void> {
  const { fileId, number } = await takeReportNumber(tx, line.statement_id);
  const report: InboundLine = {
    ...emptyLine,
    line: line.number,
    kind: "credit",
    scheme: "iso",
    code: line.code,
    text: line.bank_text,
    reference: line.reference,
    day: line.day,
    amount: BigInt(line.amount),
    currency: line.currency,
  };
  const row: NewInboundLine = {
    number,
    line: line.number,
    item_key: null,
    kind: "credit",
    source: "statement",
    code: line.code,
    bank_text: line.bank_text,
    reference: line.reference,
    day: line.day,
    amount: line.amount,
    currency: line.currency,
    subaccount_id: null,
    payout_id: null,
    batch_id: null,
    outcome: "suspended",
    detail: "unknown_credit",
  };
  await insertInboundLines(tx, { fileId, connectionId }, [row]);
  const connection = {
    id: connectionId,
    rail: railIdOf(connectionId),
    row: { mode, currency: line.currency },
  };
  const suspending = { tx, connection, fileId, who, atMs };
  await suspendLines(suspending, [
    { line: report, row, reason: "unknown_credit", payout: undefined },
  ]);
  await setLineReport(tx, line.id, number);
}
