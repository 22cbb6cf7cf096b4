// A page of the console's list of payouts, filtered.

import type { Runner } from "../../db/connect.ts";
import { cursorOfId, cutPage, type ListPage } from "../../db/page.ts";
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

/** Newest first. The scan is bounded: a page may be short, or empty, and yet have a next one. */
export async function listPayoutPage(
  db: Runner,
  subaccountId: string,
  { query, limit }: { query: PayoutQuery; limit: number },
): Promise<ListPage<ListedPayout>> {
  const filter = readFilter(query);
  const known = await lookUp(db, subaccountId, filter);
  const { isExact, ...walk } = scanOf(subaccountId, filter, {
    known,
    span: query,
    limit: limit + 1,
  });
  const found = await scanPayouts(db, walk, filter, limit + 1);
  return cutPage(found, limit, cursorOfId, () =>
    isExact ? undefined : findLastPayoutScanned(db, walk),
  );
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
