// Bank details: a change makes a new version, each version is encrypted for itself, and changes run one at a time.

import { expect, test } from "vitest";
import { accountNumberIdentity, maskedNumber, tailOf } from "../../../src/people/person/account.ts";
import { openNumberWith, type StoredNumber } from "../../../src/people/person/contact.ts";
import { findPersonKey } from "../../../src/people/receivers/queries.ts";
import { createMetrics } from "../../../src/platform/metrics/metrics.ts";
import { ada, addAccount, outcomeOf, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

const metrics = createMetrics();
await useService({ metrics });

const australian = { account_type: "I", account_number: "12345999", bsb: "062000" };

/** A new caller, with a receiver and an account. */
async function newAccount(given: object = {}, receiverChanges: Parameters<typeof ada>[0] = {}) {
  const caller = await service.newCaller();
  const receiver = await caller.call("POST", "/api/receiver", { body: ada(receiverChanges) });
  const { receiver_id } = receiver.json.payload;
  const body = { receiver_id, ...australian, ...given };
  const { json } = await caller.call("POST", "/api/receiveraccount", { body });
  return { caller, receiver_id, id: json.payload.account_id as string };
}

const change = (caller: TestCaller, id: string, body: object) =>
  caller.call("PATCH", `/api/receiveraccount/${id}`, { body });
const read = async (caller: TestCaller, id: string) =>
  (await caller.call("GET", `/api/receiveraccount/${id}`)).json.payload;

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
async function versions(id: string): Promise<any[]> {
  const { rows } = await service.db.pool.query(
    "select * from bank_details where account_id = $1 order by version",
    [id],
  );
  return rows;
}

async function currentVersion(id: string): Promise<number> {
  const { rows } = await service.db.pool.query(
    "select version from receiver_account where id = $1",
    [id],
  );
  return rows[0].version;
}

test("a new account has version 1, with its bank, its actor and the end of its number", async () => {
  const { caller, id } = await newAccount();
  expect(await versions(id)).toMatchObject([
    {
      subaccount_id: caller.subaccountId,
      version: 1,
      country: "AUS",
      individual_or_business: "I",
      account_number_tail: "5999",
      bsb: "062000",
      bank_code: "CBA",
      bank_name: "Commonwealth Bank",
      created_by: `key:${caller.key}`,
    },
  ]);
  expect(await currentVersion(id)).toBe(1);
});

test("a new number makes a new version, and the previous one stays unchanged", async () => {
  const { caller, id } = await newAccount();
  const before = await versions(id);
  const { status, json } = await change(caller, id, { account_number: "0012 345", bsb: "083-004" });
  expect([status, json.message]).toEqual([200, "receiver account updated successfully"]);
  expect(json.payload).toEqual(await read(caller, id));
  expect(json.payload.bank_account_data).toEqual({
    account_number: "0012345",
    bank_code: "NAB",
    bsb: "083004",
  });
  const [first, second, ...none] = await versions(id);
  expect(none).toEqual([]);
  expect(first).toEqual(before[0]);
  expect(second).toMatchObject({ version: 2, account_number_tail: "45", bank_code: "NAB" });
  expect(await currentVersion(id)).toBe(2);
});

const business = { account_type: "B", abn: "51824753556" };

test.each([
  [{ account_number: "12345111" }],
  [{ bsb: "083004" }],
  [{ abn: "51824753556" }],
  [{ acn: "004085616" }],
  [{ nzbn: "9429044650421" }],
  [business],
  [{ country: "NZL", account_number: "12-3140-0171323-50" }],
  [{ country: "USA", bank_code: "021000021" }],
  [{ country: "DEU", account_number: "DE89370400440532013000" }],
])("%j makes a new version", async (given) => {
  const { caller, id } = await newAccount();
  const { status, json } = await change(caller, id, given);
  expect(status, JSON.stringify(json)).toBe(200);
  expect((await versions(id)).map(({ version }) => version)).toEqual([1, 2]);
});

test.each([
  [{}],
  [australian],
  [{ account_number: "1234 5999", bsb: "062-000", bank_code: "cba" }],
  [{ bank_code: "" }],
  [{ country: "AUS", abn: "" }],
  [{ aka: "Countess", reference: "other" }],
])("%j makes no new version", async (given) => {
  const { caller, id } = await newAccount();
  expect((await change(caller, id, given)).status).toBe(200);
  expect((await versions(id)).map(({ version }) => version)).toEqual([1]);
  expect(await currentVersion(id)).toBe(1);
});

test("other fields change in place, and fields that are not sent stay", async () => {
  const { caller, id } = await newAccount({
    aka: "Ada",
    homedialcode: "61",
    homephone: "390000000",
  });
  const before = await read(caller, id);
  const { json } = await change(caller, id, {
    occupation: "Engines",
    homephone: "",
    homedialcode: "",
    city: "Sydney",
    state: "NSW",
    postcode: "2000",
  });
  expect(json.payload).toEqual({
    ...before,
    occupation: "Engines",
    home_phone_international_dialcode: "",
    home_phone: "",
    address_data: { ...before.address_data, city: "Sydney", state: "NSW", postcode: "2000" },
  });
});

test("a bank code that can't be derived is kept with its BSB, and removed with it", async () => {
  const { caller, id } = await newAccount({ bsb: "999001", bank_code: "XYZ" });
  const code = async () => (await read(caller, id)).bank_account_data.bank_code;
  expect(await code()).toBe("XYZ");
  await change(caller, id, { aka: "Ada", bsb: "999-001" });
  expect([await code(), await currentVersion(id)]).toEqual(["XYZ", 1]);
  await change(caller, id, { bsb: "062000" });
  expect([await code(), await currentVersion(id)]).toEqual(["CBA", 2]);
});

test("in New Zealand a new number may belong to another bank, whose code is derived again", async () => {
  const { caller, id } = await newAccount(
    { account_number: "12-3140-0171323-50", bsb: "" },
    { country: "NZL" },
  );
  const { json } = await change(caller, id, { account_number: "0109020068389000" });
  expect(json.payload?.bank_account_data, JSON.stringify(json)).toEqual({
    account_number: "0109020068389000",
    bank_code: "01",
    bsb: "",
  });
});

test("the whole account is checked, and a refused change stores nothing", async () => {
  const { caller, id } = await newAccount();
  const before = [await read(caller, id), await versions(id)];
  const codes = async (given: object) => {
    const { status, json } = await change(caller, id, given);
    expect([status, json.message]).toEqual([400, "update receiver account failed"]);
    return json.error.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`);
  };
  expect(await codes({ account_type: "B" })).toEqual(["REAC210 abn"]);
  expect(await codes({ account_type: "" })).toEqual(["REAC206 account_type"]);
  expect(await codes({ account_number: "" })).toEqual(["REAC203 account_number"]);
  expect(await codes({ account_number: 12345111 })).toEqual(["REAC207 account_number"]);
  expect(await codes({ bsb: "" })).toEqual(["REAC204 bsb"]);
  expect(await codes({ country: "USA" })).toEqual(["REAC205 bank_code"]);
  expect(await codes({ country: "NZL", postcode: "60110" })).toEqual([
    "REAC224 postcode",
    "REAC207 account_number",
  ]);
  expect(await codes({ receiver_id: id, aka: 7, bsb: "1", state: "X" })).toEqual([
    "REAC215 aka",
    "REAC226 receiver_id",
    "REAC222 state",
    "REAC208 bsb",
  ]);
  const raw = await caller.call("PATCH", `/api/receiveraccount/${id}`, { raw: "[]" });
  expect(raw.json.error).toMatchObject([{ code: "REAC227" }]);
  expect([await read(caller, id), await versions(id)]).toEqual(before);
});

test("an account from before the rules can be read, and changes only to a valid one", async () => {
  const { caller, receiver_id } = await newAccount();
  const id = await addAccount(service, caller.subaccountId, receiver_id, "123456789012");
  expect((await change(caller, id, {})).status).toBe(200);
  expect((await change(caller, id, { aka: "Ada" })).json.error).toMatchObject([
    { code: "REAC207", field: "account_number" },
  ]);
  expect((await change(caller, id, { aka: "Ada", account_number: "12345678" })).status).toBe(200);
});

test("REAC302: a closed account can't be changed", async () => {
  const { caller, id } = await newAccount();
  await caller.call("DELETE", `/api/receiveraccount/${id}`);
  for (const given of [{ aka: "Ada" }, { account_number: "12345111" }, {}, { bsb: 1 }]) {
    const { status, json } = await change(caller, id, given);
    expect([status, json.error]).toMatchObject([409, [{ code: "REAC302" }]]);
  }
  expect((await versions(id)).length).toBe(1);
});

test("concurrent changes become versions without a gap, and none is lost", async () => {
  const { caller, receiver_id, id } = await newAccount();
  const numbers = Array.from({ length: 20 }, (_, n) => `5000${n + 10}`);
  const answers = await Promise.all([
    ...numbers.map((account_number) => change(caller, id, { account_number })),
    change(caller, id, { aka: "Countess" }),
    change(caller, id, { occupation: "Engines" }),
    change(caller, id, { reference: "parallel" }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));

  const rows = await versions(id);
  expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
  const receiver = { subaccountId: caller.subaccountId, id: receiver_id };
  const key = await findPersonKey(service, receiver);
  const opened = rows.map((row) => openNumberWith(service.seal, key, row as StoredNumber));
  expect(opened.slice(1).sort()).toEqual(numbers);
  expect(await read(caller, id)).toMatchObject({
    aka: "Countess",
    occupation: "Engines",
    reference: "parallel",
    bank_account_data: { account_number: opened.at(-1) },
  });
});

test("a change concurrent with a closure happens before it or not at all", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { caller, id } = await newAccount();
    const [changed, closed] = await Promise.all([
      change(caller, id, { account_number: "12345111" }),
      caller.call("DELETE", `/api/receiveraccount/${id}`),
    ]);
    expect(closed.status).toBe(200);
    expect([200, 409]).toContain(changed.status);
    expect((await versions(id)).length).toBe(changed.status === 200 ? 2 : 1);
    expect((await read(caller, id)).account_data.receiver_accepted).toBe(false);
  }
});

test("a number is encrypted for its version, and can't be decrypted as another", async () => {
  const { caller, id } = await newAccount({ account_number: "987654321" });
  await change(caller, id, { account_number: "987654322" });
  for (const { account_number_sealed } of await versions(id)) {
    expect(account_number_sealed.toString("latin1")).not.toContain("98765");
    expect(account_number_sealed.toString("hex")).not.toContain(
      Buffer.from("98765").toString("hex"),
    );
  }
  await service.db.pool.query(
    `update bank_details b set account_number_sealed = a.account_number_sealed
     from bank_details a where a.account_id = $1 and a.version = 1
       and b.account_id = $1 and b.version = 2`,
    [id],
  );
  const answer = await caller.call("GET", `/api/receiveraccount/${id}`);
  expect(outcomeOf(answer)).toBe("409 SYST112");
});

test("an encrypted number that is moved to another account can't be decrypted", async () => {
  const { caller, receiver_id, id } = await newAccount();
  const other = await addAccount(service, caller.subaccountId, receiver_id, "22222222");
  await service.db.pool.query(
    `update bank_details a set account_number_sealed = b.account_number_sealed
     from bank_details b where a.account_id = $1 and b.account_id = $2`,
    [id, other],
  );
  const answer = await caller.call("GET", `/api/receiveraccount/${id}`);
  expect(outcomeOf(answer)).toBe("409 SYST112");
});

test("a damaged receiver is a named refusal that is counted, and no internal error", async () => {
  const { caller, receiver_id, id } = await newAccount();
  await service.db.pool.query(
    `update receiver set person_sealed = set_byte(person_sealed, 20, 255 - get_byte(person_sealed, 20)) where id = $1`,
    [receiver_id],
  );
  const count = async () =>
    Number(/^disburse_values_unreadable_total (\d+)$/m.exec(await metrics.text())?.[1]);
  const before = await count();
  const answers = [
    await caller.call("GET", `/api/receiver/${receiver_id}`),
    await caller.call("PATCH", `/api/receiver/${receiver_id}`, { body: { city: "Bath" } }),
    await caller.call("GET", `/api/receiveraccount/${id}`),
  ];
  expect(answers.map(outcomeOf)).toEqual(answers.map(() => "409 SYST112"));
  await expect.poll(count).toBe(before + answers.length);
});

test("the first version is encrypted as accounts were before versions existed", () => {
  expect(accountNumberIdentity("s", "a", 1)).toBe("receiver_account.account_number:s:a");
  expect(accountNumberIdentity("s", "a", 2)).toBe("receiver_account.account_number:s:a:2");
});

test("no account number is in the log or in a refusal", async () => {
  const { caller, receiver_id, id } = await newAccount({ account_number: "717273747" });
  const answers = [
    await change(caller, id, { account_number: "717273748", bsb: "1" }),
    await change(caller, id, { account_number: "7172737499" }),
    await change(caller, id, { account_number: 717273748 }),
    await caller.call("POST", "/api/receiveraccount", {
      body: { receiver_id, account_type: "I", account_number: "71727-37499", bsb: "000000" },
    }),
    await caller.call("POST", "/api/receiveraccount/validate", {
      body: { country: "DEU", account_type: "I", account_number: "DE0071727374717273747" },
    }),
  ];
  for (const { status, text } of answers) {
    expect(status).toBe(400);
    expect(text).not.toContain("717273");
  }
  await change(caller, id, { account_number: "717273748" });
  expect(service.logged.join("")).not.toContain("717273");
});

test("the last four characters of a long number are shown, and two or none of a short one", () => {
  expect(["123456789", "12345999", "1234567", "1234", "123", ""].map(tailOf)).toEqual([
    "6789",
    "5999",
    "67",
    "34",
    "",
    "",
  ]);
  expect([maskedNumber("5999"), maskedNumber("")]).toEqual(["•••• 5999", "••••"]);
});
