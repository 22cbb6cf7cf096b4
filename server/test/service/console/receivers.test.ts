// Receivers in the console: the list and its filters, one receiver, changes by a user, and the full account number,
// which few users may see and which always leaves an entry in the audit log.

import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { ada, addAccount } from "../../support/service.ts";

const service = await closeAfterTests(startConsole());
const caller = await service.newCaller({ mode: "live" });
const operator = service.enter("operator");

const base = () => `/s/${caller.subaccountId}/receivers`;

async function create(changes: Parameters<typeof ada>[0] = {}, by = caller): Promise<string> {
  return (await by.disburse.receivers.create(ada(changes))).receiver_id;
}

async function idsOf(query: string, path = base()): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ""; ; ) {
    const { status, json } = await operator.get(`${path}?${query}${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    ids.push(...json.rows.map(({ id }: { id: string }) => id));
    if (json.next === null) return ids;
    cursor = json.next;
  }
}

async function auditEntries(action: string, id: string) {
  const { rows } = await service.db.pool.query(
    "select who, subaccount_id, before, after from audit_entry where action = $1 and object_id = $2",
    [action, id],
  );
  return rows;
}

test("lists newest first, by every filter, page by page, and exports exactly the filtered rows", async () => {
  const own = await service.newCaller({ mode: "live" });
  const path = `/s/${own.subaccountId}/receivers`;
  const nz = { country: "NZL", state: "Auckland", postcode: "1010" };
  const first = await create({ last_name: "van der Berg", reference: "staff-1" }, own);
  const second = await create({ first_name: "Ana", last_name: "Silva", ...nz }, own);
  const third = await create({ first_name: "Bea", last_name: "SILVERIO", reference: "=1+1" }, own);
  await addAccount(service, own.subaccountId, second);
  const all = [third, second, first];

  expect(await idsOf("limit=1", path)).toEqual(all);
  expect(await idsOf("status=1&kyc_status=pending&limit=2", path)).toEqual(all);
  expect(await idsOf("status=active", path)).toEqual([]);
  expect(await idsOf("reference=staff-1", path)).toEqual([first]);
  expect(await idsOf("country=NZL&limit=1", path)).toEqual([second]);
  // Any part of a name, in any order.
  expect(await idsOf("q=silv&limit=1", path)).toEqual([third, second]);
  expect(await idsOf("q=silv%20an", path)).toEqual([second]);
  expect(await idsOf("q=bea%20silv", path)).toEqual([third]);
  expect(await idsOf("q=van%20der", path)).toEqual([first]);
  expect(await idsOf("q=silv&country=NZL", path)).toEqual([second]);
  const { rows } = (await operator.get(`${path}?country=NZL`)).json;
  expect(rows).toMatchObject([
    { name: "Ana Silva", status: "pending", status_code: 1, kyc_code: 0, accounts: 1, payouts: 0 },
  ]);
  expect(await idsOf(`q=${encodeURIComponent(rows[0].email.toUpperCase())}`, path)).toEqual([
    second,
  ]);
  expect(await idsOf(`from=${rows[0].created_at + 1}`, path)).not.toContain(second);
  expect(await idsOf(`to=${rows[0].created_at}`, path)).not.toContain(third);

  const csv = await operator.get(`${path}.csv?q=silv`);
  expect(csv.headers.get("content-type")).toContain("text/csv");
  const lines = csv.text.trim().split("\n");
  expect(lines.map((line) => line.split(",")[0])).toEqual(["id", third, second]);
  // A spreadsheet must not run a receiver's reference as a formula.
  expect(lines[1]).toContain("'=1+1");
});

test("one receiver: masked accounts, the JSON of the API, and operators' emails not for developers", async () => {
  const id = await create();
  await addAccount(service, caller.subaccountId, id, "987654321");
  await operator.patch(`${base()}/${id}`, { city: "Geelong" });

  const { json, text } = await operator.get(`${base()}/${id}`);
  expect(json).toMatchObject({
    kyc: { provider: "manual", waits_for: "user" },
    accounts: [{ account_number: "•••• 4321", versions: [{ version: 1 }] }],
    history: [{ who: operator.person.email, reason: "changed city" }, { reason: "created" }],
    json: (await caller.call("GET", `/api/receiver/${id}`)).json.payload,
  });
  expect(text).not.toContain("987654321");

  const developer = service.enter("developer", { subaccountId: caller.subaccountId });
  const seen = await developer.get(`${base()}/${id}`);
  expect(seen.json.history[0].who).toBe("an operator");
  expect(seen.text).not.toContain(operator.person.email);
});

test("a user changes, disables and enables a receiver; the audit log has fields, but no values", async () => {
  const id = await create({ email: `kyc-pass+${Date.now()}@example.com` });
  const changed = await operator.patch(`${base()}/${id}`, { city: "Geelong", phone: "498765432" });
  expect(changed.json).toMatchObject({ id, status: "pending" });
  const [entry] = await auditEntries("receiver.change", id);
  expect(entry).toMatchObject({ who: operator.who, after: { fields: ["city", "phone"] } });
  expect(JSON.stringify(entry)).not.toMatch(/Geelong|498765432/);

  const refused = await operator.patch(`${base()}/${id}`, { phone: "x", status: "inactive" });
  expect(refused.json.error.map(({ code }: { code: string }) => code)).toEqual([
    "REVR219",
    "REVR231",
  ]);
  expect(
    (await operator.post(`${base()}/${id}/disable`, { reason: "x" })).json.error,
  ).toMatchObject([{ code: "REVR302" }]);
  await service.db.pool.query(
    "update receiver set status = 'active', kyc_status = 'completed' where id = $1",
    [id],
  );
  const disabled = await operator.post(`${base()}/${id}/disable`, { reason: "left us" });
  expect(disabled.json).toMatchObject({ status: "inactive", status_code: 3 });
  expect((await operator.post(`${base()}/${id}/enable`)).json.status).toBe("active");
  expect(await auditEntries("receiver.disable", id)).toMatchObject([
    { before: { status: "active" }, after: { status: "inactive" } },
  ]);
});

test("the panel of an account has the payee name check and its time", async () => {
  const id = await create();
  const accountId = await addAccount(service, caller.subaccountId, id);
  const account = async () => (await operator.get(`${base()}/${id}`)).json.accounts[0];
  expect(await account()).toMatchObject({ payee_name_check: null, payee_name_checked_at: null });
  await service.db.pool.query(
    "update payee_name_check set outcome = 'no_match', checked_at_ms = 1000 where account_id = $1",
    [accountId],
  );
  expect(await account()).toMatchObject({
    payee_name_check: "no_match",
    payee_name_checked_at: 1000,
  });
});

test("a user gets a link for the person; the audit log says so, without the link", async () => {
  const own = await service.newCaller();
  const path = `/s/${own.subaccountId}/receivers`;
  const id = await create({}, own);
  const { status, json } = await operator.post(`${path}/${id}/kyc-link`);
  expect([status, json.url]).toEqual([200, `https://identity-check.example/sandbox/${id}`]);
  expect(json.expires_at).toBeGreaterThan(Date.now());
  const entries = await auditEntries("receiver.kyc_link", id);
  expect(entries).toMatchObject([{ who: operator.who, after: { expires_at: json.expires_at } }]);
  expect(JSON.stringify(entries)).not.toContain("identity-check");

  const manual = await operator.post(`${base()}/${await create()}/kyc-link`);
  expect([manual.status, manual.json.error[0].code]).toEqual([409, "REVR304"]);
});

