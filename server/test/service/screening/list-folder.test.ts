// The folder of sanctions lists: changed files are imported, broken ones are reported without their content.
// Each file is read by a thread of its own, which loads its modules first.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { ListFile } from "../../../src/people/list-files/list-file.ts";
import {
  listVersions,
  versionStatuses,
} from "../../../src/people/sanctions-lists/version-queries.ts";
import {
  folderState,
  listStates,
  pollListFolder,
  startListWorker,
} from "../../../src/people/sanctions-lists/worker.ts";
import type { Db } from "../../../src/platform/db/connect.ts";
import { createMetrics } from "../../../src/platform/metrics/metrics.ts";
import { ofacFiles, textFile, unFile, unPeople } from "../../support/list-files.ts";
import { newDatabase } from "../../support/service.ts";

const databases: Db[] = [];
afterAll(() => Promise.all(databases.map((db) => db.close())));

const minuteMs = 60_000;

/** With a database of its own: the tests import versions of the same lists. */
async function newFolder() {
  const { db, seal } = await newDatabase();
  databases.push(db);
  const folder = mkdtempSync(join(tmpdir(), "lists-"));
  const logged: { context: object; message: string }[] = [];
  const add = (context: object, message: string) => void logged.push({ context, message });
  const state = folderState();
  let minutes = 0;
  return {
    db,
    seal,
    folder,
    logged,
    state,
    /** Each file is a minute newer than the one before, and all are in the past. */
    put(path: string, { bytes }: ListFile) {
      const at = join(folder, path);
      mkdirSync(join(at, ".."), { recursive: true });
      writeFileSync(at, bytes);
      minutes += 1;
      const time = new Date(Date.now() - 60 * minuteMs + minutes * minuteMs);
      utimesSync(at, time, time);
    },
    poll: () => pollListFolder({ db, seal, log: { info: add, warn: add }, folder }, state),
    versions: async (list: string) =>
      (await listVersions(db, versionStatuses, 1000)).filter((row) => row.list === list),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

test("files are found by the names of publishers or in a sub-folder, imported once, and again when they change", async () => {
  const { put, poll, versions, logged, remove } = await newFolder();
  const [sdn, alt, add] = ofacFiles([{ key: 1, name: "EXAMPLOV, Ivan", type: "individual" }]) as [
    ListFile,
    ListFile,
    ListFile,
  ];
  put("sdn.csv", sdn);
  put("alt.csv", alt);
  put("add.csv", add);
  put("un/any name.xml", unFile(unPeople(2), "2026-11-01"));
  put("README.txt", textFile("README.txt", "not a list"));
  await poll();
  await poll();
  expect((await versions("ofac-sdn")).map(({ status, made_by }) => [status, made_by])).toEqual([
    ["active", "service"],
  ]);
  expect(await versions("un")).toHaveLength(1);
  expect(logged.map(({ message }) => message)).toEqual(Array(2).fill("sanctions list: imported"));

  put("un/newer.xml", unFile(unPeople(3), "2026-11-02"));
  await poll();
  expect((await versions("un")).map(({ status, entries }) => [status, entries])).toEqual([
    ["active", 3],
    ["replaced", 2],
  ]);
  // The older file is newest again, for example after a backup was restored: it was replaced, and stays so.
  put("un/any name.xml", unFile(unPeople(2), "2026-11-01"));
  await poll();
  expect(await versions("un")).toHaveLength(2);
  remove();
});

test("a broken file is logged by its place, without its content, and counted until a good one comes", async () => {
  const { put, poll, versions, logged, state, remove } = await newFolder();
  const people = [{ key: "TEi.900", names: ["SECRET", "NAME"] }];
  const { bytes } = unFile(people, "2026-12-01");
  put("consolidated.xml", { name: "", bytes: bytes.subarray(0, bytes.length - 30) });
  await poll();
  expect(await versions("un")).toHaveLength(0);
  expect(logged).toMatchObject([
    {
      message: "sanctions list: not imported",
      context: {
        list: "un",
        problems: [expect.stringMatching(/^LIST101 consolidated\.xml, line/)],
      },
    },
  ]);
  expect(JSON.stringify(logged)).not.toContain("SECRET");
  expect([...state.refused]).toEqual(["un"]);
  put("consolidated.xml", unFile([...unPeople(3), ...people], "2026-12-01"));
  await poll();
  expect([...state.refused]).toEqual([]);
  expect(await versions("un")).toMatchObject([{ status: "active", entries: 4 }]);
  remove();
});

test("a file that was just written waits for the next look", async () => {
  const { folder, poll, versions, remove } = await newFolder();
  writeFileSync(join(folder, "uk.csv"), "half a file");
  await poll();
  expect(await versions("uk")).toHaveLength(0);
  remove();
});

test("metrics: the age and the entries of each list, and whether a version waits or is refused", async () => {
  const { db, seal, remove } = await newFolder();
  const metrics = createMetrics();
  const log = { info() {}, warn() {} };
  const worker = startListWorker({ db, seal, log, metrics, folder: undefined });
  await expect
    .poll(() => metrics.text())
    .toMatch(/^disburse_screening_list_entries\{list="embargo"\} 3$/m);
  const text = await metrics.text();
  expect(text).toMatch(/^disburse_screening_list_age_seconds\{list="embargo"\} [\d.]+$/m);
  expect(text).toMatch(/^disburse_screening_list_refused\{list="embargo"\} 0$/m);
  await worker.close();
  remove();

  const row = { list: "un", status: "active", entries: 5, at_ms: "0" } as never;
  const version = { ...(row as object), published_day: "2026-11-01" } as never;
  const waiting = { ...(row as object), status: "waiting", published_day: "" } as never;
  const nowMs = Date.parse("2026-11-03T00:00:00Z");
  expect(listStates([version, waiting], new Set(["un"]), nowMs)).toEqual([
    { list: "un", entries: 5, ageSeconds: 86_400, waiting: 1, refused: 1 },
  ]);
  expect(
    listStates([{ ...(row as object), published_day: "" } as never], new Set(), 5_000),
  ).toEqual([{ list: "un", entries: 5, ageSeconds: 5, waiting: 0, refused: 0 }]);
});
