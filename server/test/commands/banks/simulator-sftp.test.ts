// The SFTP server of the bank simulator: the service sends it a file and reads its answer. Its clients see two folders and
// nothing else, and change nothing that the bank may have taken.

import { type EventEmitter, once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { startSimulatorSftp } from "../../../../packages/bank-simulator/src/sftp-server.ts";
import { sendDue } from "../../../src/banking/files/send.ts";
import { pollFolderDue } from "../../../src/banking/inbound-files/inbound-folder.ts";
import { listFolderFiles } from "../../../src/banking/inbound-files/inbound-folder-queries.ts";
import { openSftp, type SftpSession } from "../../../src/banking/sftp/session.ts";
import type { SftpSettings } from "../../../src/banking/sftp-settings/settings.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import {
  approveNow,
  freezeNow,
  newBankConnection,
  newBankPayer,
} from "../../support/bank-payers.ts";
import { begin, disburse } from "../../support/process.ts";
import { service, useService } from "../../support/service-setup.ts";

const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
await useService({ rails });

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const password = "battery staple";

function newFolders() {
  const folder = mkdtempSync(join(tmpdir(), "disburse-bank-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, inFolder: join(folder, "in"), outFolder: join(folder, "out") };
}

/** The command, with the address, the port and the fingerprint that it prints. */
async function startSimulator({ inFolder, outFolder }: ReturnType<typeof newFolders>) {
  const words = ["bank-simulator", "--in", inFolder, "--out", outFolder, "--json"];
  const running = await begin(
    [...words, "--speed", "1000000", "--sftp", "0", "--sftp-user", "acme"],
    { DISBURSE_SIMULATOR_PASSWORD: password },
    ({ stdout }) => stdout.includes('"sftp"'),
  );
  ends.push(() => running.end());
  const events = () =>
    running
      .output()
      .stdout.split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  const { address, port, user, host_key } = events().find(({ event }) => event === "sftp");
  const settings = { ...documentedSettings(), host: address, port, user, password, host_key };
  return { events, settings: settings as SftpSettings };
}

/** The sample of docs/start/bank-simulator.md. */
function documentedSettings(): object {
  const page = readFileSync(
    new URL("../../../../docs/start/bank-simulator.md", import.meta.url),
    "utf8",
  );
  const [, sample = ""] = /"travels": "sftp",\s+"sftp": (\{[^}]*\})/.exec(page) ?? [];
  return JSON.parse(sample);
}

async function open(settings: SftpSettings): Promise<SftpSession> {
  const session = await openSftp(settings, { addresses: "loopback" });
  ends.push(() => session.close());
  return session;
}

async function textAt(session: SftpSession, path: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of session.read(path)) parts.push(part);
  return Buffer.concat(parts).toString();
}

test("the service sends a file to the simulator by SFTP, and by the documented settings its answer ends the payout", async () => {
  const { events, settings } = await startSimulator(newFolders());
  const payer = await newBankPayer(service, {
    mode: "test",
    account: { bsb: "062000", account_number: "12345444" },
  });
  const connection = await newBankConnection({ ...service, rails }, payer.subaccountId, {
    mode: "test",
    travels: "sftp",
    sftp: settings,
  });
  const payout = { ...payer.to, amount: 500, currency: "AUD" };
  const { payout_id } = await payer.disburse.payouts.create(payout);
  const [id = ""] = await freezeNow(service, connection);
  await approveNow(service, connection, id);
  const log = { info() {}, warn() {} };
  const sending = { ...service, addresses: "loopback", clock: Date.now, log } as const;
  await sendDue(sending, connection);
  expect(await payer.disburse.payouts.get(payout_id)).toMatchObject({ stage: "submitted" });

  const answer = () => events().find(({ name }) => name?.endsWith(".returns-2.aba"))?.name;
  await expect.poll(answer).toBeTruthy();
  expect(events().find(({ event }) => event === "file")).toMatchObject({
    accepted: true,
    name: expect.stringMatching(/^test-.*\.aba$/),
  });
  const startMs = Date.now();
  for (const nowMs of [startMs, startMs + limits.bankFolderSettleMs]) {
    const folder = { ...sending, applyingDb: service.db, clock: () => nowMs };
    await pollFolderDue(folder, connection);
  }
  const shown = { connectionId: connection.id, sinceMs: 0, limit: 100 };
  const files = await listFolderFiles(service.db, shown);
  expect(files.map(({ name, status }) => [name, status])).toEqual([[answer(), "applied"]]);
  // The acknowledgement is there, and is for people.
  const name = answer()?.replace("returns-2.aba", "ack.txt");
  expect(await textAt(await open(settings), `out/${name}`)).toContain("ACCEPTED");
  expect(await payer.disburse.payouts.get(payout_id)).toMatchObject({ stage: "returned" });
});

