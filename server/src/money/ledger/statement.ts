// Presents the entries of a statement, as JSON and as CSV. Pure.

import { toNearest, toNumber } from "../../platform/base/index.ts";
import { csvPage } from "../../platform/documents/index.ts";
import type { EntryRow } from "./queries.ts";
import { BalanceEntry } from "./schema.ts";

export function presentEntry(row: EntryRow): BalanceEntry {
  return {
    id: row.id,
    number: Number(row.number),
    when: row.created_at_ms,
    kind: row.kind,
    debit: row.debit,
    credit: row.credit,
    amount: toNumber(BigInt(row.amount)),
    currency: row.currency,
    payout_id: row.payout_id,
    reference: row.reference,
    available: toNearest(BigInt(row.available_after)),
    held: toNearest(BigInt(row.held_after)),
  };
}

export function toCsv(entries: readonly BalanceEntry[]): string {
  return csvPage(Object.keys(BalanceEntry.properties) as (keyof BalanceEntry)[], entries);
}
