// One user alone neither makes nor moves live balances at a bank: files, suspense, statement lines and mappings.

import { beforeEach, expect, test } from "vitest";
import { expireWaiting } from "../../../src/doors/console/waiting/expire.ts";
import { waitingLimits } from "../../../src/doors/console/waiting/waiting-limits.ts";
import { depositReferencesOf } from "../../../src/money/ledger/deposit-reference-queries.ts";
import { fund } from "../../../src/money/ledger/fund.ts";
import { setPayoutLimit } from "../../../src/money/payouts/limit-queries.ts";
import type { Mode } from "../../../src/platform/base/caller.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { closeAfterTests, expectBalancedLedger } from "../../support/close-after-tests.ts";
import type { TestPerson } from "../../support/console.ts";
import { type NachaReport, nachaReports, nachaSettings } from "../../support/inbound-nacha-file.ts";
import { outcomeOf } from "../../support/service.ts";
import { camt053, type WrittenEntry } from "../../support/statement-messages.ts";

let accountNumber = 60_000_000;
const service = await closeAfterTests(startBankConsole(), expectBalancedLedger);
// All users together decide up to the threshold of a day alone.
beforeEach(() => service.db.pool.query("delete from bank_alone_total"));

const contentOf = (text: string) => Buffer.from(text).toString("base64");
const today = () => new Date().toISOString().slice(0, 10);

const addMoney = (subaccountId: string, amount: bigint, currency = "AUD") =>
  service.db.transaction((tx) =>
    fund(tx, { subaccountId, currency, amount, reference: "first", who: "test", atMs: 1 }),
  );

/** A payer without money and its bank connection. */
async function newAccount(mode: Mode = "live") {
  accountNumber += 1;
  const settings = { ...abaSettings, account_number: String(accountNumber) };
  const payer = await service.newPayer(mode, 0n);
  const { subaccountId } = payer;
  const connectionId = await service.connect(subaccountId, [subaccountId], { settings, mode });
  const deposit = (await depositReferencesOf(service.db, subaccountId, ["AUD"])).get("AUD") ?? "";
  const statement = (entries: WrittenEntry[]) => ({
    name: "statement.xml",
    connection_id: connectionId,
    content: contentOf(
      camt053({
        account: settings.account_number,
        from: today(),
        to: today(),
        opening: 0,
        entries,
      }),
    ),
  });
  const available = async (id = subaccountId) => {
    const { rows } = await service.db.pool.query(
      "select coalesce(sum(available), 0)::int as sum from ledger_balance where subaccount_id = $1",
      [id],
    );
    return rows[0].sum as number;
  };
  /** Credits in suspense, by a file that two users applied. */
  const suspend = async (amounts: readonly number[]) => {
    const entries = amounts.map((amount) => ({ amount, day: today(), text: `FROM ${amount}` }));
    const { file } = await service.applyConfirmed(service.enter("finance"), statement(entries));
    const { rows } = (await service.enter("auditor").get("/banks/suspense?limit=100")).json;
    const own = rows.filter((row: { file_id: string }) => row.file_id === file.id);
    return own.map(({ id }: { id: string }) => `/banks/suspense/${id}`) as string[];
  };
  return { payer, settings, connectionId, deposit, statement, available, suspend };
}

