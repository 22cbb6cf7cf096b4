// A live payout through a bank file: frozen, approved by a second user, downloaded, sent, settled.

import { expect, test } from "vitest";
import { checkBankFile } from "../../../../packages/bank-formats/src/check.ts";
import { type BankConnection, openWindow } from "../../../src/banking/connections/connection.ts";
import { connectBanks } from "../../../src/banking/connections/connections.ts";
import { putConnection } from "../../../src/banking/connections/save-connection.ts";
import { readFile } from "../../../src/banking/files/batch-file.ts";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import {
  approveBatch,
  discardBatch,
  downloadBatch,
  recordSent,
} from "../../../src/banking/files/release.ts";
import { freezeDue, settleDue } from "../../../src/banking/worker/worker.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import {
  abaSettings,
  approveNow,
  type BankPayer,
  freezeNow,
  newBankConnection,
  newBankPayer,
} from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startService } from "../../support/service.ts";

const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
const service = await closeAfterTests(startService({ rails }));

const newPayer = () => newBankPayer(service);
const connect = (subaccountId: string, changes?: object) =>
  newBankConnection({ ...service, rails }, subaccountId, changes);
const freeze = (connection: BankConnection) => freezeNow(service, connection);

async function textOf(id: string): Promise<string> {
  let text = "";
  for await (const part of readFile(service, id)) text += part;
  return text;
}

const quiet = { info() {}, warn() {} };

const stageOf = async (payer: BankPayer, id: string) =>
  (await payer.disburse.payouts.get(id)).stage;

test("a payout goes through a file and is settled after two banking days", async () => {
  const { db } = service;
  const payer = await newPayer();
  const connection = await connect(payer.subaccountId);
  const { payout_id } = await payer.disburse.payouts.create({
    ...payer.to,
    amount: 12_550,
    currency: "AUD",
    reference: "PO-1",
  });
  const created = await payer.disburse.payouts.get(payout_id);
  const window = openWindow(connection, Date.now());
  expect(created).toMatchObject({
    stage: "queued",
    process_date: window.processDate,
    bank_batch_id: null,
  });

  await freezeDue({ ...service, rails, log: quiet }, connection, window.freezesAtMs - 1);
  expect(await payer.disburse.payouts.get(payout_id)).toMatchObject({ stage: "queued" });
  await freezeDue({ ...service, rails, log: quiet }, connection, window.freezesAtMs + 1);
  const frozen = await payer.disburse.payouts.get(payout_id);
  expect(frozen).toMatchObject({ stage: "batched", status: "pending" });
  const id = frozen.bank_batch_id as string;
  const batch = await findBatch(db, id);
  const text = await textOf(id);
  expect(checkBankFile(Buffer.from(text))).toMatchObject({
    format: "aba",
    valid: true,
    count: 1,
    credit: 12_550,
    debit: 0,
  });
  expect(text).toContain("PO-1");

  const atMs = Date.now();
  const sha256 = batch?.file_sha256 as string;
  const approve = (who: string, hash = sha256) =>
    db.transaction((tx) =>
      approveBatch(tx, { id, row: connection.row }, { who, atMs, sha256: hash }),
    );
  await expect(
    db.transaction((tx) => downloadBatch(tx, id, { who: "operator:a", atMs })),
  ).rejects.toThrow("BANK303");
  await expect(approve("operator:a", "0".repeat(64))).rejects.toThrow("BANK302");
  expect(await approve("operator:a")).toBe(1);
  await expect(approve("operator:a")).rejects.toThrow("CONS402");
  expect(await approve("operator:b")).toBe(0);
  await db.transaction((tx) => downloadBatch(tx, id, { who: "operator:a", atMs }));
  const sent = { id, bankReference: "NAB-77", who: "operator:a", atMs };
  await db.transaction((tx) => recordSent(tx, connection, sent));
  expect(await payer.disburse.payouts.get(payout_id)).toMatchObject({
    stage: "submitted",
    provider_reference: "NAB-77",
  });
  await expect(db.transaction((tx) => recordSent(tx, connection, sent))).rejects.toThrow("BANK301");

  await settleDue({ db }, connection, atMs);
  expect(await payer.disburse.payouts.get(payout_id)).toMatchObject({ stage: "submitted" });
  await settleDue({ db }, connection, atMs + 7 * 86_400_000);
  expect(await payer.disburse.payouts.get(payout_id)).toMatchObject({
    stage: "settled",
    status: "successful",
  });
  expect((await verifyLedger(db)).differences).toEqual([]);
});

