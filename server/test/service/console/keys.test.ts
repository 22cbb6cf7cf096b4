// Keys and settings in the console: a secret is shown once, and users can't reach other subaccounts.

import { Disburse } from "@disburse/client";
import { expect, test } from "vitest";
import { usualScopes } from "../../../src/tenants/api-keys/api-key.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";

const service = await closeAfterTests(startConsole());

async function newDeveloper() {
  const { subaccountId, key } = await service.newCaller();
  const developer = service.enter("developer", { subaccountId });
  return { developer, subaccountId, first: key, base: `/s/${subaccountId}` };
}

const codeOf = ({ json }: { json: { error: { code: string }[] } }) => json.error[0]?.code;
const callsWith = (apiKey: string, apiSecret: string) =>
  new Disburse({ apiKey, apiSecret, baseUrl: service.baseUrl, maxRetries: 0 }).subaccount.get();

type Shown = { key: string; last_used_at: number | null };
const keyOf = (rows: Shown[], key: string) => rows.find((row) => row.key === key);

test("a key is created, used, rotated with a grace period and revoked; its secrets are shown once", async () => {
  const { developer, subaccountId, base, first } = await newDeveloper();
  const input = { name: "the shop", scopes: ["read", "write"], addresses: ["127.0.0.0/8", "::1"] };
  const { status, json } = await developer.post(`${base}/keys`, { ...input, version2_only: true });
  expect(status).toBe(200);
  const { key, secret } = json;
  await callsWith(key, secret);

  const list = async () => (await developer.get(`${base}/keys`)).json.rows;
  // The first use is recorded at once, not with the periodic cleanup.
  await expect.poll(async () => keyOf(await list(), key)?.last_used_at).toBeGreaterThan(0);
  expect(keyOf(await list(), key)).toMatchObject({
    ...input,
    version2_only: true,
    status: "active",
    created_by: developer.who,
    expires_at: null,
    revoked_at: null,
  });
  expect(keyOf(await list(), first)).toMatchObject({ created_by: null, last_used_at: null });

  const rotated = await developer.post(`${base}/keys/${key}/rotate`, { grace_ms: 3_600_000 });
  expect(keyOf(await list(), key)).toMatchObject({ secrets: [{}, { expires_at: null }] });
  await callsWith(key, secret);
  await callsWith(key, rotated.json.secret);
  const last = await developer.post(`${base}/keys/${key}/rotate`, { grace_ms: 0 });
  await expect.poll(() => callsWith(key, secret).catch(({ code }) => code)).toBe("AUTH105");
  await callsWith(key, last.json.secret);

  await developer.post(`${base}/keys/${key}/revoke`);
  const refused = () => callsWith(key, last.json.secret).catch(({ code }) => code);
  await expect.poll(refused, { interval: 20 }).toBe("AUTH104");
  expect(keyOf(await list(), key)).toBeUndefined();
  const all = (await developer.get(`${base}/keys?status=all`)).json.rows;
  expect(keyOf(all, key)).toMatchObject({ status: "revoked" });
  expect(codeOf(await developer.post(`${base}/keys/${key}/rotate`, { grace_ms: 0 }))).toBe(
    "CONS705",
  );

  const csv = (await developer.get(`${base}/keys.csv?status=all`)).text;
  expect(csv.trim().split("\n")).toHaveLength(3);
  expect(csv).toMatch(/^key,name,mode,status,/);
  expect(csv).toMatch(/,test,active,/);
  expect(csv).not.toContain("live");
  expect(csv).not.toMatch(/\b\d{13}\b/);
  expect(csv).toMatch(/,20\d\d-\d\d-\d\dT[\d:.]+Z,/);
  const { rows } = await service.db.pool.query(
    "select * from audit_entry where subaccount_id = $1 order by number",
    [subaccountId],
  );
  expect(rows.map(({ action, object_id }) => [action, object_id])).toEqual(
    ["key.create", "key.rotate", "key.rotate", "key.revoke"].map((action) => [action, key]),
  );
  const written = JSON.stringify([rows, all, csv, service.logged]);
  for (const hidden of [secret, rotated.json.secret, last.json.secret]) {
    expect(written).not.toContain(hidden);
  }
});

