// Routes of bank connections: two admins change them, and no secret or account number is shown.

import { expect, test } from "vitest";
import { settingsIdentity } from "../../../src/banking/connections/connection.ts";
import { lockConnection } from "../../../src/banking/connections/connection-queries.ts";
import { updateValues } from "../../../src/doors/rotation/column-queries.ts";
import {
  type EncryptedColumn,
  encryptedColumns,
} from "../../../src/doors/rotation/encrypted-columns.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { outcomeOf } from "../../support/service.ts";
import { newSshKey } from "../../support/sftp-server.ts";

const service = await closeAfterTests(startBankConsole());

const waiting = "/approvals?kind=bank_connection";

test("a new connection needs two admins, and its account number is never shown", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const [one, two] = [service.enter("admin"), service.enter("admin")];
  const fields = {
    name: `New ${subaccountId}`,
    format: "aba",
    subaccount_ids: [subaccountId],
    settings: abaSettings,
  };
  const bad = { ...fields, settings: { ...abaSettings, bsb: "1" } };
  expect((await one.post("/banks/connections", { fields: bad })).json.error[0]).toMatchObject({
    code: "BANK201",
    field: "settings.bsb",
  });
  const { json } = await one.post("/banks/connections", { fields });
  expect(outcomeOf(await two.post("/banks/connections", { fields }))).toBe("409 BANK502");
  const list = await two.get(waiting);
  expect(list.text).not.toContain("12345678");
  const card = list.json.rows.find(({ id }: { id: string }) => id === json.id);
  expect(card).toMatchObject({ made_by: one.who, is_own: false, why_not: null });
  const { request } = card;
  expect(request).toMatchObject({ verb: "add", object: fields.name });
  expect((await two.get("/banks")).json.requested).toBeGreaterThan(0);
  expect(request.changes).toContainEqual({
    field: "account_number",
    before: "–",
    after: "…678",
  });
  expect(outcomeOf(await one.post(`/banks/requests/${json.id}/approve`))).toBe("403 CONS402");
  expect((await two.post(`/banks/requests/${json.id}/approve`)).json.status).toBe("applied");
  expect(outcomeOf(await two.post(`/banks/requests/${json.id}/approve`))).toBe("409 CONS401");
  const { rows } = (await one.get("/banks")).json;
  expect(rows).toContainEqual(expect.objectContaining({ name: fields.name, account: "…678" }));
  const { rows: kept } = await service.db.pool.query(
    "select fields_sealed from bank_connection_request where id = $1",
    [json.id],
  );
  expect(kept).toEqual([{ fields_sealed: null }]);
});

test("a change keeps the account number, shows what differs, and is refused when it is outdated", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const id = await service.connect(subaccountId, [subaccountId], { file_count_max: 10 });
  const [one, two] = [service.enter("admin"), service.enter("admin")];
  const current = await one.get(`/banks/connections/${id}`);
  expect(current.text).not.toContain("12345678");
  expect(current.json).toMatchObject({ account: "…678", settings: { bsb: "062000" } });
  const change = async (fields: object) =>
    (await one.patch(`/banks/connections/${id}`, { fields })).json.id as string;
  const first = await change({ bank_cutoff: "16:00", freeze_at: "15:30", file_count_max: null });
  const changes = async (request: string) =>
    (await two.get(waiting)).json.rows.find((row: { id: string }) => row.id === request).request
      .changes;
  expect(await changes(first)).toEqual([
    { field: "freeze_at", before: "17:00", after: "15:30" },
    { field: "bank_cutoff", before: "18:00", after: "16:00" },
    { field: "file_count_max", before: "10", after: "–" },
  ]);
  expect((await two.post(`/banks/requests/${first}/approve`)).json.status).toBe("applied");
  expect((await one.get(`/banks/connections/${id}`)).json).toMatchObject({
    account: "…678",
    bank_cutoff: "16:00",
    file_count_max: null,
  });

  // A BSB may have a hyphen, as that of a receiver, and is kept as its digits.
  const hyphened = await change({ settings: { bsb: "083-047" } });
  expect(await changes(hyphened)).toEqual([{ field: "bsb", before: "062000", after: "083047" }]);
  await two.post(`/banks/requests/${hyphened}/approve`);
  expect((await one.get(`/banks/connections/${id}`)).json.settings.bsb).toBe("083047");
  const slipped = await one.patch(`/banks/connections/${id}`, {
    fields: { settings: { bsb: "08-3047" } },
  });
  expect(outcomeOf(slipped)).toBe("400 BANK201");

  // Another number with the same last digits is a change too.
  const second = await change({ settings: { account_number: "99995678" } });
  expect(await changes(second)).toEqual([
    { field: "account_number", before: "…678", after: "…678 (another number)" },
  ]);
  await service.connect(subaccountId, [subaccountId], { releasers: 1 });
  expect(outcomeOf(await two.post(`/banks/requests/${second}/approve`))).toBe("409 BANK501");
  const declined = await two.post(`/banks/requests/${second}/decline`, { reason: "outdated" });
  expect(declined.json.status).toBe("declined");
});

