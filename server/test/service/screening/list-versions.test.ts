// Versions of sanctions lists: import, the second user, and the entries of each set.

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listLimits } from "../../../src/people/list-files/list-limits.ts";
import type { FileListName } from "../../../src/people/list-files/readers.ts";
import { readNewList } from "../../../src/people/list-files/readers.ts";
import {
  approveVersion,
  decisionNote,
  declineVersion,
  listFolderActor,
} from "../../../src/people/sanctions-lists/decide.ts";
import { importVersion } from "../../../src/people/sanctions-lists/import.ts";
import {
  findVersion,
  listVersions,
  versionStatuses,
} from "../../../src/people/sanctions-lists/version-queries.ts";
import {
  currentSetId,
  findEndedEntries,
  loadChangedEntries,
  loadEntries,
  screeningSetChannel,
} from "../../../src/people/screening/set-queries.ts";
import type { Db } from "../../../src/platform/db/connect.ts";
import { type UnPerson, unFile, unPeople } from "../../support/list-files.ts";
import { newDatabase } from "../../support/service.ts";

let db: Db;
let url: string;
beforeAll(async () => {
  ({ db, url } = await newDatabase());
});
afterAll(() => db.close());

/** Each test has a list of its own: the layout of the UN serves for all. */
function given(list: FileListName, people: readonly UnPerson[], day?: string) {
  return { ...readNewList("un", [unFile(people, day)]), list };
}

const importing = (who = "command:a") => ({ who, atMs: Date.now() });
const run = (list: FileListName, people: readonly UnPerson[], day?: string, who?: string) =>
  db.transaction((tx) => importVersion(tx, given(list, people, day), importing(who)));
const approve = (id: string, who: string) =>
  db.transaction((tx) => approveVersion(tx, id, importing(who)));
const decline = (id: string, who: string) =>
  db.transaction((tx) => declineVersion(tx, id, importing(who)));

const keysOf = (entries: readonly { list: string; key: string }[], of: string) =>
  entries.filter(({ list }) => list === of).map(({ key }) => key.slice(-1));

async function entriesOf(list: FileListName, setId: number): Promise<string[]> {
  return keysOf(await loadEntries(db, setId), list);
}

test("three versions: each set has its entries, and only changed ones are loaded since an earlier set", async () => {
  const [a, b, c, d] = unPeople(4) as [UnPerson, UnPerson, UnPerson, UnPerson];
  const renamed = { ...b, names: ["PERSON", "RENAMED"] };
  const before = await currentSetId(db);
  const one = await run("ofac-sdn", [a, b, c]);
  const first = await currentSetId(db);
  const two = await run("ofac-sdn", [a, renamed, c, d]);
  const second = await currentSetId(db);
  const three = await run("ofac-sdn", [a, d, renamed]);
  const third = await currentSetId(db);
  expect(three.outcome).toBe("waiting");
  expect(third).toBe(second);
  await approve(three.version.id, "operator:b");
  const last = await currentSetId(db);
  expect([first > before, second > first, last > second]).toEqual([true, true, true]);

  const counts = ({ version }: { version: object }) => version;
  expect(counts(one)).toMatchObject({ entries: 3, names: 3, added: 3, changed: 0, removed: 0 });
  expect(counts(two)).toMatchObject({ entries: 4, added: 1, changed: 1, removed: 0 });
  expect(await findVersion(db, three.version.id)).toMatchObject({
    ...{ entries: 3, added: 0, changed: 0, removed: 1, status: "active" },
    ...{ made_by: "command:a", decided_by: "operator:b", set_id: String(last) },
  });

  expect(await entriesOf("ofac-sdn", before)).toEqual([]);
  expect(await entriesOf("ofac-sdn", first)).toEqual(["1", "2", "3"]);
  expect(await entriesOf("ofac-sdn", second)).toEqual(["1", "2", "3", "4"]);
  expect(await entriesOf("ofac-sdn", last)).toEqual(["1", "2", "4"]);
  const nameIn = async (setId: number) =>
    (await loadEntries(db, setId)).find(({ list, key }) => list === "ofac-sdn" && key === b.key)
      ?.names[0]?.text;
  expect([await nameIn(first), await nameIn(second)]).toEqual(["PERSON NUMBER2", "PERSON RENAMED"]);

  const changedSince = async (since: number, setId: number) =>
    keysOf(await loadChangedEntries(db, since, setId), "ofac-sdn");
  expect(await changedSince(before, first)).toEqual(["1", "2", "3"]);
  expect(await changedSince(first, second)).toEqual(["2", "4"]);
  expect(await changedSince(second, last)).toEqual([]);
  expect(await changedSince(before, last)).toEqual(["1", "2", "4"]);
  expect(await changedSince(first, last)).toEqual(["2", "4"]);
  const ended = await findEndedEntries(db, first, last);
  expect(keysOf(ended, "ofac-sdn")).toEqual(["2", "3"]);
});