test("a user creates a receiver once, with the API's checks at each field, and it is in the audit log", async () => {
  const once = "0123456789abcdef";
  const input = ada({ reference: "staff-9" });
  const [one, other] = await Promise.all([
    operator.post(base(), { ...input, once }),
    operator.post(base(), { ...input, once }),
  ]);
  const { receiver_id: id } = one.json;
  expect([one.status, other.json]).toEqual([200, one.json]);
  expect(await caller.disburse.receivers.get(id)).toMatchObject({
    email: input.email,
    kyc_status: "pending",
  });
  const [entry, ...more] = await auditEntries("receiver.create", id);
  expect([entry, more]).toEqual([
    { who: operator.who, subaccount_id: caller.subaccountId, before: {}, after: {} },
    [],
  ]);

  const problemsOf = async (changes: object, key = "another-key-0000") =>
    (await operator.post(base(), { ...ada(), ...changes, once: key })).json.error.map(
      ({ code, field }: Record<string, string>) => `${field} ${code}`,
    );
  expect(await problemsOf({ email: input.email.toUpperCase() })).toEqual(["email REVR201"]);
  expect(await problemsOf({ first_name: "", dob: "1890-01-01", state: "XX", colour: 1 })).toEqual([
    "first_name REVR204",
    "dob REVR227",
    "state REVR223",
    "colour REVR231",
  ]);
  expect(await problemsOf({ fisrt_name: "Ada" })).toEqual(["fisrt_name REVR231"]);
  const { json: form } = await operator.get(`/s/${caller.subaccountId}/receiver-form`);
  const required = form.fields.filter((field: { is_required: boolean }) => field.is_required);
  expect(required.map(({ name }: { name: string }) => name)).not.toContain("address2");
  expect(form.countries.find(({ code }: { code: string }) => code === "AUS").needs).toEqual([
    "state",
    "postcode",
  ]);
});

