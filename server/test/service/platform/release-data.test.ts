// Data that 0.1.0 has made is used with this version, after all later migrations.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { webhooks } from "../../../../client/src/webhooks.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { dumpSchema, schemaFile } from "../../../src/platform/db/dump-schema.ts";
import { migrate, pendingMigrations } from "../../../src/platform/db/migrate.ts";
import { sealWith } from "../../../src/platform/encryption/seal.ts";
import { verifyAudit } from "../../../src/tenants/audit/verify.ts";
import { callConsole } from "../../support/console.ts";
import { readEncryptedValues } from "../../support/encrypted-reader.ts";
import {
  loadReleaseData,
  type ReleaseFacts,
  readReleaseFacts,
} from "../../support/release-data.ts";
import { call, emptyDatabase, type Service, startService } from "../../support/service.ts";
import { type Sink, startSink } from "../../support/sink.ts";

const version = "0.1.0";

let service: Service;
let facts: ReleaseFacts;
let sink: Sink;
beforeAll(async () => {
  const { db, url } = await emptyDatabase();
  await loadReleaseData(db, version);
  await migrate(db);
  expect(await pendingMigrations(db.pool)).toEqual([]);
  facts = readReleaseFacts(version);
  sink = await startSink();
  const seal = sealWith(Buffer.from(facts.masterKey, "base64"));
  service = await startService({ database: { db, url, seal }, delivers: true });
});
afterAll(async () => {
  await service.close();
  await sink.close();
});

const ask = (method: string, path: string, options: Parameters<typeof call>[3] = {}) =>
  call({ baseUrl: service.baseUrl, ...facts }, method, path, options);

test("every encrypted value can be read, and the audit log and the books are right", async () => {
  const { db, seal } = service;
  const { readable, unreadable } = await readEncryptedValues(db, seal);
  expect(unreadable).toEqual([]);
  expect(readable).toBeGreaterThan(10);
  expect((await verifyAudit({ db, seal })).fault).toBeUndefined();
  expect((await verifyLedger(db)).differences).toEqual([]);
  const { rows } = await db.pool.query("select kind from bank_match");
  expect(rows).toEqual([{ kind: "fund" }]);
});

test("it has the schema of a new database", async () => {
  expect(await dumpSchema(service.db)).toBe(readFileSync(schemaFile, "utf8"));
});

test("a key reads a receiver and its account", async () => {
  const receiver = await ask("GET", `/api/receiver/${facts.receiverId}`);
  expect([receiver.status, receiver.json.payload.dob]).toEqual([200, facts.dob]);
  const account = await ask("GET", `/api/receiveraccount/${facts.accountId}`);
  expect(account.json.payload.bank_account_data.account_number).toBe(facts.accountNumber);
});

test("a key pays", async () => {
  const { repeated } = facts;
  const body = { ...repeated.body, reference: "RENT 2" };
  const paid = await ask("POST", repeated.path, { body });
  expect([paid.status, paid.json]).toEqual([200, expect.anything()]);
});

test("a repeated idempotency key gets the response of before", async () => {
  const { path, key, body, response } = facts.repeated;
  const again = await ask("POST", path, { body, headers: { "idempotency-key": key } });
  expect([again.status, again.json]).toEqual([200, response]);
});

test("an event that waits is sent, with the signature of its secret", async () => {
  const body = { postback_url: sink.url() };
  expect((await ask("PATCH", "/api/subaccount", { body })).status).toBe(200);
  await expect.poll(() => sink.received.length).toBeGreaterThan(0);
  const { body: sent = "", headers } = sink.received[0] ?? {};
  const event = await webhooks.unwrap(sent, headers as never, facts.webhookSecret);
  expect(JSON.parse(sent)).toMatchObject(event);
});

test("a user signs in with the password, and decides a proposal", async () => {
  const signedIn = await callConsole(
    service.baseUrl,
    {},
    "POST",
    "/auth/sign-in/email",
    facts.user,
  );
  expect(signedIn.status).toBe(200);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const path = `/s/${facts.subaccountId}/bank-changes/${facts.changeId}/approve`;
  const decided = await callConsole(service.baseUrl, { cookie }, "POST", path, {});
  expect([decided.status, decided.text]).toEqual([200, expect.anything()]);
  const account = await ask("GET", `/api/receiveraccount/${facts.accountId}`);
  expect(account.json.payload.bank_account_data.bsb).toBe("083047");
});