test("a connection is used from the moment it is saved", async () => {
  const { db, seal } = service;
  // As a process does when it starts.
  await connectBanks({ db, seal, rails });
  const payer = await newPayer();
  const payout = { ...payer.to, amount: 500, currency: "AUD" };
  await expect(payer.disburse.payouts.create(payout)).rejects.toMatchObject({ code: "PAYO228" });
  const { subaccountId } = payer;
  // As another process saves it: this one has not loaded it yet.
  const saved = {
    name: subaccountId,
    format: "aba",
    subaccount_ids: [subaccountId],
    settings: abaSettings,
  };
  await db.transaction((tx) =>
    putConnection({ tx, seal }, saved, { who: "operator:admin", atMs: Date.now() }),
  );
  const { payout_id } = await payer.disburse.payouts.create(payout);
  expect(await stageOf(payer, payout_id)).toBe("queued");
});

test("a discarded batch puts its payouts back into the queue, and the next file holds them", async () => {
  const { db } = service;
  const payer = await newPayer();
  const connection = await connect(payer.subaccountId);
  const payout = { ...payer.to, amount: 500, currency: "AUD" };
  const { payout_id } = await payer.disburse.payouts.create(payout);
  const [first = ""] = await freeze(connection);
  const discard = (id: string, who: string, words?: string) =>
    db.transaction((tx) => discardBatch(tx, connection, { id, who, words, atMs: Date.now() }));
  expect(await discard(first, "operator:admin")).toBe("discarded");
  expect(await stageOf(payer, payout_id)).toBe("queued");
  expect((await payer.disburse.payouts.get(payout_id)).bank_batch_id).toBeNull();
  await expect(discard(first, "operator:admin")).rejects.toThrow("BANK301");

  // Once its bytes have left, two users say that the bank does not have it.
  const [second = ""] = await freeze(connection);
  await approveNow(service, connection, second);
  const atMs = Date.now();
  await db.transaction((tx) => downloadBatch(tx, second, { who: "operator:b", atMs }));
  await expect(discard(second, "operator:b")).rejects.toThrow("BANK304");
  expect(await discard(second, "operator:b", "not at the bank")).toBe("waits");
  await expect(discard(second, "operator:b", "not at the bank")).rejects.toThrow("CONS402");
  expect(await stageOf(payer, payout_id)).toBe("batched");
  expect(await discard(second, "operator:c", "not at the bank")).toBe("discarded");
  expect(await stageOf(payer, payout_id)).toBe("queued");
  expect((await verifyLedger(db)).differences).toEqual([]);
});

test("who froze a batch can't approve it", async () => {
  const payer = await newPayer();
  const connection = await connect(payer.subaccountId);
  await payer.disburse.payouts.create({ ...payer.to, amount: 500, currency: "AUD" });
  const [id = ""] = await freeze(connection);
  const approve = (who: string) => approveNow(service, connection, id, who);
  await expect(approve("operator:admin")).rejects.toThrow("CONS402");
  expect(await approve("operator:b")).toBe(0);
});

test("a run is split at the limits of a file, and no payout is in two files", async () => {
  const payer = await newPayer();
  const connection = await connect(payer.subaccountId, { file_count_max: 2, file_total_max: 900 });
  const made = [];
  for (const amount of [300, 300, 300, 700, 300]) {
    const payout = { ...payer.to, amount, currency: "AUD", allow_duplicate: true };
    made.push((await payer.disburse.payouts.create(payout)).payout_id);
  }
  const ids = await freeze(connection);
  const batches = await Promise.all(ids.map((id) => findBatch(service.db, id)));
  expect(batches.map((batch) => [batch?.payouts, Number(batch?.total)])).toEqual([
    [2, 600],
    [1, 300],
    [1, 700],
    [1, 300],
  ]);
  expect(batches.map((batch) => Number(batch?.sequence))).toEqual([1, 2, 3, 4]);
  const { rows } = await service.db.pool.query(
    "select payout_id from bank_batch_line where batch_id = any($1)",
    [ids],
  );
  expect(rows.map(({ payout_id }) => payout_id).sort()).toEqual(made.sort());
  // An amount that no file can carry is refused at once.
  const tooLarge = { ...payer.to, amount: 901, currency: "AUD" };
  await expect(payer.disburse.payouts.create(tooLarge)).rejects.toMatchObject({ code: "PAYO233" });
});

