// disburse master-key: status, rotate and rewrap, with a local master key and with Vault.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openKeys } from "../../../src/doors/database/open-keys.ts";
import { withKeysInTarget } from "../../../src/doors/rotation/bring-keys.ts";
import { encryptedColumns } from "../../../src/doors/rotation/encrypted-columns.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { followDataKeys } from "../../../src/platform/data-keys/follow.ts";
import { insertDataKey, listDataKeys } from "../../../src/platform/data-keys/queries.ts";
import type { Db } from "../../../src/platform/db/connect.ts";
import {
  dataKeyId,
  KeyRing,
  masterKeyBytes,
  sealOf,
} from "../../../src/platform/encryption/seal.ts";
import { createSubaccount } from "../../../src/tenants/subaccounts/create.ts";
import { meAs } from "../../support/cli-operator.ts";
import { command } from "../../support/commands.ts";
import { readEncryptedValues } from "../../support/encrypted-reader.ts";
import { startWithEncryptedValues } from "../../support/encrypted-values.ts";
import type { BankTest } from "../../support/inbound-setup.ts";
import { orderedSteps } from "../../support/ordered-steps.ts";
import { disburse, type Environment, serve } from "../../support/process.ts";
import { call, emptyDatabase, masterKey, newDatabase } from "../../support/service.ts";
import { startVault, type VaultServer } from "../../support/vault-server.ts";

const base64 = (key: Buffer) => key.toString("base64");
const withMasterKey = (url: string): Environment => ({
  DATABASE_URL: url,
  DISBURSE_MASTER_KEY: base64(masterKey),
});

async function json(environment: Environment, ...words: string[]) {
  const { code, stdout, stderr } = await command([...words, "--json"], environment);
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

/** The keys of a process with these settings. */
async function openRing(db: Db, environment: Environment) {
  const { ring, services } = await openKeys(readConfig(environment), db);
  const follower = await followDataKeys({ db, ring, service: services });
  return { ring, seal: sealOf(ring), services, close: follower.close };
}

async function readAll(db: Db, environment: Environment) {
  const { seal, close } = await openRing(db, environment);
  return await readEncryptedValues(db, seal).finally(close);
}

const step = orderedSteps();
let bank: BankTest;
let vault: VaultServer;
let environment: Environment;
const key2 = randomBytes(masterKeyBytes);
beforeAll(async () => {
  bank = await startWithEncryptedValues();
  vault = await startVault();
  environment = withMasterKey(bank.url);
});
afterAll(async () => {
  await bank.close();
  await vault.close();
});

let first: string;
let values: number;
step("before a rotation, every value is under the master key", async () => {
  const status = await json(environment, "master-key", "status");
  expect(status).toMatchObject({
    keys: [{ state: "current", original: true, wrapped_by: "master key" }],
    under_old_keys: 0,
  });
  first = status.keys[0].id;
  values = status.keys[0].values;
  const columns = status.columns.map(
    ({ table, column }: Record<string, string>) => `${table}.${column}`,
  );
  expect(columns.sort()).toEqual(
    encryptedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
  );
  expect(await listDataKeys(bank.db)).toEqual([]);
});

let second: string;
step(
  "a rotation brings every column under a new key, and ends with 0 under the old key",
  async () => {
    const serving = await serve({ ...environment, NODE_ENV: "production", ADMIN_PORT: "0" });
    onTestFinished(async () => void (await serving.end("SIGKILL")));
    const { api_key: key, api_secret: secret } = await json(
      environment,
      ...["subaccount", "create", "--name", "A", "--mode", "test"],
    );
    const run = await command(["master-key", "rotate", "--by", "Erin", "--json"], environment);
    expect(run.stderr).toMatch(/Key \w{8} is announced\.\n[\s\S]*0 under the old key\.\n$/);
    const rotated = JSON.parse(run.stdout);
    expect(rotated).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{8}$/),
      // With the secret of the new subaccount.
      reencrypted: values + 1,
      under_old_keys: 0,
      unreadable: [],
    });
    second = rotated.key;
    const status = await json(environment, "master-key", "status");
    expect(status.keys).toMatchObject([
      { id: first, state: "old", original: true, values: 0, emptied_at: expect.any(String) },
      { id: second, state: "current", original: false, values: values + 1 },
    ]);
    expect(new Set(status.columns.map(({ key }: { key: string }) => key))).toEqual(
      new Set([second, "person"]),
    );
    expect(await readAll(bank.db, environment)).toEqual({ readable: values + 1, unreadable: [] });

    // The process that ran meanwhile reads with the new key, and writes with it.
    const answer = await call({ baseUrl: serving.baseUrl, key, secret }, "GET", "/api/subaccount");
    expect(answer.status).toBe(200);
    const postback = { postback_url: "https://example.com/hook" };
    const target = { baseUrl: serving.baseUrl, key, secret };
    const written = await call(target, "PATCH", "/api/subaccount", { body: postback });
    expect(written.status).toBe(200);
    expect(await json(environment, "master-key", "status")).toMatchObject({ under_old_keys: 0 });
    const metrics = await (await fetch(serving.metricsUrl)).text();
    expect(metrics).toContain("\ndisburse_values_under_old_keys 0\n");
    // The steps that follow change the master key, and a rotation waits for a process that has only the old one.
    await serving.end();
  },
);

