// In a new test subaccount one user is enough; with a switch it practises four eyes. A live subaccount always needs two.

import { expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";
import { outcomeOf } from "../../support/service.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: 86_400_000 }));
const admin = service.enter("admin");

type Row = { kind: string; id: string; why_not: string | null };
const waitingIn = async (subaccountId: string): Promise<Row[]> =>
  (await admin.get(`/approvals?subaccount_id=${subaccountId}`)).json.rows;

const folders: Record<string, string> = {
  payout: "payouts",
  bank_change: "bank-changes",
  batch: "batches",
};

/** One of each kind waits, made by the admin. */
async function newWork(isAlone: boolean) {
  const { disburse, subaccountId, key } = await service.newCaller({ isAlone });
  const path = `/s/${subaccountId}`;
  await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: newId() });
  const limits = { currency: "AUD", per_payout_max: null, per_day_max: null };
  await admin.put(`${path}/limits`, { ...limits, approval_above: 100 });
  const { receiver_id, account_id } = await newPayee(disburse);
  const payout = { receiver_id, account_id, currency: "AUD", amount: 5_000, reference: newId() };
  await admin.post(`${path}/payouts`, { ...payout, once: newId() });
  await admin.patch(`${path}/accounts/${account_id}`, { account_number: "98765888" });
  await admin.post(`${path}/keys/${key}/rotate`, { grace_ms: 0 });
  await admin.put(`${path}/limits`, { ...limits, approval_above: 900_000 });
  // Nothing of this one is under way.
  const other = await newPayee(disburse);
  await admin.post(`${path}/receivers/${other.receiver_id}/erase`);
  return { path, subaccountId };
}

const approve = (path: string, { kind, id }: Row) =>
  admin.post(`${path}/${folders[kind] ?? "change-requests"}/${id}/approve`);

test("in a new test subaccount a user decides alone what they have made", async () => {
  const { path, subaccountId } = await newWork(true);
  const rows = await waitingIn(subaccountId);
  expect(rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["payout", "bank_change", "rotation", "limits", "erasure"]),
  );
  const waiting = rows.find(({ kind }) => kind === "payout")?.id;
  const { what_now } = (await admin.get(`${path}/payouts/${waiting}`)).json;
  expect(what_now.line).toMatch(/^A user has to approve/);
  for (const row of rows) {
    expect(row.why_not, row.kind).toBe(null);
    expect(outcomeOf(await approve(path, row)), row.kind).toMatch(/^200/);
  }
  expect(await waitingIn(subaccountId)).toEqual([]);
});

test("with the switch on, what waits needs a second user there too", async () => {
  const { path, subaccountId } = await newWork(true);
  const set = (by: TestPerson, is_needed: boolean) =>
    by.put(`${path}/settings/second-user`, { is_needed });
  expect((await admin.get(`${path}/settings`)).json.needs_second_user).toBe(false);
  expect((await set(admin, true)).json).toMatchObject({ needs_second_user: true });
  for (const row of await waitingIn(subaccountId)) {
    expect(row.why_not, row.kind).not.toBe(null);
    expect(outcomeOf(await approve(path, row)), row.kind).toMatch(/^403 CONS40[27]/);
    if (row.kind !== "payout") continue;
    const { what_now } = (await admin.get(`${path}/payouts/${row.id}`)).json;
    expect(what_now.line).toMatch(/^A user other than /);
  }
  await set(admin, false);
  for (const row of await waitingIn(subaccountId)) expect(row.why_not, row.kind).toBe(null);
  const { rows } = (
    await admin.get(`/audit?subaccount_id=${subaccountId}&action=subaccount.second_user`)
  ).json;
  expect(rows.map(({ after }: { after: object }) => after)).toEqual([
    { needs_second_user: false },
    { needs_second_user: true },
  ]);
});

test("a live subaccount always needs a second user", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live", isAlone: true });
  const path = `/s/${subaccountId}`;
  expect((await admin.get(`${path}/settings`)).json.needs_second_user).toBe(true);
  for (const is_needed of [true, false]) {
    const answer = await admin.put(`${path}/settings/second-user`, { is_needed });
    expect(outcomeOf(answer)).toBe("409 CONS418");
  }
  // Not even if the row said so.
  await service.db.pool.query("update subaccount set needs_second_user = false where id = $1", [
    subaccountId,
  ]);
  await admin.post(`${path}/keys`, { name: "shop", scopes: ["payout"] });
  const [row] = await waitingIn(subaccountId);
  expect(outcomeOf(await approve(path, row as Row))).toBe("403 CONS402");
});