test("a key gets another name, with one audit entry; a revoked key keeps its name", async () => {
  const { developer, subaccountId, base, first } = await newDeveloper();
  const operator = service.enter("operator");
  const rename = (name: string) => operator.post(`${base}/keys/${first}/rename`, { name });
  // It may pay: a developer can't change it.
  const refused = await developer.post(`${base}/keys/${first}/rename`, { name: "mine" });
  expect(codeOf(refused)).toBe("CONS709");
  expect((await rename("till 2")).status).toBe(204);
  expect((await rename("till 2")).status).toBe(204);
  const [row] = (await developer.get(`${base}/keys`)).json.rows;
  expect(row).toMatchObject({ key: first, name: "till 2" });
  const { rows } = await service.db.pool.query(
    "select action, before, after from audit_entry where subaccount_id = $1",
    [subaccountId],
  );
  expect(rows).toEqual([
    { action: "key.rename", before: { name: "first" }, after: { name: "till 2" } },
  ]);
  expect(codeOf(await rename(""))).toBe("CONS107");
  await operator.post(`${base}/keys/${first}/revoke`);
  expect(codeOf(await rename("till 3"))).toBe("CONS705");
});

test("another subaccount's keys can't be rotated, renamed or revoked under one's own", async () => {
  const mine = await newDeveloper();
  const other = await newDeveloper();
  // A key is not found under the URL of another subaccount, not even by an admin who sees both.
  for (const person of [mine.developer, service.enter("admin")]) {
    const rotate = person.post(`${mine.base}/keys/${other.first}/rotate`, { grace_ms: 0 });
    expect(codeOf(await rotate)).toBe("CONS110");
    const rename = person.post(`${mine.base}/keys/${other.first}/rename`, { name: "mine" });
    expect(codeOf(await rename)).toBe("CONS110");
    expect(codeOf(await person.post(`${mine.base}/keys/${other.first}/revoke`))).toBe("CONS110");
  }
  const rows = (await other.developer.get(`${other.base}/keys`)).json.rows;
  expect(rows).toMatchObject([{ key: other.first, status: "active", secrets: [{}] }]);
});

test("each problem of a new key names its field", async () => {
  const { base, developer } = await newDeveloper();
  const input = { name: "x", scopes: ["read"] };
  const bad = { name: "", scopes: ["all"], addresses: ["everywhere"], expires_at: 1 };
  const { json } = await developer.post(`${base}/keys`, bad);
  const told = json.error.map(({ code, field }: { code: string; field: string }) => [code, field]);
  expect(told).toEqual([
    ["CONS107", "name"],
    ["CONS108", "scopes"],
    ["CONS706", "addresses"],
  ]);
  expect(codeOf(await developer.post(`${base}/keys`, { ...input, expires_at: 1 }))).toBe("CONS707");
});

test("a subaccount is created with its first key, changed, and closed by typing its name", async () => {
  const admin = service.enter("admin");
  const operator = service.enter("operator");
  const input = { name: "Bee Ltd", mode: "test" };
  const { id, key, secret } = (await admin.post("/subaccounts", input)).json;
  expect(await callsWith(key, secret)).toMatchObject({ id, suba_name: "Bee Ltd" });
  const [first] = (await admin.get(`/s/${id}/keys`)).json.rows;
  expect(first).toMatchObject({ key, scopes: [...usualScopes], created_by: admin.who });

  const change = { first_name: "Bea", mobile_dialcode: "61", mobile: "412345678" };
  const changed = await operator.patch(`/s/${id}/settings`, change);
  expect(changed.json.profile).toMatchObject({ ...change, mobile_dialcode: "+61" });
  const developer = service.enter("developer", { subaccountId: id });
  const url = { postback_url: "https://example.com" };
  expect(codeOf(await operator.patch(`/s/${id}/settings`, url))).toBe("SUBA211");

  expect(codeOf(await admin.post(`/s/${id}/close`, { name: "Bee" }))).toBe("CONS708");
  const closed = await admin.post(`/s/${id}/close`, { name: "Bee Ltd" });
  expect(closed.json.closed_at).toBeGreaterThan(0);
  const answer = () => callsWith(key, secret).catch(({ code }) => code);
  await expect.poll(answer).toBe("SUBA101");
  const refused = await developer.post(`/s/${id}/keys`, { name: "x", scopes: ["read"] });
  expect(codeOf(refused)).toBe("CONS701");

  const { rows } = await service.db.pool.query(
    "select action, after from audit_entry where subaccount_id = $1 order by number",
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    ...["subaccount.create", "key.create", "subaccount.change", "subaccount.close"],
  ]);
  // Which fields changed, and not their values.
  expect(rows[2].after).toEqual({ fields: Object.keys(change).sort() });
});
