// Isolation of subaccounts, for reads: a subaccount can't find out whether a record of another exists.

import { expect, test } from "vitest";
import type { Mode } from "../../../src/platform/base/caller.ts";
import { writeCursor } from "../../../src/platform/base/cursor.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { scale } from "../../scenarios/scale.ts";
import { type Answer, ada, addAccount, type TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

const triesEach = scale(200, 2_000);
// Each of four tenants tries the receivers of the other three.
const receiversEach = Math.ceil(triesEach / 12);
const routes = [
  "/api/receiver/",
  "/api/receiveraccount/",
  "/api/receiveraccount/receiver/",
  "/api/event/",
] as const;

type Tenant = TestCaller & { receivers: string[]; accounts: string[]; events: string[] };

await useService();
const tenants = await Promise.all((["test", "test", "live", "live"] as const).map(newTenant));

async function newTenant(mode: Mode): Promise<Tenant> {
  const caller = await service.newCaller({ mode });
  const receivers = await Promise.all(
    Array.from({ length: receiversEach }, async () => {
      const { json } = await caller.call("POST", "/api/receiver", { body: ada() });
      return json.payload.receiver_id as string;
    }),
  );
  const accounts = await Promise.all(
    receivers.map((id) => addAccount(service, caller.subaccountId, id)),
  );
  const events = await Promise.all(
    receivers.map(async () => (await caller.disburse.events.test()).id.replace("evt_test_", "")),
  );
  return { ...caller, receivers, accounts, events };
}

/** The whole response that a caller sees, without its date and its request id. */
function visible({ status, text, headers }: Answer): string {
  const shown = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return JSON.stringify([status, text, shown]);
}

function own(tenant: Tenant, route: (typeof routes)[number]): string[] {
  if (route === "/api/event/") return tenant.events;
  return route === "/api/receiveraccount/" ? tenant.accounts : tenant.receivers;
}

test.each(routes)("%s<id>: the caller's own records are found, each by its id", async (route) => {
  for (const tenant of tenants) {
    for (const id of own(tenant, route).slice(0, 5)) {
      const { status, json } = await tenant.call("GET", route + id);
      expect(status).toBe(200);
      if (!route.endsWith("receiver/") || route === "/api/receiver/")
        expect(json.payload.id.replace("evt_test_", "")).toBe(id);
      else expect(json.payload).toHaveLength(1);
    }
  }
});

test(`${triesEach} foreign ids on every route get byte for byte the response of an absent id`, async () => {
  let tried = 0;
  let leaked = 0;
  for (const caller of tenants) {
    for (const route of routes) {
      const absent = visible(await caller.call("GET", route + newId()));
      const foreign = tenants
        .filter((other) => other !== caller)
        .flatMap((other) => own(other, route).slice(0, receiversEach));
      const queue = foreign.values();
      const work = async () => {
        for (const id of queue) {
          tried += 1;
          if (visible(await caller.call("GET", route + id)) !== absent) leaked += 1;
        }
      };
      await Promise.all(Array.from({ length: 16 }, work));
    }
  }
  console.info(
    `${tried.toLocaleString("en")} foreign ids on ${routes.length} routes: ${leaked} got another response`,
  );
  expect(tried).toBeGreaterThanOrEqual(triesEach * routes.length);
  expect(leaked).toBe(0);
});

test("ids of the wrong kind, of keys and of subaccounts get the same response", async () => {
  const [caller, other] = tenants as [Tenant, Tenant];
  for (const route of routes) {
    const absent = visible(await caller.call("GET", route + newId()));
    const wrong = route === "/api/receiveraccount/" ? caller.receivers[0] : caller.accounts[0];
    for (const id of [wrong, other.subaccountId, caller.subaccountId, other.key]) {
      expect(visible(await caller.call("GET", route + id))).toBe(absent);
    }
  }
});

test.each([
  ["a word", "x"],
  ["a space", "%20"],
  ["a NUL", "%00"],
  ["a slash", "%2F"],
  ["a quote", "'"],
  ["dots", "..."],
  ["no dashes", newId().replaceAll("-", "")],
  ["braces", `%7B${newId()}%7D`],
  ["a urn", `urn:uuid:${newId()}`],
  ["a line break after it", `${newId()}%0A`],
  ["a NUL after it", `${newId()}%00`],
  ["a full-width digit", `${newId().slice(0, -1)}%EF%BC%91`],
  ["one sign less", newId().slice(0, -1)],
  ["one sign more", `${newId()}0`],
  ["8,000 signs", "a".repeat(8_000)],
  ["the nil UUID", "00000000-0000-0000-0000-000000000000"],
  ["the last UUID", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
])("a malformed id, %s, gets byte for byte the response of an absent id", async (_, id) => {
  const [caller] = tenants as [Tenant];
  for (const route of routes) {
    const absent = visible(await caller.call("GET", route + newId()));
    expect(visible(await caller.call("GET", route + id))).toBe(absent);
  }
});

test("an id in capitals or percent-encoded is the same id, and any other spelling is unknown", async () => {
  const [caller, other] = tenants as [Tenant, Tenant];
  for (const route of routes) {
    const id = own(caller, route)[0] as string;
    const plain = visible(await caller.call("GET", route + id));
    const encoded = id.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    for (const spelling of [id.toUpperCase(), id.replace("-", "%2D"), encoded]) {
      expect(visible(await caller.call("GET", route + spelling))).toBe(plain);
    }
    const absent = visible(await caller.call("GET", route + newId()));
    for (const spelling of [`%20${id}`, `${id}%20`, `%7B${id}%7D`, id.replaceAll("-", "")]) {
      expect(visible(await caller.call("GET", route + spelling))).toBe(absent);
    }
    const foreign = own(other, route)[0] as string;
    expect(visible(await caller.call("GET", route + foreign.toUpperCase()))).toBe(absent);
  }
});

test("a missing id gets REVR102 for a receiver, and elsewhere the response of an absent id", async () => {
  const [caller] = tenants as [Tenant];
  const codes = routes.map(async (route) => {
    const { status, json } = await caller.call("GET", route);
    return [status, json.error[0].code];
  });
  expect(await Promise.all(codes)).toEqual([
    [400, "REVR102"],
    [400, "REAC104"],
    [400, "REAC101"],
    [400, "EVNT101"],
  ]);
});

async function walk(caller: TestCaller, query: string): Promise<string[]> {
  const seen: string[] = [];
  let path: string | undefined = `/api/receiver?${query}`;
  while (path) {
    const { status, json, headers } = await caller.call("GET", path);
    expect(status).toBe(200);
    seen.push(...json.payload.map(({ id }: { id: string }) => id));
    path = /<(.*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  }
  return seen;
}

test.each([
  "",
  "limit=7",
  "status=1",
  "kyc_status=0&limit=50",
  "status=pending&kyc_status=pending",
])("lists contain only the caller's own records: ?%s", async (query) => {
  for (const tenant of tenants) {
    const seen = await walk(tenant, query);
    expect(seen).toHaveLength(receiversEach);
    expect([...seen].sort()).toEqual([...tenant.receivers].sort());
  }
});

test.each(["status=2", "kyc_status=1", "status=failed"])(
  "a filter that matches no own record finds none of another subaccount: ?%s",
  async (query) => {
    const [caller, other] = tenants as [Tenant, Tenant];
    const ids = [other.receivers.slice(0, 10)];
    const change = "update receiver set status = $2, kyc_status = $3 where id = any($1)";
    for (const [status, kyc] of [
      ["active", "completed"],
      ["failed", "failed"],
      ["pending", "pending"],
    ]) {
      await service.db.pool.query(change, [...ids, status, kyc]);
      expect(await walk(caller, query)).toEqual([]);
    }
  },
);

test("a foreign or made-up cursor shows only the caller's own receivers", async () => {
  const [caller, ...others] = tenants as [Tenant, ...Tenant[]];
  const mine = [...caller.receivers].sort().reverse();
  const foreign = others.flatMap(({ receivers }) => receivers);
  for (const id of [...foreign, newId(), "00000000-0000-0000-0000-000000000000"]) {
    const { status, json } = await caller.call(
      "GET",
      `/api/receiver?limit=1000&cursor=${writeCursor(id)}`,
    );
    expect(status).toBe(200);
    const seen = json.payload.map((receiver: { id: string }) => receiver.id);
    // The page depends only on the time in the id, whether or not a record with that id exists.
    expect(seen).toEqual(mine.filter((one) => one < id));
  }
});

test("the database refuses an account under a receiver of another subaccount", async () => {
  const [caller, other] = tenants as [Tenant, Tenant];
  // Only a bug could insert such a row.
  await expect(
    addForeignAccount(caller.subaccountId, other.receivers[0] as string),
  ).rejects.toThrow(/foreign key/);
});

async function addForeignAccount(subaccountId: string, receiverId: string): Promise<void> {
  await service.db.pool.query(
    `insert into receiver_account (subaccount_id, id, receiver_id, created_at_ms)
     values ($1, $2, $3, 0)`,
    [subaccountId, newId(), receiverId],
  );
}
