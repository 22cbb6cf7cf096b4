// Suspense: what fits no payout waits for a user, who matches, splits, returns or closes it, and can undo that.

import { expect, test } from "vitest";
import { internalSubaccountIds } from "../../../src/banking/answers/suspend.ts";
import {
  closeSuspense,
  matchSuspense,
  returnSuspense,
  splitSuspense,
  undoSuspense,
} from "../../../src/banking/answers/suspense.ts";
import { candidatesOf } from "../../../src/banking/answers/suspense-candidates.ts";
import {
  countSuspense,
  findSuspense,
  listSuspenseActs,
  type SuspenseRow,
} from "../../../src/banking/answers/suspense-queries.ts";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import type { Tx } from "../../../src/platform/db/connect.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { pain002 } from "../../support/inbound-messages.ts";
import { startBankTest } from "../../support/inbound-setup.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

/** A return that has lost its reference, so that it fits no payout. */
async function suspended(amounts: number[], returned = amounts.reduce((a, b) => a + b, 0)) {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId);
  const { batchId, ids } = await bank.sendPayouts(payer, connection, amounts);
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  const line = { amount: returned, reference: "LOST", code: "3" };
  await bank.apply(abaReturns(connection, [line], { date }));
  const [item] = (await bank.suspenseOf(connection)) as [SuspenseRow];
  return { payer, connection, ids, item, batchId };
}

const decide = <T>(work: (tx: Tx) => Promise<T>) => bank.db.transaction(work);
const by = (id: string, reason = "seen at the bank") => ({
  id,
  reason,
  who: "operator:a",
  atMs: Date.now(),
});

const statusOf = async (id: string) => (await findSuspense(bank.db, id))?.status;

/** The money of a connection whose owner is unknown. */
async function bookedIn(rail: string): Promise<number> {
  const { rows } = await bank.db.pool.query(
    `select coalesce(sum(case kind when 'suspend' then amount else -amount end), 0)::int as booked
     from ledger_transfer where subaccount_id = $1 and $2 in (debit, credit)`,
    [internalSubaccountIds.live, `returns:${rail}`],
  );
  return rows[0].booked;
}

test("an item shows the payouts that it may be about, the best first", async () => {
  const { item, ids } = await suspended([500, 700], 700);
  const candidates = await candidatesOf(bank.db, item);
  expect(candidates).toMatchObject([
    { payout_id: ids[1], reasons: ["same amount", "same last digits of the account", "same day"] },
  ]);
});

test("a matched item returns the payout, and undo takes it back by a new entry", async () => {
  const { payer, connection, ids, item } = await suspended([500]);
  const [payoutId = ""] = ids;
  expect(await bookedIn(connection.rail)).toBe(500);
  await decide((tx) => matchSuspense(tx, payoutId, by(item.id)));
  expect(await payer.disburse.payouts.get(payoutId)).toMatchObject({
    stage: "returned",
    cause: "The account is closed",
    cause_code: "3",
  });
  expect(await bookedIn(connection.rail)).toBe(0);
  await expect(decide((tx) => matchSuspense(tx, payoutId, by(item.id)))).rejects.toThrow("BANK412");

  await decide((tx) => undoSuspense(tx, by(item.id, "the wrong payout")));
  expect(await payer.disburse.payouts.get(payoutId)).toMatchObject({
    stage: "settled",
    status: "successful",
    cause: "",
  });
  expect(await statusOf(item.id)).toBe("open");
  expect(await bookedIn(connection.rail)).toBe(500);
  await expect(decide((tx) => undoSuspense(tx, by(item.id)))).rejects.toThrow("BANK419");
  expect(await listSuspenseActs(bank.db, item.id)).toMatchObject([
    { number: 1, act: "match", reason: "seen at the bank", payout_id: payoutId },
    { number: 2, act: "undo", reason: "the wrong payout" },
  ]);
  expect((await verifyLedger(bank.db)).differences).toEqual([]);
});

