// Fees of payouts: charged with the payout, kept apart from what goes to the bank, and given back before it is sent.

import { describe, expect, test } from "vitest";
import { checkBankFile } from "../../../../packages/bank-formats/src/check.ts";
import { matchSuspense, undoSuspense } from "../../../src/banking/answers/suspense.ts";
import { candidatesOf } from "../../../src/banking/answers/suspense-candidates.ts";
import type { SuspenseRow } from "../../../src/banking/answers/suspense-queries.ts";
import type { BankConnection } from "../../../src/banking/connections/connection.ts";
import { readFile } from "../../../src/banking/files/batch-file.ts";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { discardBatch } from "../../../src/banking/files/release.ts";
import { settleDue } from "../../../src/banking/worker/worker.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { declinePayout } from "../../../src/money/payouts/approve.ts";
import { moves } from "../../../src/money/payouts/states.ts";
import { contradictions } from "../../scenarios/payouts-books.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { pain002 } from "../../support/inbound-messages.ts";
import { type Payer, startBankTest } from "../../support/inbound-setup.ts";

const bank = await closeAfterTests(startBankTest(), expectBalancedLedger);

const onTop = { fee_fixed: 30, fee_percent: "0.25" };
const takenOut = { ...onTop, fee_bearer: "receiver" };
const start = 1_000_000_000;

async function newPayer(fee: object): Promise<{ payer: Payer; connection: BankConnection }> {
  const payer = await bank.newPayer();
  return { payer, connection: await bank.connect(payer.subaccountId, fee) };
}

const pay = async ({ disburse, to }: Payer, amount: number, more: object = {}) =>
  (await disburse.payouts.create({ ...to, amount, currency: "AUD", ...more })).payout_id;

const refusalOf = async (payer: Payer, amount: number, more: object = {}) => {
  const body = { ...payer.to, amount, currency: "AUD", ...more };
  const { status, json } = await payer.call("POST", "/api/payout/single", { body });
  return status === 200 ? "accepted" : [status, json.error[0].code, json.error[0].field];
};

/** Numbers, not texts. */
async function balanceOf({ subaccountId }: Payer): Promise<Record<string, number>> {
  const { rows } = await bank.db.pool.query(
    `select available::float, held::float, clearing::float, returns::float, fees::float, bank::float
     from ledger_balance where subaccount_id = $1`,
    [subaccountId],
  );
  return rows[0];
}

async function entriesOf({ disburse }: Payer, id: string) {
  const entries = await disburse.balance.entries({ currency: "AUD" }).toArray();
  return entries
    .filter(({ payout_id }) => payout_id === id)
    .reverse()
    .map(({ kind, amount, available, held }) => [kind, amount, available, held]);
}

const dateOf = async (batchId: string) =>
  (await findBatch(bank.db, batchId))?.process_date as string;

async function textOf(batchId: string): Promise<string> {
  let text = "";
  for await (const part of readFile(bank, batchId)) text += part;
  return text;
}

const reasons = { who: "operator:a", atMs: Date.now(), reason: "a test" };

describe("borne by the subaccount", () => {
  test("the fee is charged on top, beside the hold, and given back with it", async () => {
    const { payer } = await newPayer(onTop);
    const id = await pay(payer, 12_500);
    expect(await payer.disburse.payouts.get(id)).toMatchObject({
      amount: 12_500,
      fee: 61,
      sent_amount: 12_500,
    });
    expect(await balanceOf(payer)).toMatchObject({
      available: start - 12_561,
      held: 12_500,
      fees: 61,
      bank: start,
    });
    await payer.disburse.payouts.cancel(id);
    expect(await entriesOf(payer, id)).toEqual([
      ["hold", 12_500, start - 12_500, 12_500],
      ["fee", 61, start - 12_561, 12_500],
      ["release", 12_500, start - 61, 0],
      ["fee_refund", 61, start, 0],
    ]);
    expect(await balanceOf(payer)).toMatchObject({ available: start, held: 0, fees: 0 });
    // Cancelling it again gives nothing back.
    await payer.disburse.payouts.cancel(id);
    expect(await balanceOf(payer)).toMatchObject({ available: start, fees: 0 });
  });

  test("the whole amount is in the file, and the fee stays when the payout is returned", async () => {
    const { payer, connection } = await newPayer(onTop);
    const { batchId, ids } = await bank.sendPayouts(payer, connection, [12_500]);
    expect(checkBankFile(Buffer.from(await textOf(batchId)))).toMatchObject({ credit: 12_500 });
    const date = await dateOf(batchId);
    const line = { amount: 12_500, reference: "PO-1", code: "3" };
    await bank.apply(abaReturns(connection, [line], { date }));
    expect(await bank.stagesOf(payer, ids)).toEqual(["returned"]);
    expect(await balanceOf(payer)).toMatchObject({ available: start - 61, fees: 61, bank: start });
  });

  test("funds have to cover amount and fee", async () => {
    const { payer } = await newPayer({ fee_fixed: 100 });
    const { subaccountId } = payer;
    await bank.db.pool.query("insert into payout_limit values ($1, 'AUD', null, null, null)", [
      subaccountId,
    ]);
    expect(await refusalOf(payer, start)).toEqual([409, "PAYO227", "amount"]);
    expect(await refusalOf(payer, start - 99)).toEqual([409, "PAYO227", "amount"]);
    expect(await refusalOf(payer, start - 100)).toBe("accepted");
    expect(await balanceOf(payer)).toMatchObject({ available: 0, fees: 100 });
  });

  test("a fee may be larger than the amount", async () => {
    const { payer } = await newPayer({ fee_fixed: 100 });
    expect(await refusalOf(payer, 1)).toBe("accepted");
    expect(await balanceOf(payer)).toMatchObject({ available: start - 101, held: 1, fees: 100 });
  });
});