test("a user restarts a failed identity check, and closes an account that has no pending payout", async () => {
  const own = await service.newCaller();
  const id = await create({}, own);
  const path = `/s/${own.subaccountId}`;
  const early = await operator.post(`${path}/receivers/${id}/kyc`);
  expect(early.json.error[0].code).toBe("REVR302");
  await own.disburse.testHelpers.setStatus({ id, type: "kyc", status: "fail" });
  const restarted = await operator.post(`${path}/receivers/${id}/kyc`);
  expect(restarted.json).toMatchObject({ id, kyc_status: "pending" });
  expect(await auditEntries("receiver.restart_kyc", id)).toMatchObject([
    { who: operator.who, before: { kyc_status: "failed" }, after: { kyc_status: "pending" } },
  ]);

  const accountId = await addAccount(service, own.subaccountId, id);
  const close = `${path}/accounts/${accountId}/close`;
  expect((await operator.post(close)).status).toBe(204);
  expect(await own.disburse.receiverAccounts.list(id)).toEqual([]);
  expect(await auditEntries("account.close", accountId)).toMatchObject([{ who: operator.who }]);
  expect(
    (await operator.post(`${base().replace("/receivers", "")}/accounts/${accountId}/close`)).json
      .error[0].code,
  ).toBe("REAC104");
});

test("the full account number is shown to a user, which is in the audit log without it", async () => {
  const id = await create();
  const number = "55512345999";
  const accountId = await addAccount(service, caller.subaccountId, id, number);
  const path = `/s/${caller.subaccountId}/accounts/${accountId}/reveal`;

  const form = await operator.get(`/s/${caller.subaccountId}/account-form?country=AUS`);
  expect(form.json.required).toEqual(["account_type", "bsb", "account_number"]);

  const shown = await operator.post(path);
  expect(shown.json).toEqual({ account_number: number });
  expect(shown.headers.get("cache-control")).toBe("no-store");
  const entries = await auditEntries("account.reveal", accountId);
  expect(entries).toMatchObject([{ who: operator.who, subaccount_id: caller.subaccountId }]);
  expect(JSON.stringify(entries)).not.toContain(number);
  expect(service.logged.join("")).not.toContain(number);
  expect((await operator.post(path, { version: 2 })).json.error[0].code).toBe("CONS110");
});

