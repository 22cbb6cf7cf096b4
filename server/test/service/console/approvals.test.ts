// The approval queue has everything that waits for a second user: bank files first, by cut-off, and a batch as one line.

import { expect, test } from "vitest";
import type { Approval } from "../../../src/doors/console/approvals/schema.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import type { TestPerson } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";

const service = await closeAfterTests(startBankConsole());
const admin = service.enter("admin");
const approver = service.enter("approver");

const queue = async (by: TestPerson, query = "sort=due"): Promise<Approval[]> =>
  (await by.get(`/approvals?${query}`)).json.rows;
const found = async (by: TestPerson, kind: string) =>
  (await queue(by, `kind=${kind}`)).filter((row) => row.kind === kind);

/** A file that an operator froze. */
async function newFrozenFile() {
  const payer = await service.newPayer();
  const connectionId = await service.connect(payer.subaccountId, [payer.subaccountId]);
  await payer.pay(12_550);
  const freezer = service.enter("operator");
  const { json } = await freezer.post(`/banks/connections/${connectionId}/freeze`);
  const [id] = json.batch_ids as [string];
  const { json: detail } = await freezer.get(`/banks/batches/${id}`);
  return { payer, freezer, id, detail };
}

async function newBatch(amounts: readonly number[]) {
  const { disburse, subaccountId } = await service.newCaller();
  await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: newId() });
  await admin.put(`/s/${subaccountId}/limits`, {
    currency: "AUD",
    per_payout_max: null,
    per_day_max: null,
    approval_above: 0,
  });
  const { receiver_id, account_id } = await newPayee(disburse);
  const to = { receiver_id, account_id, currency: "AUD" };
  const payouts = amounts.map((amount) => ({ ...to, amount, reference: newId() }));
  const { batch_id } = await disburse.payouts.createBatch(payouts);
  return { disburse, subaccountId, batch_id, to };
}

test("files to a bank, bank connections, rules, lists and approval by finance wait in the queue, for those who see them", async () => {
  const { id, freezer, detail } = await newFrozenFile();
  await newFrozenFile();
  const connection = `New ${newId()}`;
  const { subaccountId } = await service.newCaller({ mode: "live" });
  await admin.post("/banks/connections", {
    fields: {
      name: connection,
      format: "aba",
      subaccount_ids: [subaccountId],
      settings: abaSettings,
    },
  });
  const rule = {
    ...{ id: "big", name: "Big", mode: "", subaccount_ids: [], currency: "AUD" },
    when: { fact: "sum", of: "receiver", window: "day", above: 500_000 },
    // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
    then: { act: "hold" },
  };
  await freezer.post("/rules/versions", {
    rules: [rule],
    base_version: null,
    note: "because",
  });
  await service.db.pool.query(
    `insert into screening_list_version (id, list, hash, reader, published_day, entries, names, added, changed,
       removed, status, made_by, at_ms)
     values ($1, 'ofac', 'hash', 1, '2026-11-01', 10, 12, 3, 2, 1, 'waiting', 'operator:a@example.com', $2)`,
    [newId(), Date.now()],
  );
  await admin.put("/users/finance-approval", { allowed: true });

  const rows = await queue(service.enter("admin"));
  const kinds = new Set(rows.map(({ kind }) => kind));
  for (const kind of ["bank_connection", "rules", "screening_list", "finance_approval"] as const) {
    expect(kinds).toContain(kind);
  }
  // Files first, by their cut-off.
  const files = rows.filter(({ kind }) => kind === "bank_file");
  expect(files.length).toBeGreaterThanOrEqual(2);
  expect(rows.slice(0, files.length)).toEqual(files);
  const cutoffs = files.map(({ cutoff }) => cutoff as number);
  expect(cutoffs).toEqual(cutoffs.toSorted((one, other) => one - other));
  expect(files.find((row) => row.id === id)).toMatchObject({
    mode: "live",
    subaccount_id: "",
    made_by: freezer.who,
    cutoff: detail.cutoff,
    expires_at: null,
    why_not: null,
    file: { payouts: 1, total: 12_550, currency: "AUD", sha256: detail.sha256, account: "…678" },
  });
  const [asked] = rows.filter(({ request }) => request?.object === connection);
  expect(asked).toMatchObject({ kind: "bank_connection", request: { verb: "add" } });
  expect(JSON.stringify(rows)).not.toContain("12345678");
  expect(rows.find(({ kind }) => kind === "rules")?.request).toMatchObject({
    note: "because",
    changes: [{ field: "added", before: "", after: expect.stringContaining("Big") }],
  });
  expect(rows.find(({ kind }) => kind === "screening_list")?.request?.changes).toContainEqual({
    field: "added",
    before: "",
    after: "3",
  });

  // An operator does not see users, an approver not the review queue.
  expect((await found(freezer, "finance_approval")).length).toBe(0);
  expect((await found(approver, "screening_list")).length).toBe(0);
  expect((await found(approver, "rules")).length).toBe(1);
  const [own] = (await found(freezer, "bank_file")).filter((row) => row.id === id);
  expect(own).toMatchObject({ is_own: true, why_not: "Awaiting another approver" });

  // The overview says so too, first of all.
  const payer = await service.newPayer();
  const { attention } = (await admin.get(`/s/${payer.subaccountId}/overview`)).json;
  expect(attention[0]).toMatchObject({
    kind: "bank_file_awaiting_approval",
    count: files.length,
    at: cutoffs[0],
    opens: { screen: "approvals", query: { kind: "bank_file" } },
  });
  const said = attention.map(({ kind }: { kind: string }) => kind);
  expect(said).toEqual(
    expect.arrayContaining([
      "bank_connection_awaiting_approval",
      "rules_awaiting_approval",
      "screening_list_awaiting_approval",
      "finance_approval_awaiting_approval",
    ]),
  );

  // What is decided is gone, and counts no more.
  const before = (await approver.get("/approvals/count")).json.count;
  const { sha256 } = detail;
  await approver.post(`/banks/batches/${id}/approve`, { sha256 });
  expect((await found(approver, "bank_file")).map((row) => row.id)).not.toContain(id);
  expect((await approver.get("/approvals/count")).json.count).toBe(before - 1);
});