test("a statement that a user uploads funds a live subaccount when a second user has confirmed its sums", async () => {
  const { payer, deposit, statement, available } = await newAccount();
  const forger = service.enter("finance");
  const file = statement([{ amount: 100_000_000, day: today(), text: `RENT ${deposit}` }]);
  const { json } = await forger.post("/banks/inbound", file);
  expect(json).toEqual({ file: null, is_new: true, request_id: expect.any(String) });
  expect(await available()).toBe(0);
  expect(outcomeOf(await forger.post("/banks/inbound", file))).toBe("409 BANK504");
  expect(await service.waitingAtBank(json.request_id)).toMatchObject({
    kind: "bank_request",
    mode: "live",
    made_by: forger.who,
    bank: {
      what: "file",
      name: "statement.xml",
      counts: { lines: 1 },
      sums: [
        {
          kind: "funded",
          subaccount_id: payer.subaccountId,
          subaccount_name: expect.any(String),
          currency: "AUD",
          count: 1,
          amount: 100_000_000,
        },
      ],
    },
  });
  expect(outcomeOf(await service.confirm(json.request_id, forger))).toBe("403 CONS402");
  expect(await available()).toBe(0);
  const second = service.enter("operator");
  expect((await service.confirm(json.request_id, second)).json).toMatchObject({
    status: "applied",
  });
  expect(await available()).toBe(100_000_000);
  const { rows } = await service.db.pool.query(
    "select received_by, confirmed_by from bank_inbound_file where connection_id = (select connection_id from bank_request where id = $1)",
    [json.request_id],
  );
  expect(rows).toEqual([{ received_by: forger.who, confirmed_by: second.who }]);
  const { rows: entries } = await service.db.pool.query(
    "select action, who from audit_entry where object_id = $1 order by number",
    [json.request_id],
  );
  expect(entries).toEqual([
    { action: "bank-request.ask", who: forger.who },
    { action: "bank-request.confirm", who: second.who },
  ]);
  const { rows: kept } = await service.db.pool.query(
    "select input_sealed, (select count(*)::int from bank_request_chunk where request_id = id) as chunks from bank_request where id = $1",
    [json.request_id],
  );
  expect(kept, "its bytes are with the file now").toEqual([{ input_sealed: null, chunks: 0 }]);
});

test("a forged return does not fail a payout that is at the bank", async () => {
  const { payer, settings, connectionId } = await newAccount();
  await addMoney(payer.subaccountId, 50_000n);
  const { payout_id } = await payer.pay(50_000, "PO-1");
  const { processDate: date } = await service.sendFile(connectionId);
  const line = { amount: 50_000, reference: "PO-1", account: "111222333", code: "3" };
  const file = { name: "r.aba", content: contentOf(abaReturns({ settings }, [line], { date })) };
  const forger = service.enter("finance");
  const { request_id } = (await forger.post("/banks/inbound", file)).json;
  expect((await service.waitingAtBank(request_id)).bank.sums).toMatchObject([
    { kind: "returned", subaccount_id: payer.subaccountId, amount: 50_000, count: 1 },
  ]);
  expect((await payer.disburse.payouts.get(payout_id)).stage).toBe("submitted");

  const decline = { reason: "the bank knows of no return" };
  const declined = await service
    .enter("operator")
    .post(`/bank-requests/${request_id}/decline`, decline);
  expect(declined.json).toMatchObject({ status: "declined" });
  expect(
    outcomeOf(await service.enter("admin").post(`/bank-requests/${request_id}/decline`, decline)),
  ).toBe("409 CONS401");
  expect((await payer.disburse.payouts.get(payout_id)).stage).toBe("submitted");
  const again = (await forger.post("/banks/inbound", file)).json.request_id;
  const withdrawn = await forger.post(`/bank-requests/${again}/decline`, { reason: "mine" });
  expect(withdrawn.json).toMatchObject({ status: "withdrawn" });
});

test("a file that does something else by now is shown again before it is applied", async () => {
  const { payer, settings, connectionId } = await newAccount();
  await addMoney(payer.subaccountId, 50_000n);
  await payer.pay(20_000, "PO-1");
  const { processDate: date } = await service.sendFile(connectionId);
  const line = { amount: 20_000, reference: "PO-1", account: "111222333", code: "3" };
  const fileOf = (more: object[]) => ({
    name: "r.aba",
    content: contentOf(abaReturns({ settings }, [line, ...(more as (typeof line)[])], { date })),
  });
  const finance = service.enter("finance");
  const first = (await finance.post("/banks/inbound", fileOf([]))).json.request_id;
  const lost = { ...line, amount: 700, reference: "LOST" };
  const other = (await finance.post("/banks/inbound", fileOf([lost]))).json.request_id;
  expect((await service.confirm(other)).status).toBe(200);
  const second = service.enter("operator");
  // The return is known by now.
  expect(outcomeOf(await service.confirm(first, second))).toBe("409 BANK505");
  expect((await service.waitingAtBank(first)).bank).toMatchObject({
    sums: [],
    counts: { lines: 1, applied: 0, repeated: 1 },
  });
  expect((await service.confirm(first, second)).status).toBe(200);
});

