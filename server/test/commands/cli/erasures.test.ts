// Erasing from the command line, and the journal of erasures in a restored backup.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { connect, type Db } from "../../../src/platform/db/connect.ts";
import { operatorTest, unknownId } from "../../support/cli-operator.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { findWords } from "../../support/database-text.ts";
import { settingsOf } from "../../support/service.ts";

const operator = await closeAfterTests(operatorTest());

const person = {
  first_name: "Zyxquarion",
  last_name: "Vlobnetskaya",
  email: "zyxq@vlob.example",
  phone: "498120765",
  address: "9 Quibblethorpe Lane",
};
const words = Object.values(person);

/** A copy of the database as it is now, as a backup is. */
async function copyDatabase(): Promise<{ db: Db; open: () => Db; url: string }> {
  const postgres = inject("postgres");
  const { rows } = await operator.db.pool.query("select current_database() as name");
  const name = `${rows[0].name}_copy`;
  const administrator = new pg.Client({ ...postgres, database: "postgres" });
  await administrator.connect();
  await administrator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${rows[0].name}'`,
  );
  await administrator.query(`create database ${name} template ${rows[0].name}`);
  await administrator.end();
  const { user, password, host, port } = postgres;
  const url = `postgres://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
  const open = () => connect({ connection: { ...postgres, database: name }, poolMax: 4 });
  return { db: open(), open, url };
}

test("a person is exported and erased; the journal erases them again in a restored backup", async () => {
  const { run, json, newReceiver, folder, seal } = operator;
  const id = await newReceiver(person);
  const backup = await copyDatabase();
  const young = await newReceiver({ email: "young@example.com" });

  const out = join(folder, "person.json");
  expect((await run("receivers", "export-person", id, "--out", out)).code).toBe(0);
  expect(JSON.parse(readFileSync(out, "utf8")).receiver).toMatchObject({
    id,
    ...{ email: person.email },
  });

  // Without a terminal nobody can confirm.
  const asked = await run("receivers", "erase", id);
  expect([asked.code, asked.stderr]).toEqual([
    2,
    "There is no terminal to confirm at. Add --yes.\n",
  ]);
  expect(await json("receivers", "erase", id, "--yes")).toMatchObject({
    ...{ receiver_id: id, status: "inactive" },
  });
  await json("receivers", "erase", young, "--yes");
  expect(await findWords(operator, words)).toEqual([]);
  expect((await run("receivers", "erase", unknownId, "--yes")).code).toBe(4);

  const file = join(folder, "erasures.jsonl");
  expect((await run("erasures", "export", file)).code).toBe(0);
  expect(readFileSync(file, "utf8")).not.toMatch(/vlob|zyx/i);
  const environment = settingsOf(backup);
  const release = (...options: string[]) =>
    command(["restore", "release", "--confirm", "pay again", ...options], environment);
  // Phone and address are under the key of the receiver.
  const { phone: _, address: __, ...readable } = person;
  expect(await findWords({ db: backup.db, seal }, words)).toEqual(Object.values(readable));
  await backup.db.close();

  // A restored copy does not leave its quarantine without the journal, nor with a part of it.
  expect((await command(["restore", "quarantine"], environment)).code).toBe(0);
  expect((await release()).stderr).toContain("Add --erasures FILE");
  const cut = join(folder, "cut.jsonl");
  writeFileSync(cut, readFileSync(file, "utf8").split("\n").slice(1).join("\n"));
  const refused = await release("--erasures", cut);
  expect([refused.code, refused.stderr]).toEqual([
    ...[1, "The file is not a whole journal of erasures. Export it again.\n"],
  ]);
  expect((await release("--erasures", file)).code).toBe(0);
  const copy = backup.open();
  expect(await findWords({ db: copy, seal }, words)).toEqual([]);
  await copy.close();

  // One of the two is younger than the backup. Its erasure is kept for the next one.
  const applied = await command(["erasures", "apply", file, "--json"], environment);
  expect(JSON.parse(applied.stdout)).toEqual({ erased: 0, known: 1, absent: 1 });
  const again = join(folder, "again.jsonl");
  expect((await command(["erasures", "export", again], environment)).code).toBe(0);
  expect(readFileSync(again, "utf8")).toBe(readFileSync(file, "utf8"));
});