describe("taken out of the amount", () => {
  test("file, books, settlement and return are about what goes to the bank", async () => {
    const { payer, connection } = await newPayer(takenOut);
    const { batchId, ids } = await bank.sendPayouts(payer, connection, [12_500, 700]);
    const [first = "", second = ""] = ids;
    // 12500: 61.25 → 61. 700: 31.75 → 32.
    expect(await payer.disburse.payouts.get(first)).toMatchObject({
      amount: 12_500,
      fee: 61,
      sent_amount: 12_439,
    });
    expect(await payer.disburse.payouts.get(second)).toMatchObject({ fee: 32, sent_amount: 668 });
    const sent = 12_439 + 668;
    expect(await findBatch(bank.db, batchId)).toMatchObject({ payouts: 2, total: String(sent) });
    expect(checkBankFile(Buffer.from(await textOf(batchId)))).toMatchObject({
      count: 2,
      credit: sent,
    });
    expect(await balanceOf(payer)).toMatchObject({
      available: start - 13_200,
      clearing: sent,
      fees: 93,
      bank: start,
    });
    await settleDue({ db: bank.db }, connection, Date.now() + 7 * 86_400_000);
    expect(await balanceOf(payer)).toMatchObject({ clearing: 0, fees: 93, bank: start - sent });
    const line = { amount: 668, reference: "PO-2", code: "3" };
    const date = await dateOf(batchId);
    expect(await bank.apply(abaReturns(connection, [line], { date }))).toMatchObject({
      applied: 1,
      suspended: 0,
    });
    expect(await bank.stagesOf(payer, ids)).toEqual(["settled", "returned"]);
    // The fee of a returned payout is kept.
    expect(await balanceOf(payer)).toMatchObject({ available: start - 13_200 + 668, fees: 93 });
    expect((await entriesOf(payer, second)).map((entry) => entry.slice(0, 2))).toEqual([
      ["hold", 668],
      ["fee", 32],
      ["submit", 668],
      ["settle", 668],
      ["return", 668],
      ["credit", 668],
    ]);
  });

  test("a report of the asked amount does not fit, and a user matches one of the sent amount", async () => {
    const { payer, connection } = await newPayer(takenOut);
    const { batchId, ids } = await bank.sendPayouts(payer, connection, [12_500]);
    const [id = ""] = ids;
    const date = await dateOf(batchId);
    await bank.apply(
      abaReturns(connection, [{ amount: 12_500, reference: "PO-1", code: "3" }], { date }),
    );
    await bank.apply(
      abaReturns(connection, [{ amount: 12_439, reference: "LOST", code: "3" }], { date }),
    );
    const [asked, lost] = (await bank.suspenseOf(connection)) as [SuspenseRow, SuspenseRow];
    const [candidate] = await candidatesOf(bank.db, lost);
    expect(candidate).toMatchObject({ payout_id: id, amount: "12439" });
    expect(candidate?.reasons).toContain("same amount");
    const decide = (work: Parameters<typeof bank.db.transaction<unknown>>[0]) =>
      bank.db.transaction(work);
    await expect(
      decide((tx) => matchSuspense(tx, id, { ...reasons, id: asked.id })),
    ).rejects.toThrow("BANK414");
    await decide((tx) => matchSuspense(tx, id, { ...reasons, id: lost.id }));
    expect(await balanceOf(payer)).toMatchObject({ available: start - 61, fees: 61 });
    await decide((tx) => undoSuspense(tx, { ...reasons, id: lost.id }));
    expect(await balanceOf(payer)).toMatchObject({ available: start - 12_500, fees: 61 });
  });

  test("a bank that rejects the payment leaves the fee, and gives back what it got", async () => {
    const { payer, connection } = await newPayer(takenOut);
    const { batchId, ids } = await bank.sendPayouts(payer, connection, [12_500]);
    const lines = [{ payoutId: ids[0] as string, status: "RJCT", code: "AC04" }];
    await bank.apply(pain002(batchId, { group: "PART", lines }));
    expect(await bank.stagesOf(payer, ids)).toEqual(["rejected"]);
    expect(await balanceOf(payer)).toMatchObject({ available: start - 61, fees: 61 });
  });

  test("an amount that is not above its fee is refused, and one above it is paid", async () => {
    const { payer } = await newPayer({ fee_fixed: 100, fee_bearer: "receiver" });
    expect(await refusalOf(payer, 99)).toEqual([400, "PAYO234", "amount"]);
    expect(await refusalOf(payer, 100)).toEqual([400, "PAYO234", "amount"]);
    expect(await refusalOf(payer, 101)).toBe("accepted");
    expect(await balanceOf(payer)).toMatchObject({ available: start - 101, held: 1, fees: 100 });
  });

  test("what one bank file carries is compared with what goes to the bank", async () => {
    const { payer } = await newPayer({
      fee_fixed: 100,
      fee_bearer: "receiver",
      file_total_max: 1_000,
    });
    expect(await refusalOf(payer, 1_101)).toEqual([400, "PAYO233", "amount"]);
    expect(await refusalOf(payer, 1_100)).toBe("accepted");
  });
});

