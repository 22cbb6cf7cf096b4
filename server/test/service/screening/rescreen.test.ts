// A new set of list entries: only the changed entries are screened, in pages, and nothing is missed.

import { afterEach, beforeEach, expect, test } from "vitest";
import { manualProvider } from "../../../src/people/kyc-providers/manual.ts";
import { changeReceiver } from "../../../src/people/receivers/change.ts";
import { createReceivers, toReceiverCreation } from "../../../src/people/receivers/create.ts";
import type { NewReceiver } from "../../../src/people/receivers/schema.ts";
import { type RescreenedPage, rescreen } from "../../../src/people/reviews/rescreen.ts";
import { walkSubjects } from "../../../src/people/reviews/walk.ts";
import { startScreeningWorker } from "../../../src/people/reviews/worker.ts";
import {
  type LoadedSet,
  noScreening,
  type Screener,
  screenerOf,
} from "../../../src/people/screening/screener.ts";
import { countRecordsBehind } from "../../../src/people/screening/status-queries.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import type { Db, Tx } from "../../../src/platform/db/connect.ts";
import type { Seal } from "../../../src/platform/encryption/seal.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { createSubaccount } from "../../../src/tenants/subaccounts/create.ts";
import { person, putList } from "../../scenarios/screening-lists.ts";
import { hitsOf, loadNow, recordOf } from "../../support/list-setup.ts";
import { ada, newDatabase, startServiceForTest } from "../../support/service.ts";

let db: Db;
let seal: Seal;
let newSubaccount: () => Promise<string>;
beforeEach(async () => {
  const database = await newDatabase();
  ({ db, seal } = database);
  newSubaccount = async () =>
    (await createSubaccount(database, { name: "A test", mode: "test", scopes: ["read"] }))
      .subaccountId;
});
afterEach(() => db.close());

const isStopping = () => false;
const hold = async () => {};

const screenerWith = (loaded: LoadedSet): Screener => screenerOf(() => loaded, hold);

async function create(
  subaccountId: string,
  screener: Screener,
  people: readonly Partial<NewReceiver>[],
): Promise<string[]> {
  const creations = people.map((changes) =>
    toReceiverCreation(
      { subaccountId, mode: "test", key: "", requestId: newId(), nonce: undefined },
      ada(changes),
      { provider: manualProvider, screener, seal },
    ),
  );
  await createReceivers(db, creations);
  return creations.map(({ row }) => row.id);
}

const nobodies = (count: number): Partial<NewReceiver>[] =>
  Array.from({ length: count }, () => ({}));
const grigor = { first_name: "Grigor", last_name: "Tossunbek" };
const wilma = { first_name: "Wilhelmina", last_name: "Astardottir" };

/** Screens everything behind the set, and returns what was compared. */
async function rescreenNow(
  loaded: LoadedSet,
  changes: Partial<Parameters<typeof rescreen>[0]> = {},
): Promise<RescreenedPage> {
  const total = { records: 0, compared: 0, hits: 0 };
  const onPage = ({ records, compared, hits }: RescreenedPage) => {
    total.records += records;
    total.compared += compared;
    total.hits += hits;
  };
  await rescreen({ db, seal, loaded, hold, clock: Date.now, isStopping, onPage, ...changes });
  return total;
}

const statuses = async (subaccountId: string, receiverId: string) =>
  (await hitsOf(db, subaccountId, receiverId)).map(({ entry_key, status, reason }) =>
    [entry_key, status, reason].join(" ").trim(),
  );

const list = "un";
const stranger = person("0", "Bartholomew Quillfeather");

test("a new version: planted people surface, unchanged entries are not compared again", async () => {
  await putList(db, list, [person("1", "Grigor Tossunbek")]);
  const before = await loadNow(db);
  await rescreenNow(before);
  const subaccountId = await newSubaccount();
  const ids = await create(subaccountId, screenerWith(before), [grigor, wilma, ...nobodies(50)]);
  expect(await statuses(subaccountId, ids[0] as string)).toEqual(["1 open"]);

  await putList(db, list, [person("1", "Grigor Tossunbek"), person("2", "Wilhelmina Astardottir")]);
  const after = await loadNow(db);
  expect(await rescreenNow(after)).toMatchObject({ hits: 1 });
  expect(await statuses(subaccountId, ids[0] as string)).toEqual(["1 open"]);
  expect(await statuses(subaccountId, ids[1] as string)).toEqual(["2 open"]);
  expect(await countRecordsBehind(db, after.setId, 10)).toBe(0);
  expect(await rescreenNow(after)).toEqual({ records: 0, compared: 0, hits: 0 });
});

