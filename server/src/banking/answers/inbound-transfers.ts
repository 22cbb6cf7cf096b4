// Posts the transfers of a file from a bank. They lock balances, under which payouts are created, so they come last.

import { postMoveTransfers } from "../../money/payouts/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { listAppliedLines } from "./inbound-queries.ts";

type Posting = { tx: Tx; fileId: string; who: string; atMs: number };

export async function postInboundTransfers({ tx, fileId, who, atMs }: Posting): Promise<void> {
  const limit = limits.bankPageMax;
  for (let afterNumber = 0; ; ) {
    const page = await listAppliedLines(tx, { fileId, afterNumber, limit });
    const last = page.at(-1);
    if (!last) return;
    afterNumber = last.number;
    const moved = page.map(({ subaccount_id, payout_id, move }) => ({
      subaccountId: subaccount_id,
      id: payout_id,
      move,
    }));
    await postMoveTransfers(tx, moved, { who, atMs });
  }
}
