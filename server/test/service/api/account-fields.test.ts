// The optional fields of an account that some banks need: a business's name, and checking or savings.

import { expect, test } from "vitest";
import { ada, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

const australian = { account_type: "I", account_number: "12345999", bsb: "062000" };
const american = {
  account_type: "I",
  account_number: "000123456789",
  bank_code: "021000021",
  country: "USA",
};

async function newReceiver() {
  const caller = await service.newCaller();
  const { json } = await caller.call("POST", "/api/receiver", { body: ada() });
  return { caller, receiver_id: json.payload.receiver_id as string };
}

async function newAccount(given: object) {
  const { caller, receiver_id } = await newReceiver();
  const body = { receiver_id, ...given };
  const { json } = await caller.call("POST", "/api/receiveraccount", { body });
  expect(json.payload, JSON.stringify(json)).toBeDefined();
  return { caller, id: json.payload.account_id as string, warnings: json.payload.warnings };
}

const change = (caller: TestCaller, id: string, body: object) =>
  caller.call("PATCH", `/api/receiveraccount/${id}`, { body });
const read = async (caller: TestCaller, id: string) =>
  (await caller.call("GET", `/api/receiveraccount/${id}`)).json.payload;

async function versionsOf(id: string) {
  const { rows } = await service.db.pool.query(
    `select version, business_name, checking_or_savings from bank_details
     where account_id = $1 order by version`,
    [id],
  );
  return rows.map((row) => Object.values(row).join(" ").trim());
}

test("an account without these fields is returned without them", async () => {
  const { caller, id } = await newAccount(australian);
  const account = await read(caller, id);
  expect(account).not.toHaveProperty("business_name");
  expect(account).not.toHaveProperty("checking_or_savings");
  const empty = { ...australian, business_name: "", checking_or_savings: "" };
  const other = await newAccount(empty);
  expect(Object.keys(await read(other.caller, other.id))).toEqual(Object.keys(account));
});

test("accounts in the United States are checking accounts by default", async () => {
  const { caller, id } = await newAccount(american);
  expect(await read(caller, id)).toMatchObject({ checking_or_savings: "checking" });
  expect(await versionsOf(id)).toEqual(["1  checking"]);
  // An account that was stored before the field existed.
  await service.db.pool.query(
    "update bank_details set checking_or_savings = '' where account_id = $1",
    [id],
  );
  expect(await read(caller, id)).toMatchObject({ checking_or_savings: "checking" });
  expect((await change(caller, id, { aka: "Countess" })).status).toBe(200);
  expect((await change(caller, id, { checking_or_savings: "checking" })).status).toBe(200);
  expect(await versionsOf(id)).toEqual(["1"]);
  const { json } = await change(caller, id, { checking_or_savings: "savings" });
  expect(json.payload).toMatchObject({ checking_or_savings: "savings" });
  expect((await versionsOf(id)).at(-1)).toBe("2  savings");
  // A change without the field keeps its value. An empty value restores the default.
  expect((await change(caller, id, { account_number: "123456" })).json.payload).toMatchObject({
    checking_or_savings: "savings",
  });
  const reset = await change(caller, id, { checking_or_savings: "" });
  expect(reset.json.payload).toMatchObject({ checking_or_savings: "checking" });
});

test("an account that moves to another country loses checking_or_savings", async () => {
  const { caller, id } = await newAccount({ ...american, checking_or_savings: "savings" });
  const abroad = { country: "DEU", account_number: "DE89370400440532013000", bank_code: "" };
  const moved = await change(caller, id, { ...abroad, state: "Berlin", postcode: "10115" });
  expect(moved.status, JSON.stringify(moved.json)).toBe(200);
  expect(moved.json.payload).not.toHaveProperty("checking_or_savings");
  expect((await versionsOf(id)).at(-1)).toBe("2");
});

test("a new business name makes a new version of the bank details", async () => {
  const business = { account_type: "B", abn: "51824753556" };
  const { caller, id, warnings } = await newAccount({ ...australian, ...business });
  expect(warnings).toEqual([]);
  expect(await read(caller, id)).toMatchObject({ business_name: "" });
  const { json } = await change(caller, id, { business_name: " Analytical Engines " });
  expect(json.payload).toMatchObject({ business_name: "Analytical Engines" });
  await change(caller, id, { business_name: "Analytical Engines" });
  expect(await versionsOf(id)).toEqual(["1", "2 Analytical Engines"]);
});

test("a business's name on an individual's account is kept, with a warning", async () => {
  const { caller, id, warnings } = await newAccount({ ...australian, business_name: "Engines" });
  expect(warnings).toEqual([
    { field: "business_name", message: expect.stringContaining("individual") },
  ]);
  expect(await read(caller, id)).toMatchObject({ business_name: "Engines" });
});

test.each([
  ["REAC229", "checking_or_savings", { ...american, checking_or_savings: "current" }],
  ["REAC229", "checking_or_savings", { ...american, checking_or_savings: 1 }],
  ["REAC229", "checking_or_savings", { ...australian, checking_or_savings: "savings" }],
  ["REAC230", "business_name", { ...australian, business_name: "a".repeat(141) }],
  ["REAC230", "business_name", { ...australian, business_name: "a\nb" }],
])("%s: %s is refused in %j", async (code, field, given) => {
  const { caller, receiver_id } = await newReceiver();
  for (const path of ["/api/receiveraccount", "/api/receiveraccount/validate"]) {
    const { status, json } = await caller.call("POST", path, { body: { receiver_id, ...given } });
    expect([status, json.error]).toMatchObject([400, [{ code, field }]]);
  }
});

test("the dry run returns checking_or_savings for an account in the United States", async () => {
  const { caller } = await newReceiver();
  const validate = async (body: object) =>
    (await caller.call("POST", "/api/receiveraccount/validate", { body })).json.payload;
  expect(await validate(american)).toMatchObject({ checking_or_savings: "checking" });
  const australia = { ...australian, country: "AUS", business_name: "b".repeat(140) };
  expect(await validate(australia)).not.toHaveProperty("checking_or_savings");
});

test("the schema of the United States has both fields, and requires neither", async () => {
  const { caller } = await newReceiver();
  const schema = await caller.call("GET", "/api/receiveraccount/schema?country=USA");
  expect(schema.json.payload.properties).toMatchObject({
    checking_or_savings: { enum: ["checking", "savings", ""], default: "checking" },
    business_name: { maxLength: 140 },
  });
  expect(schema.json.payload.required).toEqual(["account_type", "bank_code", "account_number"]);
});