test("an erasure takes two users; it and a download are in the audit log", async () => {
  const id = await create({ first_name: "Zyxquarion" });
  const number = "55512345999";
  await addAccount(service, caller.subaccountId, id, number);
  const path = `${base()}/${id}`;
  const { text, headers } = await operator.post(`${path}/export`);
  expect(JSON.parse(text)).toMatchObject({
    receiver: { id, first_name: "Zyxquarion" },
    accounts: [{ account_number: number }],
  });
  expect(headers.get("content-disposition")).toBe(`attachment; filename="receiver-${id}.json"`);

  // One user requests it, and can only withdraw it. Nothing is erased yet.
  const codeOf = ({ json }: { json: { error: { code: string }[] } }) => json.error[0]?.code;
  const asked = await operator.post(`${path}/erase`);
  const { request_id } = asked.json;
  expect(codeOf(await operator.post(`${path}/erase`))).toBe("CONS412");
  const requestPath = `/s/${caller.subaccountId}/change-requests`;
  expect(codeOf(await operator.post(`${requestPath}/${request_id}/approve`))).toBe("CONS402");
  expect((await operator.get(path)).json).toMatchObject({
    erased_at: null,
    erasure_request: { id: request_id, made_by: operator.person.email },
    json: { first_name: "Zyxquarion" },
  });
  const queue = () => operator.get(`/approvals?kind=erasure&subaccount_id=${caller.subaccountId}`);
  expect((await queue()).json.rows).toMatchObject([
    { kind: "erasure", id: request_id, receiver_id: id, receiver_name: "Zyxquarion Lovelace" },
  ]);
  const withdrawn = await operator.post(`${requestPath}/${request_id}/decline`, { reason: "slip" });
  expect(withdrawn.json).toMatchObject({ status: "withdrawn" });

  const { json: again } = await operator.post(`${path}/erase`);
  const approve = `${requestPath}/${again.request_id}/approve`;
  const other = service.enter("operator");
  const approved = await other.post(approve);
  expect(approved.json).toEqual({ id: again.request_id, status: "applied", applicant: null });
  expect(codeOf(await other.post(approve))).toBe("CONS401");
  expect((await queue()).json.rows).toEqual([]);

  const { json: shown } = await operator.get(path);
  expect(shown).toMatchObject({ status: "inactive", erasure_request: null });
  expect(shown.erased_at).toEqual(expect.any(Number));
  expect(shown.json).toMatchObject({ first_name: "", email: "" });
  expect((await operator.patch(path, { city: "Perth" })).json.error[0].code).toBe("REVR306");
  expect(codeOf(await operator.post(`${path}/erase`))).toBe("REVR306");
  expect(await auditEntries("receiver.export", id)).toMatchObject([{ who: operator.who }]);
  expect(await auditEntries("receiver.erase_ask", id)).toMatchObject([
    { who: operator.who },
    { who: operator.who },
  ]);
  expect(await auditEntries("receiver.erase", id)).toMatchObject([
    { who: other.who, after: { made_by: operator.who } },
  ]);
});

test("a requested erasure is refused while the law needs the data, and ends when the API erases the receiver", async () => {
  const own = await service.newCaller();
  const id = await create({ email: "kyc-pass+erased@example.com" }, own);
  const path = `/s/${own.subaccountId}/receivers/${id}`;
  const accountId = await addAccount(service, own.subaccountId, id);
  await own.disburse.testHelpers.setStatus({ id, type: "kyc", status: "success" });
  await own.disburse.testHelpers.fund({ amount: 900, currency: "AUD", reference: "start" });
  const asked = await operator.post(`${path}/erase`);
  expect(asked.status).toBe(200);
  await own.disburse.payouts.create({
    receiver_id: id,
    account_id: accountId,
    amount: 900,
    currency: "AUD",
    reference: "last",
  });
  const approve = `/s/${own.subaccountId}/change-requests/${asked.json.request_id}/approve`;
  const refused = await service.enter("admin").post(approve);
  expect(refused.json.error[0].code).toMatch(/^REVR30[18]$/);

  const free = await create({}, own);
  const { json } = await operator.post(`/s/${own.subaccountId}/receivers/${free}/erase`);
  expect((await own.call("POST", `/api/receiver/${free}/erase`)).status).toBe(200);
  const { rows } = await service.db.pool.query(
    "select status from change_request where subaccount_id = $1 and id = $2",
    [own.subaccountId, json.request_id],
  );
  expect(rows).toEqual([{ status: "withdrawn" }]);
});

test("no URL gives access to another subaccount's receivers", async () => {
  const id = await create();
  const accountId = await addAccount(service, caller.subaccountId, id);
  const { subaccountId } = await service.newCaller();
  const admin = service.enter("admin");

  // The right user, the right id, the wrong subaccount.
  const wrong = `/s/${subaccountId}`;
  expect((await admin.get(`${wrong}/receivers/${id}`)).json.error[0].code).toBe("CONS110");
  expect((await admin.patch(`${wrong}/receivers/${id}`, { city: "X" })).status).toBe(400);
  const revealed = await admin.post(`${wrong}/accounts/${accountId}/reveal`);
  expect(revealed.json.error[0].code).toBe("CONS110");
  expect(await idsOf("", `${wrong}/receivers`)).toEqual([]);
});
