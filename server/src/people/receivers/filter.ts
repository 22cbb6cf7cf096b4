// Turns the filter of a caller or a user into the page of receivers to read. Pure.

import { beforeIdOf } from "../../platform/base/index.ts";
import { readLimitOf } from "../../platform/db/index.ts";
import type { PageRequest } from "./queries.ts";
import { emailKey, kycStatuses, readState, receiverStatuses } from "./receiver.ts";
import type { ReceiverFilter } from "./schema.ts";

export function toPageRequest(subaccountId: string, filter: ReceiverFilter): PageRequest {
  const { email, reference, metadata } = filter;
  return {
    subaccountId,
    states: wantedStates(filter),
    emailKey: email && emailKey(email),
    reference,
    metadata,
    beforeId: beforeIdOf(filter),
    limit: readLimitOf(filter),
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
