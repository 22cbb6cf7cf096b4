// Imports and payout batches as objects: who made them, what became of them, decided and retried as one.

import { stringify } from "csv-stringify/sync";
import { expect, test } from "vitest";
import type {
  PayoutBatchDetail,
  PayoutBatchLine,
} from "../../../src/doors/console/batches/schema.ts";
import { deleteOldRefusals } from "../../../src/money/imports/file-import-queries.ts";
import { importLimits } from "../../../src/money/imports/import-limits.ts";
import type { BatchActLine } from "../../../src/money/imports/schema.ts";
import { holdPayoutsOf, refusePayout } from "../../../src/money/payouts/hold.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { asFile } from "../../support/import-file.ts";
import { newPayee } from "../../support/payers.ts";
import { ada } from "../../support/service.ts";

const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 86_400_000 }) }]);
const service = await closeAfterTests(startConsole({ rails }), expectBalancedLedger);
const admin = service.enter("admin");
const maker = service.enter("operator");
const approver = service.enter("approver");

async function payer({ cents = 1_000_000, above }: { cents?: number; above?: number } = {}) {
  const { disburse, subaccountId } = await service.newCaller();
  await disburse.testHelpers.fund({ amount: cents, currency: "AUD", reference: newId() });
  if (above !== undefined) {
    const limit = { currency: "AUD", per_payout_max: null, per_day_max: null };
    await admin.put(`/s/${subaccountId}/limits`, { ...limit, approval_above: above });
  }
  const { receiver_id, account_id } = await newPayee(disburse);
  const to = { receiver_id, account_id, currency: "AUD" };
  const path = `/s/${subaccountId}`;
  const linesOf = async (by: TestPerson, route: string, body: object) => {
    const { status, text, json } = await by.post(`${path}${route}`, body);
    if (status !== 200) return { code: json.error[0].code as string, lines: [] };
    const lines = text.trimEnd().split("\n");
    return { code: "", lines: lines.map((line) => JSON.parse(line) as BatchActLine) };
  };
  return {
    disburse,
    subaccountId,
    path,
    to,
    linesOf,
    importFile: async (rows: object[], cents: number, more = {}) => {
      const csv = stringify(rows, { header: true });
      const totals = [{ currency: "AUD", amount: cents }];
      const body = { ...asFile(csv), totals, file_name: "May.csv", ...more };
      const { lines } = await linesOf(maker, "/payouts/import", body);
      return (lines[0] as { id: string }).id;
    },
    batch: async (id: string, by = maker) =>
      (await by.get(`${path}/batches/${id}`)).json as PayoutBatchDetail,
    list: async () => (await maker.get(`${path}/batches`)).json.rows as PayoutBatchLine[],
  };
}
const outcomes = (lines: readonly BatchActLine[]) =>
  lines.flatMap((line) => (line.kind === "row" ? [line.outcome] : []));
const audited = async (id: string) => {
  const { rows } = await service.db.pool.query(
    "select action, who from audit_entry where object_id = $1 order by number",
    [id],
  );
  return rows.map(({ action }) => action);
};

test("lists imports and API batches newest first, page by page, with sums by stage", async () => {
  const { disburse, path, to, importFile, batch, list } = await payer();
  const people = stringify([ada(), ada()], { header: true });
  await maker.post(`${path}/receivers/import`, { ...asFile(people), file_name: "people.csv" });
  const { batch_id } = await disburse.payouts.createBatch([
    { ...to, amount: 100, reference: "a" },
    { ...to, amount: 200, reference: "b" },
  ]);
  const id = await importFile([{ ...to, amount: "5.00", reference: "c" }], 500);
  const all = await list();
  expect(all.map(({ kind, file }) => `${kind} ${file?.name ?? ""}`)).toEqual([
    "payouts May.csv",
    "api ",
    "receivers people.csv",
  ]);
  expect(all.map((one) => one.id).slice(0, 2)).toEqual([id, batch_id]);
  expect(all[0]).toMatchObject({
    created_by: maker.who,
    approved_by: [],
    stages: [{ currency: "AUD", stage: "queued", payouts: 1, amount: 500 }],
    file: { rows: 1, created: 1, refused: 0, state: "done" },
  });
  expect(all[1]?.stages).toMatchObject([{ payouts: 2, amount: 300 }]);
  expect(all[2]).toMatchObject({ stages: [], file: { rows: 2, created: 2, state: "done" } });

  const pages: string[] = [];
  for (let cursor = ""; ; ) {
    const { json } = await maker.get(`${path}/batches?limit=1${cursor && `&cursor=${cursor}`}`);
    pages.push(...json.rows.map((row: PayoutBatchLine) => row.id));
    if (json.next === null) break;
    cursor = json.next;
  }
  expect(pages).toEqual(all.map((one) => one.id));
  expect(await batch(id)).toMatchObject({ retry_of: null, refusals: [] });
  // Another subaccount sees none of it.
  const other = await payer();
  expect(await other.list()).toEqual([]);
  expect((await maker.get(`${other.path}/batches/${id}`)).json.error[0].code).toBe("CONS110");
});

