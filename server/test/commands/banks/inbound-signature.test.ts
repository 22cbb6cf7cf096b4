// Where a connection has a PGP key, a file from the bank is taken only with the bank's signature, however it comes.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type BankConnection, sftpIdentity } from "../../../src/banking/connections/connection.ts";
import { connectBanks } from "../../../src/banking/connections/connections.ts";
import { applyInbound } from "../../../src/banking/inbound-files/inbound.ts";
import { listFolderFiles } from "../../../src/banking/inbound-files/inbound-folder-queries.ts";
import { isPgpMessage } from "../../../src/banking/pgp/pgp-inbound.ts";
import type { Refusal } from "../../../src/platform/refusals/refusals.ts";
import {
  bank,
  connect,
  filesOf,
  newBank,
  poll,
  pollNow,
  refusedOf,
  server,
  settleMs,
  useFolderBank,
} from "../../support/inbound-folder-setup.ts";
import {
  armored,
  expiredKey,
  newPgpKeys,
  type PgpKeys,
  pgpMessage,
} from "../../support/pgp-keys.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";
import { camt053 } from "../../support/statement-messages.ts";

useFolderBank();

const passphrase = "open sesame";
let ours: PgpKeys;
let bankKeys: PgpKeys;
let others: PgpKeys;
let keys: object;
beforeAll(async () => {
  [ours, bankKeys, others] = await Promise.all([
    newPgpKeys("acme", passphrase),
    newPgpKeys("bank"),
    newPgpKeys("other"),
  ]);
  keys = {
    pgp_public_key: bankKeys.publicKey,
    pgp_inbound_key: ours.privateKey,
    pgp_inbound_passphrase: passphrase,
  };
});

async function messagesOf({ id: connectionId }: BankConnection) {
  const rows = await listFolderFiles(bank.db, { connectionId, sinceMs: 0, limit: 100 });
  return Object.fromEntries(rows.map(({ name, message }) => [name, message]));
}

/** The code and the message of a refusal, or "applied". */
async function outcomeOf(bytes: Uint8Array, connection?: BankConnection): Promise<string> {
  const by = { name: "file.pgp", who: "operator:a", atMs: Date.now() };
  return applyInbound(bank, bytes, { ...by, connection }).then(
    () => "applied",
    (error: Refusal) => error.problems.map(({ code, message }) => `${code} ${message}`).join(),
  );
}

test("by SFTP, only what the bank has signed is applied; the rest waits for a user, each with its reason", async () => {
  const { payer, connection, ids, returnOf } = await newBank(keys);
  const file = returnOf(700, "PO-2");
  const to = ours;
  const signed = await pgpMessage(file, { from: bankKeys });
  const changed = Buffer.from(signed);
  const at = changed.indexOf("PO-2");
  changed.write("PO-1", at);
  const both = await pgpMessage(returnOf(500, "PO-1"), { to, from: bankKeys });
  const files = {
    "a.pgp": both,
    "b.asc": armored(both),
    "c.aba": file,
    "d.pgp": await pgpMessage(file, { to }),
    "e.pgp": await pgpMessage(file, { to, from: others }),
    "f.pgp": changed,
    "g.pgp": await pgpMessage(file, { to: others, from: bankKeys }),
    "h.pgp": both.subarray(0, -20),
  };
  for (const [name, bytes] of Object.entries(files)) server.files.set(`out/${name}`, bytes);
  await poll(connection, 0);
  await poll(connection, settleMs);
  const expected = {
    "a.pgp": "applied",
    "b.asc": "applied",
    "c.aba": "refused BANK410",
    "d.pgp": "refused BANK410",
    "e.pgp": "refused BANK410",
    "f.pgp": "refused BANK410",
    "g.pgp": "refused BANK408",
    "h.pgp": "refused BANK408",
  };
  expect(await filesOf(connection)).toEqual(expected);
  expect(await messagesOf(connection)).toMatchObject({
    "c.aba": expect.stringMatching(/^The file is no PGP message, and .+ has a PGP key/),
    "d.pgp": "The file is a PGP message without a signature",
    "e.pgp": expect.stringMatching(/another PGP key than the bank's: [0-9A-F]{16}$/),
    "f.pgp": expect.stringMatching(/^The PGP signature does not fit the file/),
  });
  expect(await refusedOf(connection)).toBe(6);
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "submitted"]);

  // Not read again until it changes, or a user polls.
  const readsBefore = server.reads.length;
  await poll(connection, settleMs * 100);
  expect(server.reads.length).toBe(readsBefore);
  server.files.set("out/f.pgp", signed);
  await pollNow(connection, settleMs * 101);
  await pollNow(connection, settleMs * 103);
  expect(await filesOf(connection)).toEqual({ ...expected, "f.pgp": "applied" });
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned", "returned"]);
});

test("a file that a user or the command line brings needs the signature too", async () => {
  const { connection, returnOf } = await newBank(keys);
  const file = returnOf(500, "PO-1");
  const plain = /^BANK410 The file is no PGP message/;
  expect(await outcomeOf(file, connection)).toMatch(plain);
  // The file itself says whose it is.
  expect(await outcomeOf(file)).toMatch(plain);
  const signed = await pgpMessage(file, { to: ours, from: bankKeys });
  expect(await outcomeOf(signed)).toMatch(/^BANK406 The file is a PGP message/);
  const unsigned = await pgpMessage(file, { to: ours });
  expect(await outcomeOf(unsigned, connection)).toMatch(/^BANK410 .*without a signature/);
  expect(await outcomeOf(signed, connection)).toBe("applied");
});

