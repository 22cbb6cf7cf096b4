// Metadata: keys and values of callers, on receivers, accounts, payouts and payout batches.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { consoleUsers } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";
import { ada, type Service, startService, type TestCaller } from "../../support/service.ts";

let service: Service;
let caller: TestCaller;
let payee: { receiver_id: string; account_id: string };
beforeAll(async () => {
  service = await startService({ bankDelayMs: 20, logsRequests: true });
  caller = await service.newCaller();
  payee = await newPayee(caller.disburse);
  await caller.disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD" });
});
afterAll(() => service.close());

const newPayout = (more: object) => ({
  ...{ ...payee, amount: 100, currency: "AUD", reference: randomUUID() },
  ...more,
});
const newAccount = (more: object) => ({
  ...{ receiver_id: payee.receiver_id, account_type: "I", bsb: "062000" },
  ...{ account_number: "12345999", ...more },
});

type Kind = {
  name: string;
  code: string;
  path: string;
  body: (more: object) => object;
  idOf: (payload: Record<string, string>) => string;
  read: (id: string) => string;
};
const kinds: Kind[] = [
  {
    ...{ name: "receiver", code: "REVR234", path: "/api/receiver" },
    body: (more) => ({ ...ada(), ...more }),
    idOf: ({ receiver_id }) => receiver_id as string,
    read: (id) => `/api/receiver/${id}`,
  },
  {
    ...{ name: "account", code: "REAC231", path: "/api/receiveraccount" },
    body: newAccount,
    idOf: ({ account_id }) => account_id as string,
    read: (id) => `/api/receiveraccount/${id}`,
  },
  {
    ...{ name: "payout", code: "PAYO236", path: "/api/payout/single" },
    body: newPayout,
    idOf: ({ payout_id }) => payout_id as string,
    read: (id) => `/api/payout/${id}`,
  },
  {
    ...{ name: "payout batch", code: "PAYO236", path: "/api/payout/batch" },
    body: (more) => ({ payouts: [newPayout({})], ...more }),
    idOf: ({ batch_id }) => batch_id as string,
    read: (id) => `/api/payout/batch/${id}`,
  },
];

async function create({ path, body, idOf }: Kind, metadata?: object): Promise<string> {
  const { status, json } = await caller.call("POST", path, { body: body({ metadata }) });
  expect(json.error).toBeUndefined();
  expect(status).toBe(200);
  return idOf(json.payload);
}
const read = async ({ read }: Kind, id: string) =>
  (await caller.call("GET", read(id))).json.payload;
const countEntries = async () =>
  (await service.db.pool.query("select count(*)::int as count from metadata_entry")).rows[0].count;

describe.each(kinds)("metadata: $name", (kind) => {
  test("is returned as it was sent, and absent where there is none", async () => {
    const metadata = { order: "77", "team.lead": 'Zoë – 日本 "q" \\', __proto__x: "y" };
    const whole = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`${"k".repeat(38)}${at + 10}`, "v".repeat(500)]),
    );
    for (const given of [metadata, whole, JSON.parse('{"__proto__":"1","constructor":"2"}')]) {
      const found = await read(kind, await create(kind, given));
      expect(JSON.stringify(found.metadata)).toBe(JSON.stringify(given));
    }
    const entries = await countEntries();
    for (const none of [undefined, {}]) {
      expect(await read(kind, await create(kind, none))).not.toHaveProperty("metadata");
    }
    expect(await countEntries()).toBe(entries);
  });

  test.each([
    ["21 keys", Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, "v"]))],
    ["a key of 41 characters", { ["k".repeat(41)]: "v" }],
    ["an empty key", { "": "v" }],
    ["a capital letter in a key", { Order: "v" }],
    ["a space in a key", { "an order": "v" }],
    ["a value of 501 characters", { order: "v".repeat(501) }],
    ["an empty value", { order: "" }],
    ["a number", { order: 77 }],
    ["an object", { order: {} }],
    ["null", { order: null }],
    ["a null character", { order: "a\0b" }],
    ["a line break", { order: "a\nb" }],
    ["half a surrogate pair", { order: "\ud800" }],
    ["a text", "order=77"],
    ["a list", ["order"]],
    ["nothing", null],
  ])("can't have %s", async (_, metadata) => {
    const { status, json } = await caller.call("POST", kind.path, {
      body: kind.body({ metadata }),
    });
    expect([status, json.error]).toMatchObject([400, [{ code: kind.code, field: "metadata" }]]);
  });
});

describe("a change", () => {
  test.each([kinds[0] as Kind, kinds[1] as Kind])("replaces it: $name", async (kind) => {
    const id = await create(kind, { order: "1", team: "a" });
    const change = (body: object) => caller.call("PATCH", kind.read(id), { body });
    const { json } = await change({ metadata: { order: "2" } });
    expect(json.payload.metadata).toEqual({ order: "2" });
    expect((await read(kind, id)).metadata).toEqual({ order: "2" });
    await change({ reference: "other" });
    expect((await read(kind, id)).metadata).toEqual({ order: "2" });
    const emptied = await change({ metadata: {} });
    expect(emptied.json.payload).not.toHaveProperty("metadata");
    expect(await read(kind, id)).not.toHaveProperty("metadata");
    const { rows } = await service.db.pool.query(
      "select from metadata_entry where object_id = $1",
      [id],
    );
    expect(rows).toEqual([]);
  });
});

