// Suspends reports that no rule can apply: a user decides. Returned money is booked until then, under an internal
// subaccount that no key can call.

import { ensureBalances, postTransfers, type Transfer } from "../../money/ledger/index.ts";
import { tailOf } from "../../people/person/index.ts";
import { type Mode, newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { BankConnection } from "../connections/index.ts";
import type { InboundLine, SuspenseReason } from "../readers/index.ts";
import type { LockedPayout, NewInboundLine } from "./inbound-queries.ts";
import { insertSuspense, type SuspenseToInsert } from "./suspense-queries.ts";

/**
 * They have balances and no rows of their own, so they are in no list, and no key can belong to them. Money of test
 * connections has its own.
 */
export const internalSubaccountIds: Readonly<Record<Mode, string>> = {
  live: "00000000-0000-8000-8000-000000000001",
  test: "00000000-0000-8000-8000-000000000002",
};

export type NewSuspense = {
  line: InboundLine;
  row: NewInboundLine;
  reason: SuspenseReason;
  payout: LockedPayout | undefined;
};

type Suspending = {
  tx: Tx;
  connection: Pick<BankConnection, "id" | "rail"> & {
    row: Pick<BankConnection["row"], "mode" | "currency">;
  };
  fileId: string;
  who: string;
  atMs: number;
};

export async function suspendLines(
  { tx, connection, fileId, who, atMs }: Suspending,
  lines: readonly NewSuspense[],
): Promise<void> {
  const items = lines.map(({ line, row, reason, payout }): SuspenseToInsert => {
    const amount = line.amount === undefined || line.amount === 0n ? undefined : line.amount;
    return {
      id: newId(),
      connection_id: connection.id,
      file_id: fileId,
      number: row.number,
      parent_id: null,
      kind: line.kind,
      reason,
      code: row.code,
      bank_text: row.bank_text,
      reference: row.reference,
      day: row.day,
      account_tail: tailOf(line.payee.account),
      amount: amount === undefined ? null : amount.toString(),
      currency: line.currency || connection.row.currency,
      is_booked: isMoney(line) && amount !== undefined && reason !== "other_account",
      subaccount_id: payout?.subaccount_id ?? null,
      payout_id: payout?.id ?? null,
      created_at_ms: atMs,
    };
  });
  await insertSuspense(tx, items);
  const booked = items.filter(({ is_booked }) => is_booked);
  await bookSuspense(tx, "suspend", booked, {
    rail: connection.rail,
    mode: connection.row.mode,
    who,
    atMs,
  });
}

/** It came to our account. */
function isMoney({ kind }: InboundLine): boolean {
  return kind === "return" || kind === "credit";
}

type BookedItem = Pick<SuspenseToInsert, "id" | "amount" | "currency">;

/** `suspend`: the bank gave us money whose owner is unknown. `unsuspend`: the owner is known now, or the money went back. */
export async function bookSuspense(
  tx: Tx,
  kind: "suspend" | "unsuspend",
  items: readonly BookedItem[],
  { rail, mode, who, atMs }: { rail: string; mode: Mode; who: string; atMs: number },
): Promise<void> {
  if (items.length === 0) return;
  const subaccountId = internalSubaccountIds[mode];
  await ensureBalances(
    tx,
    items.map(({ currency }) => ({ subaccountId, currency })),
  );
  await postTransfers(
    tx,
    items.map(
      ({ id, amount, currency }): Transfer => ({
        id: newId(),
        kind,
        subaccountId,
        currency,
        amount: BigInt(amount as string),
        rail,
        reference: id,
        atMs,
        who,
      }),
    ),
  );
}
