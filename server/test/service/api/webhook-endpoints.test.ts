// /api/webhook-endpoint: webhook endpoints as objects, and the one of postback_url among them.

import { describe, expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { headersIdentity } from "../../../src/webhooks/webhook-endpoints/own-headers.ts";
import type { TestCaller } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

const path = "/api/webhook-endpoint";
const url = "https://books.example.com/events";
const wanted = { url, event_types: ["payoutUpdate" as const] };

const call = (caller: TestCaller, method: string, at: string, body?: unknown) =>
  caller.call(method, `${path}${at}`, { body, version: 2 });
const codesOf = (json: { error: { code: string; field?: string }[] }) =>
  json.error.map(({ code, field }) => [code, field]);

describe("POST and GET", () => {
  test("creates an endpoint with its own secret, which is shown once", async () => {
    const { disburse } = await service.newCaller();
    const made = await disburse.webhookEndpoints.create({
      ...wanted,
      description: "accounting",
      format: "thin",
      headers: { Authorization: "Bearer one" },
    });
    expect(made).toMatchObject({
      ...wanted,
      description: "accounting",
      format: "thin",
      is_postback: false,
      header_names: ["authorization"],
      disable_after_days: 3,
      status: "working",
      waiting: 0,
      secret: expect.stringMatching(/^whsec_/),
      last_day: { attempts: 0, delivered: 0, p50_ms: null, p95_ms: null },
    });
    const { secret, ...shown } = made;
    expect(await disburse.webhookEndpoints.get(made.id)).toEqual(shown);
    expect(await disburse.webhookEndpoints.list()).toEqual([shown]);
  });

  test("headers are stored encrypted, and never in the audit log or a response", async () => {
    const caller = await service.newCaller();
    const value = `Bearer ${newId()}`;
    const made = await call(caller, "POST", "", { ...wanted, headers: { "X-Token": value } });
    expect(made.text).not.toContain(value);
    const { id } = made.json.payload;
    const text = "select headers_sealed from further_endpoint where endpoint_id = $1";
    const [{ headers_sealed: sealed }] = (await service.db.pool.query(text, [id])).rows;
    const identity = headersIdentity(caller.subaccountId, id);
    expect(service.seal.decrypt(sealed, identity)).toBe(JSON.stringify({ "x-token": value }));
    const entries = "select count(*)::int from audit_entry where after::text like $1";
    const { rows } = await service.db.pool.query(entries, [`%${value}%`]);
    expect(rows).toEqual([{ count: 0 }]);
  });

  test.each([
    ["ENDP201", "url", "https://10.0.0.1/"],
    ["ENDP201", "url", ""],
    ["ENDP202", "description", "a\u0000b"],
    ["ENDP203", "event_types", []],
    ["ENDP203", "event_types", ["payoutUpdated"]],
    ["ENDP204", "format", "short"],
    ["ENDP206", "disable_after_days", 8],
    ["ENDP207", "colour", "blue"],
  ])("%s: %s", async (code, field, value) => {
    const caller = await service.newCaller();
    const { status, json } = await call(caller, "POST", "", { ...wanted, [field]: value });
    expect([status, codesOf(json)]).toEqual([400, [[code, field]]]);
  });

  test.each([
    ...["Host", "webhook-id", "WEBHOOK-SIGNATURE", "content-type", "Content-Length"],
    ...["transfer-encoding", "connection", "user-agent", "a b", ""],
  ])("ENDP205: the header %j is refused", async (name) => {
    const caller = await service.newCaller();
    const { json } = await call(caller, "POST", "", { ...wanted, headers: { [name]: "x" } });
    expect(codesOf(json)).toEqual([["ENDP205", "headers"]]);
  });

  test("ENDP205: a value that could end the header is refused", async () => {
    const caller = await service.newCaller();
    const headers = { "x-a": "b\r\nhost: evil" };
    const { json } = await call(caller, "POST", "", { ...wanted, headers });
    expect(codesOf(json)).toEqual([["ENDP205", "headers"]]);
  });

  test("all problems are reported at once", async () => {
    const caller = await service.newCaller();
    const { json } = await call(caller, "POST", "", { format: 1, headers: { host: "x" } });
    const codes = codesOf(json).map(([code]) => code);
    expect(codes.sort()).toEqual(["ENDP201", "ENDP203", "ENDP204", "ENDP205"]);
  });

  test("ENDP301: ten at most, also of requests at the same time", async () => {
    const { disburse } = await service.newCaller();
    const made = Array.from({ length: 14 }, () => disburse.webhookEndpoints.create(wanted));
    const done = await Promise.allSettled(made);
    expect(done.filter(({ status }) => status === "fulfilled").length).toBe(10);
    expect(await disburse.webhookEndpoints.list()).toHaveLength(10);
  });

  test("an endpoint of another subaccount is not found", async () => {
    const caller = await service.newCaller();
    const other = await service.newCaller();
    const { id } = await other.disburse.webhookEndpoints.create(wanted);
    for (const asked of [id, newId(), "nothing", caller.subaccountId]) {
      const { status, json } = await call(caller, "GET", `/${asked}`);
      expect([status, codesOf(json)]).toEqual([400, [["ENDP101", undefined]]]);
    }
    expect((await call(caller, "DELETE", `/${id}`)).status).toBe(400);
    expect((await other.disburse.webhookEndpoints.get(id)).url).toBe(url);
  });
});

describe("changes", () => {
  test("only the given fields; pause, enable, rotate and delete", async () => {
    const { disburse } = await service.newCaller();
    const { webhookEndpoints } = disburse;
    const { id, secret } = await webhookEndpoints.create({ ...wanted, headers: { "x-a": "b" } });
    const changed = await webhookEndpoints.update(id, {
      description: "alerts",
      disable_after_days: 1,
    });
    expect(changed).toMatchObject({ ...wanted, description: "alerts", disable_after_days: 1 });
    expect(changed.header_names).toEqual(["x-a"]);
    expect((await webhookEndpoints.update(id, { headers: {} })).header_names).toEqual([]);
    expect((await webhookEndpoints.pause(id)).status).toBe("paused");
    await expect(webhookEndpoints.pause(id)).rejects.toMatchObject({ code: "ENDP303" });
    expect((await webhookEndpoints.enable(id)).status).toBe("working");
    const rotated = await webhookEndpoints.rotate(id, { overlap_s: 60 });
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.secrets).toHaveLength(2);
    await webhookEndpoints.delete(id);
    await expect(webhookEndpoints.get(id)).rejects.toMatchObject({ code: "ENDP101" });
    expect(await webhookEndpoints.list()).toEqual([]);
  });

  test("that of postback_url is the first endpoint, and changing it by either way keeps them one", async () => {
    const { disburse, subaccountId } = await service.newCaller();
    const { webhookEndpoints, subaccount } = disburse;
    await subaccount.update({ postback_url: url, event_types: ["payoutOnHold"] });
    await webhookEndpoints.create(wanted);
    const [first] = await webhookEndpoints.list();
    const published = ["payoutCreated", "payoutUpdate", "payoutFailure", "receiverKycUpdate"];
    expect(first).toMatchObject({
      id: subaccountId,
      is_postback: true,
      format: "full",
      disable_after_days: null,
      event_types: [...published, "payoutOnHold"],
    });
    const moved = `${url}/moved`;
    await webhookEndpoints
      .update(subaccountId, { url: moved, event_types: [] as never[] })
      .catch(() => {});
    await webhookEndpoints.update(subaccountId, { url: moved, event_types: ["payoutReleased"] });
    expect((await subaccount.get()).postback_url).toBe(moved);
    expect((await subaccount.getPostback()).event_types).toEqual([...published, "payoutReleased"]);
    await expect(webhookEndpoints.update(subaccountId, { format: "thin" })).rejects.toMatchObject({
      code: "ENDP302",
    });
    await webhookEndpoints.pause(subaccountId);
    expect((await subaccount.getPostback()).status).toBe("disabled");
    await subaccount.update({ postback_url: moved });
    expect((await webhookEndpoints.get(subaccountId)).status).toBe("working");
    await webhookEndpoints.delete(subaccountId);
    expect((await subaccount.get()).postback_url).toBe("");
    expect(await webhookEndpoints.list()).toHaveLength(1);
  });

  test("the scope write is needed", async () => {
    const caller = await service.newCaller({ scopes: ["read"] });
    expect((await call(caller, "GET", "")).status).toBe(403);
    expect((await call(caller, "POST", "", wanted)).status).toBe(403);
  });

  test("an idempotency key creates one endpoint", async () => {
    const { disburse } = await service.newCaller();
    const once = { idempotencyKey: newId() };
    const one = await disburse.webhookEndpoints.create(wanted, once);
    const again = await disburse.webhookEndpoints.create(wanted, once);
    expect(again.id).toBe(one.id);
    expect(again.secret).toBe(one.secret);
    expect(await disburse.webhookEndpoints.list()).toHaveLength(1);
  });
});

test("source-addresses are those of the setting", async () => {
  const { disburse } = await service.newCaller();
  expect(await disburse.webhookEndpoints.sourceAddresses()).toEqual([]);
});
