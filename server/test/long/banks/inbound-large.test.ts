// A return file of 5,000 lines: as many statements per line as a small one, and each payout returned once.

import { expect, test } from "vitest";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { applyInbound } from "../../../src/banking/inbound-files/inbound.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import type { Db } from "../../../src/platform/db/connect.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startBankTest } from "../../support/inbound-setup.ts";

const bank = await closeAfterTests(startBankTest());

/** Counts the statements of transactions. */
function counting(db: Db): { db: Db; statements(): number } {
  let count = 0;
  const counted: Db = {
    ...db,
    transaction: (work, options) =>
      db.transaction(
        (tx) =>
          work({
            ...tx,
            run(statement, values) {
              count += 1;
              return tx.run(statement, values);
            },
          }),
        options,
      ),
  };
  return { db: counted, statements: () => count };
}

test("5,000 returns cost as many statements per page as 1,000", { timeout: 300_000 }, async () => {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId);
  // No amount needs an approval.
  const { subaccountId } = payer;
  await bank.db.pool.query(
    "insert into payout_limit (subaccount_id, currency) values ($1, 'AUD')",
    [subaccountId],
  );
  const references = Array.from({ length: 5_000 }, (_, index) => `R${index}`);
  await payer.disburse.payouts.createBatch(
    references.map((reference) => ({ ...payer.to, amount: 100, currency: "AUD", reference })),
  );
  const batchId = await bank.freeze(connection);
  await bank.send(connection, batchId);
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  const toLine = (reference: string) => ({ amount: 100, reference });

  async function apply(lines: string[]): Promise<number> {
    const { db, statements } = counting(bank.db);
    const text = abaReturns(connection, lines.map(toLine), { date });
    const request = { name: "returns.aba", who: "operator:a", atMs: Date.now() };
    const { file } = await applyInbound({ db, seal: bank.seal }, Buffer.from(text), request);
    expect(file.lines).toBe(lines.length);
    expect(file.suspended).toBe(0);
    return statements();
  }

  const small = await apply(references.slice(0, 1_000));
  // The first 1,000 are in it again.
  const large = await apply(references);
  const pages = (lines: number) => lines / limits.bankPageMax;
  expect(large / pages(5_000)).toBeLessThanOrEqual(small / pages(1_000));
  const { rows } = await bank.db.pool.query(
    "select stage, count(*)::int from payout where subaccount_id = $1 group by stage",
    [subaccountId],
  );
  expect(rows).toEqual([{ stage: "returned", count: 5_000 }]);
  expect((await verifyLedger(bank.db)).differences).toEqual([]);
});
