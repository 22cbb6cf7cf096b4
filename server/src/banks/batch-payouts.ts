// The payouts of a bank batch, page by page in the order of its lines.

import type { Tx } from "../db/connect.ts";
import { limits } from "../limits.ts";
import type { PayoutKey } from "../payouts/list-queries.ts";
import { listBatchPayouts } from "./freeze-queries.ts";

export async function* pagesOfBatch(tx: Tx, batchId: string) {
  const limit = limits.bankPageMax;
  for (let afterLine = 0; ; ) {
    const page = await listBatchPayouts(tx, batchId, { afterLine, limit });
    const last = page.at(-1);
    if (!last) return;
    afterLine = last.line;
    yield page;
  }
}

export function payoutKeyOf(row: { subaccount_id: string; id: string }): PayoutKey {
  return { subaccountId: row.subaccount_id, id: row.id };
}