step(
  "the audit log names the rotation and can still be verified; a waiting request is still about its settings",
  async () => {
    const entries = await json(environment, "audit", "list", "--limit", "10");
    const acts = entries.map(({ action, objectId, who }: Record<string, string>) => [
      action,
      objectId,
      who,
    ]);
    expect(acts).toEqual(
      expect.arrayContaining([
        ["master_key.rotate_start", second, meAs("Erin")],
        ["master_key.rotate_end", second, meAs("Erin")],
      ]),
    );
    expect(await command(["audit", "verify"], environment)).toMatchObject({ code: 0 });
    const { rows } = await bank.db.pool.query(
      `select settings_sha256 = encode(sha256(settings_sealed), 'hex') as same
     from bank_connection_request r join bank_connection c using (name) where status = 'waiting'`,
    );
    expect(rows).toEqual([{ same: true }]);
  },
);

step(
  "rewrap replaces the master key: then the new one is enough, and the old one is refused",
  async () => {
    const both = {
      ...environment,
      DISBURSE_MASTER_KEY: base64(key2),
      DISBURSE_MASTER_KEY_BEFORE: base64(masterKey),
    };
    const before = await json(both, "migrate");
    expect(await json(both, "master-key", "rewrap")).toEqual({ rewrapped: [first, second] });
    const only = { ...environment, DISBURSE_MASTER_KEY: base64(key2) };
    expect((await readAll(bank.db, only)).unreadable).toEqual([]);
    expect(await json(only, "migrate")).toEqual(before);
    const refused = await command(["master-key", "status"], environment);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(
      /^The data keys of this database are wrapped by the master key [0-9a-f]{16}\.\n/,
    );
    environment = only;
  },
);

step(
  "rewrap moves to Vault: then no master key is needed, and a new version of Vault's key is used",
  async () => {
    const both = { ...environment, ...vault.environment() };
    await json(both, "master-key", "rewrap");
    const only = { DATABASE_URL: bank.url, ...vault.environment() };
    vault.rotate();
    expect((await json(only, "master-key", "status")).keys).toMatchObject([
      { id: first, wrapped_by: "vault:v1" },
      { id: second, wrapped_by: "vault:v1" },
    ]);
    await json(only, "master-key", "rewrap");
    vault.minDecryptionVersion = 2;
    expect((await json(only, "master-key", "status")).keys[0].wrapped_by).toBe("vault:v2");
    expect((await readAll(bank.db, only)).unreadable).toEqual([]);
    const without = await command(["master-key", "status"], environment);
    expect(without.stderr).toContain("wrapped by Vault. Set VAULT_TRANSIT_KEY");
    // And back, and there again.
    expect(await command(["master-key", "rewrap", "--local"], only)).toMatchObject({ code: 2 });
    await json(both, "master-key", "rewrap", "--local");
    expect((await json(environment, "master-key", "status")).keys[0].wrapped_by).toMatch(/^local:/);
    await json(both, "master-key", "rewrap");
  },
);

