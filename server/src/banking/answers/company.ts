// Books the company's own money at a bank: what it put in or took out, and what the bank charges.

import { ensureBalances, postTransfers } from "../../money/ledger/index.ts";
import type { Mode } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { railIdOf } from "../connections/index.ts";
import { internalSubaccountIds } from "./suspend.ts";

type CompanyMoney = { id: string; amount: bigint; currency: string; reference: string };
export type CompanyBooking = { connectionId: string; mode: Mode; who: string; atMs: number };

/** Signed: above zero, money came to the bank. */
export async function bookCompany(
  tx: Tx,
  money: readonly CompanyMoney[],
  { connectionId, mode, who, atMs }: CompanyBooking,
): Promise<void> {
  if (money.length === 0) return;
  const subaccountId = internalSubaccountIds[mode];
  await ensureBalances(
    tx,
    money.map(({ currency }) => ({ subaccountId, currency })),
  );
  await postTransfers(
    tx,
    money.map(({ id, amount, currency, reference }) => ({
      id,
      kind: amount > 0n ? "company_in" : "company_out",
      subaccountId,
      currency,
      amount: amount > 0n ? amount : -amount,
      rail: railIdOf(connectionId),
      reference,
      atMs,
      who,
    })),
  );
}
