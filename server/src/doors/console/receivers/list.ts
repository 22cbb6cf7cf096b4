// The list of receivers, as a page and as CSV.

import { cursorOfId, cutPage, type Db } from "../../../platform/db/index.ts";
import { isoTime } from "../../../platform/documents/index.ts";
import { consoleListLimits } from "../../lists/index.ts";
import {
  listLines,
  presentReceiverRow,
  type ReceiverLine,
  type ReceiverScan,
  type ReceiversFilter,
  type ReceiversPage,
  receiverScanOf,
} from "../../review-list/index.ts";
import { listReceiverMatches } from "../search/find-by-words.ts";
import { searchLimits } from "../search/search-limits.ts";
import type { WordIndexer } from "../search/word-indexer.ts";

type ListParts = { db: Db; words: WordIndexer };

/** The scan is bounded: a page may have no rows and yet a next one. */
export async function readReceiverPage(
  parts: ListParts,
  subaccountId: string,
  filter: ReceiversFilter,
): Promise<ReceiversPage> {
  const { db } = parts;
  const walk = receiverScanOf(subaccountId, filter);
  const found = filter.q === undefined ? undefined : await findMatches(parts, walk, filter.q);
  const { rows, endId } = await listLines(db, found ? { ...walk, ...found } : walk);
  const page = await cutPage(rows, walk.limit - 1, cursorOfId, () => endId);
  return { rows: page.rows.map(presentReceiverRow), next: page.next };
}

/** The receivers that a text finds, as the search of the console does. If there are more, the next page continues. */
async function findMatches(
  { db, words }: ListParts,
  walk: ReceiverScan,
  text: string,
): Promise<Pick<ReceiverScan, "foundIds" | "scannedMax">> {
  const { subaccountId, order, afterId, beforeId, fromId, states, country, metadataHash } = walk;
  const progress = await words.catchUp(subaccountId);
  const isOldestFirst = order === "oldest";
  const isAfter = (id: string) => afterId === undefined || isOldestFirst === id > afterId;
  const count =
    states || country || metadataHash ? consoleListLimits.receiversByNameMax : walk.limit;
  const { ids, isMore } = await listReceiverMatches(
    db,
    { subaccountId, text, limit: searchLimits.listMax, progress },
    {
      isOldestFirst,
      isWanted: (id) => id < beforeId && id >= fromId && id !== afterId && isAfter(id),
      count: Math.max(count, walk.limit),
    },
  );
  return { foundIds: ids, scannedMax: isMore ? ids.length : ids.length + 1 };
}

export const receiverCsvColumns = [
  ...["id", "name", "email", "country", "reference", "status", "kyc_status", "accounts"],
  ...["payouts", "last_payout_id", "last_payout_at", "created_at"],
];

/** The cells that are not fields of a row. */
export function toReceiverCells({ last_payout }: ReceiverLine) {
  return { last_payout_id: last_payout?.id, last_payout_at: isoTime(last_payout?.created_at) };
}