step(
  "a value that can't be decrypted is named and stays; the rotation goes on when it is replaced",
  async () => {
    const only = { DATABASE_URL: bank.url, ...vault.environment() };
    const { rows } = await bank.db.pool.query(
      `update api_secret set sealed = set_byte(sealed, 30, get_byte(sealed, 30) # 1)
     where id = (select min(id::text)::uuid from api_secret) returning key, id`,
    );
    const { key, id } = rows[0];
    const run = await command(["master-key", "rotate", "--json"], only);
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([
      1,
      { under_old_keys: 1, unreadable: [`api_secret.sealed ${key} ${id}`] },
    ]);
    expect(run.stderr).toContain("1 values can't be decrypted and stay under their old key");
    await bank.db.pool.query("delete from api_secret where key = $1 and id = $2", [key, id]);
    const again = await command(["master-key", "rotate", "--json"], only);
    expect(again.stderr).toContain("Going on with key");
    expect(JSON.parse(again.stdout)).toMatchObject({ under_old_keys: 0, unreadable: [] });
  },
);

test("a rotation waits for a process that has not loaded the key, and nothing is written with it until then", async () => {
  const { db, url } = await newDatabase();
  const slow = new pg.Client({ connectionString: url });
  await slow.connect();
  onTestFinished(async () => {
    await slow.end();
    await db.close();
  });
  // As a process does that has loaded generation 0, and then hangs.
  await slow.query("select pg_advisory_lock_shared(4243, 0)");
  const rotating = disburse(["master-key", "rotate", "--json"], withMasterKey(url));
  await expect.poll(async () => (await listDataKeys(db)).length).toBe(2);
  // A second rotation is refused.
  const refused = await command(["master-key", "rotate"], withMasterKey(url));
  expect([refused.code, refused.stderr]).toEqual([
    1,
    "Another process changes the data keys now: a rotation, or a rewrap.\n",
  ]);
  const created = await json(
    withMasterKey(url),
    "subaccount",
    "create",
    "--name",
    "A",
    "--mode",
    "test",
  );
  const versions = async () =>
    (await db.pool.query("select get_byte(sealed, 0) as version from api_secret")).rows;
  expect(created.api_secret).toBeTruthy();
  expect(await versions()).toEqual([{ version: 1 }]);
  await slow.query("select pg_advisory_unlock_shared(4243, 0)");
  const { code, stderr } = await rotating;
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining("Waiting until every process has loaded it"),
  ]);
  expect(await versions()).toEqual([{ version: 2 }]);
});

test("a process that missed a key loads it when it meets a value of it; an absent key makes the value unreadable", async () => {
  const { db, url, seal: atFirst } = await newDatabase();
  onTestFinished(() => db.close());
  await createSubaccount({ db, seal: atFirst }, { name: "A", mode: "test" });
  const { ring, seal, services, close } = await openRing(db, withMasterKey(url));
  onTestFinished(close);
  const written = (key: Buffer) => {
    const other = new KeyRing(ring.original);
    other.add(key);
    other.writeWith(dataKeyId(key));
    return sealOf(other).encrypt("secret", "table:1");
  };
  const [key, absent] = [randomBytes(masterKeyBytes), randomBytes(masterKeyBytes)];
  // Without a notification.
  const row = { id: dataKeyId(key), wrapped: await services.wrap(key), state: "old" } as const;
  await insertDataKey(db, { ...row, is_original: false });
  expect(() => seal.decryptIfReadable(written(key), "table:1")).toThrow("which is not loaded");
  const read = (sealed: Buffer) => () => {
    try {
      return seal.decryptIfReadable(sealed, "table:1");
    } catch {
      return "loading";
    }
  };
  await expect.poll(read(written(key))).toBe("secret");
  await expect.poll(read(written(absent))).toBe(undefined);
});

