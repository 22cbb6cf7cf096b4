// disburse banks show, poll and ignore-file, with a bank's SFTP server, and with audit entries.

import { afterAll, beforeAll, expect, test } from "vitest";
import { findBatch } from "../../../src/banking/files/batch-queries.ts";
import { pollFolderDue } from "../../../src/banking/inbound-files/inbound-folder.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { abaReturns } from "../../support/aba-returns.ts";
import { command } from "../../support/commands.ts";
import { type BankTest, startBankTest } from "../../support/inbound-setup.ts";
import { settingsOf } from "../../support/service.ts";
import { sftpPassword, startSftpServer, type TestSftpServer } from "../../support/sftp-server.ts";

let bank: BankTest;
let server: TestSftpServer;
beforeAll(async () => {
  bank = await startBankTest();
  server = await startSftpServer();
});
afterAll(async () => {
  await bank.close();
  await server.close();
});

const run = (...words: string[]) =>
  command(["banks", ...words], {
    ...settingsOf(bank),
    POSTBACK_ADDRESSES: "loopback",
  });

test("a user polls a folder, sees what was refused and why, and ignores it with a reason", async () => {
  const payer = await bank.newPayer();
  const connection = await bank.connect(payer.subaccountId, {
    travels: "sftp",
    sftp: {
      host: "127.0.0.1",
      port: server.port,
      user: "acme",
      password: sftpPassword,
      host_key: server.fingerprint,
      folder: "in",
      inbound_folder: "out",
    },
  });
  const { name } = connection.row;
  const { batchId, ids } = await bank.sendPayouts(payer, connection, [500]);
  const date = (await findBatch(bank.db, batchId))?.process_date as string;
  const lines = [{ amount: 500, reference: "PO-1" }];
  server.files.set("out/returns.aba", Buffer.from(abaReturns(connection, lines, { date })));
  server.files.set("out/notes.txt", Buffer.from("hello"));
  // The service has seen the files once before.
  const seenMs = Date.now() - limits.bankFolderSettleMs;
  const log = { info() {}, warn() {} };
  await pollFolderDue(
    { ...bank.service, applyingDb: bank.db, addresses: "loopback", clock: () => seenMs, log },
    connection,
  );

  const polled = await run("poll", name, "--by", "Erin", "--json");
  expect([polled.code, polled.stderr]).toEqual([1, ""]);
  const shown = JSON.parse(polled.stdout);
  expect(shown).toMatchObject({ inbound_folder: "out", inbound_problem: "", refused_files: 1 });
  expect(shown.files).toMatchObject([
    { file: "notes.txt", status: "refused", code: "BANK402" },
    { file: "returns.aba", status: "applied", applied_as: expect.any(String) },
  ]);
  expect(await bank.stagesOf(payer, ids)).toEqual(["returned"]);

  expect((await run("show", name)).stdout).toMatch(/notes\.txt +5 +refused .* BANK402 /);
  expect((await run("show", name)).stdout).not.toContain(sftpPassword);
  const listed: { name: string }[] = JSON.parse((await run("list", "--json")).stdout);
  expect(listed.find((one) => one.name === name)).toMatchObject({ refused_files: 1 });
  const ignore = ["ignore-file", name, "notes.txt", "--reason", "not for us", "--by", "Erin"];
  expect((await run(...ignore)).code).toBe(0);
  const again = await run(...ignore);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("BANK455")]);
  expect((await run("poll", name)).code).toBe(0);

  const { rows } = await bank.db.pool.query(
    "select distinct action from audit_entry where action like 'bank%' order by action",
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "bank-file.inbound",
    "bank.ignore-file",
    "bank.poll",
  ]);

  await server.close();
  const down = await run("poll", name);
  expect(down.code).toBe(1);
  expect(down.stdout).toContain("It could not be reached: ECONNREFUSED");
  server = await startSftpServer();
});

test("polling a bank connection without a folder is refused", async () => {
  const payer = await bank.newPayer();
  const { row } = await bank.connect(payer.subaccountId);
  const { code, stderr } = await run("poll", row.name);
  expect([code, stderr]).toEqual([1, expect.stringContaining("BANK454")]);
});

test("a connection that can't be decrypted is named, and the others are listed", async () => {
  const payer = await bank.newPayer();
  const [readable, damaged] = [
    await bank.connect(payer.subaccountId),
    await bank.connect((await bank.newPayer()).subaccountId),
  ];
  await bank.db.pool.query(
    "update bank_connection set settings_sealed = set_byte(settings_sealed, 20, 255 - get_byte(settings_sealed, 20)) where id = $1",
    [damaged.id],
  );
  const { code, stdout, stderr } = await run("list", "--json");
  expect([code, stderr]).toEqual([1, `The settings of ${damaged.row.name} can't be decrypted.\n`]);
  const listed: { id: string }[] = JSON.parse(stdout);
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([readable.id, damaged.id]));
});
