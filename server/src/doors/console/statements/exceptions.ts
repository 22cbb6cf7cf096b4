// What a user has to look at, with its age, owner and note.

import {
  type BankConnection,
  listConnections,
  toConnection,
} from "../../../banking/connections/index.ts";
import { type BankException, listExceptions } from "../../../banking/statements/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { dayMs } from "../rollups/time-ranges.ts";
import type { ExceptionLine } from "./schema.ts";

/** Of one connection or of all, oldest first. */
export async function listExceptionLines(
  { db, seal }: { db: Runner; seal: Seal },
  connectionId: string | undefined,
  nowMs: number,
): Promise<ExceptionLine[]> {
  const rows = (await listConnections(db)).filter(({ id }) => id === (connectionId ?? id));
  const connections = rows.flatMap((row) => toConnection(row, seal) ?? []);
  const found: { connection: BankConnection; exception: BankException }[] = [];
  for (const connection of connections) {
    const exceptions = await listExceptions(db, connection, nowMs);
    found.push(...exceptions.map((exception) => ({ connection, exception })));
  }
  found.sort((one, other) => compare(one.exception.day, other.exception.day));
  return found.map((one) => presentException(one, nowMs));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function presentException(
  { connection, exception }: { connection: BankConnection; exception: BankException },
  nowMs: number,
): ExceptionLine {
  const { item, kind, report, day, amount, currency, party, text, owner, note } = exception;
  return {
    item,
    kind,
    report: report ?? null,
    connection_id: connection.id,
    connection_name: connection.row.name,
    day,
    age_days: ageDaysOf(day, nowMs),
    amount: amount === undefined ? null : toSum(amount),
    currency,
    party,
    text,
    owner,
    note,
  };
}

/** A report may have no day. */
export function ageDaysOf(day: string, nowMs: number): number {
  const age = Math.floor((nowMs - Date.parse(day)) / dayMs);
  return Number.isNaN(age) ? 0 : Math.max(0, age);
}