describe("a list", () => {
  const lists = [
    ["receivers", kinds[0] as Kind, () => "/api/receiver", "REVR408"],
    [
      "accounts",
      kinds[1] as Kind,
      () => `/api/receiveraccount/receiver/${payee.receiver_id}`,
      "REAC403",
    ],
    ["payouts", kinds[2] as Kind, () => "/api/payout", "PAYO121"],
  ] as const;

  test.each(lists)("of %s is filtered by one key and value", async (_, kind, path) => {
    const order = randomUUID();
    const ids = [
      await create(kind, { order, team: "a" }),
      await create(kind, { order, team: "b" }),
      await create(kind, { order }),
    ];
    await create(kind, { order: `${order}x` });
    await create(kind, { other: order });
    const list = async (query: string) =>
      (await caller.call("GET", `${path()}?${query}`)).json.payload.map(
        ({ id }: { id: string }) => id,
      );
    expect(await list(`metadata[order]=${order}`)).toEqual(ids.toReversed());
    expect(await list(`metadata%5Border%5D=${order}`)).toEqual(ids.toReversed());
    expect(await list(`metadata[order]=${randomUUID()}`)).toEqual([]);
    const others = await service.newCaller();
    const foreign = await others.call("GET", `${path()}?metadata[order]=${order}`);
    expect(foreign.json.payload ?? []).toEqual([]);
  });

  test.each([lists[0], lists[2]])("of %s goes on in pages", async (_, kind, path) => {
    const order = `${randomUUID()} &=?#+%`;
    const ids = [await create(kind, { order }), await create(kind, { order })];
    let next = `${path()}?metadata[order]=${encodeURIComponent(order)}&limit=1`;
    const found: string[] = [];
    while (next) {
      const { json, headers } = await caller.call("GET", next);
      found.push(...json.payload.map(({ id }: { id: string }) => id));
      next = /^<([^>]+)>/.exec(headers.get("link") ?? "")?.[1] ?? "";
    }
    expect(found).toEqual(ids.toReversed());
  });

  test.each(lists)("of %s refuses another filter", async (_, _kind, path, code) => {
    for (const query of [
      "metadata[a]=1&metadata[b]=2",
      "metadata[a]=1&metadata[a]=2",
      "metadata[]=1",
      "metadata[A]=1",
      "metadata[a]=",
      "metadata=1",
      "metadata[__proto__]=",
      `metadata[a]=${"v".repeat(501)}`,
    ]) {
      const { status, json } = await caller.call("GET", `${path()}?${query}`);
      expect([query, status, json.error?.[0].code]).toEqual([query, 400, code]);
    }
  });

  test("combines it with other filters, and the client asks for it", async () => {
    const { disburse } = caller;
    const metadata = { order: randomUUID() };
    const { payout_id } = await disburse.payouts.create(newPayout({ metadata }) as never);
    const { batch_id, payouts } = await disburse.payouts.createBatch(
      [newPayout({ metadata }) as never],
      { metadata },
    );
    expect((await disburse.payouts.batch(batch_id)).metadata).toEqual(metadata);
    const idsOf = async (filter: object) =>
      (await disburse.payouts.list({ metadata, ...filter }).toArray()).map(({ id }) => id);
    expect(await idsOf({})).toEqual([payouts[0]?.payout_id, payout_id]);
    expect(await idsOf({ batch_id })).toEqual([payouts[0]?.payout_id]);
    expect(await idsOf({ status: "failed" })).toEqual([]);
    const receivers = await disburse.receivers.list({ metadata }).toArray();
    expect(receivers).toEqual([]);
    expect(await disburse.receiverAccounts.list(payee.receiver_id, { metadata })).toEqual([]);
  });
});

test("a receiver whose email is taken, and a replay, write no metadata", async () => {
  const body = { ...ada(), metadata: { order: randomUUID() } };
  const headers = { "idempotency-key": randomUUID() };
  const { json } = await caller.call("POST", "/api/receiver", { body, headers });
  const again = await caller.call("POST", "/api/receiver", { body, headers });
  expect(again.json).toEqual(json);
  const taken = await caller.call("POST", "/api/receiver", { body });
  expect(taken.json.error).toMatchObject([{ code: "REVR201" }]);
  const found = await caller.disburse.receivers.list({ metadata: body.metadata }).toArray();
  expect(found.map(({ id }) => id)).toEqual([json.payload.receiver_id]);
});

