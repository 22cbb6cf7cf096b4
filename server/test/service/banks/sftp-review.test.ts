// A bank file with payouts in review does not leave by SFTP, whenever the hit is opened.

import { afterEach, beforeEach, expect, test } from "vitest";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { type SendParts, sendDue, sendNow } from "../../../src/banking/files/send.ts";
import { findSends } from "../../../src/banking/files/send-queries.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import {
  approveNow,
  freezeNow,
  newBankConnection,
  newBankPayer,
} from "../../support/bank-payers.ts";
import { openHit } from "../../support/ruled-payers.ts";
import { service, useService } from "../../support/service-setup.ts";
import { sftpPassword, startSftpServer, type TestSftpServer } from "../../support/sftp-server.ts";

const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
await useService({ rails });

let server: TestSftpServer;
beforeEach(async () => {
  server = await startSftpServer();
});
afterEach(() => server.close());

const partsAt = (nowMs = Date.now()): SendParts => ({
  db: service.db,
  seal: service.seal,
  addresses: "loopback",
  clock: () => nowMs,
  log: { info() {}, warn() {} },
});
const laterMs = 20_000;

/** An approved file with one payout, and what opens a hit of its receiver. */
async function approvedBatch() {
  const payer = await newBankPayer(service);
  const { port, fingerprint } = server;
  const sftp = { host: "127.0.0.1", port, user: "acme", password: sftpPassword, folder: "in" };
  const connection = await newBankConnection({ ...service, rails }, payer.subaccountId, {
    travels: "sftp",
    sftp: { ...sftp, host_key: fingerprint },
  });
  await payer.disburse.payouts.create({ ...payer.to, amount: 500, currency: "AUD" });
  const [id = ""] = await freezeNow(service, connection);
  await approveNow(service, connection, id);
  return {
    id,
    connection,
    openHit: () => openHit(service, payer, payer.to.receiver_id),
    state: async () => [
      (await findBatch(service.db, id))?.status,
      (await findSends(service.db, [id])).get(id)?.problem,
    ],
  };
}

const inReview = "Payouts wait for a review: 1 payout of the batch waits for a review";

test("BANK305: a hit after the approval keeps the file here until it is decided", async () => {
  const { id, connection, openHit, state } = await approvedBatch();
  const hit = await openHit();
  await sendDue(partsAt(), connection);
  expect(server.files.size).toBe(0);
  expect(await state()).toEqual(["approved", inReview]);
  const now = { id, who: "operator:b", isConfirmed: true };
  await expect(sendNow(partsAt(), connection, now)).rejects.toThrow("BANK305");
  await hit.decide("different");
  await sendDue(partsAt(Date.now() + laterMs), connection);
  expect(await state()).toEqual(["sent", ""]);
  expect(server.renamed).toHaveLength(1);
});

test("a hit after the bytes have arrived keeps the file from getting its name", async () => {
  server.setFaults({ deniesRename: true });
  const { connection, openHit, state } = await approvedBatch();
  await sendDue(partsAt(), connection);
  expect((await state())[0]).toBe("sending");
  server.setFaults({});
  const hit = await openHit();
  await sendDue(partsAt(Date.now() + laterMs), connection);
  expect(await state()).toEqual(["sending", inReview]);
  expect(server.renamed).toEqual([]);
  await hit.decide("same");
  await sendDue(partsAt(Date.now() + 3 * laterMs), connection);
  expect(server.renamed).toEqual([]);
});
