// Posts the transfers of a file from a bank. They lock balances, under which payouts are created, so they come last.

import type { Tx } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { postTransfers, type Transfer } from "../ledger/queries.ts";
import { limits } from "../limits.ts";
import { moves } from "../payouts/states.ts";
import { type AppliedLine, listAppliedLines } from "./inbound-queries.ts";

type Posting = { tx: Tx; fileId: string; who: string; atMs: number };

export async function postInboundTransfers({ tx, fileId, who, atMs }: Posting): Promise<void> {
  const limit = limits.bankPageMax;
  for (let afterNumber = 0; ; ) {
    const page = await listAppliedLines(tx, { fileId, afterNumber, limit });
    const last = page.at(-1);
    if (!last) return;
    afterNumber = last.number;
    await postTransfers(
      tx,
      page.flatMap((line) => transfersOf(line, { who, atMs })),
    );
  }
}

function transfersOf(line: AppliedLine, { who, atMs }: { who: string; atMs: number }): Transfer[] {
  return moves[line.move].transfers.map((kind) => ({
    id: newId(),
    kind,
    subaccountId: line.subaccount_id,
    currency: line.currency,
    amount: BigInt(line.amount),
    payoutId: line.payout_id,
    reference: line.reference,
    rail: line.rail,
    who,
    atMs,
  }));
}