describe("events", () => {
  const bodiesOf = async (id: string) => {
    const { rows } = await service.db.pool.query(
      "select body from event where order_key = $1 order by number",
      [id],
    );
    return rows.map(({ body }) => body as string);
  };
  const kinds = ["payoutCreated", "payoutUpdate"];

  test("carry it only on request, at the end of the published body", async () => {
    const metadata = { order: randomUUID(), note: 'a "quote" \\ {}' };
    const payAndWait = async (more: object) => {
      const { payout_id } = await caller.disburse.payouts.create(newPayout(more) as never);
      await expect.poll(async () => (await bodiesOf(payout_id)).length).toBe(2);
      return bodiesOf(payout_id);
    };
    const published = await payAndWait({ metadata });
    expect(published.map((body) => JSON.parse(body).event)).toEqual(kinds);
    for (const body of published) expect(body).not.toContain("metadata");
    expect(await caller.disburse.subaccount.getPostback()).not.toHaveProperty("event_metadata");

    await caller.disburse.subaccount.update({ event_metadata: true });
    expect(await caller.disburse.subaccount.getPostback()).toMatchObject({ event_metadata: true });
    for (const body of await payAndWait({ metadata })) {
      expect(body.endsWith(`,"metadata":${JSON.stringify(metadata)}}`)).toBe(true);
    }
    for (const body of await payAndWait({})) expect(body).not.toContain("metadata");

    const { receiver_id } = await caller.disburse.receivers.create({ ...ada(), metadata } as never);
    await caller.disburse.testHelpers.setStatus({
      id: receiver_id,
      type: "kyc",
      status: "success",
    });
    expect((await bodiesOf(receiver_id)).map((body) => JSON.parse(body))).toMatchObject([
      { event: "receiverKycUpdate", metadata },
    ]);
    await caller.disburse.subaccount.update({ event_metadata: false });
    for (const body of await payAndWait({ metadata })) expect(body).not.toContain("metadata");
    const invalid = await caller.call("PATCH", "/api/subaccount", {
      body: { event_metadata: "yes" },
    });
    expect(invalid.json.error).toMatchObject([{ code: "SUBA216", field: "event_metadata" }]);
  });
});

test("the console shows it and filters by it", async () => {
  const own = await service.newCaller({ isAlone: true });
  const { disburse, subaccountId } = own;
  const to = await newPayee(disburse);
  await disburse.testHelpers.fund({ amount: 10_000, currency: "AUD" });
  const metadata = { order: "7=8", team: "a" };
  const paid = { ...to, amount: 100, currency: "AUD", metadata };
  const { batch_id, payouts } = await disburse.payouts.createBatch([paid], { metadata });
  await disburse.payouts.create({ ...paid, amount: 200, metadata: { order: "7" } });
  await disburse.receivers.update(to.receiver_id, { metadata });
  await disburse.receivers.create(ada());
  await disburse.receiverAccounts.update(to.account_id, { metadata });
  const user = consoleUsers(service)("operator");
  const of = `/s/${subaccountId}`;
  const idsOf = async (list: string) =>
    (await user.get(`${of}/${list}`)).json.rows.map(({ id }: { id: string }) => id);
  const [payout] = payouts.map(({ payout_id }) => payout_id);
  const filter = `metadata=${encodeURIComponent("order=7=8")}`;
  for (const more of ["", "&currency=AUD", "&sort=amount", "&sort=created"]) {
    expect(await idsOf(`payouts?${filter}${more}`)).toEqual([payout]);
  }
  expect(await idsOf(`payouts?${filter}&status=failed`)).toEqual([]);
  for (const more of ["", "&q=Ada", "&country=AUS", "&sort=created"]) {
    expect(await idsOf(`receivers?${filter}${more}`)).toEqual([to.receiver_id]);
  }
  expect(await idsOf("receivers?metadata=order%3Dx&q=Ada")).toEqual([]);
  expect((await user.get(`${of}/payouts?metadata=order`)).status).toBe(400);
  expect((await user.get(`${of}/payouts/${payout}`)).json.json.metadata).toEqual(metadata);
  expect((await user.get(`${of}/batches/${batch_id}`)).json.metadata).toEqual(metadata);
  const { json } = await user.get(`${of}/receivers/${to.receiver_id}`);
  expect(json.json.metadata).toEqual(metadata);
  expect(json.accounts).toMatchObject([{ metadata }]);

  const types = { event_types: [], event_metadata: true };
  expect((await user.put(`${of}/webhook/event-types`, types)).json.event_metadata).toBe(true);
  const again = await user.put(`${of}/webhook/event-types`, { event_types: ["payoutOnHold"] });
  expect(again.json.event_metadata).toBe(true);
});

test("no log has a key or a value", async () => {
  const [key, value] = ["quexing.wex", "Brindlewexford"];
  for (const kind of kinds) {
    await create(kind, { [key]: value });
    const body = kind.body({ metadata: { [key]: value, [value]: key } });
    await caller.call("POST", kind.path, { body });
  }
  await caller.call("GET", `/api/payout?metadata[${key}]=${value}`);
  await caller.call("GET", `/api/receiver?metadata[${value}]=${key}`);
  await service.flushRequests();
  const { rows } = await service.db.pool.query(
    "select r::text as row from request_log r union all select s::text from request_shape s",
  );
  const logged = rows.map(({ row }) => row).join("\n") + service.logged.join("");
  expect(logged).toContain("/api/payout");
  expect(logged.toLowerCase()).not.toMatch(/quexing|brindlewexford/);
});
