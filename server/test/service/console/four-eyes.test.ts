// Four eyes: no user alone can release a payout above the threshold, by keys, invitations, resets or bank details.

import { expect, test } from "vitest";
import { Disburse } from "../../../../client/src/index.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";
import type { Answer } from "../../support/service.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: 20 }));
const admin = service.enter("admin");

const codeOf = ({ status, json }: Answer) => [status, json?.error?.[0]?.code];
const hourMs = 3_600_000;

/** A test subaccount in which payouts above 100.00 AUD wait. No user has seen the secret of its first key. */
async function newPayer() {
  const caller = await service.newCaller();
  const { disburse, subaccountId } = caller;
  const { receiver_id, account_id } = await newPayee(disburse);
  await disburse.testHelpers.fund({ amount: 100_000_000, currency: "AUD", reference: newId() });
  await service.db.pool.query(
    "insert into payout_limit (subaccount_id, currency, approval_above) values ($1, 'AUD', 10000)",
    [subaccountId],
  );
  const input = () => ({ receiver_id, account_id, currency: "AUD", reference: newId() });
  const keys = `/s/${subaccountId}/keys`;
  return {
    ...caller,
    account_id,
    keys,
    payouts: `/s/${subaccountId}/payouts`,
    pay: async (by: Disburse = disburse) =>
      (await by.payouts.create({ ...input(), amount: 5_000_000 })).payout_id,
    newKey: (person: TestPerson, scopes: string[]) =>
      person.post(keys, { name: "shop", scopes, version2_only: false }),
  };
}

type Payer = Awaited<ReturnType<typeof newPayer>>;

function clientOf({ json: { key, secret } }: Answer): Disburse {
  const { baseUrl } = service;
  return new Disburse({ apiKey: key, apiSecret: secret, baseUrl, maxRetries: 0 });
}

const waitingKey = async (person: TestPerson, subaccountId: string, kind = "key") =>
  (await person.get(`/approvals?subaccount_id=${subaccountId}&kind=${kind}`)).json.rows[0];

/** The user rotates the payer's key, another one approves, and the new secret works. */
async function rotate(person: TestPerson, { keys, key, subaccountId }: Payer): Promise<Disburse> {
  const rotated = await person.post(`${keys}/${key}/rotate`, { grace_ms: 60_000 });
  expect(rotated.json).toMatchObject({ key, awaits_approval: true });
  const { id } = await waitingKey(admin, subaccountId, "rotation");
  const path = `/s/${subaccountId}/change-requests/${id}/approve`;
  expect((await service.enter("operator").post(path)).json).toMatchObject({ status: "applied" });
  const client = clientOf(rotated);
  await expect.poll(() => client.balance.get().catch(() => undefined)).toBeDefined();
  return client;
}

test("CONS407: an operator who created a key can't approve payouts that were made with it", async () => {
  const payer = await newPayer();
  const [maker, other] = [service.enter("operator"), service.enter("operator")];
  const made = await payer.newKey(maker, ["read", "payout"]);
  expect(made.json).toMatchObject({ awaits_approval: true });
  // It does not work yet, and its creator can't activate it.
  await expect(payer.pay(clientOf(made))).rejects.toMatchObject({ code: "AUTH104" });
  const waiting = await waitingKey(maker, payer.subaccountId);
  expect(waiting).toMatchObject({ is_own: true, request: { object: "shop" } });
  const path = `/s/${payer.subaccountId}/change-requests/${waiting.id}`;
  expect(codeOf(await maker.post(`${path}/approve`))).toEqual([403, "CONS402"]);
  expect((await other.post(`${path}/approve`)).json).toMatchObject({ status: "applied" });
  expect(codeOf(await other.post(`${path}/approve`))).toEqual([409, "CONS401"]);

  let payoutId = "";
  await expect
    .poll(async () => (payoutId = await payer.pay(clientOf(made)).catch(() => "")))
    .not.toBe("");
  const approve = `${payer.payouts}/${payoutId}/approve`;
  expect(codeOf(await maker.post(approve))).toEqual([403, "CONS407"]);
  const { rows } = (await maker.get(`/approvals?subaccount_id=${payer.subaccountId}`)).json;
  expect(rows).toMatchObject([{ id: payoutId, why_not: expect.stringContaining("secret") }]);
  expect((await other.post(approve)).status).toBe(200);
});

