// Receiver accounts: read, created for every kind of country, and closed.

import { expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { ada, addAccount, sign, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

/** A new caller, with one receiver. */
async function newPayer(changes: Parameters<typeof ada>[0] = {}) {
  const caller = await service.newCaller();
  const { json } = await caller.call("POST", "/api/receiver", { body: ada(changes) });
  return { caller, receiver_id: json.payload.receiver_id as string };
}

const create = (caller: TestCaller, body: object, headers: Record<string, string> = {}) =>
  caller.call("POST", "/api/receiveraccount", { body, headers });
const read = async (caller: TestCaller, id: string) =>
  (await caller.call("GET", `/api/receiveraccount/${id}`)).json.payload;
const list = async (caller: TestCaller, receiver_id: string): Promise<{ id: string }[]> =>
  (await caller.call("GET", `/api/receiveraccount/receiver/${receiver_id}`)).json.payload;
const close = (caller: TestCaller, id: string) =>
  caller.call("DELETE", `/api/receiveraccount/${id}`);

const australian = { account_type: "I", account_number: "12345999", bsb: "062000" };

test("an account has every published field, and keeps the leading zeros of its number", async () => {
  const input = ada({ reference: "staff-7" });
  const { caller, receiver_id } = await newPayer(input);
  const id = await addAccount(service, caller.subaccountId, receiver_id, "00123456");

  const { status, json } = await caller.call("GET", `/api/receiveraccount/${id}`);
  expect(status).toBe(200);
  expect(json).toEqual({
    message: expect.any(String),
    payload: {
      id,
      first_name: input.first_name,
      last_name: input.last_name,
      email: input.email,
      dob: input.dob,
      gender: input.gender,
      aka: "",
      occupation: "",
      reference: "staff-7",
      mobile_international_dialcode: "61",
      mobile: "412345678",
      home_phone_international_dialcode: "",
      home_phone: "",
      individual_or_business: "I",
      abn: "",
      nzbn: "",
      acn: "",
      kyc_status: "pending",
      address_data: {
        address: input.address,
        address2: "",
        city: input.city,
        state: input.state,
        country: input.country,
        postcode: input.postcode,
      },
      bank_account_data: { account_number: "00123456", bank_code: "CBA", bsb: "062000" },
      account_data: {
        receiver_accepted: true,
        receiver_address_accepted: true,
        receiver_address_outcome: "valid",
      },
    },
  });
});

test("all accounts of a receiver are listed, newest first; a receiver without any has an empty list", async () => {
  const { caller, receiver_id } = await newPayer();
  expect(await list(caller, receiver_id)).toEqual([]);

  const first = await addAccount(service, caller.subaccountId, receiver_id, "12345678");
  const second = await addAccount(service, caller.subaccountId, receiver_id, "87654321");
  const listed = await list(caller, receiver_id);
  expect(listed.map(({ id }) => id)).toEqual([second, first]);
});

test("REAC104: a foreign, an absent and a malformed account id get the same published response", async () => {
  const one = await service.newCaller();
  const { caller: other, receiver_id } = await newPayer();
  const foreign = await addAccount(service, other.subaccountId, receiver_id, "12345678");
  for (const id of [foreign, newId(), "nonsense", receiver_id]) {
    const { status, text } = await one.call("GET", `/api/receiveraccount/${id}`);
    expect([status, text]).toEqual([
      400,
      '{"message":"get receiver account failed","error":[{"code":"REAC104","message":"Receiver ID not found"}]}',
    ]);
  }
});

test("REAC101: accounts of a foreign, an absent and a malformed receiver are refused", async () => {
  const one = await service.newCaller();
  const { receiver_id } = await newPayer();
  for (const id of [receiver_id, newId(), "nonsense", ""]) {
    const { status, text } = await one.call("GET", `/api/receiveraccount/receiver/${id}`);
    expect([status, text]).toEqual([
      400,
      '{"message":"get receiver account failed","error":[{"code":"REAC101","message":"Receiver Account ID not found"}]}',
    ]);
  }
});

test("an account from before the checks has null for their result", async () => {
  const { caller, receiver_id } = await newPayer();
  const id = await addAccount(service, caller.subaccountId, receiver_id);
  await service.db.pool.query(
    "update receiver_account set receiver_address_outcome = null where id = $1",
    [id],
  );
  expect((await read(caller, id)).account_data.receiver_address_outcome).toBeNull();
});

const countries = [
  {
    country: "AUS",
    given: { bsb: "062-000", account_number: "1234 5999" },
    stored: { account_number: "12345999", bank_code: "CBA", bsb: "062000" },
  },
  {
    country: "NZL",
    place: { postcode: "6011" },
    given: { account_number: "12-3140-0171323-50" },
    stored: { account_number: "123140017132350", bank_code: "12", bsb: "" },
  },
  {
    country: "USA",
    place: { state: "NY", postcode: "10001" },
    given: { bank_code: "021000021", account_number: "000123456789" },
    stored: { account_number: "000123456789", bank_code: "021000021", bsb: "" },
  },
  {
    country: "GBR",
    place: { postcode: "EC1A 1BB" },
    given: { bank_code: "08-99-99", account_number: "66374959" },
    stored: { account_number: "66374959", bank_code: "089999", bsb: "" },
    warned: ["account_number"],
  },
  {
    country: "DEU",
    place: { state: "Berlin", postcode: "10115" },
    given: { account_number: "de89 3704 0044 0532 0130 00" },
    stored: { account_number: "DE89370400440532013000", bank_code: "", bsb: "" },
  },
  {
    country: "IND",
    place: { postcode: "400001" },
    given: { bank_code: "hdfc0000001", account_number: "012345678" },
    stored: { account_number: "012345678", bank_code: "HDFC0000001", bsb: "" },
  },
  {
    country: "CAN",
    place: { state: "ON", postcode: "M5V 3L9" },
    given: { bank_code: "0003-12345", account_number: "0012345" },
    stored: { account_number: "0012345", bank_code: "000312345", bsb: "" },
  },
  {
    country: "JPN",
    place: { postcode: "100-0001" },
    given: { bank_code: "BOTKJPJT", account_number: "0012345" },
    stored: { account_number: "0012345", bank_code: "BOTKJPJT", bsb: "" },
  },
];

test.each(countries)("an account in $country is created, and stored in one form", async (one) => {
  const { country, place = {}, given, stored, warned = [] } = one;
  const { caller, receiver_id } = await newPayer({ country, ...place });
  const { status, json } = await create(caller, { receiver_id, account_type: "I", ...given });
  expect(status, JSON.stringify(json)).toBe(200);
  const { account_id } = json.payload;
  expect(json).toEqual({
    message: "receiver account created successfully",
    payload: {
      account_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      receiver_account_id: account_id,
      receiver_id,
      status: "active",
      warnings: warned.map((field) => ({ field, message: expect.any(String) })),
    },
  });
  const account = await read(caller, account_id);
  expect(account.bank_account_data).toEqual(stored);
  expect(account.account_data).toEqual({
    receiver_accepted: true,
    receiver_address_accepted: true,
    receiver_address_outcome: "valid",
  });
  expect(await list(caller, receiver_id)).toEqual([account]);
});

test("address and reference default to those of the receiver", async () => {
  const changes = ada({ reference: "staff-8", address2: "Unit 2" });
  const { caller, receiver_id } = await newPayer(changes);
  const { address, address2, city, state, country, postcode } = changes;

  const plain = (await create(caller, { receiver_id, ...australian })).json.payload.account_id;
  const account = await read(caller, plain);
  expect(account.address_data).toEqual({ address, address2, city, state, country, postcode });
  expect(account.reference).toBe("staff-8");

  const own = { city: "Sydney", state: "NSW", postcode: "2000", address2: "", reference: "" };
  const more = { aka: "Ada", occupation: "Engines", homedialcode: "61", homephone: "390000000" };
  const { json } = await create(caller, { receiver_id, ...australian, ...own, ...more });
  const other = await read(caller, json.payload.account_id);
  const { reference, ...place } = own;
  expect(other).toMatchObject({
    reference,
    address_data: { address, country, ...place },
    aka: "Ada",
    occupation: "Engines",
    home_phone_international_dialcode: "61",
    home_phone: "390000000",
  });
});

test.each([
  ["AUS", { ...australian, abn: "51 824 753 556" }, { abn: "51824753556", acn: "", nzbn: "" }],
  ["AUS", { ...australian, acn: "004085616" }, { abn: "", acn: "004085616", nzbn: "" }],
  [
    "NZL",
    { account_number: "12-3140-0171323-50", nzbn: "9429044650421" },
    { abn: "", acn: "", nzbn: "9429044650421" },
  ],
])("a business in %s needs its number: %j", async (country, given, numbers) => {
  const { caller, receiver_id } = await newPayer({ country });
  const { json } = await create(caller, { receiver_id, ...given, account_type: "B" });
  const account = await read(caller, json.payload.account_id);
  expect(account).toMatchObject({ individual_or_business: "B", ...numbers });
});

test.each([
  ["GBR", "3004", "postcode_mismatch", false],
  ["GBR", "ec1a 1bb", "valid", true],
  ["ARE", "00000", "unchecked", true],
])("in %s the postcode %s is reported: %s", async (country, postcode, outcome, isAccepted) => {
  const { caller, receiver_id } = await newPayer();
  const given =
    country === "GBR"
      ? { bank_code: "089999", account_number: "66374958" }
      : { bank_code: "EBILAEAD", account_number: "AE070331234567890123456" };
  const body = { receiver_id, account_type: "I", country, postcode, ...given };
  const { json } = await create(caller, body);
  expect((await read(caller, json.payload.account_id)).account_data).toEqual({
    receiver_accepted: true,
    receiver_address_accepted: isAccepted,
    receiver_address_outcome: outcome,
  });
});

test.each(["12345999", "12345111", "12345222", "12345333", "12345888", "12345444"])(
  "the test account 062000 %s can be added",
  async (account_number) => {
    const { caller, receiver_id } = await newPayer();
    const { status, json } = await create(caller, { receiver_id, ...australian, account_number });
    expect([status, json.payload.warnings]).toEqual([200, []]);
  },
);

test.each(["1234 5999", "1234\u00A05999", "1234-5999", "12\u202F345\u2009999"])(
  "a grouped account number, as %j, is stored without its spaces",
  async (account_number) => {
    const { caller, receiver_id } = await newPayer();
    const { json } = await create(caller, { ...australian, receiver_id, account_number });
    const { bank_account_data } = await read(caller, json.payload.account_id);
    expect(bank_account_data.account_number).toBe("12345999");
  },
);

test("state and postcode may be empty for a receiver in Hong Kong, but not in Australia", async () => {
  const hongKong = { country: "HKG", state: "", postcode: "", dialcode: "852", phone: "51234567" };
  const { caller, receiver_id } = await newPayer(hongKong);
  const account = { account_type: "I", account_number: "012345678", bank_code: "HSBCHKHH" };
  const created = await create(caller, { ...account, receiver_id });
  expect(created.json.payload).toMatchObject({ status: "active", warnings: [] });
  const abroad = { ...australian, receiver_id, country: "AUS" };
  const { json } = await create(caller, { ...abroad, state: "", postcode: "" });
  expect(json.error).toMatchObject([
    { code: "REAC222", field: "state" },
    { code: "REAC224", field: "postcode" },
  ]);
});

test("an idempotency key creates one account from many requests, and belongs to one body", async () => {
  const { caller, receiver_id } = await newPayer();
  const body = { receiver_id, ...australian };
  const headers = { "idempotency-key": "account-1" };
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => create(caller, body, headers)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const replayed = answers.map((answer) => answer.headers.get("idempotent-replayed"));
  expect(replayed.filter((value) => value === "true").length).toBe(4);
  expect((await list(caller, receiver_id)).length).toBe(1);

  const changed = await create(caller, { ...body, account_number: "12345111" }, headers);
  expect([changed.status, changed.json.error[0].code]).toEqual([422, "IDEM102"]);
  expect((await list(caller, receiver_id)).length).toBe(1);
});

test("a closed account is not listed, can be read, and closes again with the same response", async () => {
  const { caller, receiver_id } = await newPayer();
  const id = (await create(caller, { receiver_id, ...australian })).json.payload.account_id;
  const before = await read(caller, id);
  const { status, text, json } = await close(caller, id);
  expect(status).toBe(200);
  expect(json).toEqual({
    message: "receiver account deleted successfully",
    payload: { account_id: id, receiver_account_id: id, receiver_id, status: "inactive" },
  });
  expect(await list(caller, receiver_id)).toEqual([]);
  const after = { ...before, account_data: { ...before.account_data, receiver_accepted: false } };
  expect(await read(caller, id)).toEqual(after);

  const again = await Promise.all([close(caller, id), close(caller, id)]);
  for (const answer of again) expect([answer.status, answer.text]).toEqual([200, text]);
  expect(await read(caller, id)).toEqual(after);
});

test("REAC104: changing or closing a foreign, an absent or a malformed account gets the same bytes", async () => {
  const one = await service.newCaller();
  const { caller: other, receiver_id } = await newPayer();
  const foreign = (await create(other, { receiver_id, ...australian })).json.payload.account_id;
  const before = await read(other, foreign);
  for (const [method, failure] of [
    ["PATCH", "update receiver account failed"],
    ["DELETE", "delete receiver account failed"],
  ] as const) {
    for (const id of [foreign, newId(), "nonsense", receiver_id, "%00"]) {
      const body = method === "PATCH" ? { body: { aka: "Eve", bsb: 1 } } : {};
      const { status, text } = await one.call(method, `/api/receiveraccount/${id}`, body);
      expect([status, text]).toEqual([
        400,
        `{"message":"${failure}","error":[{"code":"REAC104","message":"Receiver ID not found"}]}`,
      ]);
    }
  }
  expect(await read(other, foreign)).toEqual(before);
});

test("AUTH107: a signed change or closure can't be made twice", async () => {
  const { caller, receiver_id } = await newPayer();
  const id = (await create(caller, { receiver_id, ...australian })).json.payload.account_id;
  const path = `/api/receiveraccount/${id}`;
  for (const [method, raw] of [
    ["PATCH", '{"aka":"Ada"}'],
    ["DELETE", undefined],
  ] as const) {
    const { key, secret } = caller;
    const signature = sign({ key, secret, method, path, version: 2, body: raw ?? "" });
    const call = () => caller.call(method, path, { ...(raw && { raw }), headers: { signature } });
    expect((await call()).status).toBe(200);
    expect((await call()).json.error).toMatchObject([{ code: "AUTH107" }]);
  }
});

test("receiverAccountUpdate is sent only on request, with the change and without the number", async () => {
  const { caller, receiver_id } = await newPayer();
  const { disburse, subaccountId } = caller;
  const made = await create(caller, { ...australian, receiver_id });
  const id: string = made.json.payload.account_id;
  const { receiverAccounts } = disburse;
  const updates = disburse.events.list({ type: "receiverAccountUpdate" });
  const received = async () => (await updates.toArray()).map(({ data }) => data);
  await receiverAccounts.update(id, { account_number: "55554444" });
  expect(await received()).toEqual([]);

  await disburse.subaccount.update({ event_types: ["receiverAccountUpdate"] });
  // A change that keeps the bank details, and a refused change.
  await receiverAccounts.update(id, { aka: "Countess" });
  await expect(receiverAccounts.update(id, { bsb: "no" })).rejects.toThrow();
  expect(await received()).toEqual([]);

  await receiverAccounts.update(id.toUpperCase(), { account_number: "98765432" });
  await receiverAccounts.delete(id);
  await receiverAccounts.delete(id);
  const about = { event: "receiverAccountUpdate", receiver_account_id: id, receiver_id };
  const same = { account_number_masked: "****5432", version: 3, subccount_id: subaccountId };
  expect(await received()).toEqual([
    { ...about, status: "deleted", ...same, timestamp: expect.any(Number) },
    { ...about, status: "updated", ...same, timestamp: expect.any(Number) },
  ]);
  expect(JSON.stringify(await received())).not.toContain("98765432");
  const ofReceiver = await disburse.events.list({ receiver_id }).toArray();
  expect(ofReceiver.map(({ type }) => type)).toContain("receiverAccountUpdate");
  expect(await disburse.events.list({ payout_id: id }).toArray()).toEqual([]);
});