test("in test mode a file is applied at once", async () => {
  const { deposit, statement, available } = await newAccount("test");
  const file = statement([{ amount: 900_000, day: today(), text: deposit }]);
  const { json } = await service.enter("finance").post("/banks/inbound", file);
  expect(json).toMatchObject({ is_new: true, request_id: null, file: { lines: 1 } });
  expect(await available()).toBe(900_000);
});

test("suspense above the threshold waits for a second user, however it is split", async () => {
  const { payer, available, suspend } = await newAccount();
  const [large = "", small = ""] = await suspend([25_000_000, 120_000]);
  const finance = service.enter("finance");
  const fund = { subaccount_id: payer.subaccountId, reason: "the deposit of March" };
  const asked = (await finance.post(`${large}/fund`, fund)).json;
  expect(asked).toEqual({ status: "open", request_id: expect.any(String) });
  expect(await available()).toBe(0);
  expect(await service.waitingAtBank(asked.request_id)).toMatchObject({
    bank: {
      what: "suspense",
      act: "fund",
      reason: "the deposit of March",
      sums: [{ kind: "fund", subaccount_id: payer.subaccountId, amount: 25_000_000 }],
    },
  });
  expect(outcomeOf(await service.confirm(asked.request_id, finance))).toBe("403 CONS402");

  // Parts of 400.00: two are within the threshold of 1,000.00, the third one is not, also for another user.
  await finance.post(`${small}/split`, { amounts: [40_000, 40_000, 40_000], reason: "three" });
  const { rows } = (await finance.get("/banks/suspense?limit=100")).json;
  const parts = rows.filter((row: { amount: number }) => row.amount === 40_000);
  const outcomes = [];
  for (const [index, { id }] of parts.entries()) {
    const user = index === 2 ? service.enter("admin") : finance;
    outcomes.push((await user.post(`/banks/suspense/${id}/fund`, fund)).json.status);
  }
  expect(outcomes).toEqual(["funded", "funded", "open"]);
  expect(await available()).toBe(80_000);

  expect((await service.confirm(asked.request_id)).status).toBe(200);
  expect(await available()).toBe(25_080_000);
  const { acts } = (await finance.get(large)).json;
  expect(acts).toMatchObject([{ act: "fund", who: finance.who, reason: "the deposit of March" }]);

  // Moving it on takes two users as well.
  const undo = (await finance.post(`${large}/undo`, { reason: "another tenant's" })).json;
  expect(undo).toMatchObject({ status: "funded", request_id: expect.any(String) });
  expect(await available()).toBe(25_080_000);
  expect((await service.confirm(undo.request_id)).status).toBe(200);
  expect(await available()).toBe(80_000);
});