test("a declined key is revoked, and can't be approved later", async () => {
  const payer = await newPayer();
  const made = await payer.newKey(service.enter("operator"), ["payout"]);
  const { id } = await waitingKey(admin, payer.subaccountId);
  const path = `/s/${payer.subaccountId}/change-requests/${id}`;
  const declined = await admin.post(`${path}/decline`, { reason: "not ours" });
  expect(declined.json).toEqual({ id, status: "declined" });
  expect(codeOf(await admin.post(`${path}/approve`))).toEqual([409, "CONS401"]);
  await expect(payer.pay(clientOf(made))).rejects.toMatchObject({ code: "AUTH104" });
});

test("CONS407: a user who rotated a key can't approve its payouts", async () => {
  const payer = await newPayer();
  const rotator = service.enter("operator");
  const rotated = await rotate(rotator, payer);
  const payoutId = await payer.pay(rotated);
  const approve = `${payer.payouts}/${payoutId}/approve`;
  expect(codeOf(await rotator.post(approve))).toEqual([403, "CONS407"]);
  expect((await service.enter("approver").post(approve)).status).toBe(200);
});

test("CONS709: a developer creates and rotates only read and write keys of test subaccounts", async () => {
  const payer = await newPayer();
  const live = await service.newCaller({ mode: "live" });
  const { subaccountId } = payer;
  const developer = service.enter("developer", { subaccountId });
  const made = await payer.newKey(developer, ["read", "write"]);
  expect(made.json).toMatchObject({ awaits_approval: false });
  for (const scope of ["payout", "bank_details"]) {
    const refused = await payer.newKey(developer, ["read", scope]);
    expect(codeOf(refused)).toEqual([403, "CONS709"]);
  }
  const own = `${payer.keys}/${made.json.key}`;
  expect((await developer.post(`${own}/rotate`, { grace_ms: 0 })).status).toBe(200);
  for (const act of ["rotate", "revoke"]) {
    const body = act === "rotate" ? { grace_ms: 0 } : {};
    const refused = await developer.post(`${payer.keys}/${payer.key}/${act}`, body);
    expect(codeOf(refused)).toEqual([403, "CONS709"]);
  }
  const ofLive = service.enter("developer", { subaccountId: live.subaccountId });
  const input = { name: "shop", scopes: ["read"] };
  const refused = await ofLive.post(`/s/${live.subaccountId}/keys`, input);
  expect(codeOf(refused)).toEqual([403, "CONS709"]);
  // The overview shows an operator that a secret was shown.
  const operator = service.enter("operator");
  await operator.post(`${payer.keys}/${payer.key}/rotate`, { grace_ms: 60_000 });
  const { attention } = (await operator.get(`/s/${subaccountId}/overview`)).json;
  expect(attention).toContainEqual(expect.objectContaining({ kind: "keys_new", count: 1 }));
});