test("a version that only removes entries reads no receiver, and ends the hits of the removed", async () => {
  await putList(db, list, [person("1", "Grigor Tossunbek"), person("2", "Wilhelmina Astardottir")]);
  const before = await loadNow(db);
  await rescreenNow(before);
  const subaccountId = await newSubaccount();
  const [one = "", two = ""] = await create(subaccountId, screenerWith(before), [grigor, wilma]);
  await putList(db, list, [person("2", "Wilhelmina Astardottir")]);
  const total = await rescreenNow(await loadNow(db));
  expect(total.records).toBeGreaterThanOrEqual(2);
  expect(total).toMatchObject({ compared: 0, hits: 0 });
  expect(await statuses(subaccountId, one)).toEqual(["1 ended entry removed"]);
  expect(await statuses(subaccountId, two)).toEqual(["2 open"]);
});

test("a changed entry replaces the open hit where it matches, and ends it where it does not", async () => {
  await putList(db, list, [person("1", "Grigor Tossunbek"), person("2", "Wilhelmina Astardottir")]);
  const before = await loadNow(db);
  await rescreenNow(before);
  const subaccountId = await newSubaccount();
  const [one = "", two = ""] = await create(subaccountId, screenerWith(before), [grigor, wilma]);
  await putList(db, list, [
    person("1", "Grigor Tossunbek", { remarks: "also seen at sea" }),
    person("2", "Bartholomew Quillfeather"),
  ]);
  await rescreenNow(await loadNow(db));
  expect((await statuses(subaccountId, one)).sort()).toEqual(["1 ended entry changed", "1 open"]);
  expect(await statuses(subaccountId, two)).toEqual(["2 ended entry changed"]);
});

test("a dismissed hit stays dismissed until the entry or the receiver changes", async () => {
  await putList(db, list, [person("1", "Grigor Tossunbek")]);
  const before = await loadNow(db);
  await rescreenNow(before);
  const subaccountId = await newSubaccount();
  const [id = ""] = await create(subaccountId, screenerWith(before), [grigor]);
  await db.pool.query("update screening_hit set status = 'different' where receiver_id = $1", [id]);

  // The entry goes and comes back as it was.
  await putList(db, list, []);
  await rescreenNow(await loadNow(db));
  await putList(db, list, [person("1", "Grigor Tossunbek")]);
  await rescreenNow(await loadNow(db));
  expect(await statuses(subaccountId, id)).toEqual(["1 different"]);

  await putList(db, list, [person("1", "Grigor Tossunbek", { birthDates: ["1970"] })]);
  await rescreenNow(await loadNow(db));
  expect(await statuses(subaccountId, id)).toEqual(["1 different", "1 open"]);
});

test("a process with an older set records that set, and the worker screens what it missed", async () => {
  await putList(db, list, [person("1", "Grigor Tossunbek")]);
  const older = await loadNow(db);
  await putList(db, list, [person("1", "Grigor Tossunbek"), person("2", "Wilhelmina Astardottir")]);
  const newer = await loadNow(db);
  await rescreenNow(newer);
  const subaccountId = await newSubaccount();
  const [behind = ""] = await create(subaccountId, screenerWith(older), [wilma]);
  const [upToDate = ""] = await create(subaccountId, screenerWith(newer), [wilma]);
  expect(await recordOf(db, behind)).toBe(older.setId);
  expect(await statuses(subaccountId, behind)).toEqual([]);
  expect(await statuses(subaccountId, upToDate)).toEqual(["2 open"]);
  expect(await rescreenNow(newer)).toEqual({ records: 1, compared: 1, hits: 1 });
  expect(await statuses(subaccountId, behind)).toEqual(["2 open"]);
  expect(await recordOf(db, behind)).toBe(newer.setId);
});

test("a change by a process that knows no list yet is screened against it by the worker", async () => {
  const older = await loadNow(db);
  expect(older.index.names).toBe(0);
  await putList(db, list, [person("1", "Grigor Tossunbek")]);
  const newer = await loadNow(db);
  const subaccountId = await newSubaccount();
  const [id = ""] = await create(subaccountId, screenerWith(newer), [wilma]);
  expect(await recordOf(db, id)).toBe(newer.setId);
  const changing = {
    who: "key:test",
    providers: { test: manualProvider, live: manualProvider },
    atMs: Date.now(),
    seal,
    screener: screenerWith(older),
  };
  await db.transaction((tx) => changeReceiver(tx, { subaccountId, id }, grigor, changing));
  expect(await recordOf(db, id)).toBe(older.setId);
  await rescreenNow(newer);
  expect(await recordOf(db, id)).toBe(newer.setId);
  expect(await statuses(subaccountId, id)).toEqual(["1 open"]);
});

