// The list of receivers, as a page and as CSV.

import type { Runner } from "../../db/connect.ts";
import { cursorOfId, cutPage } from "../../db/page.ts";
import { csvPagesOf } from "../paging.ts";
import { receiverScanOf } from "./filter.ts";
import { presentReceiverRow } from "./present.ts";
import { listLines } from "./queries.ts";
import type { ReceiverLine, ReceiversFilter, ReceiversPage } from "./schema.ts";

/** The scan is bounded: a page may have no rows and yet a next one. */
export async function readReceiverPage(
  db: Runner,
  subaccountId: string,
  filter: ReceiversFilter,
): Promise<ReceiversPage> {
  const walk = receiverScanOf(subaccountId, filter);
  const { rows, endId } = await listLines(db, walk);
  const page = await cutPage(rows, walk.limit - 1, cursorOfId, () => endId);
  return { rows: page.rows.map(presentReceiverRow), next: page.next };
}

/** All pages of the list, for a CSV file. */
export function readAllReceivers(
  db: Runner,
  subaccountId: string,
  filter: ReceiversFilter,
): () => Promise<readonly ReceiverCsvLine[]> {
  return csvPagesOf(filter, async (page) => {
    const { rows, next } = await readReceiverPage(db, subaccountId, page);
    return { rows: rows.map(toCsvLine), next };
  });
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
type ReceiverCsvLine = Record<(typeof receiverCsvColumns)[number], string | number>;

function toCsvLine({ last_payout, created_at, ...line }: ReceiverLine): ReceiverCsvLine {
  return {
    ...line,
    last_payout_id: last_payout?.id ?? "",
    last_payout_at: last_payout ? new Date(last_payout.created_at).toISOString() : "",
    created_at: new Date(created_at).toISOString(),
  };
}
