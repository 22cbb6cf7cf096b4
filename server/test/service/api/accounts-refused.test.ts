// Refusals of receiver accounts: each code, all problems at once, and nothing stored. The dry run refuses the same
// accounts.

import { expect, test } from "vitest";
import { accountSchema } from "../../../src/people/account-rules/account-schema.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { type Code, refusals } from "../../../src/platform/refusals/refusals.ts";
import { ada, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();
const caller = await service.newCaller();
const receiver_id = await addReceiver(caller);
const foreign = await addReceiver(await service.newCaller());

async function addReceiver(owner: TestCaller, changes: Parameters<typeof ada>[0] = {}) {
  const { json } = await owner.call("POST", "/api/receiver", { body: ada(changes) });
  return json.payload.receiver_id as string;
}

const create = (body: object) => caller.call("POST", "/api/receiveraccount", { body });
const validate = (body: object, headers: Record<string, string> = {}) =>
  caller.call("POST", "/api/receiveraccount/validate", { body, headers });

async function countRows(): Promise<number> {
  const { rows } = await service.db.pool.query(
    `select (select count(*) from receiver_account) + (select count(*) from bank_details) as count`,
  );
  return Number(rows[0].count);
}

const australian = { account_type: "I", account_number: "12345999", bsb: "062000" };
const american = { account_type: "I", account_number: "123456789", country: "USA" };
const kiwi = { account_type: "I", account_number: "12-3140-0171323-50", country: "NZL" };

type Fault = [code: Code, field: string, body: Record<string, unknown>];
const faults: Fault[] = [
  ["REAC202", "account_type", { ...australian, account_type: undefined }],
  ["REAC202", "account_type", { ...australian, account_type: " " }],
  ["REAC203", "account_number", { ...australian, account_number: undefined }],
  ["REAC203", "account_number", { ...australian, account_number: "" }],
  ["REAC204", "bsb", { ...australian, bsb: undefined }],
  ["REAC204", "bsb", { ...australian, bsb: "" }],
  ["REAC205", "bank_code", american],
  ["REAC206", "account_type", { ...australian, account_type: "X" }],
  ["REAC206", "account_type", { ...australian, account_type: 1 }],
  ["REAC207", "account_number", { ...australian, account_number: "1234" }],
  ["REAC207", "account_number", { ...australian, account_number: 12345999 }],
  ["REAC207", "account_number", { ...australian, account_number: "1".repeat(300) }],
  ["REAC207", "account_number", { ...kiwi, account_number: "12-3140-0171324-50" }],
  ["REAC207", "account_number", { ...kiwi, account_number: "0171323-50" }],
  ["REAC208", "bsb", { ...australian, bsb: "06200" }],
  ["REAC208", "bsb", { ...australian, bsb: 62000 }],
  ["REAC208", "bsb", { ...american, bank_code: "021000021", bsb: "062000" }],
  ["REAC208", "bsb", { ...kiwi, account_number: "0171323-50", bsb: 123140 }],
  ["REAC209", "bank_code", { ...american, bank_code: "021000022" }],
  ["REAC209", "bank_code", { ...american, bank_code: ["021000021"] }],
  ["REAC209", "bank_code", { ...kiwi, bank_code: "01" }],
  ["REAC210", "abn", { ...australian, account_type: "B" }],
  ["REAC210", "nzbn", { ...kiwi, account_type: "B" }],
  ["REAC211", "receiver_id", { ...australian, receiver_id: 7 }],
  ["REAC212", "abn", { ...australian, abn: "51824753557" }],
  ["REAC212", "abn", { ...australian, account_type: "B", abn: 51824753556 }],
  ["REAC213", "acn", { ...australian, acn: "004085617" }],
  ["REAC213", "acn", { ...australian, account_type: "B", acn: 4085616 }],
  ["REAC214", "nzbn", { ...australian, nzbn: "9429044650422" }],
  ["REAC215", "aka", { ...australian, aka: "a".repeat(201) }],
  ["REAC216", "occupation", { ...australian, occupation: "a\u0000b" }],
  ["REAC217", "homedialcode", { ...australian, homedialcode: "+61" }],
  ["REAC218", "homephone", { ...australian, homephone: "12 34" }],
  ["REAC218", "homephone", { ...australian, homedialcode: "61", homephone: "1234" }],
  ["REAC219", "address", { ...australian, address: "" }],
  ["REAC220", "address2", { ...australian, address2: null }],
  ["REAC221", "city", { ...australian, city: "a".repeat(101) }],
  ["REAC222", "state", { ...australian, state: "Bavaria" }],
  ["REAC222", "state", { ...australian, state: "" }],
  ["REAC223", "country", { ...australian, country: "AU" }],
  ["REAC224", "postcode", { ...australian, postcode: "30041" }],
  ["REAC224", "postcode", { ...kiwi, postcode: "60111" }],
  ["REAC224", "postcode", { ...australian, postcode: "!" }],
  ["REAC225", "reference", { ...australian, reference: "a\u202Eb" }],
  ["REAC226", "account", { ...australian, account: "12345999" }],
];

test.each(faults)("%s for %s: %j", async (code, field, fault) => {
  const before = await countRows();
  const { status, json } = await create({ receiver_id, ...fault });
  expect(json).toEqual({
    message: "there was an error while creating a receiver account",
    error: [{ code, message: expect.any(String), field }],
  });
  expect(status).toBe(refusals[code][0]);
  expect(await countRows()).toBe(before);

  const tried = await validate({ receiver_id, ...fault });
  expect([tried.status, tried.json]).toEqual([
    status,
    { message: "receiver account is not valid", error: json.error },
  ]);
});

test("REAC201: without a receiver the country's rules are not checked", async () => {
  for (const absent of [{}, { receiver_id: "" }, { receiver_id: null }]) {
    const { status, json } = await create({ ...australian, bsb: undefined, ...absent });
    expect(status).toBe(400);
    expect(json.error).toEqual([
      { code: "REAC201", message: "Receiver ID is required", field: "receiver_id" },
    ]);
  }
});

test("REAC211: a foreign, an absent and a malformed receiver id get the same bytes", async () => {
  const texts = await Promise.all(
    [foreign, newId(), "nonsense", "\u0000"].map(async (id) => {
      const { status, text } = await create({ receiver_id: id, ...australian });
      return [status, text];
    }),
  );
  const body =
    '{"message":"there was an error while creating a receiver account","error":' +
    '[{"code":"REAC211","message":"Receiver ID is not valid","field":"receiver_id"}]}';
  for (const text of texts) expect(text).toEqual([400, body]);
});

test.each(["[]", "null", "7", '"text"', "{", ""])(
  "REAC227: %s is refused, because it is no JSON object",
  async (raw) => {
    for (const path of ["/api/receiveraccount", "/api/receiveraccount/validate"]) {
      const { status, json } = await caller.call("POST", path, { raw });
      expect([status, json.error]).toMatchObject([400, [{ code: "REAC227" }]]);
    }
  },
);

test("all problems are reported at once: of form, of the receiver, between fields, of the bank", async () => {
  const { status, json } = await create({
    receiver_id: foreign,
    account_type: "B",
    account_number: "1234",
    bsb: 62000,
    homedialcode: "61",
    homephone: "1234",
    aka: 7,
    country: "AUS",
    state: "Bavaria",
    postcode: "80331",
    acn: "004085617",
    colour: "blue",
  });
  expect(status).toBe(400);
  const found = json.error.map(({ code, field }: { code: string; field: string }) => [code, field]);
  expect(found).toEqual([
    ["REAC208", "bsb"],
    ["REAC215", "aka"],
    ["REAC226", "colour"],
    ["REAC211", "receiver_id"],
    ["REAC218", "homephone"],
    ["REAC222", "state"],
    ["REAC224", "postcode"],
    ["REAC207", "account_number"],
    ["REAC213", "acn"],
  ]);
});

test("a response has at most 100 problems", async () => {
  const unknown = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`field${n}`, n]));
  const { json } = await create({ receiver_id, ...australian, bsb: "1", ...unknown });
  expect(json.error.length).toBe(100);
});

