// Routes of the Banks screens: files are frozen, approved, downloaded and sent.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { expireWaiting } from "../../../src/doors/console/waiting/expire.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import type { TestPerson } from "../../support/console.ts";
import { ada, addAccount, outcomeOf } from "../../support/service.ts";

const service = await closeAfterTests(startBankConsole());

/** A connection with a file that an operator froze, with one payout for each amount. */
async function newFrozenFile(amounts: readonly number[] = [12_550]) {
  const payer = await service.newPayer();
  const connectionId = await service.connect(payer.subaccountId, [payer.subaccountId]);
  const payouts = [];
  for (const amount of amounts) {
    payouts.push((await payer.pay(amount, `PO-${payouts.length}`)).payout_id);
  }
  const freezer = service.enter("operator");
  const { json } = await freezer.post(`/banks/connections/${connectionId}/freeze`);
  const [id] = json.batch_ids as [string];
  const detail = (await freezer.get(`/banks/batches/${id}`)).json;
  return { payer, connectionId, payouts, freezer, id, detail, path: `/banks/batches/${id}` };
}

test("the list has connections with their times and waiting payouts, but no account number", async () => {
  const payer = await service.newPayer();
  const id = await service.connect("Main account", [payer.subaccountId]);
  await payer.pay(500);
  const answer = await service.enter("auditor").get("/banks");
  expect(answer.text).not.toContain("12345678");
  const row = answer.json.rows.find((one: { id: string }) => one.id === id);
  expect(row).toMatchObject({
    name: "Main account",
    format: "aba",
    currency: "AUD",
    account: "…678",
    freeze_at: "17:00",
    bank_cutoff: "18:00",
    subaccounts: 1,
    disabled_at: null,
    waiting: 1,
    next: { process_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
  });
  expect(row.next.freezes_at).toBeGreaterThan(Date.now());
  expect(row.next.cutoff - row.next.freezes_at).toBe(3_600_000);
});

test("a file is frozen, approved by its hash, downloaded and sent, and shows which user did each", async () => {
  const { payer, payouts, freezer, id, path, detail } = await newFrozenFile();
  expect(detail).toMatchObject({
    status: "frozen",
    payouts: 1,
    total: 12_550,
    approvals_missing: 1,
    why_not: "Awaiting another approver",
    is_late: false,
  });
  const approver = service.enter("approver");
  const finance = service.enter("finance");
  expect(outcomeOf(await finance.post(`${path}/download`))).toBe("409 BANK303");
  expect(outcomeOf(await finance.post(`${path}/sent`))).toBe("409 BANK301");
  const sha256 = detail.sha256 as string;
  expect(outcomeOf(await freezer.post(`${path}/approve`, { sha256 }))).toBe("403 CONS402");
  expect(outcomeOf(await approver.post(`${path}/approve`, { sha256: "0".repeat(64) }))).toBe(
    "409 BANK302",
  );
  expect((await approver.post(`${path}/approve`, { sha256 })).json).toEqual({
    approvals_missing: 0,
  });
  const file = await finance.post(`${path}/download`);
  expect(file.status).toBe(200);
  expect(createHash("sha256").update(file.text).digest("hex")).toBe(sha256);
  expect(file.headers.get("content-disposition")).toBe(
    `attachment; filename="${detail.file_name}"`,
  );
  expect(file.headers.get("cache-control")).toBe("no-store");
  expect(Number(file.headers.get("content-length"))).toBe(detail.bytes);
  expect((await finance.post(`${path}/sent`, { bank_reference: "UP-7" })).status).toBe(204);
  expect(await payer.disburse.payouts.get(payouts[0] as string)).toMatchObject({
    stage: "submitted",
    provider_reference: "UP-7",
  });
  const { json } = await approver.get(path);
  expect(json).toMatchObject({
    status: "sent",
    frozen_by: freezer.who,
    approved_by: [approver.who],
    downloaded_by: finance.who,
    sent_by: finance.who,
    bank_reference: "UP-7",
  });
  expect(json.timeline.map(({ what, who }: { what: string; who: string }) => [what, who])).toEqual([
    ["freeze", freezer.who],
    ["approve", approver.who],
    ["download", finance.who],
    ["sent", finance.who],
  ]);
  const listed = async (state: string) =>
    (await approver.get(`/banks/batches?state=${state}`)).json.rows.map(
      (row: { id: string }) => row.id,
    );
  expect(await listed("open")).not.toContain(id);
  expect(await listed("all")).toContain(id);
});

test("the table masks account numbers; only approvers read the raw file, and the audit log shows it", async () => {
  const { path, payer, payouts, id } = await newFrozenFile([12_550, 700]);
  const approver = service.enter("approver");
  const lines = await approver.get(`${path}/lines?limit=1`);
  expect(lines.text).not.toContain("111222333");
  expect(lines.json.rows).toEqual([
    expect.objectContaining({
      line: 1,
      payout_id: payouts[0],
      subaccount_id: payer.subaccountId,
      account: expect.stringMatching(/333$/),
      amount: 12_550,
      reference: "PO-0",
      stage: "batched",
    }),
  ]);
  const rest = await approver.get(`${path}/lines?limit=1&cursor=${lines.json.next}`);
  expect(rest.json).toMatchObject({ rows: [{ line: 2, payout_id: payouts[1] }], next: null });
  const raw = await approver.post(`${path}/raw`, { part: 0 });
  expect(raw.json).toMatchObject({ part: 0, has_next: false });
  expect(raw.json.text).toContain("111222333");
  expect(outcomeOf(await approver.post(`${path}/raw`, { part: 1 }))).toBe("404 CONS110");
  const { rows } = await service.db.pool.query(
    "select who from audit_entry where object_id = $1 and action = 'bank-batch.view'",
    [id],
  );
  expect(rows).toEqual([{ who: approver.who }]);
});

test("a review names the largest payouts, first payments, unusual amounts and changed details", async () => {
  const { path, payer, connectionId, detail } = await newFrozenFile([100, 200, 300, 5_000]);
  const { json } = await service.enter("approver").get(`${path}/review`);
  expect(json).toMatchObject({ median: 200, looked_at: 4, first_payment: { count: 4 } });
  expect(json.largest.map(({ amount }: { amount: number }) => amount)).toEqual([
    5_000, 300, 200, 100,
  ]);
  expect(json.far_above_median).toMatchObject({ count: 1, items: [{ amount: 5_000 }] });
  expect(json.changed_details.count).toBe(0);
  expect(json.same_account_twice.count).toBe(4);

  // Once these are paid, only details that changed since are unusual.
  await service.enter("approver").post(`${path}/approve`, { sha256: detail.sha256 });
  expect((await service.enter("finance").post(`${path}/sent`)).status).toBe(204);
  await service.settle(connectionId);
  await payer.disburse.receiverAccounts.update(payer.to.account_id, {
    account_number: "444555666",
  });
  const { payout_id } = await payer.pay(900, "after the change");
  const payouts = `/s/${payer.subaccountId}/payouts`;
  expect((await service.enter("admin").post(`${payouts}/${payout_id}/approve`)).status).toBe(200);
  const again = await service.enter("admin").post(`/banks/connections/${connectionId}/freeze`);
  const [next] = again.json.batch_ids;
  expect((await service.enter("admin").get(`/banks/batches/${next}/review`)).json).toMatchObject({
    first_payment: { count: 0 },
    changed_details: { count: 1, items: [{ amount: 900 }] },
  });
});

test("a review shows one bank account under several receivers", async () => {
  const payer = await service.newPayer();
  const { subaccountId, disburse } = payer;
  const connectionId = await service.connect(subaccountId, [subaccountId]);
  await payer.pay(100, "first");
  for (const number of ["111222333", "444555666"]) {
    const { receiver_id } = await disburse.receivers.create(ada());
    await service.db.pool.query(
      "update receiver set status = 'active', kyc_status = 'completed' where id = $1",
      [receiver_id],
    );
    const account_id = await addAccount(service, subaccountId, receiver_id, number);
    await payer.pay(Number(number.slice(0, 3)), number, { receiver_id, account_id });
  }
  const freezer = service.enter("operator");
  const { json } = await freezer.post(`/banks/connections/${connectionId}/freeze`);
  const review = await freezer.get(`/banks/batches/${json.batch_ids[0]}/review`);
  expect(review.json).toMatchObject({
    same_account_twice: { count: 0 },
    shared_account: { count: 2, items: [{ amount: 111 }, { amount: 100 }] },
  });
});

test("two users who type the words discard a downloaded file", async () => {
  const { path, payer, payouts, detail } = await newFrozenFile();
  const [one, other] = [service.enter("operator"), service.enter("finance")];
  await service.enter("approver").post(`${path}/approve`, { sha256: detail.sha256 });
  await one.post(`${path}/download`);
  const words = "not at the bank";
  expect(outcomeOf(await one.post(`${path}/discard`))).toBe("409 BANK304");
  expect((await one.post(`${path}/discard`, { words })).json).toEqual({ outcome: "waits" });
  expect((await one.get(path)).json).toMatchObject({ discard_by: one.who, may_have_left: true });
  expect(outcomeOf(await one.post(`${path}/discard`, { words }))).toBe("403 CONS402");
  expect((await other.post(`${path}/discard`, { words })).json).toEqual({ outcome: "discarded" });
  expect((await payer.disburse.payouts.get(payouts[0] as string)).stage).toBe("queued");
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test("a discard that no second user confirms within 30 days has to be asked for again", async () => {
  const { path, payer, payouts } = await newFrozenFile();
  const [one, other] = [service.enter("operator"), service.enter("finance")];
  await one.post(`${path}/raw`, { part: 0 });
  const words = "not at the bank";
  const discard = (user: TestPerson) => user.post(`${path}/discard`, { words });
  const expire = (days: number) =>
    expireWaiting(
      { ...service, log: { warn() {} } },
      { nowMs: Date.now() + days * 86_400_000, limit: 100 },
    );
  await discard(one);
  expect((await expire(29.9)).expired.get("bank_discard")).toBe(undefined);
  expect((await one.get(path)).json.discard_by).toBe(one.who);
  expect((await expire(30.1)).expired.get("bank_discard")).toBeGreaterThan(0);
  expect((await one.get(path)).json.discard_by).toBe("");
  expect((await discard(other)).json).toEqual({ outcome: "waits" });
  expect((await discard(one)).json).toEqual({ outcome: "discarded" });
  expect((await payer.disburse.payouts.get(payouts[0] as string)).stage).toBe("queued");
  expect((await expire(30.1)).expired.get("bank_discard")).toBe(undefined);
});

test("a user who has read the bytes of a file can't discard it alone", async () => {
  const { path, payer, payouts } = await newFrozenFile();
  const [one, other] = [service.enter("operator"), service.enter("finance")];
  expect((await one.post(`${path}/raw`, { part: 0 })).json.text).toContain("111222333");
  expect((await one.get(path)).json).toMatchObject({ may_have_left: true, downloaded_at: null });
  const words = "not at the bank";
  expect(outcomeOf(await one.post(`${path}/discard`))).toBe("409 BANK304");
  expect((await one.post(`${path}/discard`, { words })).json).toEqual({ outcome: "waits" });
  expect(outcomeOf(await one.post(`${path}/discard`, { words }))).toBe("403 CONS402");
  expect((await payer.disburse.payouts.get(payouts[0] as string)).stage).toBe("batched");
  expect((await other.post(`${path}/discard`, { words })).json).toEqual({ outcome: "discarded" });
});

test("the bytes of a discarded file can't be read", async () => {
  const { path, freezer } = await newFrozenFile();
  expect((await freezer.post(`${path}/discard`)).json).toEqual({ outcome: "discarded" });
  expect(outcomeOf(await freezer.post(`${path}/raw`, { part: 0 }))).toBe("409 BANK301");
});

test("a late file is marked", async () => {
  const { path, id } = await newFrozenFile();
  await service.db.pool.query("update bank_batch set cutoff_ms = 1 where id = $1", [id]);
  expect((await service.enter("auditor").get(path)).json.is_late).toBe(true);
});

test("unknown ids are refused", async () => {
  const admin = service.enter("admin");
  const [nothing, noId] = [newId(), "x"];
  for (const id of [nothing, noId]) {
    expect(outcomeOf(await admin.get(`/banks/batches/${id}`))).toBe("404 BANK101");
    expect(outcomeOf(await admin.post(`/banks/batches/${id}/download`))).toBe("404 BANK101");
    expect(outcomeOf(await admin.get(`/banks/connections/${id}`))).toBe("404 BANK102");
    expect(outcomeOf(await admin.post(`/banks/connections/${id}/freeze`))).toBe("404 BANK102");
    expect(outcomeOf(await admin.post(`/banks/requests/${id}/approve`))).toBe("404 CONS110");
  }
});
