// The lines of an export: one JSON object for each row, as the API shows it. Account numbers are masked. Pure.

import { presentEntry } from "../../money/ledger/index.ts";
import { presentPayout } from "../../money/payouts/index.ts";
import { maskedNumber, openPersonIfReadable } from "../../people/person/index.ts";
import { presentReceiver } from "../../people/receivers/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { eventName } from "../../platform/event-catalogue/index.ts";
import type { ExportedRow, ExportKind } from "./queries.ts";

type Present<Kind extends ExportKind> = (row: ExportedRow<Kind>, seal: Seal) => object;

const presenters: { [Kind in ExportKind]: [name: string, Present<Kind>] } = {
  receivers: [
    "receiver",
    (row, seal) => presentReceiver(openPersonIfReadable(seal, row.subaccount_id, row)),
  ],
  accounts: [
    "account",
    (row) => ({
      id: row.id,
      receiver_id: row.receiver_id,
      status: row.status,
      version: row.version,
      aka: row.aka,
      reference: row.reference,
      country: row.country,
      individual_or_business: row.individual_or_business,
      business_name: row.business_name,
      checking_or_savings: row.checking_or_savings,
      bank_name: row.bank_name,
      bank_code: row.bank_code,
      bsb: row.bsb,
      account_number_masked: maskedNumber(row.account_number_tail),
      created_at: row.created_at_ms,
      ...(row.metadata && { metadata: row.metadata }),
    }),
  ],
  payouts: ["payout", presentPayout],
  transfers: ["transfer", presentEntry],
  events: [
    "event",
    (row) => ({ id: eventName(row.id), type: row.type, body: JSON.parse(row.body) }),
  ],
};

/** `{kind, id, subaccount_id, at, data}` and the end of the line. */
export function exportLine<Kind extends ExportKind>(
  kind: Kind,
  row: ExportedRow<Kind>,
  seal: Seal,
): string {
  const [name, present] = presenters[kind];
  const { id, subaccount_id, created_at_ms } = row;
  const at = new Date(Number(created_at_ms)).toISOString();
  return `${JSON.stringify({ kind: name, id, subaccount_id, at, data: present(row, seal) })}\n`;
}
