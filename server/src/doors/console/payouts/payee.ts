// Presents a receiver and its accounts for the form of a new payout, with the reason if one can't be paid. Pure.

import { rulesFor } from "../../../people/account-rules/index.ts";
import { businessOf, maskedNumber } from "../../../people/person/index.ts";
import type { BlockedRow, PayeeRow } from "./payee-queries.ts";
import type { Payee } from "./schema.ts";

export function toPayee(id: string, rows: readonly [PayeeRow, ...PayeeRow[]]): Payee {
  const [{ first_name, last_name, status, kyc_status, home_country }] = rows;
  return {
    id,
    name: `${first_name} ${last_name}`.trim(),
    country: home_country,
    blocked_by: receiverBlockedBy(status, kyc_status),
    accounts: rows.flatMap((row) => {
      if (row.account_id === null) return [];
      const { account_id, bank_name, country } = row;
      const business = businessOf(row);
      const tail = maskedNumber(row.account_number_tail);
      const currency = rulesFor(country).currency ?? null;
      return [
        {
          id: account_id,
          business,
          tail,
          bank_name,
          country,
          currency,
          blocked_by: accountBlockedBy(row),
        },
      ];
    }),
  };
}

/** Of an entry of the picker: also whether there is an account. */
export function toBlocked(row: BlockedRow): { id: string; blocked_by: string | null } {
  const { id, status, kyc_status, has_account, account_waits } = row;
  const noAccount = account_waits ? "The bank account waits for approval" : "No bank account yet";
  return {
    id,
    blocked_by: receiverBlockedBy(status, kyc_status) ?? (has_account ? null : noAccount),
  };
}

function receiverBlockedBy(status: string, kycStatus: string): string | null {
  if (kycStatus !== "completed") return "The identity check is not completed";
  return status === "active"
    ? null
    : status === "inactive"
      ? "The receiver is disabled"
      : `The receiver is ${status}`;
}

function accountBlockedBy({ account_status, accepted }: PayeeRow): string | null {
  if (account_status !== "active") return "closed";
  return accepted ? null : "not accepted by the rail";
}