test("a request survives a rotation of keys, also if it is made or approved while the settings are encrypted again", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const id = await service.connect(subaccountId, [subaccountId]);
  const [one, two] = [service.enter("admin"), service.enter("admin")];
  await Promise.all([one.ready, two.ready]);
  const column = encryptedColumns.find(
    ({ table, column: name }) => table === "bank_connection" && name === "settings_sealed",
  ) as EncryptedColumn;
  const waitsForLock = async () => {
    const { rows } = await service.db.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like 'lock table bank_connection %'`,
    );
    return rows.length;
  };
  /** As a rotation does, with what happens before it commits. */
  const reencrypt = (meanwhile: () => unknown) =>
    service.db.transaction(async (tx) => {
      const identity = settingsIdentity(id);
      const before = (await lockConnection(tx, id))?.settings_sealed as Buffer;
      const sealed = service.seal.encrypt(service.seal.decrypt(before, identity), identity);
      await updateValues(tx, column, [{ key: [id], before, sealed }]);
      meanwhile();
      await expect.poll(waitsForLock).toBe(1);
      await column.onChange?.(tx, before, sealed);
    });
  let made: ReturnType<typeof one.patch> | undefined;
  await reencrypt(() => {
    made = one.patch(`/banks/connections/${id}`, { fields: { freeze_at: "16:30" } });
  });
  const { json } = (await made) as Awaited<ReturnType<typeof one.patch>>;
  let approved: ReturnType<typeof two.post> | undefined;
  await reencrypt(() => {
    approved = two.post(`/banks/requests/${json.id}/approve`);
  });
  expect((await approved)?.json.status).toBe("applied");
});

test("a change keeps fields that its form does not show, and lists every change of the SFTP server", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const sftp = {
    host: "sftp.bank.example",
    user: "acme",
    password: "secret-1",
    host_key: `SHA256:${"A".repeat(43)}`,
  };
  const id = await service.connect(subaccountId, [subaccountId], {
    closed_days: ["2026-12-24"],
    travels: "sftp",
    sftp,
  });
  const [one, two] = [service.enter("admin"), service.enter("admin")];
  const change = async (fields: object) => {
    const { json } = await one.patch(`/banks/connections/${id}`, { fields });
    const list = await two.get(waiting);
    expect(list.text).not.toContain("secret-");
    const found = list.json.rows.find((row: { id: string }) => row.id === json.id);
    await two.post(`/banks/requests/${json.id}/approve`);
    return found.request.changes;
  };
  expect(await change({ releasers: 1 })).toEqual([{ field: "releasers", before: "2", after: "1" }]);
  const { rows } = await service.db.pool.query(
    "select travels, sftp_sealed is not null as is_kept, closed_days from bank_connection where id = $1",
    [id],
  );
  expect(rows).toEqual([{ travels: "sftp", is_kept: true, closed_days: ["2026-12-24"] }]);
  const other = { ...sftp, host: "sftp.other.example", password: "secret-2" };
  const changes = await change({ travels: "sftp", sftp: other });
  expect(changes).toContainEqual({
    field: "sftp_host",
    before: "sftp.bank.example",
    after: "sftp.other.example",
  });
  expect(changes).toContainEqual({
    field: "sftp_password",
    before: "set",
    after: "set (another)",
  });
});

test("a change of the SFTP server keeps secrets that it does not name, but sends no password elsewhere", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const host_key = `SHA256:${"A".repeat(43)}`;
  const sftp = { host: "sftp.bank.example", user: "acme", password: "secret-1", host_key };
  const changes = { travels: "sftp", sftp, closed_days: ["2026-12-24"] };
  const id = await service.connect(subaccountId, [subaccountId], changes);
  const [one, two] = [service.enter("admin"), service.enter("admin")];
  const path = `/banks/connections/${id}`;
  const current = async () => {
    const answer = await one.get(path);
    expect(answer.text).not.toMatch(/secret-|PRIVATE KEY/);
    return answer.json;
  };
  expect(await current()).toMatchObject({
    travels: "sftp",
    sftp: { host: "sftp.bank.example", port: 22, user: "acme", host_key, folder: "" },
    sftp_secrets: ["password"],
    closed_days: ["2026-12-24"],
  });
  const patch = (fields: object) => one.patch(path, { fields: { travels: "sftp", ...fields } });
  const change = async (fields: object) => {
    const { json } = await patch(fields);
    const { rows } = (await two.get(waiting)).json;
    const { request } = rows.find((row: { id: string }) => row.id === json.id);
    expect(outcomeOf(await one.post(`/banks/requests/${json.id}/approve`))).toBe("403 CONS402");
    expect((await two.post(`/banks/requests/${json.id}/approve`)).json.status).toBe("applied");
    return request.changes;
  };
  const passwordOf = async () => (await service.connectionOf(id)).sftp?.password;
  expect(await change({ sftp: { folder: "in" }, closed_days: [] })).toEqual([
    { field: "closed_days", before: "2026-12-24", after: "–" },
    { field: "sftp_folder", before: "–", after: "in" },
  ]);
  expect(await passwordOf()).toBe("secret-1");
  const elsewhere = await patch({ sftp: { host: "sftp.other.example" } });
  expect(elsewhere.json.error[0]).toMatchObject({ code: "BANK201", field: "sftp.password" });
  expect(elsewhere.text).not.toContain("secret-");
  const key = newSshKey();
  const withKey = { host: "sftp.other.example", password: null, private_key: key.private };
  expect(await change({ sftp: withKey })).toEqual([
    { field: "sftp_host", before: "sftp.bank.example", after: "sftp.other.example" },
    { field: "sftp_password", before: "set", after: "–" },
    { field: "sftp_private_key", before: "–", after: "set" },
  ]);
  expect(await current()).toMatchObject({ sftp_secrets: ["private_key"] });
  expect(await change({ travels: "download" })).toContainEqual({
    field: "travels",
    before: "sftp",
    after: "download",
  });
  expect(await current()).toMatchObject({ travels: "download", sftp: {}, sftp_secrets: [] });
});

test("one admin disables a connection, two enable it again", async () => {
  const payer = await service.newPayer();
  const id = await service.connect(payer.subaccountId, [payer.subaccountId]);
  const [one, two] = [service.enter("admin"), service.enter("admin")];
  const isDisabled = async () =>
    (await one.get("/banks")).json.rows.find((row: { id: string }) => row.id === id).disabled_at !==
    null;
  expect((await one.post(`/banks/connections/${id}/disable`)).status).toBe(204);
  expect(await isDisabled()).toBe(true);
  const { json } = await one.post(`/banks/connections/${id}/enable`);
  expect(await isDisabled()).toBe(true);
  await two.post(`/banks/requests/${json.id}/approve`);
  expect(await isDisabled()).toBe(false);
});
