// The payouts of a bank batch, page by page in the order of its lines.

import type { PayoutKey } from "../../money/payouts/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { listBatchKeys, listBatchPayouts } from "./freeze-queries.ts";

export const pagesOfBatch = (tx: Tx, batchId: string) => pagesBy(listBatchPayouts, tx, batchId);

/** Only their keys, which costs less. */
export async function* keysOfBatch(tx: Tx, batchId: string): AsyncGenerator<PayoutKey[]> {
  for await (const page of pagesBy(listBatchKeys, tx, batchId)) {
    yield page.map(({ subaccount_id, id }) => ({ subaccountId: subaccount_id, id }));
  }
}

type Place = { afterLine: number; limit: number };

async function* pagesBy<Row extends { line: number }>(
  list: (tx: Tx, batchId: string, place: Place) => Promise<Row[]>,
  tx: Tx,
  batchId: string,
) {
  const limit = limits.bankPageMax;
  for (let afterLine = 0; ; ) {
    const page = await list(tx, batchId, { afterLine, limit });
    const last = page.at(-1);
    if (!last) return;
    afterLine = last.line;
    yield page;
  }
}
