// The SQL of retries: a failed payout can be retried once.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

const findOne = statement<{ payout_id: string }>(
  "payout-retry-find",
  "select payout_id from payout_retry where subaccount_id = $1 and retry_of = $2",
);

/** The payout that retries it. */
export async function findRetry(
  db: Runner,
  subaccountId: string,
  retryOf: string,
): Promise<string | undefined> {
  return (await db.run(findOne, [subaccountId, retryOf]))[0]?.payout_id;
}

const insertOne = statement<never>(
  "payout-retry-insert",
  "insert into payout_retry (subaccount_id, retry_of, payout_id) values ($1, $2, $3)",
);

/** Fails if there is one already: of two retries at once, one succeeds. */
export async function insertRetry(
  tx: Tx,
  subaccountId: string,
  { retryOf, payoutId }: { retryOf: string; payoutId: string },
): Promise<void> {
  await tx.run(insertOne, [subaccountId, retryOf, payoutId]);
}
