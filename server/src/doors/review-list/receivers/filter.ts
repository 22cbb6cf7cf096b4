// Chooses the index scan for a filter, and how far it reads. Pure.

import { emailKey, wantedStates } from "../../../people/receivers/index.ts";
import { beforeIdOf, firstIdOf, readCursor } from "../../../platform/base/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { metadataHash, readMetadataPair } from "../../../platform/metadata/index.ts";
import { consoleListLimits, pageSizeOf } from "../../lists/index.ts";
import type { ReceiversFilter } from "./schema.ts";

/** Of creation, or of names. */
export type ReceiverOrder = "newest" | "oldest" | "ascending" | "descending";

export type ReceiverScan = {
  subaccountId: string;
  way: "all" | "states" | "email" | "reference" | "found" | "metadata" | "name";
  order: ReceiverOrder;
  states: ReturnType<typeof wantedStates>;
  emailKey: string | undefined;
  reference: string | undefined;
  country: string | undefined;
  /** The hash of a key and its value. */
  metadataHash: string | undefined;
  /** The receivers that a text finds, once they are known. */
  foundIds: readonly string[] | undefined;
  /** The last row of the page before. */
  afterId: string | undefined;
  /** The requested time range, as ids: before the first, not before the second. */
  beforeId: string;
  fromId: string;
  /** Rows of the page, and one more that shows whether there is a next page. */
  limit: number;
  scannedMax: number;
};

export function receiverScanOf(subaccountId: string, filter: ReceiversFilter): ReceiverScan {
  const { email, reference, country, metadata } = filter;
  const states = wantedStates(filter);
  const by =
    (filter.q !== undefined && "found") ||
    (filter.metadata !== undefined && "metadata") ||
    (email !== undefined && "email") ||
    (reference !== undefined && "reference") ||
    (states && "states") ||
    "all";
  const isByName = filter.sort?.endsWith("name") && (by === "all" || by === "states");
  const way = isByName ? "name" : by;
  const limit = pageSizeOf(filter) + 1;
  return {
    subaccountId,
    way,
    order: orderOf(filter.sort, isByName),
    states,
    reference,
    country,
    metadataHash: metadata && metadataHash("receiver", readMetadataPair(metadata)),
    foundIds: undefined,
    limit,
    emailKey: email && emailKey(email),
    afterId: filter.cursor && readCursor(filter.cursor),
    beforeId: beforeIdOf(filter.to === undefined ? {} : { to: filter.to }),
    fromId: firstIdOf(Number(filter.from ?? 0)),
    scannedMax: Math.max(limit, scannedMax(way, filter)),
  };
}

function orderOf(sort: string | undefined, isByName: boolean | undefined): ReceiverOrder {
  if (isByName) return sort === "name" ? "ascending" : "descending";
  return sort === "created" ? "oldest" : "newest";
}

/** Only one page, if every row of the scan matches. */
function scannedMax(way: ReceiverScan["way"], filter: ReceiversFilter): number {
  const { country, status, kyc_status, from, to } = filter;
  if (way === "name") {
    const isFiltered = [country, status, kyc_status, from, to].some((one) => one !== undefined);
    return isFiltered ? consoleListLimits.receiversByNameMax : 0;
  }
  const isPlain = (way === "all" || way === "states") && country === undefined;
  return isPlain ? 0 : limits.receiversScannedMax;
}
