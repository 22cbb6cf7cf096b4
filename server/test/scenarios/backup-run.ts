// Backs up the embedded database under payouts, loses its machine, and restores it from the archive, over and over.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DisburseError } from "../../../client/src/index.ts";
import { readPoint, walFolderOf } from "../../src/platform/backup/wal-folder.ts";
import { readLsn } from "../../src/platform/backup/wal-position.ts";
import { connect, type Db } from "../../src/platform/db/connect.ts";
import { openEmbedded } from "../../src/platform/embedded/embedded.ts";
import { connectionTo, postmasterPid } from "../../src/platform/embedded/embedded-folder.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import { command } from "../support/commands.ts";
import { clientOf, newPayer, type Payer, payoutIds, payUntilMade } from "../support/payers.ts";
import { type Serving, serve } from "../support/process.ts";
import { startSink } from "../support/sink.ts";
import { contradictions } from "./payouts-books.ts";

type BackupRun = { rounds: number; masterKey: Buffer; onRound?: (done: number) => void };

type BackupSeen = {
  acknowledged: number;
  /** Acknowledged payouts that were not archived yet when the machine was lost. */
  lost: number;
  /** Each restore, in milliseconds. */
  restoreMs: number[];
  /** From the last commit in the restored copy to the loss of the machine. */
  lostMs: number[];
  backupMs: number[];
  complaints: string[];
};

/** A payout of the load, in the order in which they were acknowledged. */
type Paid = { id: string; sentMs: number };
/** When `count` payouts were acknowledged, the WAL was written up to `lsn` or further. */
type Sample = { atMs: number; count: number; lsn: bigint };

const callers = 6;
const pauseMsMax = 40;

