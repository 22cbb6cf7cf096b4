// The link for the person: POST /api/receiver/<id>/kyc-link, with a Sumsub server on this machine and with the sandbox.

import { randomUUID } from "node:crypto";
import { ConflictError, DisburseError } from "@disburse/client";
import { expect, test } from "vitest";
import { manualProvider } from "../../../src/people/kyc-providers/manual.ts";
import { sandboxProvider } from "../../../src/people/kyc-providers/sandbox.ts";
import { sumsubProvider } from "../../../src/people/kyc-providers/sumsub.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import {
  ada,
  type ServiceOptions,
  sign,
  startService,
  startServiceForTest,
  type TestCaller,
} from "../../support/service.ts";
import { startSumsub } from "../../support/sumsub-server.ts";

const dayMs = 86_400_000;

const sumsub = await closeAfterTests(startSumsub());
const service = await closeAfterTests(startService({ kyc: providers(), logsRequests: true }));
const live = await service.newCaller({ mode: "live" });

function providers(): ServiceOptions["kyc"] & object {
  return {
    test: sandboxProvider({ delayMs: dayMs }),
    live: sumsubProvider({ ...sumsub, pollAfterMs: dayMs }),
  };
}

async function newReceiver(caller = live, changes: Parameters<typeof ada>[0] = {}) {
  const receiver = ada(changes);
  const { receiver_id: id } = await caller.disburse.receivers.create(receiver);
  const status = async () => (await caller.disburse.receivers.get(id)).status;
  await expect.poll(status, { timeout: 60_000, interval: 20 }).toBe("pending");
  return { id, receiver };
}

const ask = (caller: TestCaller, id: string) =>
  caller.call("POST", `/api/receiver/${id}/kyc-link`, { version: 2 });

test("Sumsub gives a link for the receiver, with the level and an end a day from now", async () => {
  const { id, receiver } = await newReceiver();
  const beforeMs = Date.now();
  const link = await live.disburse.receivers.kycLink(id);
  const afterMs = Date.now();
  expect(link.receiver_id).toBe(id);
  expect(link.url).toMatch(/\/websdk\/p\/[0-9a-f]{16}$/);
  expect(sumsub.links.get(link.url)).toEqual({
    levelName: sumsub.levelName,
    userId: id,
    applicantIdentifiers: { email: receiver.email, phone: "+61412345678" },
    ttlInSecs: dayMs / 1000,
  });
  expect(Number(link.expires_at)).toBeGreaterThanOrEqual(beforeMs + dayMs);
  expect(Number(link.expires_at)).toBeLessThanOrEqual(afterMs + dayMs);

  const { status, json } = await ask(live, id.toUpperCase());
  expect([status, json.message]).toEqual([200, "kyc link created successfully"]);
  expect(json.payload.url).not.toBe(link.url);
});