test("a subaccount with a lower threshold is funded alone only below it, and so is that undone", async () => {
  const { payer, connectionId, deposit, statement, suspend } = await newAccount();
  const lowest = {
    ...{ perPayoutMax: undefined, perDayMax: undefined, approvalAbove: 0n },
    ...{ batchApprovalAbove: undefined, receiverDayApprovalAbove: undefined },
    accountDayApprovalAbove: undefined,
  };
  const balance = { subaccountId: payer.subaccountId, currency: "AUD" };
  await service.db.transaction((tx) => setPayoutLimit(tx, balance, lowest));
  const [item = ""] = await suspend([100]);
  const fund = { subaccount_id: payer.subaccountId, reason: "x" };
  const { json } = await service.enter("finance").post(`${item}/fund`, fund);
  expect(json).toMatchObject({ status: "open", request_id: expect.any(String) });
  const finance = service.enter("finance");
  expect((await service.confirm(json.request_id)).status).toBe(200);
  const undone = (await finance.post(`${item}/undo`, { reason: "wrong" })).json;
  expect(undone).toMatchObject({ status: "funded", request_id: expect.any(String) });
  expect((await service.waitingAtBank(undone.request_id)).bank.sums).toMatchObject([
    { kind: "undo", subaccount_id: payer.subaccountId, amount: 100 },
  ]);

  const entries = [{ amount: 70, day: today(), text: `${deposit} again` }];
  await service.applyConfirmed(finance, statement(entries));
  const { rows } = await service.db.pool.query(
    "select id from bank_statement_line where connection_id = $1 and amount = 70",
    [connectionId],
  );
  const line = await finance.post(`/reconcile/lines/${rows[0].id}/undo`, { reason: "wrong" });
  expect(line.json).toEqual({ request_id: expect.any(String) });
});

test("a decision that waits is refused when the item was decided in another way", async () => {
  const { payer, suspend } = await newAccount();
  const [item = ""] = await suspend([900_000]);
  const finance = service.enter("finance");
  const fund = { subaccount_id: payer.subaccountId, reason: "x" };
  const { request_id } = (await finance.post(`${item}/fund`, fund)).json;
  await finance.post(`${item}/split`, { amounts: [400_000, 500_000], reason: "two" });
  expect(outcomeOf(await service.confirm(request_id))).toBe("409 BANK506");
  expect(outcomeOf(await finance.post(`${item}/fund`, fund))).toBe("409 BANK412");
});

test("a line above the threshold becomes the company's, and open again, by two users", async () => {
  const { connectionId, statement } = await newAccount();
  const entries = [{ amount: -500_000, day: today(), text: "TO THE OWNER" }];
  await service.applyConfirmed(service.enter("finance"), statement(entries));
  const finance = service.enter("finance");
  const lines = `/reconcile/banks/${connectionId}/lines`;
  const [line] = (await finance.get(lines)).json.rows;
  const statusOf = async () => (await finance.get(`/reconcile/lines/${line.id}`)).json.status;
  const company = { line_ids: [line.id], reason: "a dividend" };
  const asked = await finance.post("/reconcile/lines/company", company);
  expect(asked).toMatchObject({ status: 202, json: { request_id: expect.any(String) } });
  expect(await statusOf()).toBe("open");
  expect(outcomeOf(await service.confirm(asked.json.request_id, finance))).toBe("403 CONS402");
  expect((await service.confirm(asked.json.request_id)).status).toBe(200);
  expect(await statusOf()).toBe("matched");
  const undone = await finance.post(`/reconcile/lines/${line.id}/undo`, { reason: "wrong" });
  expect(undone.status).toBe(202);
  expect(await statusOf()).toBe("matched");
  expect((await service.confirm(undone.json.request_id)).status).toBe(200);
  expect(await statusOf()).toBe("open");
});

