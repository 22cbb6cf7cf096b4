// Chooses the index scan for a filter: the index that leaves the fewest rows to read, up to a bound that keeps a page
// quick. Pure; the caller looks up what the choice depends on.

import { type PayoutStatus, stageNames, stagesOf } from "../../../money/payouts/index.ts";
import { beforeIdOf, firstIdOf, idAfter, readCursor } from "../../../platform/base/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { metadataHash, readMetadataPair } from "../../../platform/metadata/index.ts";
import { consoleListLimits } from "../../lists/index.ts";
import type { IndexScan, PayoutScan, PayoutScanFilter, PayoutSort } from "./queries.ts";
import type { PayoutQuery } from "./schema.ts";

export function readFilter(query: PayoutQuery): PayoutScanFilter {
  const { status, stage } = query;
  const ofStatus = status ? stagesOf(status as PayoutStatus) : stageNames;
  const wanted = stage?.split(",");
  const both = wanted ? ofStatus.filter((one) => wanted.includes(one)) : ofStatus;
  const amount = (text: string | undefined) => (text === undefined ? undefined : BigInt(text));
  return {
    stages: status || stage ? both : undefined,
    currency: query.currency,
    amountMin: amount(query.amount_min),
    amountMax: amount(query.amount_max),
    receiverId: query.receiver_id?.toLowerCase(),
    accountId: query.receiver_account_id?.toLowerCase(),
    reference: query.reference,
    batchId: query.batch_id?.toLowerCase(),
    createdBy: query.created_by,
    cause: query.cause,
    metadata: query.metadata && metadataHash("payout", readMetadataPair(query.metadata)),
  };
}

/** Facts from the database that the choice depends on. */
export type Known = {
  /** All currencies of the subaccount's payouts. */
  currencies: readonly { currency: string; transfers: number }[];
  /** The accounts of the receiver in the filter. */
  accountIds: readonly string[];
  isRareReference: boolean;
};

function indexScanOf(filter: PayoutScanFilter, known: Known): { way: IndexScan; ranges: number } {
  const { stages: wanted, currency, receiverId, accountId, reference, batchId, createdBy } = filter;
  const one = (way: IndexScan) => ({ way, ranges: 1 });
  if (filter.metadata) return one({ by: "metadata", hash: filter.metadata });
  if (batchId) return one({ by: "batch", batchId });
  if (reference && known.isRareReference) return one({ by: "reference", reference });
  if (accountId) return one({ by: "account", accountIds: [accountId] });
  if (receiverId) {
    const { accountIds } = known;
    return { way: { by: "account", accountIds }, ranges: accountIds.length };
  }
  if (createdBy?.startsWith("operator:")) return one({ by: "user", who: createdBy });
  if (wanted || (currency && !isWalkedByAge(filter, known))) {
    const all = known.currencies.map((balance) => balance.currency);
    const currencies = currency ? all.filter((one) => one === currency) : all;
    const stages = wanted ?? stageNames;
    return { way: { by: "stage", currencies, stages }, ranges: currencies.length * stages.length };
  }
  return one({ by: "age" });
}

/** A scan by age is better if the currency is common and other filters read every payout anyway. */
function isWalkedByAge(
  { currency, amountMin, amountMax, createdBy }: PayoutScanFilter,
  known: Known,
) {
  if (isOnlyCurrency(currency, known)) return true;
  const isLookedAt = amountMin !== undefined || amountMax !== undefined || createdBy !== undefined;
  const of = (balances: Known["currencies"]) =>
    balances.reduce((sum, { transfers }) => sum + transfers, 0);
  const wanted = known.currencies.filter((balance) => balance.currency === currency);
  return isLookedAt && of(wanted) * commonOneIn >= of(known.currencies);
}

const commonOneIn = 10;

function isOnlyCurrency(wanted: string | undefined, { currencies }: Known): boolean {
  return currencies.length === 1 && currencies[0]?.currency === wanted;
}

/** Whether every row of the scan matches the filter. */
function isExact({ by }: IndexScan, filter: PayoutScanFilter, known: Known): boolean {
  const { stages: wanted, currency, amountMin, amountMax, ...others } = filter;
  if (amountMin !== undefined || amountMax !== undefined) return false;
  const isAnyCurrency = !currency || isOnlyCurrency(currency, known);
  const answered = { metadata: 1, batch: 1, reference: 1, account: 1, user: 1, stage: 0, age: 0 }[
    by
  ];
  const asked = Object.values(others).filter((value) => value !== undefined).length;
  return asked === answered && (by === "stage" || (!wanted && isAnyCurrency));
}

type PayoutTimeRange = { from?: string; to?: string; cursor?: string };

export function scanOf(
  subaccountId: string,
  filter: PayoutScanFilter,
  {
    known,
    span,
    limit,
    direction,
  }: {
    known: Known;
    span: PayoutTimeRange;
    limit: number;
    direction: PayoutScan["direction"];
  },
): PayoutScan & { isExact: boolean } {
  const { way, ranges } = indexScanOf(filter, known);
  const exact = isExact(way, filter, known);
  const most =
    way.by === "age"
      ? limits.payoutsScannedMax
      : limits.scatteredPayoutsScannedMax / Math.max(ranges, 1);
  // Each range is read up to the limit, then all are merged.
  const look = Math.max(limit, Math.floor(most));
  return {
    subaccountId,
    way,
    ...placeOf(span, direction),
    look: exact ? limit : look,
    direction,
    isExact: exact,
  };
}

/** The ids of the time range, from the end of the page before on. */
function placeOf({ from, to, cursor }: PayoutTimeRange, direction: PayoutScan["direction"]) {
  const firstId = firstIdOf(Number(from ?? 0));
  if (direction === "newest") {
    const beforeId = beforeIdOf({ ...(to && { to }), ...(cursor && { cursor }) });
    return { beforeId, fromId: firstId };
  }
  const after = cursor && readCursor(cursor);
  const nextId = after ? idAfter(after) : firstId;
  return { beforeId: beforeIdOf(to ? { to } : {}), fromId: nextId > firstId ? nextId : firstId };
}

/** The newest payouts of a filter, to sort or to add up. `topId`: the newest of them, from the first page on. */
export function boundedScanOf(
  subaccountId: string,
  filter: PayoutScanFilter,
  { known, span, topId }: { known: Known; span: PayoutTimeRange; topId?: string | undefined },
): PayoutScan {
  const { way, ranges } = indexScanOf(filter, known);
  const most = consoleListLimits.payoutsSortedMax;
  const ofRange = Math.max(
    consoleListLimits.payoutsSortedOfRangeMin,
    Math.floor(most / Math.max(ranges, 1)),
  );
  return {
    subaccountId,
    way,
    beforeId: topId ? idAfter(topId) : beforeIdOf(span.to ? { to: span.to } : {}),
    fromId: firstIdOf(Number(span.from ?? 0)),
    look: way.by === "age" ? most : ofRange,
    direction: "newest",
  };
}

export type ListOrder = { direction: PayoutScan["direction"] } | { sort: PayoutSort };

/** `-amount` is descending. By creation time there is nothing to sort: an index is read in that order. */
export function readOrder(text: string | undefined): ListOrder {
  if (text === undefined || text === "-created") return { direction: "newest" };
  if (text === "created") return { direction: "oldest" };
  const isDescending = text.startsWith("-");
  const by = (isDescending ? text.slice(1) : text) as PayoutSort["by"];
  return { sort: { by, isDescending } };
}