test("a first start with Vault alone makes its own key; a wrong token, mount or a sealed Vault is explained", async () => {
  const { db, url } = await emptyDatabase();
  const own = await startVault();
  const folder = mkdtempSync(join(tmpdir(), "disburse-vault-"));
  onTestFinished(async () => {
    await own.close();
    await db.close();
    rmSync(folder, { recursive: true });
  });
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, `${own.token}\n`);
  const { VAULT_TOKEN, ...rest } = own.environment();
  const withVault = { DATABASE_URL: url, ...rest, VAULT_TOKEN_FILE: tokenFile };
  // A leader election takes a moment.
  own.failures = 1;
  await json(withVault, "migrate");
  expect(own.calls.slice(0, 2)).toEqual([
    "/v1/transit/encrypt/disburse 500",
    "/v1/transit/encrypt/disburse 200",
  ]);
  expect((await json(withVault, "master-key", "status")).keys).toMatchObject([
    { state: "current", original: true, wrapped_by: "vault:v1", values: 1 },
  ]);
  const stderrWith = async (changes: Environment) =>
    (await command(["master-key", "status"], { ...withVault, ...changes })).stderr;
  expect(await stderrWith({ VAULT_TOKEN_FILE: undefined, VAULT_TOKEN: "hvs.wrong" })).toBe(
    "Vault answered 403 to transit/decrypt/disburse (2 errors occurred: * permission denied * invalid token). " +
      "Check VAULT_TOKEN and its policy: it needs update on the encrypt and decrypt paths of the key.\n",
  );
  expect(await stderrWith({ VAULT_TRANSIT_MOUNT: "other" })).toContain(
    "Check VAULT_TRANSIT_MOUNT and VAULT_NAMESPACE",
  );
  expect(await stderrWith({ VAULT_NAMESPACE: "" })).toContain("Vault answered 404");
  expect(await stderrWith({ VAULT_TRANSIT_KEY: "other" })).toContain("encryption key not found");
  expect(
    await stderrWith({ VAULT_TRANSIT_KEY: undefined, DISBURSE_MASTER_KEY: base64(masterKey) }),
  ).toContain("wrapped by Vault");
  expect(await stderrWith({ VAULT_TOKEN: VAULT_TOKEN as string })).toContain(
    "VAULT_TOKEN or VAULT_TOKEN_FILE",
  );
});

test("a cell gets the keys of another one, and its processes load them, before a subaccount moves there", async () => {
  const [source, target] = [await newDatabase(), await newDatabase()];
  onTestFinished(async () => {
    await source.db.close();
    await target.db.close();
  });
  await createSubaccount(source, { name: "A", mode: "test" });
  await command(["master-key", "rotate"], withMasterKey(source.url));
  const here = await openRing(source.db, withMasterKey(source.url));
  const there = await openRing(target.db, withMasterKey(target.url));
  onTestFinished(here.close);
  onTestFinished(there.close);
  const value = here.seal.encrypt("secret", "table:1");
  const cells = { source: source.db, target: target.db, ring: here.ring, services: here.services };
  const moving = { ...cells, signal: new AbortController().signal, onWait() {} };
  const read = await withKeysInTarget(moving, async () => {
    const refused = await command(["master-key", "rotate"], withMasterKey(target.url));
    expect(refused.stderr).toBe(
      "Another process changes the data keys now: a rotation, or a rewrap.\n",
    );
    return there.seal.decrypt(value, "table:1");
  });
  expect(read).toBe("secret");
  // The target still writes with its own key.
  expect(there.seal.encrypt("own", "table:1")[0]).toBe(1);
  expect((await listDataKeys(target.db)).map(({ state }) => state)).toEqual(["current", "old"]);
});