test("an address that moves to Australia needs an Australian state and postcode", async () => {
  const berlin = await addReceiver(caller, { country: "DEU", state: "Berlin", postcode: "10115" });
  const refused = await create({ receiver_id: berlin, ...australian, country: "AUS" });
  expect(refused.json.error).toMatchObject([
    { code: "REAC222", field: "state" },
    { code: "REAC224", field: "postcode" },
  ]);
  const place = { country: "AUS", state: "VIC", postcode: "3004" };
  expect((await create({ receiver_id: berlin, ...australian, ...place })).status).toBe(200);
});

test("validate returns the account that would be stored, and stores nothing", async () => {
  const before = await countRows();
  const body = { receiver_id, ...australian, bsb: "062-000", bank_code: "NAB" };
  const { status, json } = await validate(body, { "idempotency-key": "dry" });
  expect([status, json]).toEqual([
    200,
    {
      message: "receiver account is valid",
      payload: {
        bank_name: "Commonwealth Bank",
        bank_account_data: { account_number: "12345999", bank_code: "CBA", bsb: "062000" },
        account_data: {
          receiver_accepted: true,
          receiver_address_accepted: true,
          receiver_address_outcome: "valid",
        },
        warnings: [{ field: "bank_code", message: expect.stringContaining("CBA") }],
      },
    },
  ]);
  const again = await validate(body, { "idempotency-key": "dry" });
  expect([again.json, again.headers.get("idempotent-replayed")]).toEqual([json, "true"]);
  const other = await validate(australian, { "idempotency-key": "dry" });
  expect([other.status, other.json.error[0].code]).toEqual([422, "IDEM102"]);
  expect(await countRows()).toBe(before);
});

