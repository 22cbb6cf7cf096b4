// Presents a receiver in lists and on its page. Pure.

import type { ReportRow } from "../../../people/kyc/index.ts";
import {
  type HistoryRow,
  kycStatuses,
  receiverStatuses,
  type States,
} from "../../../people/receivers/index.ts";
import { toNumber } from "../../../platform/base/index.ts";
import type { LineRow, PaidRow } from "./queries.ts";
import type { HistoryLine, ReceiverLine, ReportLine } from "./schema.ts";
import { actorInWords, type Names } from "./who.ts";

export function presentReceiverRow(row: LineRow): ReceiverLine {
  const { id, email, country, reference, accounts, payouts } = row;
  return {
    id,
    email,
    country,
    reference,
    accounts,
    payouts,
    name: receiverNameOf(row),
    ...codedStates(row),
    last_payout: lastPayoutOf(row),
    created_at: Number(row.created_at_ms),
  };
}

export function receiverNameOf({
  first_name,
  last_name,
}: {
  first_name: string;
  last_name: string;
}) {
  return `${first_name} ${last_name}`;
}

export function codedStates({ status, kyc_status }: States) {
  const status_code = receiverStatuses.indexOf(status);
  return { status, status_code, kyc_status, kyc_code: kycStatuses.indexOf(kyc_status) };
}

export function lastPayoutOf(row: PaidRow): ReceiverLine["last_payout"] {
  if (row.last_payout_id === null) return null;
  return {
    id: row.last_payout_id,
    amount: toNumber(BigInt(row.last_payout_amount ?? 0)),
    currency: row.last_payout_currency ?? "",
    status: row.last_payout_status ?? "",
    created_at: Number(row.last_payout_at_ms),
  };
}

export function toHistoryLine(row: HistoryRow, names: Names): HistoryLine {
  const { from_status, from_kyc_status } = row;
  return {
    id: row.id,
    at: Number(row.at_ms),
    who: actorInWords(row.who, names),
    reason: row.reason,
    from:
      from_status && from_kyc_status ? { status: from_status, kyc_status: from_kyc_status } : null,
    to: { status: row.to_status, kyc_status: row.to_kyc_status },
  };
}

/** Private comments go only to users who may see the names of operators. */
export function toReportLine(row: ReportRow, { showsUsers }: Names): ReportLine {
  const { provider, outcome, labels } = row;
  return {
    provider,
    outcome,
    labels,
    at: Number(row.occurred_at_ms),
    comment: row.public_comment,
    private_comment: showsUsers ? row.private_comment : "",
  };
}
