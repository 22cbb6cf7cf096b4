// Status reports (pain.002) and notifications (camt.054): accept, reject, settle and return payouts.

import { expect, test } from "vitest";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { camt054, pain002 } from "../../support/inbound-messages.ts";
import { startBankTest } from "../../support/inbound-setup.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

async function sent(amounts: number[], changes: object = {}) {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId, changes);
  const { batchId, ids } = await bank.sendPayouts(payer, connection, amounts);
  const { account_number: account } = connection.settings as { account_number: string };
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  const id = (index: number) => ids[index] as string;
  return { payer, connection, batchId, ids, id, account, date };
}

const statusOf = async (id: string) => (await findBatch(bank.db, id))?.status;

test("a rejected payment is rejected with its cause, and its batch partly", async () => {
  const { payer, batchId, ids, id } = await sent([500, 700]);
  const lines = [{ payoutId: id(0), status: "RJCT", code: "XX99", text: "no such branch" }];
  const text = pain002(batchId, { group: "PART", lines });
  expect(await bank.apply(text)).toMatchObject({ lines: 2, applied: 1, noted: 1, suspended: 0 });
  expect(await bank.stagesOf(payer, ids)).toEqual(["rejected", "submitted"]);
  expect(await payer.disburse.payouts.get(id(0))).toMatchObject({
    cause: "no such branch",
    cause_code: "XX99",
  });
  expect(await statusOf(batchId)).toBe("partly_rejected");
  // The same report in another file.
  expect(await bank.apply(`${text}\n`)).toMatchObject({ isNew: true, applied: 0, repeated: 2 });
});

test("an accepted file is acknowledged, and its payouts stay in progress", async () => {
  const { payer, batchId, ids } = await sent([500]);
  await bank.apply(pain002(batchId, { group: "ACTC" }));
  expect(await statusOf(batchId)).toBe("accepted");
  expect(await bank.stagesOf(payer, ids)).toEqual(["submitted"]);
});

test("a rejected file rejects all of its payouts, and those that it names with their own cause", async () => {
  const { payer, batchId, ids, id } = await sent([500, 700, 900]);
  const lines = [{ payoutId: id(1), status: "RJCT", code: "XX98", text: "unknown payee" }];
  await bank.apply(pain002(batchId, { group: "RJCT", code: "XX97", lines }));
  expect(await bank.stagesOf(payer, ids)).toEqual(["rejected", "rejected", "rejected"]);
  const codes = await Promise.all(ids.map((one) => payer.disburse.payouts.get(one)));
  expect(codes.map(({ cause_code }) => cause_code)).toEqual(["XX97", "XX98", "XX97"]);
  expect(await statusOf(batchId)).toBe("rejected");
});

test("ACCC settles; ACSC settles only where the connection waits for the bank", async () => {
  const byDays = await sent([500, 700]);
  const lines = (one: typeof byDays) => [
    { payoutId: one.id(0), status: "ACCC" },
    { payoutId: one.id(1), status: "ACSC" },
  ];
  await bank.apply(pain002(byDays.batchId, { lines: lines(byDays) }));
  expect(await bank.stagesOf(byDays.payer, byDays.ids)).toEqual(["settled", "submitted"]);
  const confirmed = await sent([500, 700], { success_when: "confirmed" });
  await bank.apply(pain002(confirmed.batchId, { lines: lines(confirmed) }));
  expect(await bank.stagesOf(confirmed.payer, confirmed.ids)).toEqual(["settled", "settled"]);
});

test("a file that is paid settles the payouts that it does not name otherwise", async () => {
  const { payer, batchId, ids, id } = await sent([500, 700, 900]);
  const lines = [
    { payoutId: id(0), status: "RJCT", code: "XX99" },
    { payoutId: id(1), status: "PDNG" },
  ];
  await bank.apply(pain002(batchId, { group: "ACCC", lines }));
  expect(await bank.stagesOf(payer, ids)).toEqual(["rejected", "submitted", "settled"]);
});

test("a status of an unknown payment or file waits for a user", async () => {
  const { connection, id } = await sent([500]);
  const unknown = pain002(id(0), {
    group: "ACTC",
    lines: [{ payoutId: connection.id, status: "RJCT" }],
  });
  await expect(bank.apply(unknown)).rejects.toThrow("BANK406");
  expect(await bank.apply(unknown, connection)).toMatchObject({ applied: 0, suspended: 2 });
  expect((await bank.suspenseOf(connection)).map(({ reason }) => reason)).toEqual([
    "no_batch",
    "no_payout",
  ]);
});

test("answers that name no file of ours wait for a user, each of them", async () => {
  const { connection } = await sent([500]);
  const text = pain002("", { group: "RJCT", code: "XX99" });
  expect(await bank.apply(text, connection)).toMatchObject({ suspended: 1 });
  expect(await bank.apply(`${text}\n`, connection)).toMatchObject({ suspended: 1, repeated: 0 });
});

test("a status about a payout of another connection waits for a user", async () => {
  const one = await sent([500]);
  const other = await sent([500]);
  const lines = [{ payoutId: one.id(0), status: "RJCT", code: "XX99" }];
  await bank.apply(pain002(other.batchId, { lines }), other.connection);
  expect(await bank.suspenseOf(other.connection)).toMatchObject([{ reason: "other_connection" }]);
  expect(await bank.stagesOf(one.payer, one.ids)).toEqual(["submitted"]);
});

test("a camt.054 return is found by our reference, or by account, amount and remittance", async () => {
  const { payer, connection, ids, id, account, date } = await sent([500, 700, 900]);
  const entries = [
    { amount: "5.00", payoutId: id(0) },
    { amount: "7.00", creditor: "111111111", remittance: "PO-2", code: "AC01" },
    // Neither booked, nor money that came back.
    { amount: "9.00", payoutId: id(2), status: "PDNG" },
    { amount: "9.00", payoutId: id(2), direction: "DBIT" },
  ];
  expect(await bank.apply(camt054(account, date, entries))).toMatchObject({ lines: 3, applied: 2 });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "returned", "submitted"]);
  // A later notification that repeats one, and another amount.
  const later = [entries[0] as object, { amount: "8.99", payoutId: id(2) }];
  const text = camt054(account, date, later as typeof entries);
  expect(await bank.apply(text)).toMatchObject({ repeated: 1, suspended: 1 });
  expect(await bank.suspenseOf(connection)).toMatchObject([
    { reason: "amount_differs", amount: "899", payout_id: id(2), is_booked: true },
  ]);
});

test("a return file and a notification of the same return return the payout once, and book it once", async () => {
  const { payer, connection, ids, id, account, date } = await sent([500]);
  const lines = [{ amount: 500, reference: "PO-1" }];
  expect(await bank.apply(abaReturns(connection, lines, { date }))).toMatchObject({ applied: 1 });
  const notified = { amount: "5.00", payoutId: id(0) };
  expect(await bank.apply(camt054(account, date, [notified]))).toMatchObject({
    noted: 1,
    suspended: 0,
  });
  expect(await bank.suspenseOf(connection)).toEqual([]);
  // A second notification is another return.
  const second = { ...notified, code: "AC01" };
  expect(await bank.apply(camt054(account, date, [second]))).toMatchObject({ suspended: 1 });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned"]);
});

test("a message that is not well formed is refused whole", async () => {
  const { payer, ids, id, account, date } = await sent([500]);
  const text = camt054(account, date, [{ amount: "5.00", payoutId: id(0) }]);
  await expect(bank.apply(text.slice(0, -30))).rejects.toThrow("BANK401");
  expect(await bank.stagesOf(payer, ids)).toEqual(["submitted"]);
});
