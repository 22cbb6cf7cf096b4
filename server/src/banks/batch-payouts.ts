// The payouts of a bank batch, page by page in the order of its lines.

import type { Tx } from "../db/connect.ts";
import { limits } from "../limits.ts";
import type { PayoutKey } from "../payouts/list-queries.ts";
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