test("pgp_verification_key holds instead of pgp_public_key, and may be several keys; an expired one is refused", async () => {
  const expired = await newPgpKeys("bank");
  const next = await newPgpKeys("bank");
  const { connection, returnOf } = await newBank({
    ...keys,
    pgp_verification_key: `${await expiredKey(expired)}\n${others.publicKey}\n${next.publicKey}`,
  });
  const one = returnOf(500, "PO-1");
  // Signed a while after the end of the key.
  const late = await pgpMessage(one, { from: expired });
  expect(await outcomeOf(await pgpMessage(one, { from: bankKeys }), connection)).toMatch(
    /^BANK410 .*another PGP key/,
  );
  expect(await outcomeOf(late, connection)).toMatch(/^BANK410 The PGP signature has expired/);
  expect(await outcomeOf(await pgpMessage(one, { from: others }), connection)).toBe("applied");
  const two = returnOf(700, "PO-2");
  expect(await outcomeOf(await pgpMessage(two, { from: next }), connection)).toBe("applied");
});

test("a statement of two connections needs the signatures of both banks", async () => {
  const { connection } = await newBank(keys);
  const payer = await bank.newPayer();
  const accountOf = ({ settings }: BankConnection) =>
    (settings as { account_number: string }).account_number;
  const day = new Date().toISOString().slice(0, 10);
  const statementOf = (one: BankConnection) => ({
    account: accountOf(one),
    from: day,
    to: day,
    opening: 0,
    entries: [],
  });
  const other = await connect(payer, { pgp_public_key: others.publicKey });
  const both = Buffer.from(camt053(statementOf(connection), statementOf(other)));
  const signed = await pgpMessage(both, { from: bankKeys });
  expect(await outcomeOf(signed, connection)).toMatch(
    /^BANK410 The file is also about an account of .+ whose bank signs with another PGP key/,
  );
});

test("a connection that can only decrypt, as before the upgrade, refuses files and says what to add", async () => {
  const { payer, connection, returnOf } = await newBank(keys);
  const { pgp_public_key: _key, ...before } = connection.sftp ?? {};
  const sealed = bank.seal.encrypt(JSON.stringify(before), sftpIdentity(connection.id));
  await bank.db.pool.query("update bank_connection set sftp_sealed = $1 where id = $2", [
    sealed,
    connection.id,
  ]);
  const now = (await connectBanks(bank)).find(({ id }) => id === connection.id);
  const file = returnOf(500, "PO-1");
  const signed = await pgpMessage(file, { to: ours, from: bankKeys });
  expect(await outcomeOf(signed, now)).toMatch(
    /^BANK410 The signature can't be checked: .*pgp_verification_key/,
  );
  expect(await outcomeOf(file, now)).toMatch(/^BANK410/);
  const { pgp_public_key: _public, ...incomplete } = keys as Record<string, string>;
  await expect(connect(payer, incomplete)).rejects.toMatchObject({
    problems: [{ field: "sftp.pgp_verification_key" }],
  });
});

testUnless(missingCommands("gpg"))(
  "files that GnuPG signs are taken, encrypted or not",
  async () => {
    const { connection, returnOf } = await newBank(keys);
    const folder = mkdtempSync(join(tmpdir(), "disburse-gpg-"));
    chmodSync(folder, 0o700);
    const gpg = (...words: string[]) =>
      execFileSync(
        "gpg",
        ["--homedir", folder, "--batch", "--yes", "--quiet", "--trust-model", "always", ...words],
        { stdio: ["ignore", "pipe", "ignore"] },
      );
    const [input, output] = [join(folder, "file.aba"), join(folder, "file.out")];
    const made = (bytes: Buffer, ...words: string[]) => {
      writeFileSync(input, bytes);
      gpg("--output", output, ...words, input);
      return readFileSync(output);
    };
    try {
      writeFileSync(join(folder, "bank.asc"), bankKeys.privateKey);
      writeFileSync(join(folder, "acme.asc"), ours.publicKey);
      gpg("--import", join(folder, "bank.asc"), join(folder, "acme.asc"));
      const [one, two] = [returnOf(500, "PO-1"), returnOf(700, "PO-2")];
      const to = ["--recipient", "acme@example.com", "--encrypt"];
      expect(await outcomeOf(made(one, ...to), connection)).toMatch(/without a signature/);
      expect(await outcomeOf(made(one, ...to, "--sign"), connection)).toBe("applied");
      expect(await outcomeOf(made(two, "--sign", "--armor"), connection)).toBe("applied");
      expect(await outcomeOf(made(two, "--sign"), connection)).toBe("applied");
      expect(await outcomeOf(made(two, "--store"), connection)).toMatch(/^BANK410/);
    } finally {
      execFileSync("gpgconf", ["--homedir", folder, "--kill", "all"]);
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test("text that begins with a letter above ASCII is no PGP message", async () => {
  for (const letter of "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞß") {
    for (const encoding of ["latin1", "utf8", "utf16le"] as const) {
      const text = `${letter}tat;Datum;Betrag\r\n1;2026-01-02;3,00\r\n`;
      expect(isPgpMessage(Buffer.from(text, encoding)), `${letter} in ${encoding}`).toBe(false);
    }
  }
  const signed = await pgpMessage(Buffer.from("text"), { from: bankKeys });
  expect([isPgpMessage(signed), isPgpMessage(armored(signed))]).toEqual([true, true]);
});
