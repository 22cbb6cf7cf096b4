// The list of receivers: a page of it, and all of it.

import { writeCursor } from "../../cursor.ts";
import type { Runner } from "../../db/connect.ts";
import { limits } from "../../limits.ts";
import { receiverScanOf } from "./filter.ts";
import { presentReceiverRow } from "./present.ts";
import { listLines } from "./queries.ts";
import type { ReceiverLine, ReceiversFilter, ReceiversPage } from "./schema.ts";

/** A page may have no rows and yet a next one: then none of those that were looked at fits the filter. */
export async function readReceiverPage(
  db: Runner,
  subaccountId: string,
  filter: ReceiversFilter,
): Promise<ReceiversPage> {
  const walk = receiverScanOf(subaccountId, filter);
  const { rows, endId } = await listLines(db, walk);
  const shown = rows.slice(0, walk.limit - 1);
  const lastId = rows.length === walk.limit ? shown.at(-1)?.id : endId;
  return { rows: shown.map(presentReceiverRow), next: lastId ? writeCursor(lastId) : null };
}

/** Gives the rest of the list, piece by piece; an empty piece is its end. */
export function readAllReceivers(
  db: Runner,
  subaccountId: string,
  filter: ReceiversFilter,
): () => Promise<ReceiverCsvLine[]> {
  let cursor: string | undefined;
  let isDone = false;
  return async () => {
    while (!isDone) {
      const asked = { ...filter, limit: String(limits.rowsMax), ...(cursor && { cursor }) };
      const { rows, next } = await readReceiverPage(db, subaccountId, asked);
      cursor = next ?? undefined;
      isDone = next === null;
      if (rows.length > 0) return rows.map(toCsvLine);
    }
    return [];
  };
}

export const receiverCsvColumns = [
  "id",
  "name",
  "email",
  "country",
  "reference",
  "status",
  "kyc_status",
  "accounts",
  "payouts",
  "last_payout_id",
  "last_payout_at",
  "created_at",
] as const;
export type ReceiverCsvLine = Record<(typeof receiverCsvColumns)[number], string | number>;

function toCsvLine({ last_payout, created_at, ...line }: ReceiverLine): ReceiverCsvLine {
  return {
    ...line,
    last_payout_id: last_payout?.id ?? "",
    last_payout_at: last_payout ? new Date(last_payout.created_at).toISOString() : "",
    created_at: new Date(created_at).toISOString(),
  };
}
