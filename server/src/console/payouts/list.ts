// A page of the console's list of payouts: found by its filters, with what is shown beside each.

import { writeCursor } from "../../cursor.ts";
import type { Runner } from "../../db/connect.ts";
import { limits } from "../../limits.ts";
import { type PayoutStatus, stagesOf } from "../../payouts/states.ts";
import { type Known, readFilter, scanOf } from "./filter.ts";
import {
  countPayouts,
  findLastPayoutScanned,
  isRareReference,
  type ListedPayout,
  listAccountIds,
  listCurrencies,
  type PayoutScanFilter,
  scanPayouts,
} from "./queries.ts";
import type { PayoutCounts, PayoutQuery } from "./schema.ts";

export type PayoutListPage = { rows: ListedPayout[]; next: string | null };

/**
 * Newest first. A page may have fewer than it could, or none, and yet a next one: then so many were looked at that
 * the rest has to wait for it.
 */
export async function listPayoutPage(
  db: Runner,
  subaccountId: string,
  { query, limit }: { query: PayoutQuery; limit: number },
): Promise<PayoutListPage> {
  const filter = readFilter(query);
  const known = await lookUp(db, subaccountId, filter);
  const { isExact, ...walk } = scanOf(subaccountId, filter, {
    known,
    span: query,
    limit: limit + 1,
  });
  const found = await scanPayouts(db, walk, filter, limit + 1);
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, next: cursorAfter(rows.at(-1)?.id) };
  return { rows, next: isExact ? null : cursorAfter(await findLastPayoutScanned(db, walk)) };
}

function cursorAfter(id: string | undefined): string | null {
  return id === undefined ? null : writeCursor(id);
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

/** One more than is counted says that there are more. */
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