test("CONS408: a user whom another user let in counts as that user until another admin confirms", async () => {
  const payer = await newPayer();
  const [puppeteer, puppet, second] = [
    service.enter("admin"),
    service.enter("operator"),
    service.enter("operator"),
  ];
  await Promise.all([puppeteer.ready, puppet.ready, second.ready]);
  const makePayout = async (by: TestPerson) => {
    const made = await payer.newKey(by, ["payout"]);
    await service.db.pool.query("update api_key set awaiting_approval = false where key = $1", [
      made.json.key,
    ]);
    await service.db.pool.query("update installation set keys_version = keys_version + 1");
    let id = "";
    await expect
      .poll(async () => (id = await payer.pay(clientOf(made)).catch(() => "")))
      .not.toBe("");
    return `${payer.payouts}/${id}/approve`;
  };
  const [ofPuppeteer, ofPuppet] = [await makePayout(puppeteer), await makePayout(puppet)];
  // As invitations and resets do, without the wait for a password's hash.
  const vouch = (by: TestPerson, of: TestPerson) =>
    service.db.pool.query("insert into user_vouch values ($1, $2, $3)", [
      ...[of.person.id, by.who, Date.now() - 40 * 24 * hourMs],
    ]);
  await vouch(puppeteer, puppet);
  await vouch(puppet, second);
  for (const [path, person] of [
    [ofPuppeteer, puppet],
    [ofPuppeteer, second],
    [ofPuppet, puppeteer],
    [ofPuppet, second],
  ] as const) {
    expect(codeOf(await person.post(path))).toEqual([403, "CONS408"]);
  }
  // Neither the admin who granted the access nor another puppet confirms; an admin of their own does.
  const confirm = (by: TestPerson, of: TestPerson) => by.post(`/users/${of.person.id}/confirm`);
  expect(codeOf(await confirm(puppeteer, puppet))).toEqual([403, "CONS402"]);
  expect(codeOf(await confirm(puppeteer, second))).toEqual([403, "CONS408"]);
  const accomplice = service.enter("admin");
  await accomplice.ready;
  await vouch(puppeteer, accomplice);
  expect(codeOf(await confirm(accomplice, puppet))).toEqual([403, "CONS408"]);
  const listed = (await admin.get("/users")).json.rows.find(
    ({ id }: { id: string }) => id === puppet.person.id,
  );
  expect(listed.granted_by).toEqual([puppeteer.who]);
  expect((await confirm(admin, puppet)).status).toBe(204);
  expect(codeOf(await confirm(admin, puppet))).toEqual([409, "CONS414"]);
  expect((await confirm(admin, second)).status).toBe(204);
  const { rows } = (await admin.get(`/audit?object_id=${puppet.person.id}`)).json;
  expect(rows).toMatchObject([{ action: "person.confirm", who: admin.who }]);
  expect((await second.post(ofPuppet)).status).toBe(200);
  expect((await puppet.post(ofPuppeteer)).status).toBe(200);
});

test("an invitation, a reset and a role change are recorded, and the overview shows new users", async () => {
  const { subaccountId } = await newPayer();
  const [one, two] = [service.enter("operator"), service.enter("finance")];
  await Promise.all([one.ready, two.ready]);
  const email = `puppet-${newId()}@example.com`;
  const invited = await admin.post("/users/invite", { email, role: "operator" });
  await admin.post(`/users/${one.person.id}/reset`);
  await admin.patch(`/users/${two.person.id}`, { role: "approver" });
  const { rows } = await service.db.pool.query(
    "select user_id from user_vouch where voucher = $1 order by at_ms",
    [admin.who],
  );
  const ids = rows.map(({ user_id }) => user_id);
  expect(ids).toEqual(expect.arrayContaining([invited.json.id, one.person.id, two.person.id]));
  const { attention } = (await admin.get(`/s/${subaccountId}/overview`)).json;
  expect(attention).toContainEqual(expect.objectContaining({ kind: "users_new" }));
});

test("a user who changed a payout's bank details can't approve it", async () => {
  const payer = await newPayer();
  const changer = service.enter("operator");
  const rotated = await rotate(changer, payer);
  const bank = { bsb: "062000", account_number: "12345998" };
  await rotated.receiverAccounts.update(payer.account_id, bank);
  const elsewhere = await service.db.pool.query(
    `insert into api_key (key, subaccount_id, name, scopes) values ($1, $2, 'program', '{payout}') returning key`,
    [`ak_test_${newId()}`, payer.subaccountId],
  );
  const payoutId = await payer.pay();
  // As if it were made with a key whose secret the user never saw.
  await service.db.pool.query("update payout set created_by = $2 where id = $1", [
    payoutId,
    `key:${elsewhere.rows[0].key}`,
  ]);
  const approve = `${payer.payouts}/${payoutId}/approve`;
  expect(codeOf(await changer.post(approve))).toEqual([403, "CONS407"]);
  expect((await service.enter("operator").post(approve)).status).toBe(200);
});

