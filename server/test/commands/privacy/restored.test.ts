// A backup from before an erasure has the person again, until the restored copy leaves its quarantine.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openEmbedded } from "../../../src/platform/embedded/embedded.ts";
import { databaseName } from "../../../src/platform/embedded/embedded-folder.ts";
import { command } from "../../support/commands.ts";
import { ada, masterKey } from "../../support/service.ts";

const root = mkdtempSync(join(tmpdir(), "disburse-erased-"));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));

const environmentOf = (dataDir: string) => ({
  DATA_DIR: dataDir,
  DISBURSE_MASTER_KEY: masterKey.toString("base64"),
});

async function succeed(words: string[], dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await command(words, environmentOf(dataDir));
  expect(code, `${words.join(" ")}: ${stderr}`).toBe(0);
  return stdout;
}

/** The tables in which a row has the word, as a dump would show it. */
async function tablesWith(word: string, dataDir: string): Promise<string[]> {
  const embedded = await openEmbedded({ dataDir, purpose: "the test" });
  const client = new pg.Client({ ...embedded.connection, database: databaseName });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const text = `select from ${name} row where row::text ilike $1 limit 1`;
      if ((await client.query(text, [`%${word}%`])).rowCount) found.push(name);
    }
    return found;
  } finally {
    await client.end();
    await embedded.stop();
  }
}

test("an erased name is in no dump, and in no restored backup once it is released", async () => {
  const [data, copy, backups] = ["data", "copy", "backups"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const person = join(root, "person.json");
  const journal = join(root, "erasures.jsonl");
  writeFileSync(person, JSON.stringify(ada({ last_name: "Quillfeather" })));
  await succeed(["migrate"], data);
  await succeed(["subaccount", "create", "--name", "Acme", "--mode", "test"], data);
  const created = await succeed(["receivers", "create", "--file", person, "--json"], data);
  const { receiver_id } = JSON.parse(created);
  await succeed(["backup", backups], data);
  expect(await tablesWith("quillfeather", data)).toContain("receiver");
  await succeed(["receivers", "erase", receiver_id, "--yes"], data);
  await succeed(["erasures", "export", journal], data);
  expect(await tablesWith("quillfeather", data)).toEqual([]);

  await succeed(["restore", backups, "--to", copy], copy);
  expect(await tablesWith("quillfeather", copy)).toContain("receiver");
  const release = ["restore", "release", "--confirm", "pay again"];
  const refused = await command(release, environmentOf(copy));
  expect(refused).toMatchObject({ code: 2, stderr: /Add --erasures FILE/ });
  await succeed([...release, "--erasures", journal], copy);
  expect(await tablesWith("quillfeather", copy)).toEqual([]);
  await succeed(["audit", "verify"], copy);
}, 180_000);