test("an item of several payments is split, and each part is matched", async () => {
  const { payer, connection, ids, item } = await suspended([500, 700]);
  const [first = "", second = ""] = ids;
  await expect(decide((tx) => matchSuspense(tx, first, by(item.id)))).rejects.toThrow("BANK414");
  await expect(decide((tx) => splitSuspense(tx, [500n, 701n], by(item.id)))).rejects.toThrow(
    "BANK416",
  );
  const [small = "", large = ""] = await decide((tx) =>
    splitSuspense(tx, [500n, 700n], by(item.id)),
  );
  expect(await bookedIn(connection.rail)).toBe(1_200);
  await decide((tx) => matchSuspense(tx, first, by(small)));
  await expect(decide((tx) => undoSuspense(tx, by(item.id)))).rejects.toThrow("BANK420");
  await decide((tx) => matchSuspense(tx, second, by(large)));
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "returned"]);
  expect(await bookedIn(connection.rail)).toBe(0);
  // From the end to the beginning, everything can be undone.
  await decide((tx) => undoSuspense(tx, by(large)));
  await decide((tx) => undoSuspense(tx, by(small)));
  await decide((tx) => undoSuspense(tx, by(item.id)));
  expect(await statusOf(small)).toBe("merged");
  expect(await statusOf(item.id)).toBe("open");
  expect(await bookedIn(connection.rail)).toBe(1_200);
});

test("money that goes back to the bank leaves the books, until that is undone", async () => {
  const { connection, item } = await suspended([500]);
  await expect(decide((tx) => closeSuspense(tx, by(item.id)))).rejects.toThrow("BANK418");
  await decide((tx) => returnSuspense(tx, by(item.id)));
  expect(await statusOf(item.id)).toBe("returned");
  expect(await bookedIn(connection.rail)).toBe(0);
  await decide((tx) => undoSuspense(tx, by(item.id)));
  expect(await bookedIn(connection.rail)).toBe(500);
});

test("a report without money is matched or closed, never returned or split", async () => {
  const { connection, batchId, ids, payer } = await suspended([500], 1);
  const lines = [{ payoutId: connection.id, status: "RJCT", code: "XX99", text: "no such payee" }];
  await bank.apply(pain002(batchId, { lines }));
  const item = (await bank.suspenseOf(connection)).find(({ kind }) => kind === "rejection");
  const [payoutId = ""] = ids;
  await expect(decide((tx) => returnSuspense(tx, by(item.id)))).rejects.toThrow("BANK417");
  await expect(decide((tx) => splitSuspense(tx, [1n, 2n], by(item.id)))).rejects.toThrow("BANK417");
  await decide((tx) => closeSuspense(tx, by(item.id)));
  await decide((tx) => undoSuspense(tx, by(item.id)));
  await decide((tx) => matchSuspense(tx, payoutId, by(item.id)));
  expect(await payer.disburse.payouts.get(payoutId)).toMatchObject({
    stage: "rejected",
    cause: "no such payee",
  });
  await expect(decide((tx) => undoSuspense(tx, by(item.id)))).rejects.toThrow("BANK420");
});

test("only a payout of the same bank connection that was sent can be matched", async () => {
  const { connection, ids, item } = await suspended([500]);
  const other = await suspended([500]);
  const [payoutId = ""] = ids;
  const wrong = by(other.item.id);
  await expect(decide((tx) => matchSuspense(tx, payoutId, wrong))).rejects.toThrow("BANK413");
  await expect(decide((tx) => matchSuspense(tx, connection.id, wrong))).rejects.toThrow("BANK413");
  await expect(decide((tx) => matchSuspense(tx, payoutId, by(connection.id)))).rejects.toThrow(
    "BANK411",
  );
  await decide((tx) => matchSuspense(tx, payoutId, by(item.id)));
  // It was returned by this, and can't be returned again.
  const [, second] = await bank.suspenseOf(connection);
  expect(second).toBeUndefined();
  const date = item.day;
  await bank.apply(abaReturns(connection, [{ amount: 500, reference: "PO-1" }], { date }));
  const [, repeated] = await bank.suspenseOf(connection);
  expect(repeated).toMatchObject({ reason: "already_returned", payout_id: payoutId });
  await expect(decide((tx) => matchSuspense(tx, payoutId, by(repeated.id)))).rejects.toThrow(
    "BANK415",
  );
});

test("open items are counted, with the time of the oldest", async () => {
  const before = await countSuspense(bank.db, 1_000);
  await suspended([500]);
  const { items, oldestMs } = await countSuspense(bank.db, 1_000);
  expect(items).toBe(before.items + 1);
  expect(oldestMs).toBeLessThanOrEqual(Date.now());
  expect((await countSuspense(bank.db, 1)).items).toBe(1);
});