test("the same file again changes nothing; the same entries in another file make a version, but no set", async () => {
  const people = unPeople(3);
  const first = await run("un", people, "2026-11-01");
  const setId = await currentSetId(db);
  const again = await run("un", people, "2026-11-01");
  expect([again.outcome, again.version.id]).toEqual(["unchanged", first.version.id]);
  const later = await run("un", [...people].reverse(), "2026-11-02");
  expect(later).toMatchObject({
    outcome: "active",
    version: { added: 0, changed: 0, removed: 0, set_id: String(setId) },
  });
  expect(await currentSetId(db)).toBe(setId);
  const versions = (await listVersions(db, versionStatuses, 100)).filter(
    ({ list }) => list === "un",
  );
  expect(versions.map(({ status, published_day }) => [status, published_day])).toEqual([
    ["active", "2026-11-02"],
    ["replaced", "2026-11-01"],
  ]);
});

test("CONS402: over 10 % fewer entries wait, and only another user approves; 10 % exactly do not", async () => {
  await run("dfat", unPeople(20));
  const ten = await run("dfat", unPeople(18));
  expect([ten.outcome, ten.version.removed]).toEqual(["active", 2]);
  const setId = await currentSetId(db);
  const fewer = await run("dfat", unPeople(16), undefined, "operator:a");
  expect([fewer.outcome, fewer.reason]).toEqual(["waiting", "fewer entries"]);
  expect((await run("dfat", unPeople(16))).version.id).toBe(fewer.version.id);
  expect(await currentSetId(db)).toBe(setId);
  expect(await entriesOf("dfat", setId)).toHaveLength(18);

  await expect(approve(fewer.version.id, "operator:a")).rejects.toThrow("CONS402");
  expect(await approve(fewer.version.id, "operator:b")).toMatchObject({
    ...{ status: "active", removed: 2, decided_by: "operator:b" },
  });
  expect(await entriesOf("dfat", await currentSetId(db))).toHaveLength(16);
  expect(await entriesOf("dfat", setId)).toHaveLength(18);
});

test("over 10 % of the entries or names gone wait too, with as many entries as before", async () => {
  const list = "replaced-entries" as FileListName;
  const people = unPeople(20);
  await run(list, people);
  const others = people.map((one) => ({ ...one, key: `X${one.key}` }));
  const twoOthers = [...others.slice(0, 2), ...people.slice(2)];
  expect((await run(list, twoOthers)).outcome).toBe("active");
  const wrong = await run(list, [...others.slice(0, 5), ...people.slice(5)]);
  expect([wrong.outcome, wrong.reason]).toEqual(["waiting", "many entries are removed"]);

  const names = "fewer-names" as FileListName;
  const more =
    "<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>OTHER NAME</ALIAS_NAME></INDIVIDUAL_ALIAS>";
  const named = await run(
    names,
    people.map((one) => ({ ...one, more })),
  );
  expect(named.version.names).toBe(40);
  const cut = await run(
    names,
    people.map((one, index) => (index < 15 ? { ...one, more } : one)),
  );
  expect([cut.outcome, cut.reason]).toEqual(["waiting", "fewer names"]);
});

