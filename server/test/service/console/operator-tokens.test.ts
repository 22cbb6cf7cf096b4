// Operator tokens: who makes them, when they work, what they leave in the audit log, and requests that are sent twice.

import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyNow } from "../../../src/tenants/audit/verify-now.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { callOperator, newToken } from "../../support/operator.ts";

const dayMs = 24 * 3_600_000;

let service: ConsoleService;
let nowMs = Date.now();
let [ana, ben]: TestPerson[] = [];
beforeAll(async () => {
  service = await startConsole({ clock: () => nowMs, logsRequests: true });
  [ana, ben] = [service.enter("admin"), service.enter("admin")];
});
afterAll(() => service.close());

const admins = () => ({ ana: ana as TestPerson, ben: ben as TestPerson });
const call = (token: string, method: string, path: string, options: object = {}) =>
  callOperator(service.baseUrl, token, method, path, options);
const outcomeOf = async (token: string, path = "/me") => {
  const { status, code } = await call(token, "GET", path);
  return code === "" ? status : `${status} ${code}`;
};
const newKeyBody = (name: string) => ({ name, scopes: ["read"] });

test("a token that may do more than read in live mode waits for a second admin", async () => {
  const { ana, ben } = admins();
  const wanted = { role: "operator", name: "CI" };
  const { id, token, awaits_approval } = await newToken(ana, wanted);
  expect(awaits_approval).toBe(true);
  expect(await outcomeOf(token)).toBe("403 OPER103");

  const waiting = await ben.get("/approvals?kind=token");
  expect(waiting.json.rows.find((row: { id: string }) => row.id === id)).toMatchObject({
    ...{ kind: "token", made_by: ana.who, is_own: false, request: { object: "CI" } },
  });
  const own = await ana.post(`/tokens/${id}/approve`);
  expect([own.status, own.json.error[0].code]).toEqual([403, "CONS402"]);
  expect((await ben.post(`/tokens/${id}/approve`)).status).toBe(204);
  expect(await outcomeOf(token)).toBe(200);
  expect((await ben.post(`/tokens/${id}/approve`)).json.error[0].code).toBe("CONS401");
});

test("a token is declined with a reason, which the audit log keeps", async () => {
  const { ana, ben } = admins();
  const { id, token } = await newToken(ana, { role: "operator", name: "unwanted" });
  const reason = "use the one of the warehouse";
  expect((await ben.post(`/tokens/${id}/decline`, { reason })).status).toBe(204);
  expect(await outcomeOf(token)).toBe("401 OPER102");
  const { json } = await ana.get(`/audit?object_id=${id}&action=token.revoke`);
  expect(json.rows).toMatchObject([{ who: ben.who, after: { name: "unwanted", reason } }]);
});

test("the overview names a token in use that expires within 7 days", async () => {
  const { ana } = admins();
  const { subaccountId } = await service.newCaller({ mode: "test" });
  const expiresAtMs = nowMs + 6 * dayMs;
  const { token } = await newToken(ana, { role: "auditor", name: "nightly", expiresAtMs });
  await newToken(ana, { role: "auditor", name: "unused", expiresAtMs });
  const later = await newToken(ana, { role: "auditor", expiresAtMs: nowMs + 8 * dayMs });
  const ending = async (person = ana) => {
    const { json } = await person.get(`/s/${subaccountId}/overview`);
    return json.attention.filter(({ kind }: { kind: string }) => kind === "tokens_ending");
  };
  const before = (await ending())[0]?.count ?? 0;
  for (const one of [token, later.token]) expect(await outcomeOf(one)).toBe(200);
  expect(await ending()).toMatchObject([{ count: before + 1, opens: { screen: "tokens" } }]);
  expect(await ending(service.enter("operator"))).toEqual([]);
});

test("tokens that only read, and those for test subaccounts, work at once", async () => {
  const { ana } = admins();
  const { subaccountId } = await service.newCaller({ mode: "test" });
  const live = await service.newCaller({ mode: "live" });
  const waits = async (role: string, subaccountIds?: string[]) =>
    (await newToken(ana, { role, ...(subaccountIds && { subaccountIds }) })).awaits_approval;
  expect(await waits("auditor")).toBe(false);
  expect(await waits("admin", [subaccountId])).toBe(false);
  expect(await waits("admin", [subaccountId, live.subaccountId])).toBe(true);
  expect(await waits("compliance")).toBe(true);
  expect(await waits("developer", [live.subaccountId])).toBe(false);
});

