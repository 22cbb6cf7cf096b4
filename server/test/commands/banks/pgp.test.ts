// Files that are encrypted for the bank with PGP: once, so that sending again means the same bytes.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as openpgp from "openpgp";
import { expect, test } from "vitest";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { sendDue } from "../../../src/banking/files/send.ts";
import { findSends } from "../../../src/banking/files/send-queries.ts";
import { encryptForBank } from "../../../src/banking/pgp/pgp.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import {
  approveNow,
  freezeNow,
  newBankConnection,
  newBankPayer,
} from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { newPgpKeys } from "../../support/pgp-keys.ts";
import { service, useService } from "../../support/service-setup.ts";
import { sftpPassword, startSftpServer } from "../../support/sftp-server.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";

const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]);
await useService({ rails });

const passphrase = "open sesame";
const server = await closeAfterTests(startSftpServer());
const bankKeys = await newPgpKeys("bank");
const ourKeys = await newPgpKeys("acme", passphrase);

test("an encrypted file is made once; the bank decrypts the approved bytes and sees our signature", async () => {
  const payer = await newBankPayer(service);
  const connection = await newBankConnection({ ...service, rails }, payer.subaccountId, {
    travels: "sftp",
    sftp: {
      host: "127.0.0.1",
      port: server.port,
      user: "acme",
      password: sftpPassword,
      host_key: server.fingerprint,
      pgp_public_key: bankKeys.publicKey,
      pgp_signing_key: ourKeys.privateKey,
      pgp_signing_passphrase: passphrase,
    },
  });
  await payer.disburse.payouts.create({ ...payer.to, amount: 500, currency: "AUD" });
  const [id = ""] = await freezeNow(service, connection);
  await approveNow(service, connection, id);
  const parts = {
    ...service,
    addresses: "loopback",
    clock: Date.now,
    log: { info() {}, warn() {} },
  } as const;
  const later = () => Date.now() + 20_000;
  const uploads: Buffer[] = [];
  const batch = await findBatch(service.db, id);
  const name = `${batch?.file_name}.pgp`;
  server.setFaults({ deniesRename: true });
  await sendDue(parts, connection);
  uploads.push(server.files.get(`${name}.part`) as Buffer);
  server.setFaults({});
  await sendDue({ ...parts, clock: later }, connection);
  uploads.push(server.files.get(name) as Buffer);

  const [first, second] = uploads as [Buffer, Buffer];
  expect(second.equals(first)).toBe(true);
  const send = (await findSends(service.db, [id])).get(id);
  expect(send?.sha256).toBe(createHash("sha256").update(second).digest("hex"));
  expect(send?.sha256).not.toBe(batch?.file_sha256);
  const { data, signatures } = await openpgp.decrypt({
    message: await openpgp.readMessage({ binaryMessage: new Uint8Array(second) }),
    decryptionKeys: await openpgp.readPrivateKey({ armoredKey: bankKeys.privateKey }),
    verificationKeys: await openpgp.readKey({ armoredKey: ourKeys.publicKey }),
    format: "binary",
  });
  expect(createHash("sha256").update(data).digest("hex")).toBe(batch?.file_sha256);
  expect(await signatures[0]?.verified).toBe(true);
  expect((await findBatch(service.db, id))?.status).toBe("sent");
});

async function* textParts(count: number) {
  for (let each = 0; each < count; each += 1) yield Buffer.from(`line ${each}\r\n`.repeat(100));
}

testUnless(missingCommands("gpg"))("GnuPG decrypts what we encrypt", async () => {
  const folder = mkdtempSync(join(tmpdir(), "disburse-gpg-"));
  chmodSync(folder, 0o700);
  try {
    const gpg = (...words: string[]) =>
      execFileSync("gpg", ["--homedir", folder, "--batch", "--quiet", ...words], {
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 2 ** 24,
      });
    writeFileSync(join(folder, "bank.asc"), bankKeys.privateKey);
    gpg("--import", join(folder, "bank.asc"));
    const parts: Uint8Array[] = [];
    const settings = { pgp_public_key: bankKeys.publicKey };
    for await (const part of encryptForBank(settings, textParts(500))) parts.push(part);
    writeFileSync(join(folder, "file.pgp"), Buffer.concat(parts));
    const expected: Buffer[] = [];
    for await (const part of textParts(500)) expected.push(part);
    const decrypted = gpg("--decrypt", join(folder, "file.pgp"));
    expect(decrypted.equals(Buffer.concat(expected))).toBe(true);
    execFileSync("gpgconf", ["--homedir", folder, "--kill", "all"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
