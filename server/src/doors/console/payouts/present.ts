// Presents a payout in the console's list and in its CSV file. Pure.

import { maskedNumber, payeeInList } from "../../../people/person/index.ts";
import { toDecimal, toNumber } from "../../../platform/base/index.ts";
import { eventName } from "../../../platform/event-catalogue/index.ts";
import type { LatestEventRow } from "../../../webhooks/events/index.ts";
import type { ListedPayout } from "./queries.ts";
import type { PayoutLine } from "./schema.ts";

export function presentPayoutRow(row: ListedPayout, event: LatestEventRow | undefined): PayoutLine {
  const { id, currency, status, stage, cause, reference, created_by } = row;
  return {
    id,
    currency,
    status,
    stage,
    cause,
    reference,
    created_by,
    created_at: Number(row.created_at_ms),
    updated_at: Number(row.updated_at_ms),
    amount: toNumber(BigInt(row.amount)),
    receiver: { id: row.receiver_id, name: payeeInList(row) },
    account: accountOf(row),
    event: event
      ? {
          id: eventName(event.id),
          status: event.status,
          attempts: event.attempts,
          http_status: event.http_status,
        }
      : null,
  };
}

function accountOf(row: ListedPayout): PayoutLine["account"] {
  const tail = maskedNumber(row.account_number_tail);
  return { id: row.account_id, tail, bank_name: row.bank_name };
}

export const payoutCsvColumns = [
  ...["id", "created_at", "updated_at", "amount", "currency", "status", "stage", "cause"],
  ...["cause_code", "reference", "note", "receiver_id", "receiver_name", "account_id"],
  ...["account_number", "bank_name", "batch_id", "provider_reference", "created_by", "fee"],
  "sent_amount",
];

/** For a spreadsheet: dates, and amounts in units of the currency. */
export function toCsvLine(row: ListedPayout) {
  const { currency } = row;
  return {
    ...row,
    created_at: timeOf(row.created_at_ms),
    updated_at: timeOf(row.updated_at_ms),
    amount: toDecimal(BigInt(row.amount), currency),
    fee: toDecimal(BigInt(row.fee), currency),
    sent_amount: toDecimal(BigInt(row.sent_amount), currency),
    receiver_name: payeeInList(row),
    account_number: accountOf(row).tail,
  };
}

function timeOf(ms: string): string {
  return new Date(Number(ms)).toISOString();
}
