// The archiver of the WAL on a real PostgreSQL: it goes on after an end, notices gaps, and refuses a foreign archive.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import {
  dropArchiveSlot,
  startWalArchiver,
  type WalArchiver,
} from "../../src/platform/backup/wal-archiver.ts";
import { closeAfterTests } from "../support/close-after-tests.ts";
import { startPostgres } from "../support/own-postgres.ts";

let folder: string;
const postgres = await closeAfterTests(startPostgres());
await postgres.ready();
const client = new pg.Client(postgres.connection);
await client.connect();
await client.query("create table written (number int)");
afterAll(async () => {
  await client.end();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "disburse-archive-"));
  await dropArchiveSlot(postgres.connection);
  return () => rmSync(folder, { recursive: true });
});

/** Resolves with what the archiver reports first; it goes on until it is closed. */
async function start(): Promise<{ archiver: WalArchiver; first: string; gaps: () => number }> {
  const reported = Promise.withResolvers<string>();
  let gaps = 0;
  const archiver = startWalArchiver({
    connection: postgres.connection,
    dataFolder: postgres.connection.host as string,
    folder,
    onArchived: async () => reported.resolve("archived"),
    onGap() {
      gaps += 1;
    },
    onError: (error) => reported.resolve((error as Error).message),
  });
  return { archiver, first: await reported.promise, gaps: () => gaps };
}

const write = async () => {
  await client.query("insert into written values (1)");
  await client.query("select pg_switch_wal()");
};
const files = () => readdirSync(join(folder, "wal")).filter((name) => /^[0-9A-F]{24}$/.test(name));

test("what is written while the archiver is away is archived later, byte by byte", async () => {
  const once = await start();
  await write();
  // At its end it copies the rest.
  await once.archiver.close();
  const [before] = files();
  await write();
  await client.query("checkpoint");
  const again = await start();
  await again.archiver.close();
  expect([once.gaps(), again.gaps()]).toEqual([0, 0]);
  expect(files().length).toBeGreaterThanOrEqual(2);
  const own = join(postgres.connection.host as string, "pg_wal", files().at(-1) as string);
  const copy = join(folder, "wal", files().at(-1) as string);
  expect(readFileSync(copy).equals(readFileSync(own))).toBe(true);
  expect(before).toBe(files()[0]);
});

test("a gap is reported when WAL was removed before it was archived", async () => {
  await (await start()).archiver.close();
  await dropArchiveSlot(postgres.connection);
  for (let count = 0; count < 3; count += 1) await write();
  await client.query("checkpoint");
  const { archiver, gaps } = await start();
  await archiver.close();
  expect(gaps()).toBe(1);
});

test("the archive of another database, or of a later state, is refused", async () => {
  await (await start()).archiver.close();
  const source = join(folder, "wal", "source.json");
  const ours = readFileSync(source);
  writeFileSync(source, '{"system":"1"}');
  const foreign = await start();
  await foreign.archiver.close();
  expect(foreign.first).toContain("archive of another database");
  writeFileSync(source, ours);
  writeFileSync(join(folder, "wal", "0000000100000000000000F0"), "");
  const ahead = await start();
  await ahead.archiver.close();
  expect(ahead.first).toContain("later WAL than the database has");
});
