// A bank connection as lists and the audit log show it.

import { feeInWords } from "./connection-fee.ts";
import type { ConnectionRow } from "./connection-queries.ts";

/** Without the settings: they hold our account number. */
export function describeConnection(
  row: Omit<
    ConnectionRow,
    "settings_sealed" | "sftp_sealed" | "files" | "created_at_ms" | "disabled_at_ms"
  > & {
    disabled_at_ms?: string | null;
  },
) {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    format: row.format,
    currency: row.currency,
    countries: row.countries,
    account: `…${row.account_tail}`,
    travels: row.travels,
    calendar: row.calendar,
    time_zone: row.time_zone,
    freeze_at: row.freeze_at,
    bank_cutoff: row.bank_cutoff,
    success_when:
      row.success_when === "days" ? `${row.success_days} banking days` : row.success_when,
    releasers: row.releasers,
    fee: feeInWords(row),
    subaccounts: row.subaccount_ids ?? "all",
    disabled: (row.disabled_at_ms ?? null) !== null,
  };
}
