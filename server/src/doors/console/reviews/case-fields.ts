// What every kind of case shows: subaccount, receiver, waiting time and who has claimed it.

import type { LockedReceiver, ReceiverKey } from "../../../people/receivers/index.ts";
import { findCase, findClaim } from "../../../people/reviews/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { findSubaccount } from "../../../tenants/subaccounts/index.ts";
import { codedStates, type ReviewCase, urgencyOf } from "../../review-list/index.ts";

type CaseView = { since: number; userId: string; nowMs: number };

/** Undefined if the subaccount has no such receiver. */
export async function readCaseFields(
  { db, seal }: { db: Runner; seal: Seal },
  key: ReceiverKey,
  view: CaseView,
) {
  const row = await findCase({ db, seal }, key);
  return row && caseFieldsOf(db, key, row, view);
}

export async function caseFieldsOf(
  db: Runner,
  key: ReceiverKey,
  row: LockedReceiver,
  { since, userId, nowMs }: CaseView,
) {
  const subaccount = await findSubaccount(db, key.subaccountId);
  const claim = await findClaim(db, key, nowMs);
  return {
    subaccount: {
      id: key.subaccountId,
      name: subaccount?.wire.suba_name ?? "",
      mode: subaccount?.mode ?? "",
    },
    receiver_id: key.id,
    since,
    urgency: urgencyOf(since, nowMs),
    ...codedStates(row),
    claim: claim
      ? { who: claim.who, is_mine: claim.user_id === userId, until: Number(claim.until_ms) }
      : null,
    receiver: receiverOf(row),
  };
}

function receiverOf(row: LockedReceiver): ReviewCase["receiver"] {
  const { first_name, middle_name, last_name, dob, gender, email, reference } = row;
  const { address, address2, city, state, postcode, country, applicant_id } = row;
  return {
    first_name,
    middle_name,
    last_name,
    dob,
    gender,
    email,
    reference,
    address,
    address2,
    city,
    state,
    postcode,
    country,
    applicant_id,
    phone: `+${row.dialcode} ${row.phone}`,
    provider: row.kyc_provider,
    created_at: Number(row.created_at_ms),
  };
}