test("neither who brought a notification of change nor who confirmed it approves the new bank details", async () => {
  const account = {
    country: "USA",
    bsb: "",
    bank_code: "121000248",
    account_number: "000123456789",
  };
  const payer = await service.newPayer("live", 0n);
  const { disburse, subaccountId } = payer;
  const { account_id } = await disburse.receiverAccounts.create({
    receiver_id: payer.to.receiver_id,
    account_type: "I",
    ...account,
  });
  await addMoney(subaccountId, 10_000_000n, "USD");
  const settings = { ...nachaSettings, company_id: "1000009999" };
  const id = await service.connect(subaccountId, [subaccountId], { format: "nacha", settings });
  const to = { receiver_id: payer.to.receiver_id, account_id, currency: "USD" };
  await disburse.payouts.create({ ...to, amount: 500, reference: "PO-1" });
  const { processDate } = await service.sendFile(id);
  const report: NachaReport = {
    ...{ code: "C01", place: 1, account: account.account_number, reference: "PO-1" },
    ...{ amount: 0, corrected: "000123456780" },
  };
  const text = nachaReports(processDate, [report]).replaceAll(
    nachaSettings.company_id,
    settings.company_id,
  );
  const [bringer, confirmer, third] = [
    service.enter("operator"),
    service.enter("operator"),
    service.enter("operator"),
  ] as [TestPerson, TestPerson, TestPerson];
  const { request_id } = (
    await bringer.post("/banks/inbound", { name: "noc.ach", content: contentOf(text) })
  ).json;
  expect((await service.waitingAtBank(request_id)).bank.sums).toMatchObject([
    { kind: "proposed", count: 1 },
  ]);
  expect((await service.confirm(request_id, confirmer)).status).toBe(200);
  const { rows } = (await third.get("/approvals?kind=bank_change")).json;
  const change = rows.find((row: { subaccount_id: string }) => row.subaccount_id === subaccountId);
  expect(change).toMatchObject({ made_by: bringer.who, why_not: null });
  const path = `/s/${subaccountId}/bank-changes/${change.id}/approve`;
  for (const user of [bringer, confirmer]) {
    expect(outcomeOf(await user.post(path))).toBe("403 CONS402");
  }
  expect((await third.post(path)).status).toBe(200);

  // Payouts to the new details wait: neither of the two releases one.
  const { payout_id } = await disburse.payouts.create({ ...to, amount: 4_000_000, reference: "2" });
  const payout = `/s/${subaccountId}/payouts/${payout_id}/approve`;
  for (const user of [bringer, confirmer]) {
    expect(outcomeOf(await user.post(payout))).toBe("403 CONS402");
  }
  expect((await third.post(payout)).status).toBe(200);
});

test("a file that no second user confirms within 30 days expires, and its bytes are deleted", async () => {
  const { deposit, statement, available } = await newAccount();
  const file = statement([{ amount: 100, day: today(), text: deposit }]);
  const { request_id } = (await service.enter("finance").post("/banks/inbound", file)).json;
  const log = { warn() {} };
  const nowMs = Date.now() + waitingLimits.expiresMs + 1000;
  const { expired } = await expireWaiting({ ...service, log }, { nowMs, limit: 100 });
  expect(expired.get("bank_request")).toBeGreaterThan(0);
  const { rows } = await service.db.pool.query(
    `select status, decided_by, (select count(*)::int from bank_request_chunk where request_id = id) as chunks
     from bank_request where id = $1`,
    [request_id],
  );
  expect(rows).toEqual([{ status: "expired", decided_by: "service", chunks: 0 }]);
  expect(await available()).toBe(0);
  const confirm = { sha256: "0".repeat(64) };
  const late = await service
    .enter("operator")
    .post(`/bank-requests/${request_id}/approve`, confirm);
  expect(outcomeOf(late)).toBe("409 CONS401");
});

test("what waits at banks needs attention", async () => {
  const { payer, statement } = await newAccount();
  const file = statement([{ amount: 5, day: today(), text: "X" }]);
  await service.enter("finance").post("/banks/inbound", file);
  const overview = `/s/${payer.subaccountId}/overview?range=24h&time_zone=UTC`;
  const { attention } = (await service.enter("admin").get(overview)).json;
  expect(attention).toContainEqual(
    expect.objectContaining({
      kind: "bank_requests_awaiting",
      opens: { screen: "approvals", query: { kind: "bank_request" } },
    }),
  );
  const { subaccountId } = payer;
  const developer = service.enter("developer", { subaccountId });
  expect((await developer.get(overview)).text).not.toContain("bank_requests_awaiting");
});
