// Bank files that travel by SFTP: a good server, and servers that lie, cut, fill up, refuse, stall or are another.

import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { BankConnection } from "../../../src/banking/connections/connection.ts";
import { readFile } from "../../../src/banking/files/batch-file.ts";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { discardBatch, downloadBatch } from "../../../src/banking/files/release.ts";
import { type SendParts, sendDue, sendNow } from "../../../src/banking/files/send.ts";
import { sendFailureOf } from "../../../src/banking/files/send-failures.ts";
import { claimSendOf, findSends } from "../../../src/banking/files/send-queries.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { createMetrics } from "../../../src/platform/metrics/metrics.ts";
import {
  approveNow,
  type BankPayer,
  freezeNow,
  newBankConnection,
  newBankPayer,
} from "../../support/bank-payers.ts";
import { service, useService } from "../../support/service-setup.ts";
import {
  newSshKey,
  sftpPassword,
  startSftpServer,
  type TestSftpServer,
} from "../../support/sftp-server.ts";

const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
await useService({ rails });

let server: TestSftpServer;
beforeEach(async () => {
  server = await startSftpServer();
});
afterEach(() => server.close());

const metrics = createMetrics();
const logged: { batch?: string; outcome?: string }[] = [];

function partsAt(nowMs = Date.now()): SendParts {
  return {
    db: service.db,
    seal: service.seal,
    addresses: "loopback",
    clock: () => nowMs,
    log: { info() {}, warn: (context) => void logged.push(context) },
    metrics,
    // One test waits for it. Shorter, and a busy machine's sign-in would count as a server that never answers.
    callMs: 5_000,
  };
}

const sftpOf = ({ port, fingerprint }: TestSftpServer, changes: object = {}) => ({
  host: "127.0.0.1",
  port,
  user: "acme",
  password: sftpPassword,
  host_key: fingerprint,
  folder: "in",
  ...changes,
});

type Bank = { payer: BankPayer; connection: BankConnection; id: string; payoutId: string };

async function connect(payer: BankPayer, changes: object = {}): Promise<BankConnection> {
  const input = { travels: "sftp", sftp: sftpOf(server, changes) };
  return newBankConnection({ ...service, rails }, payer.subaccountId, input);
}

/** A frozen batch with one payout, approved. */
async function approvedBatch(changes: object = {}): Promise<Bank> {
  const payer = await newBankPayer(service);
  const connection = await connect(payer, changes);
  const payout = { ...payer.to, amount: 500, currency: "AUD" };
  const { payout_id: payoutId } = await payer.disburse.payouts.create(payout);
  const [id = ""] = await freezeNow(service, connection);
  await approveNow(service, connection, id);
  return { payer, connection, id, payoutId };
}

const stageOf = async ({ payer, payoutId }: Bank) =>
  (await payer.disburse.payouts.get(payoutId)).stage;

async function textOf(id: string): Promise<string> {
  let text = "";
  for await (const part of readFile(service, id)) text += part;
  return text;
}

const sha256Of = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

async function stateOf(id: string) {
  const batch = await findBatch(service.db, id);
  const send = (await findSends(service.db, [id])).get(id);
  const { outcome } = logged.findLast((context) => context.batch === id) ?? {};
  // The console reads the failure back from the text.
  if (send?.problem) expect(sendFailureOf(send.problem)).toBe(outcome);
  return { status: batch?.status, problem: send?.problem };
}

async function countOf(outcome: string): Promise<number> {
  const text = await metrics.text();
  const found = new RegExp(`disburse_bank_sends_total{outcome="${outcome}"} (\\d+)`).exec(text);
  return Number(found?.[1]);
}

const laterMs = 20_000;

