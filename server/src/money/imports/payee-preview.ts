// Who the rows of a file pay: the receiver, the masked account and the amount of each, before money is released.

import { maskedNumber } from "../../people/person/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Row } from "./import-rows.ts";
import { listPayeesOfRows, listPayoutsOfRows } from "./payee-preview-queries.ts";
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
  /** The payout of a row that was imported before, and what created it. */
  paidBy?: PaidBy | undefined;
};

type PaidBy = { payoutId: string; importId: string; fileName: string; atMs: number };

export async function previewPayees(
  db: Db,
  subaccountId: string,
  rows: readonly Row[],
  payoutIds: ReadonlyMap<number, string> = new Map(),
): Promise<PayoutPreviewRow[]> {
  const requests = rows.map(payoutRequestOf);
  const accountIds = [...new Set(requests.map(({ accountId }) => accountId))];
  const payees = await listPayeesOfRows(db, subaccountId, accountIds);
  const payouts = await listPayoutsOfRows(db, subaccountId, [...payoutIds.values()]);
  return requests.map(({ accountId, amount, currency, reference }, index) => {
    const payee = payees.get(accountId);
    const { number } = rows[index] as Row;
    const payout = payouts.get(payoutIds.get(number) ?? "");
    return {
      row: number,
      receiver: payee ? `${payee.first_name} ${payee.last_name}`.trim() : "",
      account: payee ? maskedNumber(payee.account_number_tail) : "",
      bank: payee?.bank_name ?? "",
      amount,
      currency,
      reference,
      paidBy: payout && {
        payoutId: payout.id,
        importId: payout.import_id ?? "",
        fileName: payout.file_name ?? "",
        atMs: Number(payout.created_at_ms),
      },
    };
  });
}