test("a file that two users discard waits as such, from when the first asked", async () => {
  const { id, detail } = await newFrozenFile();
  const path = `/banks/batches/${id}`;
  await approver.post(`${path}/approve`, { sha256: detail.sha256 });
  const finance = service.enter("finance");
  await finance.post(`${path}/download`);
  await finance.post(`${path}/discard`, { words: "not at the bank" });
  const [row] = (await found(admin, "bank_discard")).filter((one) => one.id === id);
  expect(row).toMatchObject({
    made_by: finance.who,
    why_not: null,
    expires_at: expect.any(Number),
  });
  expect(await found(finance, "bank_discard")).toMatchObject([{ is_own: true }]);
});

test("a batch is one line with its sums, between the payouts that wait alone", async () => {
  const { disburse, subaccountId, batch_id, to } = await newBatch([1_000, 2_000, 3_000]);
  const alone = await disburse.payouts.create({ ...to, amount: 500, reference: newId() });
  const second = await disburse.payouts.createBatch([{ ...to, amount: 700, reference: newId() }]);
  const of = `subaccount_id=${subaccountId}`;
  const rows = await queue(approver, of);
  expect(rows.map(({ kind, id }) => [kind, id])).toEqual([
    ["batch", batch_id],
    ["payout", alone.payout_id],
    ["batch", second.batch_id],
  ]);
  expect(rows[0]).toMatchObject({
    mode: "test",
    why_not: null,
    sums: { totals: [{ currency: "AUD", payouts: 3, amount: 6_000 }], is_partial: false },
  });
  const newest = await queue(approver, `${of}&sort=-created`);
  expect(newest.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
  // Page by page, over all subaccounts too.
  for (const query of [of, "kind=batch"]) {
    const paged: string[] = [];
    for (let cursor = ""; ; ) {
      const { json } = await approver.get(`/approvals?${query}&limit=1${cursor}`);
      paged.push(...json.rows.map(({ id }: Approval) => id));
      if (json.next === null) break;
      cursor = `&cursor=${json.next}`;
    }
    expect(paged).toEqual((await queue(approver, query)).map(({ id }) => id));
  }
  const [{ sums } = { sums: null }] = rows;
  const path = `/s/${subaccountId}/batches/${batch_id}/approve`;
  expect((await approver.post(path, { totals: sums?.totals })).status).toBe(200);
  expect((await queue(approver, of)).map(({ id }) => id)).toEqual([
    alone.payout_id,
    second.batch_id,
  ]);
});

test("an outcome that a user proposed for a sent payout waits with its reason", async () => {
  const { disburse, subaccountId, to } = await newBatch([100]);
  const { payout_id } = await disburse.payouts.create({ ...to, amount: 900, reference: newId() });
  await service.db.pool.query(
    `insert into payout_resolution (subaccount_id, payout_id, outcome, reason, proposed_by, proposed_at_ms)
     values ($1, $2, 'paid', 'the bank says so', 'operator:a@example.com', $3)`,
    [subaccountId, payout_id, Date.now()],
  );
  const [row] = await queue(approver, `kind=resolution&subaccount_id=${subaccountId}`);
  expect(row).toMatchObject({
    id: payout_id,
    request: { verb: "paid", note: "the bank says so" },
    sums: { totals: [{ currency: "AUD", payouts: 1, amount: 900 }] },
    why_not: "Your role may not approve this",
  });
  const { attention } = (await admin.get(`/s/${subaccountId}/overview`)).json;
  expect(attention.map(({ kind }: { kind: string }) => kind)).toContain(
    "resolution_awaiting_approval",
  );
});
