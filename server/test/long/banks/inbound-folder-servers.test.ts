// Folders of banks whose servers fail or encrypt, and processes that poll the same folder.

import { expect, test } from "vitest";
import { pollFolderDue, pollFolderNow } from "../../../src/banking/inbound-files/inbound-folder.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import {
  bank,
  connect,
  countOf,
  countSignIns,
  filesOf,
  intervalMs,
  messageOf,
  newBank,
  partsAt,
  poll,
  pollNow,
  problemOf,
  server,
  settleMs,
  startMs,
  useFolderBank,
} from "../../support/inbound-folder-setup.ts";
import { newPgpKeys, pgpMessage } from "../../support/pgp-keys.ts";
import { startSftpServer } from "../../support/sftp-server.ts";

useFolderBank();

test.each([
  ["denies one file", { deniesReadingOf: "a.aba" }, /^It refused: open out\/a\.aba/],
  ["gives less than it lists", { readsOnly: 300 }, /it lists \d+ bytes of a\.aba and gave 300/],
])("a server that %s: the file is tried at every poll", async (_how, faults, message) => {
  const { payer, connection, ids, returnOf } = await newBank();
  server.files.set("out/a.aba", returnOf(500, "PO-1"));
  await poll(connection, 0);
  server.setFaults(faults);
  await poll(connection, settleMs);
  expect(await filesOf(connection)).toEqual({ "a.aba": "refused BANK407" });
  expect(await messageOf(connection)).toMatch(message);
  expect(await problemOf(connection)).toBe("");
  server.setFaults({});
  await poll(connection, settleMs + intervalMs);
  expect(await filesOf(connection)).toEqual({ "a.aba": "applied" });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "submitted"]);
});

test.each([
  ["cuts the connection", { cutsReads: true }, "cut", /^It cut the connection/],
  ["never answers", { stallsReads: true }, "timeout", /^It did not answer in time: read/],
])(
  "a server that %s: nothing is applied until it works",
  async (_how, faults, outcome, problem) => {
    const { connection, returnOf } = await newBank();
    server.files.set("out/a.aba", returnOf(500, "PO-1"));
    await poll(connection, 0);
    const before = await countOf(outcome);
    server.setFaults(faults);
    await poll(connection, settleMs);
    expect(await filesOf(connection)).toEqual({ "a.aba": "waiting" });
    expect(await problemOf(connection)).toMatch(problem);
    expect(await countOf(outcome)).toBe(before + 1);
    server.setFaults({});
    await poll(connection, settleMs + intervalMs);
    expect(await filesOf(connection)).toEqual({ "a.aba": "applied" });
    expect(await problemOf(connection)).toBe("");
  },
);

test("another host key, a wrong password, no server, no folder: the problem is told, and no password to another server", async () => {
  const { payer, connection } = await newBank();
  const other = await startSftpServer();
  await poll(await connect(payer, { port: other.port }), 0);
  expect(await problemOf(connection)).toMatch(/^It showed another host key: SHA256:/);
  expect(other.logins).toEqual([]);
  await other.close();
  expect(await pollNow(await connect(payer, { password: "wrong" }), 0)).toMatchObject({
    outcome: "login",
    problem: "It refused the user",
  });
  expect(await pollNow(await connect(payer), 0)).toMatchObject({
    outcome: "refused",
    problem: expect.stringMatching(/^It refused: open out/),
  });
  const publicOnly = { ...partsAt(startMs), addresses: "public" } as const;
  expect(await pollFolderNow(publicOnly, connection, "operator:a")).toMatchObject({
    outcome: "forbidden",
  });
  await server.close();
  expect(await pollNow(connection, 0)).toMatchObject({ outcome: "unreachable" });
  expect(await problemOf(connection)).toBe("It could not be reached: ECONNREFUSED");
});

test("one process polls a folder at a time, and a dead one is replaced when its lease ends", async () => {
  const { connection, returnOf } = await newBank();
  server.files.set("out/a.aba", returnOf(500, "PO-1"));
  await Promise.all([poll(connection, 0), poll(connection, 0), poll(connection, 0)]);
  expect(countSignIns()).toBe(1);
  // A process that ends while it reads keeps its lease until its end.
  const stopping = { ...partsAt(startMs + settleMs), isStopping: () => true };
  await pollFolderDue(stopping, connection);
  expect(await filesOf(connection)).toEqual({ "a.aba": "waiting" });
  await poll(connection, settleMs + limits.bankFolderLeaseMs - 1);
  await expect(pollNow(connection, settleMs)).rejects.toThrow("BANK453");
  expect(countSignIns()).toBe(2);
  await poll(connection, settleMs + limits.bankFolderLeaseMs);
  expect(await filesOf(connection)).toEqual({ "a.aba": "applied" });
});

test("encrypted files of a connection without PGP keys are refused, and so is a wrong passphrase of our key", async () => {
  const [ours, theirs] = await Promise.all([newPgpKeys("acme", "open sesame"), newPgpKeys("bank")]);
  const { payer, connection, returnOf } = await newBank();
  const file = await pgpMessage(returnOf(500, "PO-1"), { to: ours, from: theirs });
  server.files.set("out/a.pgp", file);
  await poll(connection, 0);
  await poll(connection, settleMs);
  expect(await filesOf(connection)).toEqual({ "a.pgp": "refused BANK408" });
  const wrong = connect(payer, {
    pgp_public_key: theirs.publicKey,
    pgp_inbound_key: ours.privateKey,
    pgp_inbound_passphrase: "wrong",
  });
  await expect(wrong).rejects.toMatchObject({ problems: [{ field: "sftp.pgp_inbound_key" }] });
});