test("what is wrong with a new token is said all at once", async () => {
  const { ana } = admins();
  const wrong = await ana.post("/tokens", {
    name: "",
    role: "king",
    addresses: ["x"],
    expires_at: 1.5,
  });
  expect(wrong.status).toBe(400);
  expect(wrong.json.error.map(({ field }: { field: string }) => field).sort()).toEqual([
    ...["addresses", "expires_at", "name", "role"],
  ]);
  const late = { name: "late", role: "developer", expires_at: nowMs + 91 * dayMs };
  const refused = await ana.post("/tokens", late);
  expect(refused.json.error.map(({ code }: { code: string }) => code)).toEqual([
    "CONS215",
    "CONS209",
  ]);
  // 10.1 would be read as 10.0.0.1.
  const short = { name: "short", role: "auditor", addresses: ["10.1"], expires_at: nowMs + dayMs };
  expect((await ana.post("/tokens", short)).json.error[0].field).toBe("addresses");
  await newToken(ana, { role: "auditor", name: "taken" });
  await expect(newToken(ana, { role: "auditor", name: "taken" })).rejects.toThrow(/CONS216/);
});

test("a token ends: revoked, expired, from another address, and with its maker", async () => {
  const { ana, ben } = admins();
  const maker = service.enter("admin");
  const revoked = await newToken(ana, { role: "auditor" });
  const lowered = await newToken(maker, { role: "auditor" });
  const elsewhere = await newToken(ana, { role: "auditor", addresses: ["203.0.113.0/24"] });
  const here = await newToken(ana, { role: "auditor", addresses: ["127.0.0.1"] });
  const short = await newToken(ana, { role: "auditor", expiresAtMs: nowMs + 60_000 });
  for (const { token } of [revoked, lowered, here, short]) {
    expect(await outcomeOf(token)).toBe(200);
  }
  expect(await outcomeOf(elsewhere.token)).toBe("403 OPER104");

  await ben.post(`/tokens/${revoked.id}/revoke`);
  expect(await outcomeOf(revoked.token)).toBe("401 OPER102");
  await ben.patch(`/users/${maker.person.id}`, { role: "auditor" });
  expect(await outcomeOf(lowered.token)).toBe("401 OPER102");
  nowMs += 60_000;
  expect(await outcomeOf(short.token)).toBe("401 OPER102");

  const { json } = await ana.get("/tokens");
  const reasons = new Map(
    json.rows.map((row: { id: string; ended_because: string }) => [row.id, row.ended_because]),
  );
  expect([revoked, lowered, short].map(({ id }) => reasons.get(id))).toEqual([
    "it was revoked",
    "the user who made it is no admin any more",
    "it has expired",
  ]);
  expect(json.rows[0]).not.toHaveProperty("token");

  // Who is an admin again has to make them again: a second admin agreed to the ones of before.
  await ben.patch(`/users/${maker.person.id}`, { role: "admin" });
  expect(await outcomeOf(lowered.token)).toBe("401 OPER102");
  await ben.patch(`/users/${maker.person.id}`, { disabled: true });
  await ben.patch(`/users/${maker.person.id}`, { disabled: false });
  expect(await outcomeOf(lowered.token)).toBe("401 OPER102");
});

test("an act leaves one audit entry, which names token and maker, and the log stays intact", async () => {
  const { ana, ben } = admins();
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const { token } = await newToken(ana, { role: "operator", name: "deploy" }, ben);
  const path = `/s/${subaccountId}/keys`;
  const made = await call(token, "POST", path, { body: newKeyBody("from a program") });
  expect(made.status).toBe(200);
  const { json } = await ana.get(`/audit?subaccount_id=${subaccountId}&action=key.create`);
  expect(json.rows).toMatchObject([{ who: ana.who, token: "deploy", action: "key.create" }]);
  const lines = [];
  for await (const line of verifyNow({ ...service, auditAnchorFile: undefined })) lines.push(line);
  expect(lines.at(-1)).toEqual({
    checked: expect.any(Number),
    of: expect.any(Number),
    ended: true,
  });
  await service.flushRequests();
  const { rows } = await service.db.pool.query(
    "select key, method, route, status from request_log where subaccount_id = $1",
    [subaccountId],
  );
  const route = "/operator/v1/s/:subaccountId/keys";
  expect(rows).toEqual([{ key: "token deploy", method: "POST", route, status: 200 }]);
});

