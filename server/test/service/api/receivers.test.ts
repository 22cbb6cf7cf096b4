// Receivers: the promises of the published interface, and our additions.

import { expect, test } from "vitest";
import { isUuid } from "../../../src/platform/base/ids.ts";
import { ada, type Service } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

test("a created receiver is returned with every published field", async () => {
  const { call } = await service.newCaller();
  const input = ada({ middle_name: "King", reference: "r-1", email: "Ada.K@Example.com" });

  const created = await call("POST", "/api/receiver", { body: input });
  expect(created.status).toBe(200);
  expect(created.json).toEqual({
    message: expect.any(String),
    payload: { receiver_id: expect.any(String), kyc_status: "0" },
  });
  const id = created.json.payload.receiver_id;
  expect(isUuid(id)).toBe(true);

  const read = await call("GET", `/api/receiver/${id}`);
  expect(read.status).toBe(200);
  expect(read.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(read.json).toEqual({
    message: expect.any(String),
    payload: {
      id,
      first_name: "Ada",
      last_name: "Lovelace",
      middle_name: "King",
      email: "Ada.K@Example.com",
      gender: "F",
      dob: "1990-12-10",
      dialcode: "61",
      phone: "412345678",
      applicant_id: expect.stringMatching(/./),
      kyc_status: "pending",
      status: "pending",
      created_at: expect.stringMatching(/^\d{13}$/),
      address_data: {
        address: "1 St. Kilda Road",
        address2: "",
        state: "VIC",
        city: "Melbourne",
        country: "AUS",
        postcode: "3004",
      },
    },
  });
  expect(Math.abs(Number(read.json.payload.created_at) - Date.now())).toBeLessThan(60_000);
});

test("optional texts that were not sent are empty", async () => {
  const { disburse } = await service.newCaller();
  const { receiver_id } = await disburse.receivers.create(ada());
  const receiver = await disburse.receivers.get(receiver_id);
  expect(receiver.middle_name).toBe("");
  expect(receiver.address_data.address2).toBe("");
});

test("fisrt_name works, as the published field table spells it", async () => {
  const { call, disburse } = await service.newCaller();
  const { first_name: _, ...rest } = ada();
  const created = await call("POST", "/api/receiver", { body: { ...rest, fisrt_name: "Zoë" } });
  expect(created.status).toBe(200);
  const read = await disburse.receivers.get(created.json.payload.receiver_id);
  expect(read.first_name).toBe("Zoë");
});

test("first_name counts where both spellings are sent", async () => {
  const { call, disburse } = await service.newCaller();
  const body = { ...ada({ first_name: "Right" }), fisrt_name: "Wrong" };
  const created = await call("POST", "/api/receiver", { body });
  const read = await disburse.receivers.get(created.json.payload.receiver_id);
  expect(read.first_name).toBe("Right");
});

test("spaces around a text are removed", async () => {
  const { disburse } = await service.newCaller();
  const input = ada({ first_name: "  Ada ", city: " Melbourne\t" });
  const { receiver_id } = await disburse.receivers.create({ ...input, email: ` ${input.email} ` });
  const read = await disburse.receivers.get(receiver_id);
  expect([read.first_name, read.address_data.city, read.email]).toEqual([
    "Ada",
    "Melbourne",
    input.email,
  ]);
});

test("REVR201: an email is unique in a subaccount, in any case", async () => {
  const { call, disburse } = await service.newCaller();
  const input = ada();
  await disburse.receivers.create(input);

  const again = disburse.receivers.create({ ...input, email: input.email.toUpperCase() });
  await expect(again).rejects.toMatchObject({ status: 400, code: "REVR201" });

  const bare = await call("POST", "/api/receiver", { body: input });
  expect(bare.text).toBe(
    '{"message":"there was an error while creating a receiver","error":[{"code":"REVR201","message":"Email already exist"}]}',
  );
});

test("the same email is free in another subaccount", async () => {
  const [one, other] = await Promise.all([service.newCaller(), service.newCaller()]);
  const input = ada();
  await one.disburse.receivers.create(input);
  await expect(other.disburse.receivers.create(input)).resolves.toMatchObject({ kyc_status: "0" });
});

const required = {
  email: "REVR203",
  first_name: "REVR204",
  last_name: "REVR205",
  dialcode: "REVR206",
  phone: "REVR207",
  address: "REVR208",
  address2: "REVR209",
  city: "REVR210",
  state: "REVR211",
  postcode: "REVR212",
  country: "REVR213",
  dob: "REVR226",
  gender: "REVR228",
};

test("every missing field is named at once, each with its own code", async () => {
  const { call } = await service.newCaller();
  const { status, json } = await call("POST", "/api/receiver", { body: {} });
  expect(status).toBe(400);
  expect(json.message).toBe("there was an error while creating a receiver");
  const reported = json.error.map(({ field, code }: Record<string, string>) => [field, code]);
  expect(Object.fromEntries(reported)).toEqual(required);
});

test.each(Object.entries(required))("%s, empty or null, is missing: %s", async (field, code) => {
  const { call } = await service.newCaller();
  for (const nothing of field === "address2" ? [null] : ["", "   ", null]) {
    const body = { ...ada(), [field]: nothing };
    const { status, json } = await call("POST", "/api/receiver", { body });
    expect([status, json.error]).toEqual([
      400,
      [{ code, field, message: expect.stringContaining("required") }],
    ]);
  }
});

const thisYear = new Date().getUTCFullYear();
const invalid: [field: string, code: string, ...values: unknown[]][] = [
  [
    "email",
    "REVR214",
    "ada",
    "a@b",
    '"q q"@x.io',
    "a..b@x.io",
    "a@localhost",
    "a@@example.com",
    `${"a".repeat(250)}@example.com`,
    7,
    {},
  ],
  ["first_name", "REVR215", "4da", "A\u0000da", "A".repeat(101), "<b>", 1, ["Ada"]],
  ["last_name", "REVR216", "Love/lace", "\ud800", "'", true],
  ["gender", "REVR217", "m", "Female", "Q", 1],
  ["dialcode", "REVR218", "+61", "12345", "6a", 61],
  ["phone", "REVR219", "123", "1234567890123456", "04 12", 412345678],
  ["address", "REVR220", "x".repeat(201), "a\nb", "a\u202Eb", "a\u2028b", 1],
  ["address2", "REVR221", "x".repeat(201), "\u0007", 1],
  ["city", "REVR222", "x".repeat(101), "\u0000", false],
  ["state", "REVR223", "x".repeat(101), "Bavaria", 1],
  ["postcode", "REVR224", "30045", "3OO4", "!", 3004],
  ["country", "REVR225", "AU", "aus", "XXX", "constructor", 36],
  ["dob", "REVR227", "1990-02-30", "10-12-1990", "1990-12-10T00:00", `${thisYear - 15}-01-01`],
  ["dob", "REVR227", `${thisYear - 121}-01-01`, "2999-01-01", 19901210],
  ["middle_name", "REVR229", "1", "x".repeat(101), null],
  ["reference", "REVR230", "x".repeat(201), "a\u0000", null],
];
test.each(invalid)("an invalid %s is refused with %s", async (field, code, ...values) => {
  const { call } = await service.newCaller();
  for (const value of values) {
    const body = { ...ada(), [field]: value };
    const { status, json } = await call("POST", "/api/receiver", { body });
    expect([value, status, json.error]).toEqual([
      value,
      400,
      [{ code, field, message: expect.stringContaining("not valid") }],
    ]);
  }
});

test("real names and addresses are accepted", async () => {
  const { disburse } = await service.newCaller();
  const names = [
    ...["Zoë", "O'Brien", "Jean-Luc", "St. John", "María José", "李", "Ñandú", "محمد"],
    ...["O\u2019Neil", "Smith, Jr.", "בן\u05BEדוד", "Marcel\u00B7lí", "Anne\u2010Marie"],
  ];
  for (const first_name of names) {
    const { receiver_id } = await disburse.receivers.create(ada({ first_name, gender: "X" }));
    expect((await disburse.receivers.get(receiver_id)).first_name).toBe(first_name);
  }
  const abroad = ada({
    country: "DEU",
    state: "Nordrhein-Westfalen",
    postcode: "50667",
    city: "Köln",
    address: "Straße des 17. Juni, 1/2 #3",
    dialcode: "49",
    phone: "22112345678",
  });
  await expect(disburse.receivers.create(abroad)).resolves.toBeDefined();
});

test("rules between fields are reported together with the rest", async () => {
  const { call } = await service.newCaller();
  const body = { ...ada({ state: "Kent", postcode: "NW1", phone: "1234" }), email: "no" };
  const { json } = await call("POST", "/api/receiver", { body });
  expect(json.error.map(({ code }: { code: string }) => code).sort()).toEqual([
    "REVR214",
    "REVR219",
    "REVR223",
    "REVR224",
  ]);
});

test.each([
  ["REVR231", { ...ada(), nickname: "A" }, "nickname"],
  ["REVR231", { ...ada(), First_name: "A" }, "First_name"],
])("%s: an unknown field is refused, not ignored", async (code, body, field) => {
  const { call } = await service.newCaller();
  const { status, json } = await call("POST", "/api/receiver", { body });
  expect([status, json.error]).toEqual([400, [{ code, field, message: "Field is unknown" }]]);
});

test.each(["", "[]", "null", '"text"', "{", '{"a":1,}', "1"])(
  "REVR232: %s is refused, because it is not a JSON object",
  async (raw) => {
    const { call } = await service.newCaller();
    const { status, json } = await call("POST", "/api/receiver", { raw });
    expect([status, json.error[0].code]).toEqual([400, "REVR232"]);
  },
);

test("REVR101: a foreign, an absent and a malformed id get the same bytes", async () => {
  const [one, other] = await Promise.all([
    service.newCaller(),
    service.newCaller({ mode: "live" }),
  ]);
  const { receiver_id } = await other.disburse.receivers.create(ada());
  const ids = [receiver_id, "0190f3a2-7b3c-7d1e-8f00-0123456789ab", "7", "x".repeat(2000), "%00"];
  const answers = await Promise.all(ids.map((id) => one.call("GET", `/api/receiver/${id}`)));
  for (const { status, text } of answers) {
    expect(status).toBe(400);
    expect(text).toBe(
      '{"message":"get receiver failed","error":[{"code":"REVR101","message":"Receiver ID not found"}]}',
    );
  }
});

test("REVR102: a path without the id is refused", async () => {
  const { call } = await service.newCaller();
  const { status, json } = await call("GET", "/api/receiver/");
  expect([status, json.error[0].code]).toEqual([400, "REVR102"]);
});

test("live subaccounts are served like test subaccounts", async () => {
  const { disburse } = await service.newCaller({ mode: "live" });
  const { receiver_id, kyc_status } = await disburse.receivers.create(ada());
  expect(kyc_status).toBe("0");
  expect((await disburse.receivers.get(receiver_id)).status).toBe("pending");
});

/** Receivers in the given states, oldest first. */
async function receiversIn(caller: Awaited<ReturnType<Service["newCaller"]>>, states: string[]) {
  const ids: string[] = [];
  for (const state of states) {
    const [status, kyc] = state.split("/");
    const { receiver_id } = await caller.disburse.receivers.create(ada());
    await service.db.pool.query(
      "update receiver set status = $3, kyc_status = $4 where subaccount_id = $1 and id = $2",
      [caller.subaccountId, receiver_id, status, kyc],
    );
    ids.push(receiver_id);
  }
  return ids;
}

test("the list is newest first, and filters by code or word, alone or combined", async () => {
  const caller = await service.newCaller();
  const [a, b, c, d, e] = await receiversIn(caller, [
    "pending/pending",
    "active/completed",
    "inactive/completed",
    "failed/failed",
    "active/completed",
  ]);
  const idsOf = async (query: string) => {
    const { status, json } = await caller.call("GET", `/api/receiver${query}`);
    expect(status).toBe(200);
    return json.payload.map(({ id }: { id: string }) => id);
  };
  expect(await idsOf("")).toEqual([e, d, c, b, a]);
  expect(await idsOf("?status=2")).toEqual([e, b]);
  expect(await idsOf("?status=active")).toEqual([e, b]);
  expect(await idsOf("?kyc_status=1")).toEqual([e, c, b]);
  expect(await idsOf("?kyc_status=completed&limit=2")).toEqual([e, c]);
  expect(await idsOf("?status=3&kyc_status=1")).toEqual([c]);
  expect(await idsOf("?status=4&kyc_status=failed&limit=1000")).toEqual([d]);
  expect(await idsOf("?status=0")).toEqual([]);
  expect(await idsOf("?status=1&kyc_status=2")).toEqual([]);
});

test("pages follow the link header and show every receiver once, with any filter", async () => {
  const caller = await service.newCaller();
  const ids = await receiversIn(
    caller,
    Array.from({ length: 23 }, (_, index) => (index % 3 ? "active/completed" : "pending/pending")),
  );
  const first = await caller.call("GET", "/api/receiver?limit=10");
  expect(first.headers.get("link")).toMatch(
    /^<\/api\/receiver\?limit=10&cursor=[\w-]{22}>; rel="next"$/,
  );

  const all = await caller.disburse.receivers.list({ limit: 5 }).toArray();
  expect(all.map(({ id }) => id)).toEqual(ids.toReversed());

  const active = caller.disburse.receivers.list({ limit: 4, status: "active" });
  expect(await active.toArray()).toHaveLength(15);

  const last = await caller.call("GET", "/api/receiver?limit=23");
  expect(last.headers.get("link")).toBeNull();
});

test("a page has 100 receivers by default", async () => {
  const caller = await service.newCaller();
  await Promise.all(Array.from({ length: 101 }, () => caller.disburse.receivers.create(ada())));
  const { json, headers } = await caller.call("GET", "/api/receiver");
  expect(json.payload).toHaveLength(100);
  expect(headers.get("link")).toContain('rel="next"');
});

test.each([
  ["REVR401", "limit", ["0", "1001", "-1", "1.5", "ten", "", "1e2", "٣", "1&limit=2"]],
  ["REVR402", "status", ["5", "-1", "ACTIVE", "x", "", "00", "2&status=2"]],
  ["REVR403", "kyc_status", ["3", "done", "", "0 1"]],
  ["REVR404", "cursor", ["x", "", "A".repeat(23), "!".repeat(22), "AAAAAAAAAAAAAAAAAAAAAB"]],
])("%s: an invalid %s is refused", async (code, name, values) => {
  const { call } = await service.newCaller();
  for (const value of values) {
    const { status, json } = await call("GET", `/api/receiver?${name}=${value.replace(" ", "+")}`);
    expect([value, status, json.message, json.error]).toEqual([
      value,
      400,
      "get receivers failed",
      [{ code, field: name, message: expect.any(String) }],
    ]);
  }
});

test("REVR405: an unknown filter is refused, because ignoring it would list too much", async () => {
  const { call } = await service.newCaller();
  const { status, json } = await call("GET", "/api/receiver?stauts=2&limit=0");
  expect(status).toBe(400);
  expect(json.error.map(({ code, field }: Record<string, string>) => [code, field])).toEqual([
    ["REVR401", "limit"],
    ["REVR405", "stauts"],
  ]);
});
