// Fields that only the service sets: a create with any field outside its schema is refused, and nothing is stored.

import { expect, test } from "vitest";
import { NewReceiver, Receiver } from "../../../src/people/receivers/schema.ts";
import { ada, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();
const caller = await service.newCaller();
const serverSet = await findInternalFields();

/** The fields of a receiver, in tables or responses, that a create may not set. */
async function findInternalFields(): Promise<string[]> {
  const { rows } = await service.db.pool.query<{ column_name: string }>(
    `select distinct column_name::text from information_schema.columns
     where table_schema = 'public' and table_name in ('receiver', 'receiver_account', 'subaccount')`,
  );
  const all = new Set([...rows.map((row) => row.column_name), ...Object.keys(Receiver.properties)]);
  return [...all].filter((name) => !(name in NewReceiver.properties));
}

const wellKnown = [
  ...["id", "status", "kyc_status", "subaccount_id", "subccount_id", "created_at", "created_at_ms"],
  ...["applicant_id", "email_key", "address_data", "receiver_id", "merchant_id", "mode", "scopes"],
  ...["Status", "STATUS", "kycStatus", "createdAtMs", "emailKey", "requestId", "nonce", "key"],
  ...["first_name ", " email", "email\u0000", "e\u0301mail", "first_name.status", "address[city]"],
  ...["toString", "valueOf", "hasOwnProperty", "prototype", "constructor", "__defineGetter__", ""],
];

async function rowsOf({ subaccountId }: TestCaller): Promise<number> {
  const text = "select count(*)::int as count from receiver where subaccount_id = $1";
  return (await service.db.pool.query(text, [subaccountId])).rows[0].count;
}

const unknown = (field: string) => ({ code: "REVR231", message: "Field is unknown", field });
const creation = "there was an error while creating a receiver";

test("REVR231: every internal field is refused by its name, and nothing is stored", async () => {
  const fields = [...new Set([...serverSet, ...wellKnown])];
  const values = ["active", "2", 1, true, null, { status: "active" }, ["active"], ""];
  let tried = 0;
  for (const field of fields) {
    for (const value of values) {
      const answer = await caller.call("POST", "/api/receiver", {
        body: { ...ada(), [field]: value },
      });
      expect(answer.json).toEqual({ message: creation, error: [unknown(field)] });
      expect(answer.status).toBe(400);
      tried += 1;
    }
  }
  console.info(`${tried} creates with ${fields.length} fields of ours: all refused, 0 stored`);
  expect(serverSet.length).toBeGreaterThan(10);
  expect(await rowsOf(caller)).toBe(0);
});

test.each(["__proto__", "constructor", "prototype"])(
  "REVR231: %s is refused like any unknown field",
  async (field) => {
    for (const value of [
      '{"status":"active"}',
      '"active"',
      "null",
      '{"prototype":{"status":"x"}}',
    ]) {
      // As text: an object literal would set the prototype instead of sending it.
      const raw = JSON.stringify(ada()).replace("{", `{"${field}":${value},`);
      const answer = await caller.call("POST", "/api/receiver", { raw });
      expect([answer.status, answer.json.error]).toEqual([400, [unknown(field)]]);
    }
    expect(({} as Record<string, unknown>).status).toBeUndefined();
    expect(await rowsOf(caller)).toBe(0);
  },
);

test("a required field is not taken from a prototype that was sent along", async () => {
  const { email, ...rest } = ada();
  const raw = JSON.stringify(rest).replace("{", `{"__proto__":{"email":"${email}"},`);
  const answer = await caller.call("POST", "/api/receiver", { raw });
  expect(answer.json.error).toEqual([
    { code: "REVR203", message: "Email is required", field: "email" },
    unknown("__proto__"),
  ]);
});

test("an object in place of a text is refused with that field's code", async () => {
  const fields = Object.keys(ada({ middle_name: "", reference: "" }));
  for (const field of fields) {
    for (const inside of [
      '{"status":"active"}',
      '{"__proto__":{"status":"active"}}',
      '["active"]',
    ]) {
      const raw = JSON.stringify({ ...ada(), [field]: 0 }).replace(
        `"${field}":0`,
        `"${field}":${inside}`,
      );
      const answer = await caller.call("POST", "/api/receiver", { raw });
      expect(answer.status).toBe(400);
      expect(answer.json.error).toHaveLength(1);
      expect(answer.json.error[0]).toMatchObject({
        field,
        message: expect.stringMatching(/not valid/),
      });
    }
  }
  expect(await rowsOf(caller)).toBe(0);
});

test("all unknown fields are named at once, up to a hundred", async () => {
  const body = { ...ada(), ...Object.fromEntries(serverSet.map((field) => [field, "x"])) };
  const { json } = await caller.call("POST", "/api/receiver", { body });
  expect(json.error.map(({ field }: { field: string }) => field).sort()).toEqual(
    [...serverSet].sort(),
  );

  const many = Array.from({ length: 3_000 }, (_, index) => [`field_${index}`, index]);
  const flood = await caller.call("POST", "/api/receiver", { body: Object.fromEntries(many) });
  expect(flood.status).toBe(400);
  expect(flood.json.error).toHaveLength(100);
});

test("a query on a create, and a field named twice, set nothing", async () => {
  const { call, subaccountId } = await service.newCaller();
  const query = "status=active&kyc_status=1&id=x&subaccount_id=y";
  const twice = JSON.stringify(ada()).replace("{", '{"first_name":{"status":"active"},');
  const created = await call("POST", `/api/receiver?${query}`, { raw: twice });
  expect(created.status).toBe(200);
  const id = created.json.payload.receiver_id;
  const { json } = await call("GET", `/api/receiver/${id}`);
  expect(json.payload).toMatchObject({
    id,
    first_name: "Ada",
    status: "pending",
    kyc_status: "pending",
    applicant_id: `applicant_${id.replaceAll("-", "")}`,
  });
  const text = "select subaccount_id, email_key, reference from receiver where id = $1";
  const { rows } = await service.db.pool.query(text, [id]);
  expect(rows).toEqual([
    { subaccount_id: subaccountId, email_key: json.payload.email, reference: "" },
  ]);
});
