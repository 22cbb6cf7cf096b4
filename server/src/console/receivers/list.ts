// The list of receivers, as a page and as CSV.

import type { Db } from "../../db/connect.ts";
import { cursorOfId, cutPage } from "../../db/page.ts";
import { csvPagesOf } from "../paging.ts";
import { searchReceivers } from "../search/find-by-words.ts";
import { searchLimits } from "../search/search-limits.ts";
import type { WordIndexer } from "../search/word-indexer.ts";
import { receiverScanOf } from "./filter.ts";
import { presentReceiverRow } from "./present.ts";
import { listLines } from "./queries.ts";
import type { ReceiverLine, ReceiversFilter, ReceiversPage } from "./schema.ts";

type ListParts = { db: Db; words: WordIndexer };

/** The scan is bounded: a page may have no rows and yet a next one. */
export async function readReceiverPage(
  parts: ListParts,
  subaccountId: string,
  filter: ReceiversFilter,
): Promise<ReceiversPage> {
  const { db } = parts;
  const walk = receiverScanOf(subaccountId, filter, await findIds(parts, subaccountId, filter.q));
  const { rows, endId } = await listLines(db, walk);
  const page = await cutPage(rows, walk.limit - 1, cursorOfId, () => endId);
  return { rows: page.rows.map(presentReceiverRow), next: page.next };
}

/** The receivers that a text finds, as the search of the console does. Undefined: there is no text. */
async function findIds(
  { db, words }: ListParts,
  subaccountId: string,
  text: string | undefined,
): Promise<string[] | undefined> {
  if (text === undefined) return undefined;
  const progress = await words.catchUp(subaccountId);
  const limit = searchLimits.listMax;
  const found = await searchReceivers(db, { subaccountId, text, limit, progress });
  return found.map(({ id }) => id);
}

/** All pages of the list, for a CSV file. */
export function readAllReceivers(
  parts: ListParts,
  subaccountId: string,
  filter: ReceiversFilter,
): () => Promise<readonly ReceiverCsvLine[]> {
  return csvPagesOf(filter, async (page) => {
    const { rows, next } = await readReceiverPage(parts, subaccountId, page);
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