/** The server in this process. */
async function startServer() {
  const folders = newFolders();
  for (const folder of [folders.inFolder, folders.outFolder]) mkdirSync(folder);
  const start = () =>
    startSimulatorSftp({ ...folders, address: "127.0.0.1", port: 0, user: "acme", password });
  const server = await start();
  ends.push(() => server.close());
  const settings = {
    host: "127.0.0.1",
    port: server.port,
    user: "acme",
    password,
    host_key: server.fingerprint,
  } as SftpSettings;
  return { ...folders, server, start, settings };
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

test("clients add files and read them, and reach nothing else", async () => {
  const { inFolder, outFolder, folder, settings } = await startServer();
  writeFileSync(join(folder, "secret"), "secret");
  writeFileSync(join(outFolder, "answer.txt"), "paid");
  symlinkSync(join(folder, "secret"), join(inFolder, "link.part"));
  const session = await open(settings);
  await session.write("in/a.aba.part", bytesOf("first"));
  await session.write("/in/a.aba.part", bytesOf("second"));
  await session.rename("in/a.aba.part", "in/a.aba");
  expect(readFileSync(join(inFolder, "a.aba"), "utf8")).toBe("second");
  expect([await session.sizeOf("in/a.aba"), await session.sizeOf("in/b.aba")]).toEqual([
    6,
    undefined,
  ]);
  expect(await textAt(session, "out/answer.txt")).toBe("paid");
  expect(await textAt(session, "../../out/answer.txt")).toBe("paid");

  await session.write("in/b.aba.part", bytesOf("third"));
  const refused = [
    () => session.write("in/a.aba", bytesOf("other")),
    () => session.rename("in/b.aba.part", "in/a.aba"),
    () => session.rename("in/a.aba", "in/c.aba"),
    () => session.rename("in/b.aba.part", "out/b.aba"),
    () => session.remove("in/a.aba"),
    () => session.remove("out/answer.txt"),
    () => session.write("out/b.txt", bytesOf("other")),
    () => session.write("b.txt", bytesOf("other")),
    () => textAt(session, "in/.sftp-host-key"),
    () => textAt(session, "../secret"),
    () => textAt(session, "in/../../secret"),
    () => textAt(session, "in/deeper/file"),
    () => textAt(session, "in/link.part"),
    () => session.write("in/link.part", bytesOf("other")),
  ];
  for (const attempt of refused) {
    await expect(attempt(), String(attempt)).rejects.toMatchObject({ failure: "refused" });
  }
  await session.remove("in/b.aba.part");
  expect(readFileSync(join(inFolder, "a.aba"), "utf8")).toBe("second");
});

test("a client of another kind lists the folders, and is not kept waiting at its end", async () => {
  const { outFolder, settings } = await startServer();
  for (let number = 0; number < 250; number += 1) {
    writeFileSync(join(outFolder, `answer-${number}.txt`), "paid");
  }
  const { Client } = createRequire(import.meta.url)("ssh2");
  const client = new Client();
  ends.push(() => client.end());
  type Entries = { filename: string }[];
  type Done<T> = (error: Error | undefined, value: T) => void;
  type Channel = { readdir(path: string, done: Done<Entries>): void };
  const list = async (path: string) => {
    const channel = await promisify((done: Done<Channel>) => client.sftp(done))();
    const entries = await promisify((done: Done<Entries>) => channel.readdir(path, done))();
    return entries.map(({ filename }) => filename);
  };
  await new Promise<void>((done, fail) => {
    client.on("ready", done).on("error", fail);
    client.connect({ ...settings, username: settings.user });
  });
  expect(await list(".")).toEqual(["in", "out"]);
  // The host key is not among them.
  expect(await list("/in")).toEqual([]);
  expect(await list("/out")).toHaveLength(250);

  // OpenSSH says that it is done, and waits until the server closes the channel.
  const channel = await promisify((done: Done<EventEmitter>) => client.sftp(done))();
  const { _protocol: protocol, outgoing } = channel as EventEmitter & {
    _protocol: { channelEOF(id: number): void };
    outgoing: { id: number };
  };
  const closed = once(channel, "close");
  protocol.channelEOF(outgoing.id);
  await closed;
});

test("another password or user is refused, and the host key stays the same", async () => {
  const { server, start, settings, inFolder } = await startServer();
  for (const changes of [{ password: "wrong" }, { user: "other" }]) {
    await expect(open({ ...settings, ...changes })).rejects.toMatchObject({ failure: "login" });
  }
  const again = await start();
  ends.push(() => again.close());
  expect(again.fingerprint).toBe(server.fingerprint);
  expect(statSync(join(inFolder, ".sftp-host-key")).mode & 0o077).toBe(0);
  await open({ ...settings, port: again.port });
});

const anywhere = ["--in", "/dev/null/in", "--out", "/dev/null/out"];

test.each([
  [["--sftp", "x"], "Give a port, 0 to 65535."],
  [["--sftp", "0", "--once"], "cannot be used with option '--once'"],
  [["--sftp", "0"], "Give --sftp-user, the user of --sftp."],
  [["--sftp", "0", "--sftp-user", "a"], "Give the password of --sftp with --sftp-password-file"],
  [["--sftp-user", "a"], "Give --sftp, the port of the SFTP server."],
  [
    ["--sftp", "0", "--sftp-user", "a", "--sftp-password-file", "/dev/null/p"],
    "/dev/null/p can't be used (ENOTDIR).",
  ],
])("%j is refused", async (words, message) => {
  const environment = { DISBURSE_SIMULATOR_PASSWORD: undefined };
  const { code, stdout, stderr } = await disburse(
    ["bank-simulator", ...anywhere, ...words],
    environment,
  );
  expect([code, stdout]).toEqual([message.includes("can't") ? 1 : 2, ""]);
  expect(stderr).toContain(message);
});
