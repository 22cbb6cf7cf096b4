// disburse backup and disburse restore: what they refuse, and what they leave behind.

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/doors/database/open-database.ts";
import { findReceivers } from "../../../src/people/receivers/queries.ts";
import {
  type ArchivingFacts,
  findArchivingTroubles,
} from "../../../src/platform/backup/archiving-check.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { addSocketLock } from "../../scenarios/restore-next-to-original.ts";
import { command } from "../../support/commands.ts";
import { readEncryptedValues } from "../../support/encrypted-reader.ts";
import { disburse, serve } from "../../support/process.ts";
import { ada, masterKey, newDatabase } from "../../support/service.ts";
import { startVault } from "../../support/vault-server.ts";

const root = mkdtempSync(join(tmpdir(), "disburse-backups-"));
const key = { DISBURSE_MASTER_KEY: masterKey.toString("base64") };
const dataDir = join(root, "data");
const archive = join(root, "archive");
const inData = { ...key, DATA_DIR: dataDir, BACKUP_DIR: archive };
let first: { backup: string; files: number };
let folders = 0;
const newFolder = () => {
  folders += 1;
  return join(root, `new-${folders}`);
};

async function json(words: string[], environment: Record<string, string>) {
  const { code, stdout, stderr } = await command([...words, "--json"], environment);
  expect(stderr + stdout, words.join(" ")).not.toMatch(/Unexpected/);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** A copy of the archive that a test may damage. */
function copyArchive(): string {
  const copy = newFolder();
  cpSync(archive, copy, { recursive: true });
  return copy;
}

beforeAll(async () => {
  await json(["migrate"], inData);
  first = await json(["backup"], inData);
}, 120_000);
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));

test("a backup names what it holds, and never holds the master key", async () => {
  expect(first).toMatchObject({ folder: archive, removed: [], postgresql: /^18/ });
  const folder = join(archive, first.backup);
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  expect(manifest.files).toHaveLength(first.files);
  expect(readdirSync(folder).sort()).toEqual(["data", "manifest.json", "wal"]);
  const paths = manifest.files.map(({ path }: { path: string }) => path);
  expect(paths).toContain("backup_label");
  const unwanted = /postmaster|PGSQL|^pg_wal|^pg_replslot|key/;
  expect(paths.filter((path: string) => unwanted.test(path))).toEqual([]);
  expect(readFileSync(join(folder, "manifest.json"), "utf8")).not.toContain(
    key.DISBURSE_MASTER_KEY,
  );
  const [listed] = await json(["backup", "list"], inData);
  expect(listed).toMatchObject({ backup: first.backup, until: manifest.ended_at });
});

test("a damaged, a missing and an unfinished backup are refused", async () => {
  const copy = copyArchive();
  const control = join(copy, first.backup, "data", "global", "pg_control");
  const bytes = readFileSync(control);
  bytes[100] = (bytes[100] as number) ^ 1;
  writeFileSync(control, bytes);
  const to = newFolder();
  const damaged = await command(["restore", copy, "--to", to], key);
  expect(damaged).toMatchObject({ code: 1, stderr: /pg_control is damaged/ });
  expect(readdirSync(to)).toEqual(["restore.unfinished"]);
  appendFileSync(control, "x");
  const longer = await command(["restore", copy, "--to", newFolder()], key);
  expect(longer.stderr).toMatch(/pg_control is damaged/);
  rmSync(control);
  const missing = await command(["restore", copy, "--to", newFolder()], key);
  expect(missing.stderr).toMatch(/pg_control is missing/);
  rmSync(join(copy, first.backup, "manifest.json"));
  const unfinished = await command(["restore", copy, "--to", newFolder()], key);
  expect(unfinished).toMatchObject({ code: 4, stderr: /There is no whole backup/ });
});