test("REAC228: validate needs a receiver or a country", async () => {
  const { status, json } = await validate(australian);
  expect([status, json.error]).toEqual([
    400,
    [{ code: "REAC228", message: "Country is required", field: "country" }],
  ]);
  const unknown = await validate({ ...australian, receiver_id: foreign });
  expect(unknown.json.error).toMatchObject([{ code: "REAC211" }]);

  const alone = await validate({ ...australian, country: "AUS" });
  expect(alone.json.payload.account_data).toEqual({
    receiver_accepted: true,
    receiver_address_accepted: true,
    receiver_address_outcome: "unchecked",
  });
  const placed = await validate({ ...kiwi, postcode: "6011" });
  expect(placed.json.payload.account_data.receiver_address_outcome).toBe("valid");
});

test("a key that may only read can validate an account, and not create one", async () => {
  const reader = await service.newCaller({ scopes: ["read"] });
  const body = { ...australian, country: "AUS" };
  const tried = await reader.call("POST", "/api/receiveraccount/validate", { body });
  expect(tried.status).toBe(200);
  for (const [method, path] of [
    ["POST", "/api/receiveraccount"],
    ["PATCH", `/api/receiveraccount/${newId()}`],
    ["DELETE", `/api/receiveraccount/${newId()}`],
  ] as const) {
    const { json } = await reader.call(method, path, method === "DELETE" ? {} : { body });
    expect(json.error, method).toMatchObject([{ code: "AUTH110" }]);
  }
});

test.each(["AUS", "NZL", "USA", "GBR", "DEU", "IND", "CAN", "JPN", "ARE"])(
  "the schema of %s is complete",
  async (country) => {
    const path = `/api/receiveraccount/schema?country=${country}`;
    const { status, json } = await caller.call("GET", path);
    expect([status, json]).toEqual([
      200,
      { message: "get receiver account schema successful", payload: accountSchema(country) },
    ]);
  },
);

test("REAC401, REAC402: an unknown country and an unknown parameter are refused", async () => {
  const codes = async (query: string) => {
    const { status, json } = await caller.call("GET", `/api/receiveraccount/schema${query}`);
    expect([status, json.message]).toEqual([400, "get receiver account schema failed"]);
    return json.error.map(({ code }: { code: string }) => code);
  };
  for (const query of ["", "?country=", "?country=AU", "?country=aus", "?country=AUS&country=NZL"])
    expect(await codes(query), query).toEqual(["REAC401"]);
  expect(await codes("?country=AUS&type=B")).toEqual(["REAC402"]);
  expect(await codes("?land=AUS")).toEqual(["REAC401", "REAC402"]);
});
