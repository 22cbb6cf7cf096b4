// The page of a bank file that could not be sent by SFTP: the problem, the next try, and when a user has to decide.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type BankConsole, startBankConsole } from "../../support/bank-console.ts";
import { sftpPassword, startSftpServer, type TestSftpServer } from "../../support/sftp-server.ts";

let service: BankConsole;
let server: TestSftpServer;
beforeAll(async () => {
  [service, server] = [await startBankConsole(), await startSftpServer()];
});
afterAll(async () => {
  await service.close();
  await server.close();
});

/** An approved file of a connection that travels by SFTP. */
async function newApprovedFile(changes: object = {}) {
  const payer = await service.newPayer();
  const { port, fingerprint } = server;
  const login = { user: "acme", password: sftpPassword };
  const sftp = { host: "127.0.0.1", port, ...login, host_key: fingerprint, ...changes };
  const id = await service.connect(payer.subaccountId, [payer.subaccountId], {
    travels: "sftp",
    sftp,
  });
  await payer.pay(500);
  const { path } = await service.approveFile(id);
  const send = (nowMs = Date.now()) => service.sendBySftp(id, nowMs);
  const detail = async () => (await service.enter("auditor").get(path)).json;
  return { send, detail };
}

test("a failure that is tried again has its problem, its tries and the time of the next try", async () => {
  const { send, detail } = await newApprovedFile({ password: "wrong" });
  expect((await detail()).send_problem).toBeNull();
  await send();
  const { send_problem } = await detail();
  expect(send_problem).toMatchObject({
    failure: "login",
    problem: "It refused the user",
    tries: 1,
    needs_user: false,
  });
  expect(send_problem.next_try_at).toBeGreaterThan(Date.now());
});

test("a file that the bank may have waits for a user, and has no next try", async () => {
  const { send, detail } = await newApprovedFile();
  server.setFaults({ cutsAfterRename: true });
  await send();
  expect((await detail()).send_problem).toMatchObject({ failure: "cut", needs_user: false });
  server.setFaults({});
  server.files.clear();
  await send(Date.now() + 60_000);
  expect(await detail()).toMatchObject({
    status: "sending",
    may_have_left: true,
    send_problem: { failure: "vanished", tries: 2, needs_user: true, next_try_at: null },
  });
});

test("a file that was sent has no problem", async () => {
  const { send, detail } = await newApprovedFile();
  await send();
  expect(await detail()).toMatchObject({ status: "sent", send_problem: null });
});
