// A page of the console's list of payouts, filtered.

import { type PayoutStatus, stagesOf } from "../../../money/payouts/index.ts";
import { readSortedCursor, toSum } from "../../../platform/base/index.ts";
import { cursorOfId, cutPage, type ListPage, type Runner } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { cutSortedPage } from "../../lists/index.ts";
import { boundedScanOf, type Known, readFilter, readOrder, scanOf } from "./filter.ts";
import {
  countPayouts,
  findLastPayoutScanned,
  isRareReference,
  type ListedPayout,
  listAccountIds,
  listCurrencies,
  type PayoutScanFilter,
  type PayoutSort,
  scanPayouts,
  sortPayouts,
  sumPayouts,
} from "./queries.ts";
import type { PayoutCounts, PayoutQuery, PayoutSums } from "./schema.ts";

/** How many payouts were sorted. Null: all of the filter. */
type PayoutPage = ListPage<ListedPayout> & { sorted_among: number | null };

/**
 * Newest first, or as `sort` says. The scan is bounded: a page may be short, or empty, and yet have a next one. A sort by
 * something else than the creation time sorts the newest payouts of the filter.
 */
export async function listPayoutPage(
  db: Runner,
  subaccountId: string,
  { query, limit }: { query: PayoutQuery; limit: number },
): Promise<PayoutPage> {
  const filter = readFilter(query);
  const known = await lookUp(db, subaccountId, filter);
  const order = readOrder(query.sort);
  if ("sort" in order) {
    const { sort } = order;
    return listSortedPage(db, subaccountId, { filter, known, query, sort, limit });
  }
  const { direction } = order;
  const { isExact, ...walk } = scanOf(subaccountId, filter, {
    known,
    span: query,
    limit: limit + 1,
    direction,
  });
  const found = await scanPayouts(db, walk, filter, limit + 1);
  const page = await cutPage(found, limit, cursorOfId, () =>
    isExact ? undefined : findLastPayoutScanned(db, walk),
  );
  return { ...page, sorted_among: null };
}

async function listSortedPage(
  db: Runner,
  subaccountId: string,
  {
    filter,
    known,
    query,
    sort,
    limit,
  }: {
    filter: PayoutScanFilter;
    known: Known;
    query: PayoutQuery;
    sort: PayoutSort;
    limit: number;
  },
): Promise<PayoutPage> {
  const after = query.cursor ? readSortedCursor(query.cursor) : undefined;
  const scan = boundedScanOf(subaccountId, filter, { known, span: query, topId: after?.topId });
  const found = await sortPayouts(db, scan, filter, { sort, after, limit: limit + 1 });
  const keyOf = ({ amount, updated_at_ms }: ListedPayout) =>
    BigInt({ amount, updated: updated_at_ms, receiver: 0 }[sort.by]);
  return cutSortedPage(found, { size: limit, scannedMax: scan.look }, keyOf);
}

/** The sum of what a filter matches, by currency. Nothing where more payouts match than are added up. */
export async function sumFiltered(
  db: Runner,
  subaccountId: string,
  query: PayoutQuery,
): Promise<PayoutSums> {
  const filter = readFilter(query);
  const known = await lookUp(db, subaccountId, filter);
  const scan = boundedScanOf(subaccountId, filter, { known, span: query });
  const rows = await sumPayouts(db, scan, filter);
  const looked = rows[0]?.looked ?? 0;
  if (looked >= scan.look) return { count: null, most: scan.look, sums: [] };
  const sums = rows.flatMap(({ currency, amount }) =>
    currency === null ? [] : [{ currency, amount: toSum(BigInt(amount)) }],
  );
  return { count: rows.reduce((all, { count }) => all + count, 0), most: scan.look, sums };
}

async function lookUp(db: Runner, subaccountId: string, filter: PayoutScanFilter): Promise<Known> {
  const { receiverId, accountId, reference, stages, currency } = filter;
  const [currencies, accountIds, isRare] = await Promise.all([
    stages || currency ? listCurrencies(db, subaccountId) : [],
    receiverId && !accountId ? listAccountIds(db, { subaccountId, receiverId }) : [],
    reference ? isRareReference(db, { subaccountId, reference }) : false,
  ]);
  return { currencies, accountIds, isRareReference: isRare };
}

/** One above the bound means that there are more. */
export async function countByStatus(db: Runner, subaccountId: string): Promise<PayoutCounts> {
  const most = limits.countedMax;
  const count = (status: PayoutStatus) =>
    countPayouts(db, { subaccountId, stages: stagesOf(status), most: most + 1 });
  const [pending, successful, failed] = await Promise.all([
    count("pending"),
    count("successful"),
    count("failed"),
  ]);
  const all = Math.min(pending + successful + failed, most + 1);
  return { all, pending, successful, failed, most };
}
