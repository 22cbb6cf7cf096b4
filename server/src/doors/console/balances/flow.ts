// The money flow of a month of one balance, from the sums of its days: opening balance, in, out, closing balance.

import { toSum } from "../../../platform/base/index.ts";
import { feesOf, flowsOf, standingOf, totalOf } from "../reconcile/figures.ts";
import { readPeriod } from "../reconcile/period.ts";
import { findEndBefore, listBalancesNow, listDayKinds } from "../reconcile/queries.ts";
import type { BalanceParts } from "./balances.ts";
import type { MoneyFlow, MoneyFlowQuery } from "./schema.ts";

export async function readFlow(
  { db, clock, rollups }: BalanceParts,
  subaccountId: string,
  { currency, month: chosen }: MoneyFlowQuery,
): Promise<MoneyFlow> {
  await rollups.catchUp(subaccountId);
  const key = { subaccountId, currency };
  const period = readPeriod(chosen === undefined ? {} : { month: chosen }, clock());
  const { now, before, end, kinds } = await db.transaction(
    async (tx) => ({
      now: (await listBalancesNow(tx, key))[0],
      before: await findEndBefore(tx, key, period.fromMs),
      end: await findEndBefore(tx, key, period.toMs),
      kinds: await listDayKinds(tx, key, period),
    }),
    { snapshot: true },
  );
  const { funded, paid, returned, reversed, rejected, released } = flowsOf(kinds);
  const { charged, refunded } = feesOf(kinds);
  const standing = standingOf(end);
  const [opening, closing] = [totalOf(standingOf(before)), totalOf(standing)];
  const difference = opening + funded + returned + refunded - (paid + charged + reversed) - closing;
  return {
    currency,
    month: period.month ?? "",
    behind: now ? Number(now.transfers) - Number(now.rolled_up) : 0,
    opening: toSum(opening),
    funded: toSum(funded),
    returned: toSum(returned),
    fees_refunded: toSum(refunded),
    paid: toSum(paid),
    fees: toSum(charged),
    reversed: toSum(reversed),
    closing: toSum(closing),
    available: toSum(standing.available),
    held: toSum(standing.held),
    in_transit: toSum(standing.clearing),
    rejected: toSum(rejected),
    released: toSum(released),
    difference: toSum(difference),
  };
}