test("a batch is approved as one, by another user, with the sums that they saw and an entry for each payout", async () => {
  const { path, to, importFile, batch, linesOf } = await payer({ above: 0 });
  const rows = ["a", "b", "c"].map((reference) => ({ ...to, amount: "10.00", reference }));
  const id = await importFile(rows, 3_000);
  const totals = [{ currency: "AUD", payouts: 3, amount: 3_000 }];
  const approve = `/batches/${id}/approve`;
  expect((await batch(id)).stages).toMatchObject([{ stage: "awaiting_approval", payouts: 3 }]);

  // Not by the user who made it, not with other sums.
  expect((await linesOf(maker, approve, { totals })).code).toBe("CONS402");
  expect((await batch(id)).why_not).toMatch(/./);
  expect((await batch(id, approver)).why_not).toBeNull();
  for (const wrong of [{ payouts: 2 }, { amount: 2_999 }, { currency: "NZD" }]) {
    const body = { totals: [{ ...totals[0], ...wrong }] };
    expect((await linesOf(approver, approve, body)).code).toBe("CONS512");
  }
  expect((await batch(id)).stages).toMatchObject([{ stage: "awaiting_approval", payouts: 3 }]);

  const { lines } = await linesOf(approver, approve, { totals });
  expect(outcomes(lines)).toEqual(Array(3).fill("approved"));
  expect(lines.at(-1)).toEqual({ kind: "end" });
  expect(await batch(id)).toMatchObject({
    approved_by: [approver.who],
    stages: [{ stage: "queued", payouts: 3 }],
  });
  expect(await audited(id)).toEqual(["payouts.import", "batch.approve"]);
  for (const line of lines) {
    if (line.kind === "row") expect(await audited(line.id)).toEqual(["payout.approve"]);
  }
  expect((await linesOf(approver, approve, { totals })).code).toBe("CONS512");

  const second = await importFile([{ ...to, amount: "1.00", reference: "d" }], 100);
  const body = { totals: [{ currency: "AUD", payouts: 1, amount: 100 }], reason: "wrong month" };
  const declined = await linesOf(approver, `/batches/${second}/decline`, body);
  expect(outcomes(declined.lines)).toEqual(["declined"]);
  const { rows: payouts } = (await maker.get(`${path}/payouts?batch_id=${second}`)).json;
  expect(payouts).toMatchObject([{ stage: "cancelled", cause: "declined: wrong month" }]);
});

test("payouts that failed are retried as a new batch, once, and its sum needs approval where the sum of a batch does", async () => {
  const { disburse, to, importFile, batch, linesOf, subaccountId } = await payer();
  const rows = ["a", "b"].map((reference) => ({ ...to, amount: "10.00", reference }));
  const id = await importFile(rows, 2_000);
  const ids = (await disburse.payouts.list().toArray()).map((payout) => payout.id);
  for (const payout of ids) {
    await disburse.testHelpers.setStatus({ id: payout, type: "payout", status: "fail" });
  }
  const limit = { currency: "AUD", per_payout_max: null, per_day_max: null, approval_above: null };
  const set = await admin.put(`/s/${subaccountId}/limits`, {
    ...limit,
    batch_approval_above: 1_500,
  });
  expect(set.status).toBe(200);
  const totals = [{ currency: "AUD", payouts: 2, amount: 2_000 }];
  expect((await batch(id)).retryable).toEqual(totals);

  const { lines } = await linesOf(maker, `/batches/${id}/retry`, { totals });
  expect(outcomes(lines)).toEqual(["created", "created"]);
  const { id: retriedAs } = lines[0] as { id: string };
  expect(await batch(retriedAs)).toMatchObject({
    kind: "retry",
    retry_of: id,
    created_by: maker.who,
    stages: [{ stage: "awaiting_approval", payouts: 2, amount: 2_000 }],
  });
  expect((await batch(id)).retryable).toEqual([]);
  expect((await linesOf(maker, `/batches/${id}/retry`, { totals })).code).toBe("CONS512");
  expect(await audited(id)).toEqual(["payouts.import", "batch.retry"]);
});

test("a retry leaves out payouts that a review refused, and those of receivers that can't be paid", async () => {
  const { disburse, to, importFile, batch, subaccountId, path } = await payer({ above: 0 });
  const reviewed = await newPayee(disburse);
  const row = { currency: "AUD", amount: "10.00" };
  const id = await importFile(
    [
      { ...row, ...to },
      { ...row, ...reviewed },
    ],
    2_000,
  );
  const payouts = await disburse.payouts.list().toArray();
  const idOf = (receiverId: string) =>
    payouts.find(({ receiver_id }) => receiver_id === receiverId)?.id ?? "";
  const said = { who: admin.who, atMs: Date.now() };
  await service.db.transaction(async (tx) => {
    const receiver = { subaccountId, receiverId: reviewed.receiver_id };
    await holdPayoutsOf(tx, receiver, { ...said, reason: { kind: "screening", hit_id: newId() } });
    const key = { subaccountId, id: idOf(reviewed.receiver_id) };
    await refusePayout(tx, key, { ...said, reason: "not to be paid" });
  });
  const other = idOf(to.receiver_id);
  expect((await approver.post(`${path}/payouts/${other}/approve`)).status).toBe(200);
  await disburse.testHelpers.setStatus({ id: other, type: "payout", status: "fail" });
  expect((await batch(id)).retryable).toEqual([{ currency: "AUD", payouts: 1, amount: 1_000 }]);
  const disabled = await admin.post(`${path}/receivers/${to.receiver_id}/disable`, {
    reason: "left",
  });
  expect(disabled.status).toBe(200);
  expect((await batch(id)).retryable).toEqual([]);
});