test("two tokens of one maker are one person, who approves nothing of either", async () => {
  const { ana, ben } = admins();
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const { token } = await newToken(ana, { role: "operator" }, ben);
  const body = { name: "pays", scopes: ["read", "payout"] };
  await call(token, "POST", `/s/${subaccountId}/keys`, { body });
  const [request] = (await ana.get(`/approvals?subaccount_id=${subaccountId}`)).json.rows;
  expect(request).toMatchObject({ kind: "key", made_by: ana.who, is_own: true });
  const path = `/s/${subaccountId}/change-requests/${request.id}/approve`;
  expect((await ana.post(path)).json.error[0].code).toBe("CONS402");
  const other = await newToken(ben, { role: "admin" }, ana);
  expect((await call(other.token, "POST", path, { body: {} })).code).toBe("OPER105");
  expect((await ben.post(path)).status).toBe(200);
});

test("a program opens a subaccount and makes a key in it", async () => {
  const { ana, ben } = admins();
  const { token } = await newToken(ana, { role: "admin" }, ben);
  const body = { name: "Harbour Shop", mode: "test" };
  const opened = await call(token, "POST", "/subaccounts", { key: "open", body });
  expect(opened.json).toMatchObject({ key: expect.any(String), secret: expect.any(String) });
  const path = `/s/${opened.json.id}/keys`;
  const key = await call(token, "POST", path, { key: "reports", body: newKeyBody("reports") });
  expect(key.json).toMatchObject({ awaits_approval: false });
});

test("a request with an Idempotency-Key is done once, and answered alike", async () => {
  const { ana } = admins();
  const { subaccountId } = await service.newCaller({ mode: "test" });
  const { token } = await newToken(ana, { role: "operator", subaccountIds: [subaccountId] });
  const path = `/s/${subaccountId}/keys`;
  const send = (key: string, name = "once") =>
    call(token, "POST", path, { key, body: newKeyBody(name) });
  const answers = await Promise.all([1, 2, 3, 4].map(() => send("a")));
  const done = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ code }) => code !== "" && code !== "IDEM103")).toEqual([]);
  const again = await send("a");
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(new Set([...done, again].map(({ text }) => text)).size).toBe(1);
  expect((await send("a", "other")).code).toBe("IDEM102");
  expect((await send("x y")).code).toBe("IDEM101");
  const keys = async () => (await ana.get(path)).json.rows.length;
  const before = await keys();
  // Refused, so the key can be used again.
  expect((await send("b", "")).status).toBe(400);
  expect((await send("b")).status).toBe(200);
  expect(await keys()).toBe(before + 1);
});

test("a claim whose process died is taken over, and what was done is never done again", async () => {
  const { ana } = admins();
  const { subaccountId } = await service.newCaller({ mode: "test" });
  const { id, token } = await newToken(ana, { role: "operator", subaccountIds: [subaccountId] });
  const path = `/s/${subaccountId}/keys`;
  const send = (key: string) => call(token, "POST", path, { key, body: newKeyBody("once") });
  await send("c");
  const change = (set: string) =>
    service.db.pool.query(
      `update operator_answer set answer = null, ${set} where token_id = $1 and key = 'c'`,
      [id],
    );
  for (const isDone of [true, false]) {
    await change(`is_done = ${isDone}, claimed_at_ms = ${nowMs}`);
    expect((await send("c")).code).toBe("IDEM103");
    nowMs += 61_000;
    const { status, code } = await send("c");
    expect([status, code]).toEqual(isDone ? [409, "OPER106"] : [200, ""]);
  }
});

test("the document of the operator API names every route, and no secret route", async () => {
  const response = await fetch(`${service.baseUrl}/operator/v1/openapi.json`);
  const document = await response.json();
  const paths = Object.keys(document.paths);
  expect(paths.length).toBeGreaterThan(120);
  expect(paths).toContain("/operator/v1/s/{subaccountId}/keys");
  expect(paths.filter((path) => /auth|tokens|step-up/.test(path))).toEqual([]);
  const ids = paths.flatMap((path) =>
    Object.values(document.paths[path] as Record<string, { operationId: string }>).map(
      ({ operationId }) => operationId,
    ),
  );
  expect(new Set(ids).size).toBe(ids.length);
});