test("two processes at once screen every record once, and hold each receiver once", async () => {
  await putList(db, list, [stranger]);
  const before = await loadNow(db);
  await rescreenNow(before);
  const subaccounts = [await newSubaccount(), await newSubaccount()];
  const planted: string[] = [];
  for (const subaccountId of subaccounts) {
    for (let batch = 0; batch < 5; batch += 1) {
      const people = nobodies(limits.screeningPageMax / 2);
      const [first = ""] = await create(subaccountId, screenerWith(before), [grigor, ...people]);
      planted.push(first);
    }
  }
  await putList(db, list, [stranger, person("1", "Grigor Tossunbek")]);
  const loaded = await loadNow(db);
  const held: string[] = [];
  const noting = async (_tx: Tx, { receiverId }: { receiverId: string }) =>
    void held.push(receiverId);
  const totals = await Promise.all([
    rescreenNow(loaded, { hold: noting }),
    rescreenNow(loaded, { hold: noting }),
  ]);
  const sum = totals.reduce((all, { records }) => all + records, 0);
  // The loser of a race for the last pages may end first; what it skipped is the winner's.
  expect(sum).toBe(2 * 5 * (limits.screeningPageMax / 2 + 1));
  expect(held.sort()).toEqual(planted.sort());
  expect(await countRecordsBehind(db, loaded.setId, 10)).toBe(0);
});

test("a page that fails leaves neither a hit nor a new set", async () => {
  await putList(db, list, [stranger]);
  const before = await loadNow(db);
  await rescreenNow(before);
  const subaccountId = await newSubaccount();
  const [id = ""] = await create(subaccountId, screenerWith(before), [grigor, ...nobodies(5)]);
  await putList(db, list, [person("1", "Grigor Tossunbek")]);
  const loaded = await loadNow(db);
  const failing = () => Promise.reject(new Error("no hold"));
  await expect(rescreenNow(loaded, { hold: failing })).rejects.toThrow("no hold");
  expect(await statuses(subaccountId, id)).toEqual([]);
  expect(await recordOf(db, id)).toBe(before.setId);
  await rescreenNow(loaded);
  expect(await statuses(subaccountId, id)).toEqual(["1 open"]);
});

test("receivers from before there was a list are walked once, in every subaccount", async () => {
  await putList(db, list, [person("1", "Grigor Tossunbek")]);
  const loaded = await loadNow(db);
  const nowMs = Date.now() + limits.screeningWalkLagMs + 60_000;
  const walk = () => walkSubjects({ db, seal, loaded, hold, nowMs, isStopping });
  await walk();
  const subaccounts = [await newSubaccount(), await newSubaccount()];
  const ids: string[] = [];
  for (const subaccountId of subaccounts) {
    ids.push(...(await create(subaccountId, noScreening, [grigor, ...nobodies(1_200)])));
  }
  expect(await recordOf(db, ids[0] as string)).toBeUndefined();
  expect(await walkSubjects({ db, seal, loaded, hold, nowMs: Date.now(), isStopping })).toBe(0);
  expect(await walk()).toBe(ids.length);
  expect(await walk()).toBe(0);
  const { rows } = await db.pool.query(
    `select count(*)::int as records from screening_record
     where set_id = $1 and subject_id = any($2)`,
    [loaded.setId, ids],
  );
  expect(rows).toEqual([{ records: ids.length }]);
  expect(await statuses(subaccounts[1] as string, ids[1_201] as string)).toEqual(["1 open"]);
});

test("the worker of a service follows a new version by itself", async () => {
  const service = await startServiceForTest({ screens: true });
  const { db: own } = service;
  const { disburse, subaccountId } = await service.newCaller();
  const { receiver_id } = await disburse.receivers.create(ada(grigor));
  expect(await recordOf(own, receiver_id)).toBeUndefined();
  const clock = () => Date.now() + limits.screeningWalkLagMs + 60_000;
  const { screener } = service;
  if (!screener) throw new Error("the service screens");
  const log = { info() {}, warn() {} };
  const worker = startScreeningWorker({ db: own, seal: service.seal, screener, log, clock });
  await putList(own, "un", [person("1", "Grigor Tossunbek")]);
  await own.pool.query("notify disburse_screening_set");
  await expect
    .poll(async () => (await hitsOf(own, subaccountId, receiver_id)).map(({ status }) => status))
    .toEqual(["open"]);
  await worker.close();
});