test("refused rows are kept for a month and can be imported again", async () => {
  const { disburse, path, to, importFile, batch, subaccountId } = await payer({ cents: 1_500 });
  const rows = ["a", "=b"].map((reference) => ({ ...to, amount: "10.00", reference }));
  const id = await importFile(rows, 2_000);
  const { refusals, can_retry_rows, file } = await batch(id);
  expect(file).toMatchObject({ created: 1, refused: 1, state: "done" });
  expect(refusals).toMatchObject([
    { row: 3, code: "PAYO227", receiver: "Ada Lovelace", amount: 1_000, reference: "=b" },
  ]);
  expect(can_retry_rows).toBe(true);

  const { text: csv } = await maker.get(`${path}/batches/${id}/refused.csv`);
  const checked = (await maker.post(`${path}/payouts/import/check`, asFile(csv))).json;
  expect(checked.preview).toMatchObject([
    { receiver: "Ada Lovelace", account: "•••• 5999", amount: 1_000, reference: "=b" },
  ]);
  await disburse.testHelpers.fund({ amount: 1_000, currency: "AUD", reference: newId() });
  const totals = [{ currency: "AUD", amount: 1_000 }];
  const retried = await maker.post(`${path}/payouts/import`, {
    ...asFile(csv),
    totals,
    retry_of: id,
  });
  const [start, row] = retried.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(row.outcome).toBe("created");
  expect((await batch(start.id)).retry_of).toBe(id);

  const count = async () =>
    (
      await service.db.pool.query(
        "select count(*)::int as count from file_import_refusal where subaccount_id = $1",
        [subaccountId],
      )
    ).rows[0].count;
  await deleteOldRefusals(service.db, Date.now());
  expect(await count()).toBe(1);
  await deleteOldRefusals(service.db, Date.now() + limits.idempotencyKeptMs + 60_000);
  expect(await count()).toBe(0);
});

test("refused rows lose their texts when their receiver is erased, and files that name it lose their name", async () => {
  // It can pay for none of the rows, so they are refused.
  const { importFile, batch, to, subaccountId } = await payer({ cents: 500 });
  const { receiver_id } = to;
  const rows = ["first", "second"].map((reference) => {
    return { ...to, amount: "10.00", reference, note: "for Ada" };
  });
  const id = await importFile(rows, 2_000, { file_name: "Pay Ada Lovelace.csv" });
  const other = await importFile([{ ...rows[0], reference: "third" }], 1_000);
  expect((await batch(id)).refusals).toMatchObject([
    { receiver: "Ada Lovelace", reference: "first" },
    { receiver: "Ada Lovelace", reference: "second" },
  ]);

  const path = `/s/${subaccountId}`;
  const asked = await maker.post(`${path}/receivers/${receiver_id}/erase`);
  const approve = `${path}/change-requests/${asked.json.request_id}/approve`;
  expect((await admin.post(approve)).json).toMatchObject({ status: "applied" });
  const { refusals, file: shown } = await batch(id);
  expect(refusals).toMatchObject([
    { row: 2, reference: "", amount: 1_000 },
    { row: 3, reference: "", amount: 1_000 },
  ]);
  expect(shown).toMatchObject({ name: "", refused: 2 });
  expect((await batch(other)).file).toMatchObject({ name: "May.csv" });
  const { rows: left } = await service.db.pool.query(
    `select reference, note from file_import_refusal where subaccount_id = $1 and receiver_id = $2`,
    [subaccountId, receiver_id],
  );
  expect(left).toEqual(Array(3).fill({ reference: "", note: "" }));
  expect(JSON.stringify(await batch(id))).not.toMatch(/lovelace/i);
});

test("an import whose process is gone counts as stopped", async () => {
  const { importFile, batch, to, subaccountId } = await payer();
  const id = await importFile([{ ...to, amount: "1.00", reference: "a" }], 100);
  const change = (updatedAtMs: number) =>
    service.db.pool.query(
      `update file_import set rows = 2, ended_at_ms = null, updated_at_ms = $3
       where subaccount_id = $1 and id = $2`,
      [subaccountId, id, updatedAtMs],
    );
  await change(Date.now());
  expect((await batch(id)).file?.state).toBe("running");
  await change(Date.now() - importLimits.silentMs - 1_000);
  expect((await batch(id)).file?.state).toBe("stopped");
});