test("no link is in a log or in any table, also when the request has an idempotency key", async () => {
  const { id } = await newReceiver();
  const urls: string[] = [];
  for (const key of ["link-1", "link-1"]) {
    const headers = { "idempotency-key": key };
    const answer = await live.call("POST", `/api/receiver/${id}/kyc-link`, { headers, body: {} });
    expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([200, null]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    urls.push(answer.json.payload.url);
  }
  expect(new Set(urls).size).toBe(2);
  await service.flushRequests();
  const { rows: tables } = await service.db.pool.query(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
  );
  let dump = service.logged.join("");
  for (const { name } of tables) {
    const { rows } = await service.db.pool.query(`select t::text as row from "${name}" t`);
    dump += rows.map(({ row }) => row).join("\n");
  }
  expect(dump).toContain("/api/receiver/:id/kyc-link");
  expect(dump).not.toContain("websdk/p/");
});

test("AUTH107: a recorded copy of the request gets no link", async () => {
  const { id } = await newReceiver();
  const path = `/api/receiver/${id}/kyc-link`;
  const { key, secret } = live;
  const headers = { signature: sign({ key, secret, method: "POST", path, version: 2 }) };
  expect((await live.call("POST", path, { headers })).status).toBe(200);
  const asked = sumsub.links.size;
  const again = await live.call("POST", path, { headers });
  expect([again.status, again.json.error[0].code]).toEqual([401, "AUTH107"]);
  expect(sumsub.links.size).toBe(asked);
});

test("REVR303: a check that is completed or failed, or has no applicant yet, has no link", async () => {
  const { id } = await newReceiver();
  const states = [
    ["active", "completed"],
    ["failed", "failed"],
    ["creating", "pending"],
  ];
  for (const [status, kyc] of states) {
    await service.db.pool.query("update receiver set status = $2, kyc_status = $3 where id = $1", [
      ...[id, status, kyc],
    ]);
    const refused = await live.disburse.receivers.kycLink(id).catch((error) => error);
    expect(refused).toBeInstanceOf(ConflictError);
    expect(refused).toMatchObject({ code: "REVR303" });
    expect(refused.message).toContain(`the receiver is ${status}, with KYC ${kyc}`);
  }
});

test("REVR101 for a receiver that is unknown, malformed or of another subaccount; REVR231 for a field", async () => {
  const { id } = await newReceiver();
  const other = await service.newCaller({ mode: "live" });
  for (const [caller, wanted] of [
    [live, randomUUID()],
    [live, "x"],
    [other, id],
  ] as const) {
    const { status, json } = await ask(caller, wanted);
    expect([status, json.message, json.error[0].code]).toEqual([
      ...[400, "create kyc link failed", "REVR101"],
    ]);
  }
  const extra = await live.call("POST", `/api/receiver/${id}/kyc-link`, { body: { ttl: 1 } });
  expect([extra.status, extra.json.error[0].code]).toEqual([400, "REVR231"]);
  const reader = await service.newCaller({ mode: "live", scopes: ["read"] });
  expect((await ask(reader, id)).json.error[0].code).toBe("AUTH110");
});

test("REVR304: a receiver that an operator checks has no page for the person", async () => {
  const manual = await startServiceForTest({
    kyc: { test: sandboxProvider({ delayMs: dayMs }), live: manualProvider },
  });
  const caller = await manual.newCaller({ mode: "live" });
  const { receiver_id: id } = await caller.disburse.receivers.create(ada());
  const { status, json } = await ask(caller, id);
  expect([status, json.error[0].code]).toEqual([409, "REVR304"]);
  // As when the provider of an old receiver is no longer configured.
  await manual.db.pool.query("update receiver set kyc_provider = 'sumsub' where id = $1", [id]);
  expect((await ask(caller, id)).json.error[0].code).toBe("REVR304");
});

test.each([
  ["is down", { down: true }],
  ["refuses the level", { status: 404 }],
  ["fails", { status: 500 }],
  ["answers with a page", { notJson: true }],
  ["answers without end", { tooLong: true }],
  ["gives an address that runs a script", { link: "javascript:alert(1)" }],
  ["gives no address", { link: "not an address" }],
])("REVR305: Sumsub %s, and the caller may try again", async (_what, mode) => {
  const { id } = await newReceiver();
  const usual = { ...sumsub.mode };
  Object.assign(sumsub.mode, mode);
  try {
    const { status, json, headers } = await ask(live, id);
    expect([status, json.error[0].code, headers.get("retry-after")]).toEqual([503, "REVR305", "5"]);
  } finally {
    Object.assign(sumsub.mode, usual);
  }
  const failure = await live.disburse.receivers.kycLink(id).catch((error: DisburseError) => error);
  expect(failure).not.toBeInstanceOf(DisburseError);
  expect(service.logged.join("")).toContain("identity check: no link");
  expect(service.logged.join("")).not.toContain("javascript:");
});

test("RATE101: one subaccount makes 50 links at once and no more, and others are not affected", async () => {
  const nowMs = Date.now();
  const still = await startServiceForTest({ kyc: providers(), clock: () => nowMs });
  const [busy, other] = [await still.newCaller(), await still.newCaller()];
  const { id } = await newReceiver(busy);
  const { id: otherId } = await newReceiver(other);
  const answers = [];
  for (let count = 0; count <= limits.personLinksBurst; count += 1)
    answers.push(await busy.call("POST", `/api/receiver/${id}/kyc-link`));
  const last = answers.pop();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect([last?.status, last?.json.error[0].code]).toEqual([429, "RATE101"]);
  expect(last?.headers.get("retry-after")).toBe("1");
  expect((await other.call("POST", `/api/receiver/${otherId}/kyc-link`)).status).toBe(200);
});

test("in test mode the link opens nothing, and the test helper decides", async () => {
  const caller = await service.newCaller();
  const { id } = await newReceiver(caller);
  const { url } = await caller.disburse.receivers.kycLink(id);
  expect(url).toBe(`https://identity-check.example/sandbox/${id}`);
  await caller.disburse.testHelpers.setStatus({ id, type: "kyc", status: "success" });
  expect((await ask(caller, id)).json.error[0].code).toBe("REVR303");
});
