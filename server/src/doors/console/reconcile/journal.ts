// The journal of a period as CSV, oldest first: exactly the transfers behind its figures. For a spreadsheet, times are
// dates and amounts are in units of the currency.

import type { Readable } from "node:stream";
import {
  BalanceEntry,
  type BalanceKey,
  type EntryRow,
  presentEntry,
} from "../../../money/ledger/index.ts";
import { toDecimal } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { csvOf, isoTime } from "../../../platform/documents/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import type { Period } from "../rollups/time-ranges.ts";
import { findEndBefore, listEntriesUpTo } from "./queries.ts";

const columns = Object.keys(BalanceEntry.properties) as (keyof BalanceEntry)[];

export async function journalCsv(
  db: Db,
  key: BalanceKey,
  { fromMs, toMs }: Period,
): Promise<Readable> {
  let after = BigInt((await findEndBefore(db, key, fromMs))?.last_number ?? 0);
  const upTo = BigInt((await findEndBefore(db, key, toMs))?.last_number ?? 0);
  return csvOf<JournalLine>(columns, async () => {
    const rows = await listEntriesUpTo(db, key, { after, upTo, limit: limits.listMax });
    after = BigInt(rows.at(-1)?.number ?? after);
    return rows.map(toLine);
  });
}

type JournalLine = Record<Exclude<keyof BalanceEntry, "number">, string> & { number: number };

function toLine(row: EntryRow): JournalLine {
  const units = (amount: string) => toDecimal(BigInt(amount), row.currency);
  return {
    ...presentEntry(row),
    payout_id: row.payout_id ?? "",
    when: isoTime(Number(row.created_at_ms)),
    amount: units(row.amount),
    available: units(row.available_after),
    held: units(row.held_after),
  };
}
