// Who the rows of a file pay: the receiver, the masked account and the amount of each, before money is released.

import { maskedNumber } from "../../people/person/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Row } from "./import-rows.ts";
import { listPayeesOfRows } from "./payee-preview-queries.ts";
import { payoutRequestOf } from "./payout-file.ts";

export type PayoutPreviewRow = {
  row: number;
  receiver: string;
  /** Masked. */
  account: string;
  bank: string;
  amount: bigint;
  currency: string;
  reference: string;
};

export async function previewPayees(
  db: Db,
  subaccountId: string,
  rows: readonly Row[],
): Promise<PayoutPreviewRow[]> {
  const requests = rows.map(payoutRequestOf);
  const accountIds = [...new Set(requests.map(({ accountId }) => accountId))];
  const payees = await listPayeesOfRows(db, subaccountId, accountIds);
  return requests.map(({ accountId, amount, currency, reference }, index) => {
    const payee = payees.get(accountId);
    return {
      row: (rows[index] as Row).number,
      receiver: payee ? `${payee.first_name} ${payee.last_name}`.trim() : "",
      account: payee ? maskedNumber(payee.account_number_tail) : "",
      bank: payee?.bank_name ?? "",
      amount,
      currency,
      reference,
    };
  });
}