describe.each([
  ["borne by the subaccount", onTop],
  ["taken out of the amount", takenOut],
])("a fee %s", (_name, fee) => {
  test("is given back when the payout is stopped, declined, or cancelled after its file was discarded", async () => {
    const { payer, connection } = await newPayer(fee);
    const { db } = bank;
    const { subaccountId } = payer;
    const discarded = await pay(payer, 5_000);
    const batchId = await bank.freeze(connection);
    const atMs = Date.now();
    await db.transaction((tx) =>
      discardBatch(tx, connection, { id: batchId, who: "operator:a", words: undefined, atMs }),
    );
    await payer.disburse.payouts.cancel(discarded);
    expect(await balanceOf(payer)).toMatchObject({ available: start, held: 0, fees: 0 });

    await db.pool.query("insert into payout_limit values ($1, 'AUD', null, null, 6000)", [
      subaccountId,
    ]);
    const waiting = await pay(payer, 6_001);
    expect(await bank.stagesOf(payer, [waiting])).toEqual(["awaiting_approval"]);
    await db.transaction((tx) => declinePayout(tx, { subaccountId, id: waiting }, reasons));
    expect(await balanceOf(payer)).toMatchObject({ available: start, held: 0, fees: 0 });

    const stopped = await pay(payer, 5_500);
    await db.pool.query("update receiver set status = 'inactive' where subaccount_id = $1", [
      subaccountId,
    ]);
    expect(await bank.freeze(connection)).toBe("");
    expect(await bank.stagesOf(payer, [stopped])).toEqual(["rejected"]);
    expect(await balanceOf(payer)).toMatchObject({ available: start, held: 0, fees: 0 });
  });

  test("does not change what limits, thresholds, duplicates and events count: the amount", async () => {
    const { payer } = await newPayer(fee);
    const { subaccountId, disburse } = payer;
    await bank.db.pool.query("insert into payout_limit values ($1, 'AUD', 1000, 3000, 900)", [
      subaccountId,
    ]);
    expect(await refusalOf(payer, 1_001)).toEqual([400, "PAYO224", "amount"]);
    const under = await pay(payer, 900, { reference: "a" });
    const above = await pay(payer, 901, { reference: "b" });
    expect(await bank.stagesOf(payer, [under, above])).toEqual(["queued", "awaiting_approval"]);
    expect(await refusalOf(payer, 900, { reference: "a" })).toEqual([409, "PAYO226", "reference"]);
    expect(await refusalOf(payer, 1_000)).toBe("accepted");
    // 2801 of 3000 are spent.
    expect(await refusalOf(payer, 200, { reference: "c" })).toEqual([409, "PAYO225", "amount"]);
    expect(await refusalOf(payer, 199, { reference: "d" })).toBe("accepted");
    const [event] = await disburse.events.list({ payout_id: under, limit: 1 } as never).toArray();
    expect(event?.data).toMatchObject({ amount: 900 });
    expect(JSON.stringify(event)).not.toMatch(/"fee|sent_amount/);
  });
});

test("payouts with and without a fee share statements, and those without have no field of it", async () => {
  const [free, charged, reduced] = await Promise.all([
    newPayer({}),
    newPayer(onTop),
    newPayer(takenOut),
  ]);
  const payers = [free.payer, charged.payer, reduced.payer];
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      pay(payers[index % 3] as Payer, 1_000 + index, { reference: `R-${index}` }),
    ),
  );
  const all = await Promise.all(payers.map(({ disburse }) => disburse.payouts.list().toArray()));
  for (const payout of all[0] ?? []) {
    expect(Object.keys(payout)).not.toContain("fee");
    expect(Object.keys(payout)).not.toContain("sent_amount");
  }
  for (const { amount, fee, sent_amount } of all[1] ?? [])
    expect([fee, sent_amount]).toEqual([33, amount]);
  for (const { amount, fee = 0, sent_amount } of all[2] ?? []) {
    expect([fee, sent_amount]).toEqual([33, amount - 33]);
  }
  const { rows } = await bank.db.pool.query(
    "select count(*)::int as plain from payout where subaccount_id = $1 and fee is null and sent_amount is null",
    [free.payer.subaccountId],
  );
  expect(rows).toEqual([{ plain: 10 }]);
  // Of these payouts: others in this file were matched and undone by hand.
  const known = [...all.flat(), ...payers.map(({ subaccountId }) => ({ id: subaccountId }))];
  const ids = new Set<unknown>(known.map(({ id }) => id));
  const found = (await contradictions(bank.db)) as { id: string }[];
  expect(found.filter(({ id }) => ids.has(id))).toEqual([]);
});

