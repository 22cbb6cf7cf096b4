// Isolation of subaccounts, for writes: records of another can't be changed, and look like absent ones.

import { beforeAll, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { type Answer, ada, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

const each = 12;

type Kind = "receivers" | "accounts" | "payouts" | "events";
type Tenant = TestCaller & Record<Kind, string[]>;

let tenants: Tenant[];
await useService();
beforeAll(async () => {
  tenants = await Promise.all([newTenant(), newTenant(), newTenant()]);
});

async function newTenant(): Promise<Tenant> {
  const caller = await service.newCaller();
  const { receivers, receiverAccounts, payouts, testHelpers, events } = caller.disburse;
  await caller.disburse.subaccount.update({ postback_url: "https://example.com/events" });
  await testHelpers.fund({ amount: 1_000, currency: "AUD" });
  const made = await Promise.all(
    Array.from({ length: each }, async () => {
      const { receiver_id } = await receivers.create(ada());
      const number = { account_type: "I", bsb: "062000", account_number: "12345999" };
      const { account_id } = await receiverAccounts.create({ receiver_id, ...number });
      await testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
      const to = { receiver_id, account_id, amount: 10, currency: "AUD" };
      return [receiver_id, account_id, (await payouts.create(to)).payout_id];
    }),
  );
  return {
    ...caller,
    receivers: made.map(([id]) => id as string),
    accounts: made.map(([, id]) => id as string),
    payouts: made.map(([, , id]) => id as string),
    events: (await events.list().toArray()).map(({ id }) => id),
  };
}

const account = { account_type: "I", bsb: "062000", account_number: "12345999" };

/** Every operation that takes an id, with a request that works for an own record. */
const operations: [string, Kind, (id: string) => [string, string, object?]][] = [
  ["PATCH receiver", "receivers", (id) => ["PATCH", `/api/receiver/${id}`, { last_name: "Mine" }]],
  ["DELETE receiver", "receivers", (id) => ["DELETE", `/api/receiver/${id}`]],
  ["POST erase", "receivers", (id) => ["POST", `/api/receiver/${id}/erase`, {}]],
  ["POST kyc", "receivers", (id) => ["POST", `/api/receiver/${id}/kyc`, {}]],
  ["GET history", "receivers", (id) => ["GET", `/api/receiver/${id}/history`]],
  ["PATCH account", "accounts", (id) => ["PATCH", `/api/receiveraccount/${id}`, { aka: "Mine" }]],
  ["DELETE account", "accounts", (id) => ["DELETE", `/api/receiveraccount/${id}`]],
  [
    "POST account",
    "receivers",
    (id) => ["POST", "/api/receiveraccount", { receiver_id: id, ...account }],
  ],
  [
    "POST validate",
    "receivers",
    (id) => ["POST", "/api/receiveraccount/validate", { receiver_id: id, ...account }],
  ],
  [
    "POST test helper",
    "receivers",
    (id) => ["POST", "/api/test-helpers/status", { id, type: "kyc", status: "fail" }],
  ],
  ["GET payout", "payouts", (id) => ["GET", `/api/payout/${id}`]],
  ["GET payout history", "payouts", (id) => ["GET", `/api/payout/${id}/history`]],
  ["POST cancel", "payouts", (id) => ["POST", `/api/payout/${id}/cancel`, {}]],
  ["GET event", "events", (id) => ["GET", `/api/event/${id}`]],
  ["POST resend", "events", (id) => ["POST", `/api/event/${id}/resend`, {}]],
  ["GET batch", "payouts", (id) => ["GET", `/api/payout/batch/${id}`]],
  [
    "POST payout test helper",
    "payouts",
    (id) => ["POST", "/api/test-helpers/status", { id, type: "payout", status: "fail" }],
  ],
  [
    "POST payout",
    "receivers",
    (id) => [
      "POST",
      "/api/payout/single",
      { receiver_id: id, account_id: newId(), amount: 1, currency: "AUD" },
    ],
  ],
];

/** The whole response that a caller sees, without its date and its request id. */
function visible({ status, text, headers }: Answer): string {
  const shown = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return JSON.stringify([status, text, shown]);
}

/** All rows of a subaccount about receivers, accounts, payouts and events, without the nonces of its calls. */
async function contents(subaccountId: string): Promise<string> {
  const tables = ["receiver", "receiver_history", "receiver_account", "bank_details", "event"];
  const money = ["payout", "payout_history", "ledger_transfer", "ledger_balance"];
  const eventTables = [
    "webhook_endpoint",
    "webhook_endpoint_secret",
    "delivery",
    "event_resend",
    "event_recovery",
  ];
  const parts = await Promise.all(
    [...tables, ...money, ...eventTables, "kyc_report", "idempotency_key"].map(async (table) => {
      const text = `select t::text from ${table} t where subaccount_id = $1 order by 1`;
      return (await service.db.pool.query({ text, values: [subaccountId] })).rows;
    }),
  );
  return JSON.stringify(parts);
}

test("every operation answers a foreign id byte for byte like an absent one, and changes nothing", async () => {
  const before = await Promise.all(tenants.map(({ subaccountId }) => contents(subaccountId)));
  let tried = 0;
  let leaked = 0;
  for (const caller of tenants) {
    for (const [, kind, request] of operations) {
      const ask = async (id: string) => {
        const [method, path, body] = request(id);
        return visible(await caller.call(method, path, { version: 2, ...(body && { body }) }));
      };
      const absent = await ask(newId());
      expect(JSON.parse(absent)[0]).toBe(400);
      const foreign = tenants.filter((other) => other !== caller).flatMap((other) => other[kind]);
      for (const id of foreign) {
        tried += 1;
        if ((await ask(id)) !== absent) leaked += 1;
      }
    }
  }
  console.info(
    `${tried.toLocaleString("en")} foreign ids on ${operations.length} operations: ${leaked} got another response`,
  );
  expect(leaked).toBe(0);
  const after = await Promise.all(tenants.map(({ subaccountId }) => contents(subaccountId)));
  expect(after).toEqual(before);
});

test("the same requests reach the caller's own records, so the attempts above are real", async () => {
  // These operations also refuse an own record, but with another code than for an absent one.
  const refused: Record<string, string> = {
    "DELETE receiver": "REVR301",
    "POST erase": "REVR301",
    "POST kyc": "REVR302",
    "DELETE account": "REAC301",
    "GET batch": "PAYO102",
    "POST payout": "PAYO221",
    "POST payout test helper": "PAYO302",
  };
  const [caller] = tenants as [Tenant];
  const seen: Record<string, string> = {};
  for (const [name, kind, request] of operations) {
    // Renames another receiver, because a renamed receiver can't be paid.
    const id = caller[kind][name === "PATCH receiver" ? 1 : 0] as string;
    const [method, path, body] = request(id);
    const { status, json } = await caller.call(method, path, { ...(body && { body }) });
    if (status !== 200) seen[name] = json.error[0].code;
  }
  expect(seen).toEqual(refused);
});

test("an idempotency key belongs to one subaccount", async () => {
  const [one, other] = tenants as [Tenant, Tenant];
  const headers = { "idempotency-key": "shared-by-chance" };
  const body = ada();
  const mine = await one.call("POST", "/api/receiver", { body, headers });
  const theirs = await other.call("POST", "/api/receiver", { body, headers });
  expect([mine.status, theirs.status]).toEqual([200, 200]);
  expect(theirs.headers.has("idempotent-replayed")).toBe(false);
  expect(theirs.json.payload.receiver_id).not.toBe(mine.json.payload.receiver_id);
});