test("CONS402: a version that the folder brought waits for two users", async () => {
  const list = "from-folder" as FileListName;
  await run(list, unPeople(20));
  const { version } = await db.transaction((tx) =>
    importVersion(tx, given(list, unPeople(5)), importing(listFolderActor)),
  );
  const setId = await currentSetId(db);
  const first = await approve(version.id, "operator:a");
  expect(first).toMatchObject({ status: "waiting", first_approved_by: "operator:a" });
  expect(decisionNote(first).action).toBe("screening.approve-first");
  await expect(approve(version.id, "operator:a")).rejects.toThrow("CONS402");
  expect(await currentSetId(db)).toBe(setId);
  const second = await approve(version.id, "operator:b");
  expect(second).toMatchObject({ status: "active", decided_by: "operator:b" });
  expect(decisionNote(second).action).toBe("screening.approve");
  expect(await entriesOf(list, await currentSetId(db))).toHaveLength(5);
});

test("LIST201, LIST202: a declined version stays out, a newer one replaces one that waits, and neither is approved", async () => {
  await run("eu", unPeople(10));
  const declined = await run("eu", unPeople(5));
  // The user who imported it may take it back.
  expect(await decline(declined.version.id, "operator:a")).toMatchObject({ status: "declined" });
  await expect(approve(declined.version.id, "operator:b")).rejects.toThrow("LIST202");

  const replaced = await run("eu", unPeople(6));
  const newest = await run("eu", unPeople(10), "2026-11-05");
  expect(newest.outcome).toBe("active");
  await expect(approve(replaced.version.id, "operator:b")).rejects.toThrow("LIST202");
  await expect(decline(replaced.version.id, "operator:b")).rejects.toThrow("LIST202");
  expect(await entriesOf("eu", await currentSetId(db))).toHaveLength(10);
  await expect(approve("0190f3a2-7b3c-7d1e-8f00-0123456789ab", "operator:b")).rejects.toThrow(
    "LIST201",
  );
});

test("a file that was published before the active one waits", async () => {
  await run("uk", unPeople(3), "2026-11-05");
  const older = await run("uk", unPeople(4), "2026-11-04");
  expect([older.outcome, older.reason]).toEqual(["waiting", "older than the active version"]);
});

test("a failure in the middle of an import leaves nothing", async () => {
  const list = "ofac-consolidated";
  const people = unPeople(listLimits.entriesPage + 1);
  const state = async () => [
    await currentSetId(db),
    await entriesOf(list, await currentSetId(db)),
    (await listVersions(db, versionStatuses, 1000)).filter((row) => row.list === list).length,
  ];
  const before = await state();
  const failing = db.transaction((tx) => {
    const onProgress = (written: number) => {
      if (written >= listLimits.entriesPage) throw new Error("stopped");
    };
    return importVersion(tx, given(list, people), { ...importing(), onProgress });
  });
  await expect(failing).rejects.toThrow("stopped");
  expect(await state()).toEqual(before);
  const { outcome, version } = await run(list, people);
  expect([outcome, version.added]).toEqual(["active", people.length]);
});

test("two imports at once make one version, and a new set is notified when it is committed", async () => {
  const listener = new pg.Client({ connectionString: url });
  await listener.connect();
  const heard: string[] = [];
  listener.on("notification", ({ payload }) => heard.push(payload ?? ""));
  await listener.query(`listen ${screeningSetChannel}`);
  // The other tests use all lists, and any name will do here.
  const list = "at-once" as FileListName;
  const people = unPeople(3);
  const both = await Promise.all([
    run(list, people, "2026-11-09"),
    run(list, people, "2026-11-09"),
  ]);
  expect(both.map(({ outcome }) => outcome).sort()).toEqual(["active", "unchanged"]);
  const setId = Number(both.find(({ outcome }) => outcome === "active")?.version.set_id);
  await expect.poll(() => heard).toContain(String(setId));
  await listener.end();
});
