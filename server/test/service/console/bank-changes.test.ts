// Maker and checker of bank details: one user proposes, another decides, and the change is applied as it was shown.

import { afterAll, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { verifyAudit } from "../../../src/tenants/audit/verify.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { ada } from "../../support/service.ts";

const service = await closeAfterTests(startConsole());
const maker = service.enter("operator");
const checker = service.enter("admin");
afterAll(async () => {
  expect((await verifyAudit(service)).fault).toBeUndefined();
});

const bank = { account_type: "I" as const, bsb: "062000", account_number: "12345999" };

async function newReceiver() {
  const caller = await service.newCaller();
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  return { ...caller, receiver_id, path: `/s/${caller.subaccountId}` };
}

async function newAccount() {
  const receiver = await newReceiver();
  const { receiver_id, disburse } = receiver;
  const { account_id } = await disburse.receiverAccounts.create({ receiver_id, ...bank });
  const propose = (change: object, who = maker) =>
    who.patch(`${receiver.path}/accounts/${account_id}`, change);
  const decide = (id: string, what: "approve" | "decline", who = checker) =>
    who.post(
      `${receiver.path}/bank-changes/${id}/${what}`,
      what === "decline" ? { reason: "no" } : {},
    );
  const number = async () =>
    (await disburse.receiverAccounts.get(account_id)).bank_account_data.account_number;
  return { ...receiver, account_id, propose, decide, number };
}

const codesOf = (answer: { json: { error: { code: string }[] } }) =>
  answer.json.error.map(({ code }) => code);

test("a new account exists once another user has approved it, with the proposer as its creator", async () => {
  const { disburse, receiver_id, path, subaccountId } = await newReceiver();
  const proposed = await maker.post(`${path}/accounts`, { receiver_id, ...bank });
  expect(proposed.status).toBe(200);
  const { change_id: id } = proposed.json;
  expect(proposed.json).toEqual({ change_id: id, status: "awaiting_approval", warnings: [] });
  expect(await disburse.receiverAccounts.list(receiver_id)).toEqual([]);

  const queue = await checker.get(`/approvals?kind=bank_change&subaccount_id=${subaccountId}`);
  expect(queue.json.rows).toMatchObject([
    {
      id,
      made_by: maker.who,
      is_own: false,
      receiver_name: "Ada Lovelace",
      payout: null,
      account_id: null,
      account_number: "•••• 5999",
      country: "AUS",
      change: {
        is_new: true,
        changes: expect.arrayContaining([
          { field: "account_number", before: "", after: "•••• 5999" },
          { field: "bsb", before: "", after: "062000" },
        ]),
      },
    },
  ]);
  const approved = await checker.post(`${path}/bank-changes/${id}/approve`);
  expect(approved.status).toBe(200);
  const [account] = await disburse.receiverAccounts.list(receiver_id);
  expect(account).toMatchObject({
    id: approved.json.account_id,
    bank_account_data: { account_number: "12345999" },
  });
  const { rows } = await service.db.pool.query(
    "select created_by from bank_details where account_id = $1",
    [account?.id],
  );
  expect(rows).toEqual([{ created_by: maker.who }]);

  const entries = (await checker.get(`/audit?subaccount_id=${subaccountId}`)).json.rows;
  expect(entries).toMatchObject([
    {
      who: checker.who,
      action: "account.approve",
      object_id: account?.id,
      after: { made_by: maker.who },
    },
    { who: maker.who, action: "account.propose", object_id: receiver_id },
  ]);
  // Neither the audit log nor the table of proposals has the number in plain text.
  const open = await service.db.pool.query(
    `select (select string_agg(e::text, '') from audit_entry e) || (select string_agg(c::text, '')
       from bank_details_change c) as text`,
  );
  expect(open.rows[0].text).not.toContain("12345999");
  expect(open.rows[0].text).toContain("5999");
});

test("a change shows the values before and after, waits for approval, and is applied once", async () => {
  const { propose, decide, number, path, receiver_id, account_id } = await newAccount();
  const { json } = await propose({ account_number: "98765999", aka: "Countess" });
  const changes = await checker.get(`${path}/bank-changes?receiver_id=${receiver_id}`);
  expect(changes.json.rows).toMatchObject([
    {
      id: json.change_id,
      account_id,
      is_new: false,
      status: "waiting",
      changes: [
        // Two different numbers with the same last digits.
        { field: "account_number", before: "•••• 5999", after: "•••• 5999" },
        { field: "aka", before: "", after: "Countess" },
      ],
    },
  ]);
  expect(await number()).toBe("12345999");
  const users = Array.from({ length: 4 }, () => service.enter("operator"));
  const answers = await Promise.all(users.map((who) => decide(json.change_id, "approve", who)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  expect(await number()).toBe("98765999");
  const { rows } = await service.db.pool.query(
    "select version, created_by from bank_details where account_id = $1 order by version",
    [account_id],
  );
  expect(rows.map(({ version }) => version)).toEqual([1, 2]);
  expect(rows[1].created_by).toBe(maker.who);
});

test("of an approval and a withdrawal at once, one succeeds", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { propose, decide, number } = await newAccount();
    const { change_id: id } = (await propose({ account_number: "98765888" })).json;
    const [approved, withdrawn] = await Promise.all([
      decide(id, "approve"),
      decide(id, "decline", maker),
    ]);
    expect([approved.status, withdrawn.status].sort()).toEqual([200, 409]);
    expect(await number()).toBe(approved.status === 200 ? "98765888" : "12345999");
  }
});

test("an invalid proposal is refused before it waits, with all its problems at once", async () => {
  const { propose, path, receiver_id, subaccountId } = await newAccount();
  const wrong = await propose({ account_type: "Z", bsb: "06", nonsense: "" });
  expect(wrong.status).toBe(400);
  expect(codesOf(wrong).sort()).toEqual(["REAC206", "REAC208", "REAC226"]);
  const created = await maker.post(`${path}/accounts`, { receiver_id: newId(), ...bank, bsb: "1" });
  expect(codesOf(created)).toEqual(["REAC211"]);
  const missing = await maker.post(`${path}/accounts`, { receiver_id });
  expect(codesOf(missing)).toEqual(expect.arrayContaining(["REAC202", "REAC203"]));
  expect(codesOf(await propose({}))).toEqual(["CONS405"]);
  expect(codesOf(await propose({ bsb: "062-000" }))).toEqual(["CONS405"]);
  const { json } = await checker.get(`/approvals?subaccount_id=${subaccountId}`);
  expect(json.rows).toEqual([]);
});

test("CONS402, CONS403, CONS404: its maker, a second change and outdated details are refused", async () => {
  const { propose, decide, disburse, account_id, number } = await newAccount();
  const { change_id: id } = (await propose({ account_number: "98765888" })).json;
  expect(codesOf(await decide(id, "approve", maker))).toEqual(["CONS402"]);
  expect(codesOf(await propose({ aka: "x" }, checker))).toEqual(["CONS403"]);
  // Meanwhile, an API call changes the details.
  await disburse.receiverAccounts.update(account_id, { account_number: "55555999" });
  expect(codesOf(await decide(id, "approve"))).toEqual(["CONS404"]);
  expect(await number()).toBe("55555999");
  const declined = await decide(id, "decline");
  expect(declined.json).toEqual({ id, status: "declined", account_id });
  const next = (await propose({ account_number: "98765888" })).json.change_id;
  expect((await decide(next, "decline", maker)).json.status).toBe("withdrawn");
  expect(codesOf(await decide(next, "approve"))).toEqual(["CONS401"]);
  expect(await number()).toBe("55555999");
});

test("a change of an account that was deleted meanwhile is refused, and can be declined", async () => {
  const { propose, decide, disburse, account_id } = await newAccount();
  const { change_id: id } = (await propose({ account_number: "98765888" })).json;
  await disburse.receiverAccounts.delete(account_id);
  expect(codesOf(await decide(id, "approve"))).toEqual(["REAC302"]);
  expect((await decide(id, "decline")).status).toBe(200);
});

test("a decision needs the subaccount of the URL", async () => {
  const { propose, path } = await newAccount();
  const { change_id: id } = (await propose({ account_number: "98765888" })).json;
  const other = await service.newCaller();
  const elsewhere = `/s/${other.subaccountId}/bank-changes/${id}`;
  expect(codesOf(await checker.post(`${elsewhere}/approve`))).toEqual(["CONS110"]);
  expect(codesOf(await checker.post(`${elsewhere}/decline`, { reason: "no" }))).toEqual([
    "CONS110",
  ]);
  expect(codesOf(await checker.post(`${path}/bank-changes/x/approve`))).toEqual(["CONS110"]);
});

test("the business name and checking or savings are bank details that wait for approval", async () => {
  const { propose, decide, disburse, account_id } = await newAccount();
  const { json } = await propose({
    country: "USA",
    state: "New York",
    postcode: "10001",
    bank_code: "021000021",
    checking_or_savings: "savings",
    account_type: "B",
    business_name: "Analytical Engines",
  });
  expect(await disburse.receiverAccounts.get(account_id)).not.toHaveProperty("business_name");
  const queue = await checker.get("/approvals?kind=bank_change");
  const row = queue.json.rows.find(({ id }: { id: string }) => id === json.change_id);
  expect(row.change.changes).toEqual(
    expect.arrayContaining([
      { field: "business_name", before: "", after: "Analytical Engines" },
      { field: "checking_or_savings", before: "", after: "savings" },
    ]),
  );
  expect((await decide(json.change_id, "approve")).status).toBe(200);
  expect(await disburse.receiverAccounts.get(account_id)).toMatchObject({
    business_name: "Analytical Engines",
    checking_or_savings: "savings",
  });
});
