// What is read to decide on a payout does not grow with the payouts before it, whatever PostgreSQL knows about the table.

import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Db, statement } from "../../src/db/connect.ts";
import { findPayoutContexts } from "../../src/payouts/context-queries.ts";
import { ada, addAccount } from "../support/service.ts";
import { service, useService } from "../support/service-setup.ts";

useService();

const earlier = 3_000;
const needed = { first: true, shared: true, median: true, payeeName: true };

// As large as in production, so that shared batches have their own connections.
const connectNew = () => connect({ connection: { connectionString: service.url }, poolMax: 20 });
let db: Db;
beforeAll(() => {
  db = connectNew();
});
afterAll(() => db.close());

async function newPayee() {
  const { subaccountId, disburse } = await service.newCaller();
  const { receiver_id: receiverId } = await disburse.receivers.create(ada());
  const accountId = await addAccount(service, subaccountId, receiverId);
  return { subaccountId, receiverId, accountId, currency: "AUD" };
}

const rowsFetched = statement<{ count: string }>(
  "test-rows-fetched",
  "select idx_tup_fetch + seq_tup_read as count from pg_stat_xact_user_tables where relname = 'payout'",
);

/** The rows of payouts that a decision reads. */
function rowsRead(payee: Awaited<ReturnType<typeof newPayee>>): Promise<number> {
  return db.shared.transaction(async (tx) => {
    const fetched = async () => Number((await tx.run(rowsFetched, []))[0]?.count ?? 0);
    const before = await fetched();
    const key = { ...payee, mode: "live" as const, amount: 1n, reference: "another" };
    await findPayoutContexts(tx, [key], 0, needed);
    return (await fetched()) - before;
  });
}

/** Plans with the table as it is, which must be empty, and reads the payouts of an account that then has many. */
async function readWithEarlyPlan(): Promise<{ early: number; analysed: number }> {
  const payee = await newPayee();
  // PostgreSQL keeps the plan that it makes for the empty table.
  expect(await rowsRead(payee)).toBe(0);
  await db.pool.query(
    `insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency,
       reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms,
       updated_at_ms, created_by)
     select $1, gen_random_uuid(), $2, $3, 1, 1, 'AUD', 'reference ' || n, '', 'pending', 'submitted', '', '', 'none', '',
       1, 1, ''
     from generate_series(1, $4::int) n`,
    [payee.subaccountId, payee.receiverId, payee.accountId, earlier],
  );
  const early = await rowsRead(payee);
  await db.pool.query("analyze payout");
  return { early, analysed: await rowsRead(payee) };
}

test("an account with 3,000 payouts, by a plan that was made before the first", async () => {
  await db.pool.query("alter table payout set (autovacuum_enabled = off)");
  const neverAnalysed = await readWithEarlyPlan();

  await db.pool.query("delete from payout");
  await db.pool.query("vacuum (analyze) payout");
  await db.close();
  db = connectNew();
  const analysedEmpty = await readWithEarlyPlan();

  const few = { early: 11, analysed: 11 };
  expect({ neverAnalysed, analysedEmpty }).toEqual({ neverAnalysed: few, analysedEmpty: few });
  // Statistics say that there is one account.
  expect(await rowsRead(await newPayee())).toBe(0);
});