test("a payout batch charges each of its payouts, and is refused as a whole where funds don't cover the fees", async () => {
  const { payer } = await newPayer({ fee_fixed: 1 });
  const { subaccountId, disburse, to } = payer;
  await bank.db.pool.query("insert into payout_limit values ($1, 'AUD', null, null, null)", [
    subaccountId,
  ]);
  const row = (amount: number, reference: string) => ({
    ...to,
    amount,
    currency: "AUD",
    reference,
  });
  await expect(
    disburse.payouts.createBatch([row(start - 12, "a"), row(10, "b")]),
  ).resolves.toBeDefined();
  expect(await balanceOf(payer)).toMatchObject({ available: 0, held: start - 2, fees: 2 });
  await expect(disburse.payouts.createBatch([row(1, "c")])).rejects.toMatchObject({
    code: "PAYO227",
  });
});

test("a fee is part of the statement, as JSON and as CSV", async () => {
  const { payer } = await newPayer(onTop);
  await payer.disburse.payouts.cancel(await pay(payer, 12_500));
  const headers = { accept: "text/csv" };
  const { text } = await payer.call("GET", "/api/balance/entries?currency=AUD", { headers });
  expect(text).toMatch(/,fee_refund,fees,available,61,AUD,/);
  expect(text).toMatch(/,fee,available,fees,61,AUD,/);
  // The hold is no movement; the fee is one, and so is its refund.
  const today = new Date().toISOString().slice(0, 10);
  const statement = await payer.call(
    "GET",
    `/api/balance/statement?currency=AUD&from=${today}&to=${today}`,
  );
  const lines: { kind: string; amount: number }[] = statement.json.payload.lines;
  expect(lines.slice(-2).map(({ kind, amount }) => [kind, amount])).toEqual([
    ["fee", -61],
    ["fee_refund", 61],
  ]);
});

test("verify reports a fee that differs from its transfers", async () => {
  const { payer } = await newPayer(onTop);
  const id = await pay(payer, 12_500);
  const setFee = (fee: number) =>
    bank.db.pool.query("update payout set fee = $3 where subaccount_id = $1 and id = $2", [
      payer.subaccountId,
      id,
      fee,
    ]);
  await setFee(60);
  const { differences } = await verifyLedger(bank.db);
  expect(differences).toEqual([
    {
      subaccountId: payer.subaccountId,
      currency: "AUD",
      what: `the fee of payout ${id} is not what its transfers charged and gave back`,
    },
  ]);
  await setFee(61);
});

test("a fee is given back exactly by the moves that release the hold", () => {
  for (const [name, { transfers }] of Object.entries(moves)) {
    const kinds: readonly string[] = transfers;
    expect([name, kinds.includes("fee_refund")]).toEqual([name, kinds.includes("release")]);
  }
});

test("a changed fee holds for new payouts only", async () => {
  const { payer } = await newPayer({ fee_fixed: 10 });
  const before = await pay(payer, 500, { reference: "before" });
  await bank.connect(payer.subaccountId, { fee_fixed: 20, fee_bearer: "receiver" });
  const after = await pay(payer, 500, { reference: "after" });
  expect(await payer.disburse.payouts.get(before)).toMatchObject({ fee: 10, sent_amount: 500 });
  expect(await payer.disburse.payouts.get(after)).toMatchObject({ fee: 20, sent_amount: 480 });
});