test("an author of bank details that were never paid can't approve a payout to a later version of them", async () => {
  const payer = await newPayer();
  const [first, second, third] = [
    service.enter("operator"),
    service.enter("operator"),
    service.enter("operator"),
  ];
  const base = `/s/${payer.subaccountId}`;
  const change = async (by: TestPerson, approver: TestPerson, bank: object) => {
    const proposed = await by.patch(`${base}/accounts/${payer.account_id}`, bank);
    const path = `${base}/bank-changes/${proposed.json.change_id}/approve`;
    expect((await approver.post(path)).status).toBe(200);
  };
  // The number is the first user's; the second user changes another field of it.
  await change(first, second, { bsb: "062000", account_number: "87654999" });
  await change(second, third, { bsb: "062001" });
  const payoutId = await payer.pay();
  const approve = `${payer.payouts}/${payoutId}/approve`;
  expect(codeOf(await first.post(approve))).toEqual([403, "CONS402"]);
  expect(codeOf(await second.post(approve))).toEqual([403, "CONS402"]);
  expect((await third.post(approve)).status).toBe(200);
  await expect
    .poll(async () => (await payer.disburse.payouts.get(payoutId)).status)
    .toBe("successful");
  // Once it is paid, the authors before the current version count no longer.
  const later = `${payer.payouts}/${await payer.pay()}/approve`;
  expect(codeOf(await second.post(later))).toEqual([403, "CONS402"]);
  expect((await first.post(later)).status).toBe(200);
});

test("AUTH110: changing an account needs the scope bank_details, and is in the audit log", async () => {
  const payer = await newPayer();
  const narrow = await payer.newKey(service.enter("developer", payer), ["read", "write"]);
  const bank = { bsb: "062000", account_number: "12345998" };
  const refused = clientOf(narrow).receiverAccounts.update(payer.account_id, bank);
  await expect(refused).rejects.toMatchObject({ code: "AUTH110" });
  await payer.disburse.receiverAccounts.update(payer.account_id, bank);
  await payer.disburse.receiverAccounts.update(payer.account_id, { aka: "Ada L" });
  const { rows } = (await admin.get(`/audit?object_id=${payer.account_id}`)).json;
  expect(rows).toMatchObject([
    { action: "account.change", who: `key:${payer.key}`, after: { fields: ["account_number"] } },
  ]);
});

test("a developer of two subaccounts sees both and no third; the previous version can still set one", async () => {
  const [one, two, three] = [await newPayer(), await newPayer(), await newPayer()];
  const email = `dev-${newId()}@example.com`;
  const subaccount_ids = [one.subaccountId, two.subaccountId];
  const invited = await admin.post("/users/invite", { email, role: "developer", subaccount_ids });
  const { rows } = (await admin.get("/users")).json;
  const row = rows.find(({ id }: { id: string }) => id === invited.json.id);
  expect([...row.subaccount_ids].sort()).toEqual([...subaccount_ids].sort());

  const developer = service.enter("developer", { subaccountId: one.subaccountId });
  await developer.ready;
  const path = `/users/${developer.person.id}`;
  const add = `insert into user_subaccount (user_id, subaccount_id) values ($1, $2)`;
  await service.db.pool.query(add, [developer.person.id, two.subaccountId]);
  const seen = async () =>
    (await developer.get("/me")).json.subaccounts.map(({ id }: { id: string }) => id).sort();
  expect(await seen()).toEqual([...subaccount_ids].sort());
  expect((await developer.get(`/s/${two.subaccountId}/keys`)).status).toBe(200);
  expect(codeOf(await developer.get(`/s/${three.subaccountId}/keys`))).toEqual([404, "CONS105"]);
  // The previous version knows only this column.
  const old = "update console_user set subaccount_id = $2 where id = $1";
  await service.db.pool.query(old, [developer.person.id, three.subaccountId]);
  expect(await seen()).toEqual([three.subaccountId]);
  expect((await admin.patch(path, { role: "auditor" })).status).toBe(204);
});