test("a restore needs the right master key, an empty folder and a time that is archived", async () => {
  const to = newFolder();
  const without = await command(["restore", archive, "--to", to]);
  expect(without).toMatchObject({ code: 2, stderr: /does not hold the master key/ });
  const other = { DISBURSE_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
  const wrong = await command(["restore", archive, "--to", to], other);
  expect(wrong).toMatchObject({ code: 1, stderr: /another master key/ });
  const used = await command(["restore", archive, "--to", dataDir], key);
  expect(used).toMatchObject({ code: 2, stderr: /is not empty/ });
  const late = await command(["restore", archive, "--to", to, "--at", "2100-01-01"], key);
  expect(late).toMatchObject({ code: 4, stderr: /hold changes until/ });
  const early = await command(["restore", archive, "--to", to, "--at", "2020-01-01"], key);
  expect(early).toMatchObject({ code: 4, stderr: /oldest backup/ });
  expect(existsSync(join(to, "postgres"))).toBe(false);
});

test("a backup is restored next to its running original, also one that holds the lock of its socket", async () => {
  const environment = { ...key, DATA_DIR: newFolder(), ADMIN_PORT: "0", LOG_LEVEL: "fatal" };
  const backups = newFolder();
  const original = await serve(environment);
  onTestFinished(async () => void (await original.end()));
  const { backup } = await json(["backup", backups], environment);
  const restored = await json(["restore", backups, "--to", newFolder(), "--verify"], key);
  expect(restored).toMatchObject({ backup, audit_fault: null });
  addSocketLock(join(backups, backup), environment.DATA_DIR);
  const to = newFolder();
  expect(await json(["restore", backups, "--to", to], key)).toMatchObject({ backup });
  expect(existsSync(join(to, "restore.unfinished"))).toBe(false);
  expect((await fetch(`${original.baseUrl}/readyz`)).status).toBe(200);
  const copy = await serve({ ...environment, DATA_DIR: to });
  expect(await copy.end()).toBe(0);
});

test("no command uses the folder of a failed restore", async () => {
  const copy = copyArchive();
  rmSync(join(copy, first.backup, "data", "global", "pg_control"));
  const to = newFolder();
  expect((await command(["restore", copy, "--to", to], key)).code).toBe(1);
  const environment = { ...key, DATA_DIR: to, PORT: "0", ADMIN_PORT: "0" };
  const refusal = /The restore into .* has failed.*\nRun disburse restore again/;
  for (const words of [["serve"], ["serve", "--processes", "2"], ["migrate"], ["users", "list"]]) {
    const { code, stderr } = await disburse(words, environment);
    expect({ code, stderr }, words.join(" ")).toMatchObject({ code: 1, stderr: refusal });
  }
  expect(readdirSync(to)).toEqual(["restore.unfinished"]);
  await json(["restore", archive, "--to", to], key);
  expect((await command(["users", "list"], environment)).code).toBe(0);
});

test("a restored copy only reads until it is released by two words", async () => {
  const to = newFolder();
  mkdirSync(to);
  writeFileSync(join(to, "master.key"), key.DISBURSE_MASTER_KEY);
  const restored = await json(["restore", archive, "--to", to, "--verify", "--by", "Ada"], {});
  expect(restored).toMatchObject({ ledger_differences: [], audit_entries: 1, audit_fault: null });
  const copy = { DATA_DIR: to };
  const create = ["subaccount", "create", "--name", "Acme", "--mode", "test"];
  const refused = await command(create, copy);
  expect(refused).toMatchObject({ code: 1, stderr: /in quarantine.*restored from a backup/ });
  expect(refused.stderr).not.toContain("DATABASE_URL");
  expect((await command(["subaccount", "list"], copy)).code).toBe(0);
  expect((await command(["audit", "verify"], copy)).code).toBe(0);
  const backup = await command(["backup", newFolder()], copy);
  expect(backup.stderr).toContain("in quarantine");
  const release = ["restore", "release"];
  expect((await command(release, copy)).stderr).toContain("--no-erasures");
  const asked = await command([...release, "--no-erasures", "--confirm", "yes"], copy);
  expect(asked).toMatchObject({ code: 1, stderr: /Not released/ });
  const done = await command([...release, "--no-erasures", "--confirm", "pay again"], copy);
  expect(done).toMatchObject({ code: 0, stdout: /Released/ });
  expect((await command([...release, "--no-erasures"], copy)).stderr).toContain(
    "not in quarantine",
  );
  expect((await command(create, copy)).code).toBe(0);
  const entries = await json(["audit", "list"], copy);
  const actions = entries.map(({ action }: { action: string }) => action);
  expect(actions).toEqual([
    "key.create",
    "subaccount.create",
    "installation.release",
    "installation.restore",
  ]);
});

test("backups from before a rotation, and of keys that Vault wraps, are restored with the key of their time", async () => {
  const [data, backups] = [newFolder(), newFolder()];
  const person = join(root, "person.json");
  writeFileSync(person, JSON.stringify(ada()));
  const second = { DISBURSE_MASTER_KEY: Buffer.alloc(32, 9).toString("base64") };
  const vault = await startVault();
  onTestFinished(vault.close);
  const inDir = (keys: Record<string, string>) => ({ ...keys, DATA_DIR: data });
  const backUp = async (keys: Record<string, string>): Promise<string> =>
    (await json(["backup", backups], inDir(keys))).backup;

  await json(["migrate"], inDir(key));
  await json(["subaccount", "create", "--name", "Acme", "--mode", "test"], inDir(key));
  const { receiver_id } = await json(["receivers", "create", "--file", person], inDir(key));
  const original = await backUp(key);
  await json(["master-key", "rotate"], inDir(key));
  await json(["master-key", "rewrap"], inDir({ ...key, ...vault.environment() }));
  const inVault = await backUp(vault.environment());

  const restore = (backup: string, to: string) => [
    "restore",
    backups,
    "--to",
    to,
    "--backup",
    backup,
  ];
  // Another master key opens no backup, and the one of before none of Vault's.
  for (const [backup, keys, words] of [
    [original, second, /another master key/],
    [inVault, key, /wrapped by Vault/],
  ] as const) {
    const refused = await command(restore(backup, newFolder()), keys);
    expect(refused.stderr).toMatch(words);
    expect(refused.code).not.toBe(0);
  }
  for (const [backup, keys] of [
    [original, key],
    [inVault, vault.environment()],
  ] as const) {
    const to = newFolder();
    const restored = await json([...restore(backup, to), "--verify"], keys);
    expect(restored).toMatchObject({ ledger_differences: [], audit_fault: null });
    const config = readConfig({ ...keys, DATA_DIR: to });
    const copy = await openDatabase(config, { purpose: "the test", worksInQuarantine: true });
    try {
      const { readable, unreadable } = await readEncryptedValues(copy.db, copy.seal);
      expect([readable > 0, unreadable]).toEqual([true, []]);
      const { rows } = await copy.db.pool.query("select subaccount_id from receiver");
      const found = { subaccountId: rows[0].subaccount_id, id: receiver_id };
      const [receiver] = await findReceivers(copy, [found]);
      expect(receiver).toMatchObject({ first_name: "Ada", phone: ada().phone });
    } finally {
      await copy.close();
    }
  }
}, 300_000);

test("older backups are removed after a new one, but never the newest", async () => {
  const copy = copyArchive();
  const path = join(copy, first.backup, "manifest.json");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/"ended_at": "\d{4}/, '"ended_at": "2020'));
  mkdirSync(join(copy, "base-20200101T000000000Z", "data"), { recursive: true });
  const second = await json(["backup", copy], inData);
  expect(second.removed).toEqual(["base-20200101T000000000Z", first.backup]);
  expect(readdirSync(copy).filter((name) => name.startsWith("base-"))).toEqual([second.backup]);
});

test("backups stay outside of the data folder, and apart from those of another database", async () => {
  const within = await command(["backup", join(dataDir, "backups")], inData);
  expect(within).toMatchObject({ code: 2, stderr: /must be outside DATA_DIR/ });
  const other = { ...key, DATA_DIR: newFolder() };
  await json(["migrate"], other);
  const mixed = await command(["backup", archive], other);
  expect(mixed).toMatchObject({ code: 1, stderr: /backups of another database/ });
});

test("a database of your own is put into quarantine when nothing else is connected", async () => {
  const { db, url } = await newDatabase();
  const environment = { ...key, DATABASE_URL: url };
  await db.pool.query("select 1");
  const busy = await command(["restore", "quarantine"], environment);
  expect(busy).toMatchObject({ code: 1, stderr: /connections of Disburse are open/ });
  await db.close();
  const done = await command(["restore", "quarantine"], environment);
  expect(done).toMatchObject({ code: 0, stderr: /In quarantine/ });
  const verified = await json(["restore", "verify"], environment);
  expect(verified).toMatchObject({ audit_entries: 1, last_payout: null });
  const refused = await command(["backup", newFolder()], environment);
  expect(refused).toMatchObject({ code: 2, stderr: /PostgreSQL of your own/ });
});

test("backup check says what is missing, and exits with 1", async () => {
  const fine = await command(["backup", "check"], inData);
  expect(fine).toMatchObject({ code: 0, stdout: "none\n" });
  const unset = await command(["backup", "check"], { ...key, DATA_DIR: dataDir });
  expect(unset).toMatchObject({ code: 1, stdout: /BACKUP_DIR is not set/ });
  const { db, url } = await newDatabase();
  await db.close();
  const server = await command(["backup", "check"], { ...key, DATABASE_URL: url });
  expect(server).toMatchObject({ code: 1, stdout: /archive_mode is off/ });
});

test("backup check finds a failing archive, lost slots and settings that lose payouts", () => {
  const nowMs = Date.parse("2026-11-16T12:00:00Z");
  const settings = {
    ...{ wal_level: "replica", archive_mode: "on", archive_timeout: "60", fsync: "on" },
    ...{ full_page_writes: "on", synchronous_commit: "on", data_checksums: "on" },
    synchronous_standby_names: "*",
  };
  const archiver = { lastArchivedMs: nowMs - 60_000, lastFailedMs: null };
  const good: ArchivingFacts = { settings, archiver, receivers: 1, slots: [] };
  const troubles = (changes: Partial<ArchivingFacts>) =>
    findArchivingTroubles({ ...good, ...changes }, nowMs).map(
      ({ level, what }) => `${level}: ${what}`,
    );
  expect(troubles({})).toEqual([]);
  expect(troubles({ archiver: { lastArchivedMs: nowMs - 60_000, lastFailedMs: nowMs } })).toEqual([
    "missing: the last try to archive failed, at 2026-11-16T12:00:00.000Z",
  ]);
  const slots = [
    { name: "standby_b", isActive: false, isLost: true },
    { name: "standby_c", isActive: false, isLost: false },
  ];
  expect(troubles({ slots })).toEqual([
    "missing: the replication slot standby_b has lost WAL: what used it must start again",
    "weak: nothing reads the replication slot standby_c: WAL piles up for it",
  ]);
  const careless = { ...settings, fsync: "off", synchronous_commit: "off", archive_timeout: "0" };
  expect(troubles({ settings: careless, receivers: 0 })).toHaveLength(3);
});
