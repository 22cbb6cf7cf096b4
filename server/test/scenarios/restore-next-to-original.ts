// Backs up a service that keeps paying, and restores the backup next to it, over and over. Every restore is killed once:
// no command may use what it leaves, and the next restore into the same folder succeeds.

import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/platform/db/connect.ts";
import { connectionTo } from "../../src/platform/embedded/embedded-folder.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { newPayer, payoutIds } from "../support/payers.ts";
import { disburse, type Environment, serve, startCommand } from "../support/process.ts";
import { startSink } from "../support/sink.ts";
import { startLoad } from "./backup-run.ts";
import { contradictions } from "./payouts-books.ts";

type RestoresRun = { rounds: number; masterKey: Buffer; onRound?: (done: number) => void };

type RestoresSeen = {
  /** Copies that were whole, while the original went on paying. */
  restored: number;
  /** Killed restores whose folder `serve` refused. */
  refused: number;
  acknowledged: number;
  complaints: string[];
};

/** A restore prints them. It is killed when it has printed one. */
const steps = ["copying the files", "replaying the WAL"];

export async function restoreNextToOriginal(options: RestoresRun): Promise<RestoresSeen> {
  const { rounds, masterKey, onRound = () => {} } = options;
  const folder = mkdtempSync(join(tmpdir(), "disburse-beside-"));
  const archive = join(folder, "archive");
  const original = join(folder, "original");
  const seen: RestoresSeen = { restored: 0, refused: 0, acknowledged: 0, complaints: [] };
  const complain = (text: string) => void seen.complaints.push(text);
  const environment: Environment = {
    DISBURSE_MASTER_KEY: masterKey.toString("base64"),
    ...{ PORT: "0", ADMIN_PORT: "0", LOG_LEVEL: "fatal", POSTBACK_ADDRESSES: "loopback" },
    ...{ KYC_SANDBOX_DELAY_MS: "86400000", SANDBOX_BANK_DELAY_MS: "50" },
  };
  const inOriginal = { ...environment, DATA_DIR: original, BACKUP_DIR: archive };
  const openIn = (dataDir: string) =>
    connect({ connection: connectionTo(dataDir, join(dataDir, "postgres")), poolMax: 2 });
  const run = async (words: string[], settings: Environment) => {
    const { code, stdout, stderr } = await disburse(words, settings);
    if (code !== 0) throw new Error(`disburse ${words.join(" ")}: ${code}\n${stdout}${stderr}`);
    return stdout;
  };

  const sink = await startSink();
  const service = await serve(inOriginal);
  const db = openIn(original);
  const { baseUrl } = service;
  const payer = await newPayer({ db, seal: sealWith(masterKey), baseUrl }, sink.url("/"));
  const load = startLoad(db, payer, baseUrl);

  async function oneRound(round: number): Promise<void> {
    await load.until(load.paid.length + 20);
    const acknowledged = load.paid.map(({ id }) => id);
    const { backup } = JSON.parse(await run(["backup", "--json"], inOriginal));
    // Every second one is as earlier versions made it.
    if (round % 2 === 0) addSocketLock(join(archive, backup), original);
    const to = join(folder, `copy-${round}`);
    const restore = ["restore", archive, "--to", to, "--verify", "--json"];

    await killedAt(steps[round % steps.length] as string, restore);
    const inCopy = { ...environment, DATA_DIR: to };
    const { code, stderr } = await disburse(["serve"], inCopy);
    if (code === 1 && /The restore into .* has not ended/.test(stderr)) seen.refused += 1;
    else complain(`serve on a killed restore: ${code} ${stderr}`);
    if (existsSync(join(to, "postgres"))) complain("serve has created a database");

    const verified = JSON.parse(await run(restore, environment));
    if (verified.audit_fault !== null) complain(`audit log: ${verified.audit_fault}`);
    for (const found of verified.ledger_differences) complain(`ledger: ${found}`);
    await requireCopy(inCopy, acknowledged);
    // The original pays on: this fails if it does not.
    await load.until(load.paid.length + 1);
    seen.restored += 1;
    rmSync(to, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  async function killedAt(step: string, words: string[]): Promise<void> {
    const { process: child, ended } = startCommand(words, environment);
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
      if (said.includes(step)) child.kill("SIGKILL");
    });
    await ended;
  }

  /** The copy serves next to the original, in quarantine, and has what was acknowledged before its backup. */
  async function requireCopy(inCopy: Environment & { DATA_DIR: string }, wanted: string[]) {
    const copy = await serve(inCopy);
    const copied = openIn(inCopy.DATA_DIR);
    try {
      const ready = await (await fetch(`${copy.baseUrl}/readyz`)).text();
      if (!ready.includes("in quarantine")) complain(`readyz of the copy: ${ready}`);
      const ids = await payoutIds(copied);
      const missing = wanted.filter((id) => !ids.has(id));
      if (missing.length > 0) complain(`the copy lacks ${missing.length} payouts`);
      for (const found of await contradictions(copied)) complain(JSON.stringify(found));
    } finally {
      await copied.close();
      await copy.end();
    }
  }

  try {
    for (let round = 1; round <= rounds; round += 1) {
      await oneRound(round);
      onRound(round);
    }
  } finally {
    await load.stop();
    seen.acknowledged = load.paid.length;
    await db.close();
    await service.end();
    await sink.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  return seen;
}

/** Backups of earlier versions hold the lock of the socket, which names the process of the original. */
export function addSocketLock(backup: string, dataDir: string): void {
  const name = ".s.PGSQL.5432.lock";
  const lock = readFileSync(join(dataDir, "postgres", name));
  writeFileSync(join(backup, "data", name), lock);
  const path = join(backup, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const sha256 = createHash("sha256").update(lock).digest("hex");
  manifest.files.push({ path: name, bytes: lock.length, sha256 });
  writeFileSync(path, JSON.stringify(manifest));
}
