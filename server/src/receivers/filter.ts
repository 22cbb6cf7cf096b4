// Turns the filter of a caller or a user into the page of receivers to read. Pure.

import { newestId, readCursor } from "../cursor.ts";
import { limits } from "../limits.ts";
import type { PageRequest } from "./queries.ts";
import { emailKey, kycStatuses, readState, receiverStatuses } from "./receiver.ts";
import type { ReceiverFilter } from "./schema.ts";

/** Reads one row more than the page shows: it tells whether there is a next page. */
export function receiverPageOf({ limit, cursor }: Pick<ReceiverFilter, "limit" | "cursor">) {
  return {
    beforeId: (cursor && readCursor(cursor)) ?? newestId,
    limit: (limit === undefined ? limits.listDefault : Number(limit)) + 1,
  };
}

export function toPageRequest(subaccountId: string, filter: ReceiverFilter): PageRequest {
  const { email, reference } = filter;
  return {
    subaccountId,
    states: wantedStates(filter),
    emailKey: email && emailKey(email),
    reference,
    ...receiverPageOf(filter),
  };
}

/** The pairs of states that pass the filter; undefined: all do. */
export function wantedStates({
  status,
  kyc_status,
}: Pick<ReceiverFilter, "status" | "kyc_status">): PageRequest["states"] {
  if (status === undefined && kyc_status === undefined) return undefined;
  const wanted = status && readState(receiverStatuses, status);
  const wantedKyc = kyc_status && readState(kycStatuses, kyc_status);
  return receiverStatuses
    .flatMap((status) => kycStatuses.map((kycStatus) => ({ status, kycStatus })))
    .filter((pair) => !wanted || pair.status === wanted)
    .filter((pair) => !wantedKyc || pair.kycStatus === wantedKyc);
}
