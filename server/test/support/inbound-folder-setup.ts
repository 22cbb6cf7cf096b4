// A bank with a folder that is polled, and what became of its files.

import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { BankConnection } from "../../src/banking/connections/connection.ts";
import { findBatch } from "../../src/banking/files/batch-queries.ts";
import {
  type FolderParts,
  pollFolderDue,
  pollFolderNow,
} from "../../src/banking/inbound-files/inbound-folder.ts";
import {
  countRefusedFiles,
  listFolderFiles,
  listFolderPolls,
} from "../../src/banking/inbound-files/inbound-folder-queries.ts";
import { limits } from "../../src/platform/limits/limits.ts";
import { createMetrics } from "../../src/platform/metrics/metrics.ts";
import { abaReturns } from "./aba-returns.ts";
import { type BankTest, type Payer, startBankTest } from "./inbound-setup.ts";
import { sftpPassword, startSftpServer, type TestSftpServer } from "./sftp-server.ts";

export let bank: BankTest;
export let server: TestSftpServer;

/** A service for the tests of a file, and a bank's SFTP server for each test. */
export function useFolderBank(): void {
  beforeAll(async () => {
    bank = await startBankTest();
  });
  afterAll(() => bank.close());
  beforeEach(async () => {
    server = await startSftpServer();
  });
  afterEach(() => server.close());
}

export const settleMs = limits.bankFolderSettleMs;
export const intervalMs = limits.bankFolderPollMs;
export const startMs = Date.now();
export const metrics = createMetrics();

export function partsAt(nowMs: number): FolderParts {
  return {
    db: bank.db,
    applyingDb: bank.db,
    seal: bank.seal,
    addresses: "loopback",
    clock: () => nowMs,
    log: { info() {}, warn() {} },
    metrics,
    // One test waits for it. Shorter, and a busy machine's sign-in would count as a server that never answers.
    callMs: 5_000,
  };
}

export const poll = (connection: BankConnection, afterMs: number) =>
  pollFolderDue(partsAt(startMs + afterMs), connection);
export const pollNow = (connection: BankConnection, afterMs: number) =>
  pollFolderNow(partsAt(startMs + afterMs), connection, "operator:a");

const sftpOf = ({ port, fingerprint }: TestSftpServer, changes: object = {}) => ({
  host: "127.0.0.1",
  port,
  user: "acme",
  password: sftpPassword,
  host_key: fingerprint,
  folder: "in",
  inbound_folder: "out",
  ...changes,
});

export const connect = (payer: Payer, changes: object = {}) =>
  bank.connect(payer.subaccountId, { travels: "sftp", sftp: sftpOf(server, changes) });

export async function newBank(changes: object = {}) {
  const payer = await bank.newPayer();
  const connection = await connect(payer, changes);
  const { batchId, ids } = await bank.sendPayouts(payer, connection, [500, 700]);
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  const returnOf = (amount: number, reference: string, options: object = {}) =>
    Buffer.from(abaReturns(connection, [{ amount, reference }], { date, ...options }));
  return { payer, connection, ids, returnOf };
}

export async function filesOf({ id: connectionId }: BankConnection) {
  const rows = await listFolderFiles(bank.db, { connectionId, sinceMs: 0, limit: 100 });
  const shown = rows.map(({ name, status, code }) => [
    name,
    code === "" ? status : `${status} ${code}`,
  ]);
  return Object.fromEntries(shown);
}

export const messageOf = async ({ id: connectionId }: BankConnection) =>
  (await listFolderFiles(bank.db, { connectionId, sinceMs: 0, limit: 1 }))[0]?.message;

export const problemOf = async ({ id }: BankConnection) =>
  (await listFolderPolls(bank.db)).get(id)?.problem;

export const refusedOf = async ({ id }: BankConnection) =>
  (await countRefusedFiles(bank.db, 1_000)).get(id) ?? 0;

/** How often the server has let us in. */
export const countSignIns = () => server.logins.filter((method) => method === "password").length;

export async function countOf(outcome: string): Promise<number> {
  const text = await metrics.text();
  const found = new RegExp(`disburse_bank_polls_total{outcome="${outcome}"} (\\d+)`).exec(text);
  return Number(found?.[1]);
}