test("an approved file is sent under its name, and its payouts are in progress", async () => {
  const bank = await approvedBatch();
  const { file_name, file_sha256 } = (await findBatch(service.db, bank.id)) ?? {};
  await sendDue(partsAt(), bank.connection);
  expect([...server.files.keys()]).toEqual([`in/${file_name}`]);
  const bytes = server.files.get(`in/${file_name}`) as Buffer;
  expect(bytes.toString()).toBe(await textOf(bank.id));
  expect(sha256Of(bytes)).toBe(file_sha256);
  expect(await stateOf(bank.id)).toEqual({ status: "sent", problem: "" });
  expect(await stageOf(bank)).toBe("submitted");
  await sendDue(partsAt(Date.now() + laterMs), bank.connection);
  expect(server.renamed).toHaveLength(1);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test("a file that is not approved is not sent", async () => {
  const payer = await newBankPayer(service);
  const connection = await connect(payer);
  await payer.disburse.payouts.create({ ...payer.to, amount: 500, currency: "AUD" });
  const [id = ""] = await freezeNow(service, connection);
  await sendDue(partsAt(), connection);
  expect(server.logins).toEqual([]);
  const now = { id, who: "operator:b", isConfirmed: true };
  await expect(sendNow(partsAt(), connection, now)).rejects.toThrow("BANK303");
});

test("the service logs in with a key, and names the file as the bank wants it", async () => {
  const key = newSshKey();
  await server.close();
  server = await startSftpServer({ publicKey: key.public });
  const bank = await approvedBatch({
    password: undefined,
    private_key: key.private,
    folder: "",
    file_name: "ACME.{date}.{sequence}.TXT",
  });
  await sendDue(partsAt(), bank.connection);
  expect(server.logins).toContain("publickey");
  const date = (await findBatch(service.db, bank.id))?.process_date.replaceAll("-", "");
  expect([...server.files.keys()]).toEqual([`ACME.${date}.000001.TXT`]);
});

test.each([
  ["stores nothing and says OK", { storesNothing: true }, "stored_less", /stored 0 of \d+ bytes/],
  ["cuts the connection", { cutsAfter: 1 }, "cut", /cut the connection/],
  ["has no space", { space: 100 }, "refused", /refused: write/],
  ["denies the rename", { deniesRename: true }, "refused", /refused: rename/],
  ["says OK to a rename that it does not do", { liesAboutRename: true }, "refused", /not rename/],
  ["never answers", { stalls: true }, "timeout", /did not answer in time: write/],
])(
  "a server that %s: the file is not sent, and goes once it works",
  async (_how, faults, outcome, problem) => {
    const bank = await approvedBatch();
    const before = await countOf(outcome);
    server.setFaults(faults);
    await sendDue(partsAt(), bank.connection);
    const state = await stateOf(bank.id);
    expect(state.status).toBe("sending");
    expect(state.problem).toMatch(problem);
    expect(await stageOf(bank)).toBe("batched");
    expect(await countOf(outcome)).toBe(before + 1);
    expect(server.renamed).toEqual([]);
    // Not before its backoff has passed.
    server.setFaults({});
    await sendDue(partsAt(), bank.connection);
    expect(await stateOf(bank.id)).toMatchObject({ status: "sending" });
    await sendDue(partsAt(Date.now() + laterMs), bank.connection);
    expect(await stateOf(bank.id)).toEqual({ status: "sent", problem: "" });
    expect(server.renamed.map(({ bytes }) => bytes.toString())).toEqual([await textOf(bank.id)]);
    expect(await stageOf(bank)).toBe("submitted");
  },
);

test("when the answer to the rename is lost, the file that is there counts as sent", async () => {
  const bank = await approvedBatch();
  server.setFaults({ cutsAfterRename: true });
  await sendDue(partsAt(), bank.connection);
  expect(await stateOf(bank.id)).toMatchObject({ status: "sending" });
  const before = await countOf("present");
  server.setFaults({});
  await sendDue(partsAt(Date.now() + laterMs), bank.connection);
  expect(await stateOf(bank.id)).toEqual({ status: "sent", problem: "" });
  expect(server.renamed).toHaveLength(1);
  expect(await countOf("present")).toBe(before + 1);
});

test("when the bank took a file whose rename was not confirmed, only a user decides", async () => {
  const bank = await approvedBatch();
  server.setFaults({ cutsAfterRename: true });
  await sendDue(partsAt(), bank.connection);
  server.setFaults({});
  server.files.clear();
  await sendDue(partsAt(Date.now() + laterMs), bank.connection);
  await sendDue(partsAt(Date.now() + 100 * laterMs), bank.connection);
  expect(await stateOf(bank.id)).toEqual({
    status: "sending",
    problem: expect.stringMatching(/the bank may have taken it/),
  });
  expect(server.renamed).toHaveLength(1);
  const now = { id: bank.id, who: "operator:b", isConfirmed: true };
  expect(await sendNow(partsAt(), bank.connection, now)).toEqual({ outcome: "sent", problem: "" });
  const [first, second] = server.renamed;
  expect(second).toEqual(first);
});

test("another file of the same name is an alarm: the batch stays, and a user decides", async () => {
  const bank = await approvedBatch();
  const name = `in/${(await findBatch(service.db, bank.id))?.file_name}`;
  const text = await textOf(bank.id);
  const before = await countOf("another_file");
  // Of the same size.
  server.files.set(name, Buffer.from(text.replace("ACME", "ACMA")));
  await sendDue(partsAt(), bank.connection);
  expect(await stateOf(bank.id)).toEqual({
    status: "sending",
    problem: expect.stringMatching(/has another file of the name/),
  });
  expect(await countOf("another_file")).toBe(before + 1);
  expect(logged.at(-1)).toMatchObject({ batch: bank.id, outcome: "another_file", needsUser: true });
  server.files.delete(name);
  await sendDue(partsAt(Date.now() + 100 * laterMs), bank.connection);
  expect(server.files.size).toBe(0);
  const discard = (who: string) =>
    service.db.transaction((tx) =>
      discardBatch(tx, bank.connection, {
        id: bank.id,
        words: "not at the bank",
        who,
        atMs: Date.now(),
      }),
    );
  expect(await discard("operator:b")).toBe("waits");
  expect(await discard("operator:c")).toBe("discarded");
  expect(await stageOf(bank)).toBe("queued");
});

test("a file that is there already, with the same bytes, counts as sent", async () => {
  const bank = await approvedBatch();
  const name = `in/${(await findBatch(service.db, bank.id))?.file_name}`;
  server.files.set(name, Buffer.from(await textOf(bank.id)));
  await sendDue(partsAt(), bank.connection);
  expect(await stateOf(bank.id)).toEqual({ status: "sent", problem: "" });
  expect(server.renamed).toEqual([]);
});

test("a server with another host key learns nothing: no password, no file", async () => {
  const bank = await approvedBatch();
  const other = await startSftpServer();
  const connection = await connect(bank.payer, { port: other.port });
  await sendDue(partsAt(), connection);
  expect(await stateOf(bank.id)).toEqual({
    status: "approved",
    problem: expect.stringContaining(`another host key: ${other.fingerprint} instead of`),
  });
  expect(other.logins).toEqual([]);
  expect(other.files.size).toBe(0);
  await other.close();
  // Nothing has left, so one user discards it.
  const discarding = { id: bank.id, words: undefined, who: "operator:b", atMs: Date.now() };
  expect(await service.db.transaction((tx) => discardBatch(tx, connection, discarding))).toBe(
    "discarded",
  );
});

test("a wrong password, a server that is down and an address that is not allowed are told apart", async () => {
  const bank = await approvedBatch({ password: "wrong" });
  await sendDue(partsAt(), bank.connection);
  expect(await stateOf(bank.id)).toEqual({ status: "approved", problem: "It refused the user" });
  const publicOnly = { ...partsAt(Date.now() + laterMs), addresses: "public" } as const;
  await sendDue(publicOnly, bank.connection);
  expect((await stateOf(bank.id)).problem).toMatch(/^Its address is not allowed/);
  await server.close();
  await sendDue(partsAt(Date.now() + 10 * laterMs), bank.connection);
  expect((await stateOf(bank.id)).problem).toBe("It could not be reached: ECONNREFUSED");
  server = await startSftpServer();
});

test("a late file is never sent by itself, and one that was begun is only looked for", async () => {
  const bank = await approvedBatch();
  const cutoffMs = Number((await findBatch(service.db, bank.id))?.cutoff_ms);
  await sendDue(partsAt(cutoffMs + 1), bank.connection);
  expect(server.logins).toEqual([]);
  expect(await stateOf(bank.id)).toMatchObject({ status: "approved" });

  server.setFaults({ cutsAfter: 1 });
  await sendDue(partsAt(), bank.connection);
  server.setFaults({});
  await sendDue(partsAt(cutoffMs + 1), bank.connection);
  expect(await stateOf(bank.id)).toEqual({
    status: "sending",
    problem: expect.stringMatching(/cut-off has passed/),
  });
  expect(server.renamed).toEqual([]);
  const now = { id: bank.id, who: "operator:b", isConfirmed: true };
  await sendNow(partsAt(cutoffMs + 2), bank.connection, now);
  expect(await stateOf(bank.id)).toMatchObject({ status: "sent" });
});

test("a file that was downloaded is not sent by itself: a user may have uploaded it", async () => {
  const bank = await approvedBatch();
  const { db } = service;
  const download = { who: "operator:b", atMs: Date.now() };
  await db.transaction((tx) => downloadBatch(tx, bank.id, download));
  await sendDue(partsAt(), bank.connection);
  expect(server.logins).toEqual([]);
  const now = { id: bank.id, who: "operator:b", isConfirmed: false };
  expect(await sendNow(partsAt(), bank.connection, now)).toMatchObject({ outcome: "downloaded" });
});

test("while a process sends a file, no user or other process discards, downloads or sends it", async () => {
  const bank = await approvedBatch();
  const { db } = service;
  const nowMs = Date.now();
  const claim = { token: crypto.randomUUID(), nowMs, untilMs: nowMs + 30_000 };
  await claimSendOf(db, bank.id, claim);
  const by = { who: "operator:b", atMs: nowMs };
  const discarding = { ...by, id: bank.id, words: "not at the bank" };
  const steps = [
    () => db.transaction((tx) => discardBatch(tx, bank.connection, discarding)),
    () => db.transaction((tx) => downloadBatch(tx, bank.id, by)),
    () => sendNow(partsAt(), bank.connection, { id: bank.id, who: by.who, isConfirmed: true }),
  ];
  for (const step of steps) await expect(step()).rejects.toThrow("BANK451");
  await sendDue(partsAt(), bank.connection);
  expect(server.logins).toEqual([]);
  // A process that died is replaced when its lease ends.
  await sendDue(partsAt(nowMs + 30_001), bank.connection);
  expect(await stateOf(bank.id)).toMatchObject({ status: "sent" });
});

test("two processes that find the same file send it once", async () => {
  const bank = await approvedBatch();
  await Promise.all([sendDue(partsAt(), bank.connection), sendDue(partsAt(), bank.connection)]);
  expect(server.renamed).toHaveLength(1);
  expect(await stateOf(bank.id)).toMatchObject({ status: "sent" });
});

test("when the server's address changes while a file is being sent, only a user decides", async () => {
  const bank = await approvedBatch();
  server.setFaults({ deniesRename: true });
  await sendDue(partsAt(), bank.connection);
  server.setFaults({});
  const moved = await connect(bank.payer, { folder: "elsewhere" });
  await sendDue(partsAt(Date.now() + laterMs), moved);
  expect(await stateOf(bank.id)).toEqual({
    status: "sending",
    problem: expect.stringMatching(/another address/),
  });
  expect(server.renamed).toEqual([]);
});

test("settings that can't work are refused by field, and secrets are stored encrypted", async () => {
  const payer = await newBankPayer(service);
  const fields = async (changes: object) => {
    try {
      await connect(payer, changes);
    } catch (error) {
      return (error as { problems: { field: string }[] }).problems.map(({ field }) => field);
    }
    return [];
  };
  expect(await fields({ host_key: "SHA256:short" })).toEqual(["sftp.host_key"]);
  expect(await fields({ host: undefined, x: 1 })).toEqual(["sftp.x", "sftp.host"]);
  expect(await fields({ host: "a b" })).toEqual(["sftp.host"]);
  expect(await fields({ password: undefined })).toEqual(["sftp.password"]);
  expect(await fields({ password: undefined, private_key: "no key" })).toEqual([
    "sftp.private_key",
  ]);
  expect(await fields({ file_name: "always-the-same.txt" })).toEqual(["sftp.file_name"]);
  expect(await fields({ file_name: "../{sequence}" })).toEqual(["sftp.file_name"]);
  expect(await fields({ pgp_public_key: "no key" })).toEqual(["sftp.pgp_public_key"]);
  expect(await fields({ pgp_signing_key: "key" })).toEqual(["sftp.pgp_public_key"]);
  expect(await fields({ pgp_verification_key: "no key" })).toEqual(["sftp.pgp_verification_key"]);
  expect(await fields({})).toEqual([]);
  const { rows } = await service.db.pool.query(
    "select row_to_json(c)::text as text from bank_connection c where name = $1",
    [payer.subaccountId],
  );
  expect(rows[0].text).not.toContain(sftpPassword);
  expect(Buffer.from(rows[0].text).includes(Buffer.from(sftpPassword).toString("hex"))).toBe(false);
  // A form that does not name the transport keeps it.
  const { subaccountId } = payer;
  const put = (changes: object) => newBankConnection({ ...service, rails }, subaccountId, changes);
  expect((await put({})).sftp).toMatchObject({ password: sftpPassword });
  expect((await put({ travels: "download" })).sftp).toBeUndefined();
  const refused = { problems: [{ field: "sftp" }] };
  await expect(put({ sftp: sftpOf(server) })).rejects.toMatchObject(refused);
});