test("two admins let finance approve, one revokes it, and an admin let in by the first does not count", async () => {
  const payer = await newPayer();
  const payoutId = await payer.pay();
  const approve = `${payer.payouts}/${payoutId}/approve`;
  const finance = service.enter("finance");
  expect(codeOf(await finance.post(approve))).toEqual([403, "CONS102"]);
  const allow = (by: TestPerson, allowed = true) => by.put("/users/finance-approval", { allowed });
  expect((await allow(admin)).status).toBe(204);
  expect(codeOf(await allow(admin))).toEqual([403, "CONS402"]);
  expect(codeOf(await finance.post(approve))).toEqual([403, "CONS102"]);
  const second = service.enter("admin");
  await second.ready;
  await service.db.pool.query("insert into user_vouch values ($1, $2, $3)", [
    ...[second.person.id, admin.who, Date.now()],
  ]);
  expect(codeOf(await allow(second))).toEqual([403, "CONS408"]);
  expect((await allow(service.enter("admin"))).status).toBe(204);
  expect((await admin.get("/users")).json.finance).toEqual({ may_approve: true, asked_by: null });
  expect((await finance.post(approve)).status).toBe(200);
  expect((await allow(admin, false)).status).toBe(204);
  expect(codeOf(await finance.post(approve))).toEqual([403, "CONS102"]);
});

test("CONS710: the 51st key is refused; all keys are listed page by page and exported", async () => {
  const payer = await newPayer();
  const developer = service.enter("developer", payer);
  for (let n = 1; n < 50; n += 1) {
    expect((await payer.newKey(developer, ["read"])).status).toBe(200);
  }
  expect(codeOf(await payer.newKey(developer, ["read"]))).toEqual([409, "CONS710"]);
  await service.db.pool.query(
    `insert into api_key (key, subaccount_id, name, scopes, created_at)
     select 'ak_test_' || $2 || n, $1, 'old ' || n, '{read}', now() - n * interval '1 minute'
     from generate_series(1, 200) n`,
    [payer.subaccountId, newId()],
  );
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { json } = await developer.get(`${payer.keys}?limit=100${cursor && `&cursor=${cursor}`}`);
    seen.push(...json.rows.map(({ key }: { key: string }) => key));
    cursor = json.next;
  }
  expect(seen).toHaveLength(250);
  expect(new Set(seen).size).toBe(250);
  expect((await developer.get(`${payer.keys}.csv`)).text.trim().split("\n")).toHaveLength(251);
});

test("an approver of bank details sees both full account numbers, and the audit log records it", async () => {
  const payer = await newPayer();
  const [proposer, approver] = [service.enter("operator"), service.enter("approver")];
  const bank = { bsb: "062000", account_number: "87654321" };
  const path = `/s/${payer.subaccountId}`;
  const proposed = await proposer.patch(`${path}/accounts/${payer.account_id}`, bank);
  const reveal = `${path}/bank-changes/${proposed.json.change_id}/reveal`;
  expect((await approver.post(reveal)).json).toEqual({ before: "12345999", after: "87654321" });
  const { rows } = (await admin.get("/audit?action=account.reveal_change&limit=1")).json;
  expect(rows).toMatchObject([{ who: approver.who, object_id: payer.account_id }]);
  expect(JSON.stringify(rows)).not.toContain("87654321");
});