export async function backUpAndRestore(options: BackupRun): Promise<BackupSeen> {
  const { rounds, masterKey, onRound = () => {} } = options;
  const folder = mkdtempSync(join(tmpdir(), "disburse-backup-"));
  const archive = join(folder, "archive");
  const seen: BackupSeen = {
    ...{ acknowledged: 0, lost: 0, complaints: [] },
    ...{ restoreMs: [], lostMs: [], backupMs: [] },
  };
  const complain = (text: string) => void seen.complaints.push(text);
  const sink = await startSink();
  const environment = {
    DISBURSE_MASTER_KEY: masterKey.toString("base64"),
    ...{ BACKUP_DIR: archive, POSTBACK_ADDRESSES: "loopback", ADMIN_PORT: "0" },
    ...{ KYC_SANDBOX_DELAY_MS: "86400000", SANDBOX_BANK_DELAY_MS: "50", LOG_LEVEL: "fatal" },
  };
  const runCommand = async (dataDir: string, ...words: string[]) => {
    const { code, stdout, stderr } = await command([...words], {
      ...environment,
      DATA_DIR: dataDir,
    });
    if (code !== 0) throw new Error(`disburse ${words.join(" ")}: ${code}\n${stdout}${stderr}`);
    return stdout;
  };
  const serveIn = (dataDir: string) => serve({ ...environment, DATA_DIR: dataDir });
  const openIn = (dataDir: string) =>
    connect({ connection: connectionTo(dataDir, join(dataDir, "postgres")), poolMax: 2 });

  let dataDir = join(folder, "data-0");
  let service: Serving | undefined;
  let db: Db | undefined;
  let payer: Payer | undefined;
  /** Payouts that must be there, whatever happens. */
  let safe = new Set<string>();

  async function restore(to: string, ...words: string[]): Promise<Record<string, string>> {
    const startMs = performance.now();
    const said = await runCommand(
      to,
      "restore",
      archive,
      "--to",
      to,
      "--verify",
      "--json",
      ...words,
    );
    seen.restoreMs.push(Math.round(performance.now() - startMs));
    return JSON.parse(said);
  }

  /** What a restored copy holds, without its service. */
  async function readIds(to: string): Promise<Set<string>> {
    const embedded = await openEmbedded({ dataDir: to, purpose: "the scenario" });
    const copy = openIn(to);
    try {
      for (const found of await contradictions(copy)) complain(JSON.stringify(found));
      return await payoutIds(copy);
    } finally {
      await copy.close();
      await embedded.stop();
    }
  }

  /** What a restored copy holds. Its service answers reads only. */
  async function lookInto(to: string): Promise<Set<string>> {
    const received = sink.received.length;
    service = await serveIn(to);
    db = openIn(to);
    const ids = await payoutIds(db);
    for (const found of await contradictions(db)) complain(JSON.stringify(found));
    const ready = await fetch(`${service.baseUrl}/readyz`);
    const said = await ready.text();
    if (ready.status !== 503 || !said.includes("in quarantine")) complain(`readyz: ${said}`);
    const { keys } = payer as Payer;
    const disburse = clientOf(keys, service.baseUrl);
    await disburse.payouts.list({ limit: 1 });
    const refused = await disburse.testHelpers
      .fund({ amount: 1, currency: "AUD", reference: "quarantine" })
      .catch((error: DisburseError) => error);
    if (!(refused instanceof DisburseError) || refused.code !== "SYST111") {
      complain(`a write in quarantine: ${JSON.stringify(refused)}`);
    }
    if (sink.received.length > received) complain("events were sent in quarantine");
    await db.close();
    await service.end();
    return ids;
  }

  async function oneRound(round: number): Promise<void> {
    service = await serveIn(dataDir);
    if (round > 1) {
      // The archive goes on where it ended, also after a kill.
      await service.end("SIGKILL");
      service = await serveIn(dataDir);
    }
    db = openIn(dataDir);
    const seal = sealWith(masterKey);
    const { baseUrl } = service;
    payer ??= await newPayer({ db, seal, baseUrl }, sink.url("/"));
    const load = startLoad(db, payer, baseUrl);
    await load.until(20);
    const startMs = performance.now();
    await runCommand(dataDir, "backup", "--json");
    seen.backupMs.push(Math.round(performance.now() - startMs));
    await load.until(load.paid.length + 20 + Math.floor(Math.random() * 60));
    const middle = load.samples.at(-1) as Sample;
    await load.until(load.paid.length + 20 + Math.floor(Math.random() * 60));
    await untilArchived(archive, middle);
    // Any moment between two copies of the archiver.
    await sleep(Math.random() * 2_000);

    const lostAtMs = Date.now();
    process.kill(postmasterPid(join(dataDir, "postgres")) as number, "SIGKILL");
    await service.end("SIGKILL");
    await load.stop();
    await db.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    const { paid, samples } = load;
    seen.acknowledged += paid.length;

    const point = await readPoint(walFolderOf(archive));
    const archivedTo = readLsn(point?.lsn ?? "0/0");
    const covered = samples.findLast(({ lsn }) => lsn <= archivedTo)?.count ?? 0;
    if (covered < middle.count) complain(`only ${covered} payouts were archived`);
    const early = join(folder, `early-${round}`);
    await restore(early, "--at", new Date(middle.atMs).toISOString());
    const earlyIds = await readIds(early);
    requireIds(earlyIds, [...safe, ...paid.slice(0, middle.count).map(({ id }) => id)], "--at");
    const late = paid.filter(({ id, sentMs }) => sentMs > middle.atMs && earlyIds.has(id));
    if (late.length > 0) complain(`--at restored ${late.length} payouts of a later time`);
    rmSync(early, { recursive: true, force: true });

    dataDir = join(folder, `data-${round}`);
    mkdirSync(dataDir);
    const { last_commit = "" } = await restore(dataDir);
    const ids = await lookInto(dataDir);
    requireIds(ids, [...safe, ...paid.slice(0, covered).map(({ id }) => id)], "the restore");
    seen.lost += paid.filter(({ id }) => !ids.has(id)).length;
    seen.lostMs.push(Math.max(0, lostAtMs - Date.parse(last_commit)));
    safe = ids;
    await runCommand(dataDir, "restore", "release", "--no-erasures", "--confirm", "pay again");
  }

  function requireIds(ids: Set<string>, wanted: string[], where: string): void {
    const missing = wanted.filter((id) => !ids.has(id));
    if (missing.length > 0)
      complain(`${where} lacks ${missing.length} of ${wanted.length} payouts`);
  }

  try {
    for (let round = 1; round <= rounds; round += 1) {
      await oneRound(round);
      onRound(round);
    }
    await untilReceived();
  } finally {
    await service?.end("SIGKILL");
    await sink.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  return seen;

  /** After its release, the copy pays and sends events again. */
  async function untilReceived(): Promise<void> {
    service = await serveIn(dataDir);
    const { baseUrl } = service;
    const before = sink.received.length;
    await payUntilMade(
      payer as Payer,
      0,
      () => baseUrl,
      (error) => Promise.reject(error),
    );
    while (sink.received.length === before) await sleep(10);
    await service.end();
  }
}

/** Pays until it is stopped or the service is gone. */
export function startLoad(db: Db, payer: Payer, baseUrl: string) {
  const paid: Paid[] = [];
  const samples: Sample[] = [];
  let isOver = false;
  const gone = () => {
    isOver = true;
    return Promise.reject(new Error("the service is gone"));
  };
  const call = async (index: number) => {
    for (let payee = index; !isOver; payee += callers) {
      const sentMs = Date.now();
      paid.push({ id: await payUntilMade(payer, payee, () => baseUrl, gone), sentMs });
      await sleep(Math.random() * pauseMsMax);
    }
  };
  const sample = async () => {
    while (!isOver) {
      // In this order: what was acknowledged before the question is in the WAL that the answer names.
      const [count, atMs] = [paid.length, Date.now()];
      const { rows } = await db.pool.query("select pg_current_wal_flush_lsn()::text as lsn");
      samples.push({ atMs, count, lsn: readLsn(rows[0].lsn) });
      await sleep(10);
    }
  };
  const calling = Array.from({ length: callers }, (_, index) => call(index));
  const work = Promise.allSettled([...calling, sample()]);
  return {
    paid: paid as readonly Paid[],
    samples: samples as readonly Sample[],
    async until(count: number) {
      while (!isOver && (paid.length < count || samples.length === 0)) await sleep(5);
      if (isOver) throw new Error("the load has ended early");
    },
    async stop() {
      isOver = true;
      await work;
    },
  };
}

async function untilArchived(archive: string, { lsn, atMs }: Sample): Promise<void> {
  for (;;) {
    const point = await readPoint(walFolderOf(archive));
    if (point && readLsn(point.lsn) >= lsn && Date.parse(point.at) >= atMs) return;
    await sleep(20);
  }
}
