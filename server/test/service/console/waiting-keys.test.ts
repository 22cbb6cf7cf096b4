// Four eyes over keys: a new key and a rotated secret work once a user who has not seen the secret has approved it.

import { expect, test } from "vitest";
import { Disburse } from "../../../../client/src/index.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { rotateKey } from "../../support/keys.ts";
import type { Answer } from "../../support/service.ts";

const service = await closeAfterTests(startConsole());
const admin = service.enter("admin");

const codeOf = ({ status, json }: Answer) => [status, json?.error?.[0]?.code];

function clientOf({ json: { key, secret } }: Answer): Disburse {
  const { baseUrl } = service;
  return new Disburse({ apiKey: key, apiSecret: secret, baseUrl, maxRetries: 0 });
}

const waitingKey = async (person: TestPerson, subaccountId: string, kind = "key") =>
  (await person.get(`/approvals?subaccount_id=${subaccountId}&kind=${kind}`)).json.rows[0];

test("a rotated secret of a live key works once another user has approved it; the secret before it works meanwhile", async () => {
  const live = await service.newCaller({ mode: "live" });
  const base = `/s/${live.subaccountId}`;
  const [rotator, other] = [service.enter("operator"), service.enter("operator")];
  const rotateOnce = async () => {
    const rotated = await rotator.post(`${base}/keys/${live.key}/rotate`, { grace_ms: 0 });
    expect(rotated.json).toMatchObject({ awaits_approval: true });
    return clientOf(rotated);
  };
  const works = (client: Disburse) =>
    client.balance.get().then(
      () => true,
      ({ code }: { code: string }) => code,
    );
  const first = await rotateOnce();
  expect([await works(first), await works(live.disburse)]).toEqual(["AUTH105", true]);
  const { rows } = (await other.get(`${base}/keys`)).json;
  expect(rows).toMatchObject([{ status: "active", mode: "live", secret_awaits_approval: true }]);
  // Rotated again: the first request is withdrawn, and its secret never works.
  const second = await rotateOnce();
  const { id, made_by } = await waitingKey(other, live.subaccountId, "rotation");
  expect(made_by).toBe(rotator.who);
  const path = `${base}/change-requests/${id}`;
  expect(codeOf(await rotator.post(`${path}/approve`))).toEqual([403, "CONS402"]);
  expect((await other.post(`${path}/approve`)).json).toMatchObject({ status: "applied" });
  await expect.poll(() => works(second)).toBe(true);
  expect([await works(first), await works(live.disburse)]).toEqual(["AUTH105", "AUTH105"]);
  // A declined rotation leaves the key as it is.
  const third = await rotateOnce();
  const declined = await waitingKey(other, live.subaccountId, "rotation");
  await other.post(`${base}/change-requests/${declined.id}/decline`, { reason: "not ours" });
  expect([await works(third), await works(second)]).toEqual(["AUTH105", true]);
});

test("CONS407: a user who rotated a key that waits has seen its secret, and can't activate it", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const [maker, rotator] = [service.enter("operator"), service.enter("operator")];
  const keys = `/s/${subaccountId}/keys`;
  const made = await maker.post(keys, { name: "shop", scopes: ["payout"] });
  await rotator.post(`${keys}/${made.json.key}/rotate`, { grace_ms: 0 });
  const { id } = await waitingKey(rotator, subaccountId);
  const path = `/s/${subaccountId}/change-requests/${id}/approve`;
  expect(codeOf(await rotator.post(path))).toEqual([403, "CONS407"]);
  expect((await service.enter("operator").post(path)).status).toBe(200);
});

test("CONS413: a rotation can't be approved after the key was rotated on the command line", async () => {
  const live = await service.newCaller({ mode: "live" });
  const base = `/s/${live.subaccountId}`;
  await service.enter("operator").post(`${base}/keys/${live.key}/rotate`, { grace_ms: 0 });
  await rotateKey(service, { key: live.key, graceMs: 60_000 });
  const { id } = await waitingKey(admin, live.subaccountId, "rotation");
  const refused = await admin.post(`${base}/change-requests/${id}/approve`);
  expect(codeOf(refused)).toEqual([409, "CONS413"]);
});

test("a key of a live subaccount that can do more than read waits for another user", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const operator = service.enter("operator");
  const add = (scopes: string[]) =>
    operator.post(`/s/${subaccountId}/keys`, { name: "shop", scopes });
  expect((await add(["read"])).json).toMatchObject({ awaits_approval: false });
  for (const scope of ["payout", "bank_details"]) {
    expect((await add(["read", scope])).json).toMatchObject({ awaits_approval: true });
  }
  const made = await add(["read", "write"]);
  expect(made.json).toMatchObject({ awaits_approval: true });
  const erase = clientOf(made).receivers.erase(newId());
  await expect(erase).rejects.toMatchObject({ code: "AUTH104" });
  expect(await waitingKey(admin, subaccountId)).toMatchObject({ made_by: operator.who });
});

test("a live subaccount's first key, created in the console, waits for a second user", async () => {
  const made = await admin.post("/subaccounts", { name: "Live", mode: "live" });
  expect(made.json).toMatchObject({ awaits_approval: true });
  const client = clientOf(made);
  await expect(client.balance.get()).rejects.toMatchObject({ code: "AUTH104" });
  const { id } = await waitingKey(admin, made.json.id);
  const path = `/s/${made.json.id}/change-requests/${id}/approve`;
  expect(codeOf(await admin.post(path))).toEqual([403, "CONS402"]);
  expect((await service.enter("operator").post(path)).status).toBe(200);
  await expect.poll(() => client.balance.get().catch(() => undefined)).toEqual([]);
  const test = await admin.post("/subaccounts", { name: "Test", mode: "test" });
  expect(test.json).toMatchObject({ awaits_approval: false });
});