test("a caller's batch is in one file, unless it is larger than a file", async () => {
  const payer = await newPayer();
  const connection = await connect(payer.subaccountId, { file_count_max: 4 });
  const payout = { ...payer.to, amount: 100, currency: "AUD", allow_duplicate: true };
  const create = () => payer.disburse.payouts.create(payout);
  const createBatch = (length: number) =>
    payer.disburse.payouts.createBatch(Array.from({ length }, () => payout));
  await create();
  await create();
  await createBatch(3);
  await create();
  await createBatch(6);
  await create();
  const ids = await freeze(connection);
  const batches = await Promise.all(ids.map((id) => findBatch(service.db, id)));
  expect(batches.map((batch) => batch?.payouts)).toEqual([2, 4, 4, 3]);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test("a payout above a limit that was lowered is rejected at the freeze, and the others go", async () => {
  const payer = await newPayer();
  const connection = await connect(payer.subaccountId);
  const create = async (amount: number) =>
    (await payer.disburse.payouts.create({ ...payer.to, amount, currency: "AUD" })).payout_id;
  const [large, small] = [await create(901), await create(500)];
  const row = { ...connection.row, file_total_max: "900" };
  const [id = ""] = await freeze({ ...connection, row });
  expect(await findBatch(service.db, id)).toMatchObject({ payouts: 1, total: "500" });
  expect([await stageOf(payer, large), await stageOf(payer, small)]).toEqual([
    "rejected",
    "batched",
  ]);
});

test("equal payments of a file have different references", async () => {
  const payer = await newPayer();
  const connection = await connect(payer.subaccountId);
  const payout = {
    ...payer.to,
    amount: 500,
    currency: "AUD",
    reference: "RENT",
    allow_duplicate: true,
  };
  for (let each = 0; each < 3; each += 1) await payer.disburse.payouts.create(payout);
  const [id = ""] = await freeze(connection);
  const { rows } = await service.db.pool.query(
    "select file_reference from bank_batch_line where batch_id = $1 order by line",
    [id],
  );
  expect(rows.map(({ file_reference }) => file_reference)).toEqual(["RENT", "RENT 2", "RENT 3"]);
  const { problems } = checkBankFile(Buffer.from(await textOf(id)));
  expect(problems).toEqual([]);
});

test("a payout whose receiver can no longer be paid is rejected at the freeze, and the others go", async () => {
  const payer = await newPayer();
  const other = await newPayer();
  const connection = await connect(payer.subaccountId, {
    subaccount_ids: [payer.subaccountId, other.subaccountId],
  });
  const { payout_id: bad } = await payer.disburse.payouts.create({
    ...payer.to,
    amount: 500,
    currency: "AUD",
  });
  const { payout_id: good } = await other.disburse.payouts.create({
    ...other.to,
    amount: 700,
    currency: "AUD",
  });
  await service.db.pool.query("update receiver set status = 'inactive' where subaccount_id = $1", [
    payer.subaccountId,
  ]);
  const [id = ""] = await freeze(connection);
  expect(await findBatch(service.db, id)).toMatchObject({ payouts: 1, total: "700" });
  expect(await payer.disburse.payouts.get(bad)).toMatchObject({
    stage: "rejected",
    cause: "the receiver can no longer be paid",
  });
  expect(await stageOf(other, good)).toBe("batched");
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test("a payout can be cancelled until it is in a file", async () => {
  const payer = await newPayer();
  const connection = await connect(payer.subaccountId);
  const payout = { ...payer.to, amount: 500, currency: "AUD", allow_duplicate: true };
  const { payout_id: cancelled } = await payer.disburse.payouts.create(payout);
  const { payout_id: frozen } = await payer.disburse.payouts.create(payout);
  await payer.disburse.payouts.cancel(cancelled);
  await freeze(connection);
  expect(await stageOf(payer, cancelled)).toBe("cancelled");
  await expect(payer.disburse.payouts.cancel(frozen)).rejects.toMatchObject({ code: "PAYO301" });
});

test("payouts that missed the bank's cut-off wait for the next day's file", async () => {
  const payer = await newPayer();
  const connection = await connect(payer.subaccountId);
  const { payout_id } = await payer.disburse.payouts.create({
    ...payer.to,
    amount: 500,
    currency: "AUD",
  });
  const first = openWindow(connection, Date.now());
  await freezeDue({ ...service, rails, log: quiet }, connection, first.cutoffMs + 1);
  expect(await stageOf(payer, payout_id)).toBe("queued");
  const next = openWindow(connection, first.cutoffMs + 1);
  expect(next.processDate > first.processDate).toBe(true);
  await freezeDue({ ...service, rails, log: quiet }, connection, next.freezesAtMs + 1);
  expect(await payer.disburse.payouts.get(payout_id)).toMatchObject({
    stage: "batched",
    process_date: next.processDate,
  });
});

test("two connections that pay the same are refused", async () => {
  const { db, seal } = service;
  const payer = await newPayer();
  await connect(payer.subaccountId);
  const rival = {
    name: "rival",
    format: "aba",
    subaccount_ids: [payer.subaccountId],
    settings: abaSettings,
  };
  const put = (input: object) =>
    db.transaction((tx) =>
      putConnection({ tx, seal }, { ...input }, { who: "operator:x", atMs: 1 }),
    );
  await expect(put(rival)).rejects.toThrow("BANK203");
  await expect(
    put({ name: "x", format: "aba", settings: { ...abaSettings, bsb: "1", nothing: "x" } }),
  ).rejects.toMatchObject({
    problems: [
      { code: "BANK201", field: "settings.nothing" },
      { code: "BANK201", field: "settings.bsb" },
    ],
  });
});

test("a payout with send_on is held now and goes with that banking day's file", async () => {
  const payer = await newPayer();
  const connection = await connect(payer.subaccountId);
  const today = openWindow(connection, Date.now());
  // The Saturday after: no banking day.
  const saturday = new Date(Date.parse(today.processDate));
  saturday.setUTCDate(saturday.getUTCDate() + ((6 - saturday.getUTCDay() + 7) % 7 || 7));
  const monday = new Date(saturday.getTime() + 2 * 86_400_000);
  const dateOf = (date: Date) => date.toISOString().slice(0, 10);
  const payout = { ...payer.to, amount: 500, currency: "AUD", send_on: dateOf(saturday) };
  const answer = await payer.disburse.payouts.create(payout, { idempotencyKey: "later" });
  expect(answer).toEqual({
    payout_id: expect.any(String),
    status: "pending",
    process_date: dateOf(monday),
  });
  expect(await payer.disburse.payouts.create(payout, { idempotencyKey: "later" })).toEqual(answer);
  expect(await payer.disburse.payouts.get(answer.payout_id)).toMatchObject({
    send_on: dateOf(saturday),
    process_date: dateOf(monday),
    stage: "queued",
  });
  expect(await freeze(connection)).toEqual([]);
  const window = openWindow(connection, monday.getTime());
  await freezeDue({ ...service, rails, log: quiet }, connection, window.freezesAtMs + 1);
  expect(await stageOf(payer, answer.payout_id)).toBe("batched");
});

test("a send_on that has passed, is too far ahead or is no date is refused", async () => {
  const payer = await newPayer();
  await connect(payer.subaccountId);
  const create = (send_on: string) =>
    payer.disburse.payouts.create({ ...payer.to, amount: 500, currency: "AUD", send_on });
  await expect(create("2020-01-01")).rejects.toMatchObject({ code: "PAYO231" });
  await expect(create("2099-01-01")).rejects.toMatchObject({ code: "PAYO231" });
  await expect(create("2026-02-30")).rejects.toMatchObject({ code: "PAYO229" });
});
