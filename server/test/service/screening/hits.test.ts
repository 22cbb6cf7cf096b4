// Receivers and accounts are screened when they are created and when they change. Callers see nothing of it.

import { expect, test } from "vitest";
import { manualProvider } from "../../../src/people/kyc-providers/manual.ts";
import { changeReceiver } from "../../../src/people/receivers/change.ts";
import { loadSet, screenerOf } from "../../../src/people/screening/screener.ts";
import { country, organisation, person, putList } from "../../scenarios/screening-lists.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { hitsOf, isLoaded, recordOf } from "../../support/list-setup.ts";
import { ada, startService } from "../../support/service.ts";

const service = await closeAfterTests(startService({ screens: true }));
await putList(service.db, "un", [
  person("QD.1", "Grigor Tossunbek", { birthDates: ["1970-05-06"], countries: ["SYR"] }),
  organisation("QE.1", "Tossunbek Heavy Metals Trading"),
]);
const setId = await putList(service.db, "embargo", [country("PRK")]);
await isLoaded(service, setId);

const listed = { first_name: "Grigor", last_name: "Tossunbek" };
const active = (subaccountId: string) =>
  service.db.pool.query(
    "update receiver set status = 'active', kyc_status = 'completed' where subaccount_id = $1",
    [subaccountId],
  );

test("a receiver with a listed name is created, and has a hit", async () => {
  const { db } = service;
  const { disburse, subaccountId } = await service.newCaller();
  const plain = await disburse.receivers.create(ada());
  const hit = await disburse.receivers.create(ada({ ...listed, dob: "1970-05-06" }));
  expect(Object.keys(hit)).toEqual(Object.keys(plain));
  expect(await recordOf(db, plain.receiver_id)).toBe(setId);
  expect(await recordOf(db, hit.receiver_id)).toBe(setId);
  expect(await hitsOf(db, subaccountId, plain.receiver_id)).toEqual([]);
  expect(await hitsOf(db, subaccountId, hit.receiver_id)).toMatchObject([
    { list: "un", entry_key: "QD.1", status: "open", subject_kind: "receiver" },
  ]);
  const read = JSON.stringify(await disburse.receivers.get(hit.receiver_id));
  expect(read).not.toMatch(/screen|hit|sanction/i);
});

test("a hundred receivers at once: each has its record, and only the listed one a hit", async () => {
  const { db } = service;
  const { disburse, subaccountId } = await service.newCaller();
  const created = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      disburse.receivers.create(ada(index === 42 ? listed : {})),
    ),
  );
  const { rows } = await db.pool.query(
    "select subject_id from screening_record where subaccount_id = $1 and set_id = $2",
    [subaccountId, setId],
  );
  expect(new Set(rows.map(({ subject_id }) => subject_id))).toEqual(
    new Set(created.map(({ receiver_id }) => receiver_id)),
  );
  const hits = await db.pool.query(
    "select subject_id from screening_hit where subaccount_id = $1",
    [subaccountId],
  );
  expect(hits.rows).toEqual([{ subject_id: created[42]?.receiver_id }]);
});

test("a repeated request and a taken email leave neither a second record nor a second hit", async () => {
  const { db } = service;
  const { disburse, subaccountId } = await service.newCaller();
  const input = ada(listed);
  const options = { idempotencyKey: "one" };
  const first = await disburse.receivers.create(input, options);
  expect(await disburse.receivers.create(input, options)).toEqual(first);
  await expect(disburse.receivers.create(input)).rejects.toMatchObject({ code: "REVR201" });
  const { rows } = await db.pool.query(
    `select (select count(*)::int from screening_record where subaccount_id = $1) as records,
            (select count(*)::int from screening_hit where subaccount_id = $1) as hits`,
    [subaccountId],
  );
  expect(rows).toEqual([{ records: 1, hits: 1 }]);
});

test("a receiver in an embargoed country has a hit", async () => {
  const { db } = service;
  const { disburse, subaccountId } = await service.newCaller();
  const there = { country: "PRK", state: "", postcode: "" };
  const { receiver_id } = await disburse.receivers.create(ada(there));
  expect(await hitsOf(db, subaccountId, receiver_id)).toMatchObject([
    { list: "embargo", entry_key: "PRK", score: 1 },
  ]);
});

test("a changed name, date of birth or country is screened; other changes are not", async () => {
  const { db } = service;
  const { disburse, subaccountId } = await service.newCaller();
  const { receiver_id } = await disburse.receivers.create(ada());
  const record = () =>
    db.pool
      .query("select screened_at_ms from screening_record where subject_id = $1", [receiver_id])
      .then(({ rows }) => rows[0].screened_at_ms);
  const before = await record();
  await disburse.receivers.update(receiver_id, { phone: "412345679" });
  expect(await record()).toBe(before);
  await disburse.receivers.update(receiver_id, listed);
  expect(await record()).not.toBe(before);
  const [first] = await hitsOf(db, subaccountId, receiver_id);
  expect(first).toMatchObject({ entry_key: "QD.1", status: "open" });

  // Another date of birth is another subject: the newer hit replaces the open one.
  await disburse.receivers.update(receiver_id, { dob: "1970-05-06" });
  const statuses = (await hitsOf(db, subaccountId, receiver_id)).map(({ status }) => status);
  expect(statuses.sort()).toEqual(["ended", "open"]);
});

test("a caller can't end a review by changing the name", async () => {
  const { db } = service;
  const { disburse, subaccountId } = await service.newCaller();
  const { receiver_id } = await disburse.receivers.create(ada(listed));
  await disburse.receivers.update(receiver_id, { first_name: "Ada", last_name: "Lovelace" });
  expect(await hitsOf(db, subaccountId, receiver_id)).toMatchObject([{ status: "open" }]);
});

test("accounts are screened by business name, other name and country", async () => {
  const { db } = service;
  const { disburse, subaccountId } = await service.newCaller();
  const { receiver_id } = await disburse.receivers.create(ada());
  await active(subaccountId);
  const bank = { receiver_id, bsb: "062000", account_number: "12345999" };
  const plain = await disburse.receiverAccounts.create({ ...bank, account_type: "I" });
  expect(await recordOf(db, plain.account_id)).toBe(setId);
  expect(await hitsOf(db, subaccountId, receiver_id)).toEqual([]);
  const business_name = "Tossunbek Heavy Metals Trading";
  const business = { account_type: "B", abn: "51824753556", business_name };
  const listedAccount = await disburse.receiverAccounts.create({ ...bank, ...business });
  expect(await hitsOf(db, subaccountId, receiver_id)).toMatchObject([
    { subject_kind: "account", subject_id: listedAccount.account_id, entry_key: "QE.1" },
  ]);
  await disburse.receiverAccounts.update(plain.account_id, { aka: "Grigor Tossunbek" });
  expect(await hitsOf(db, subaccountId, receiver_id)).toMatchObject([
    { subject_id: plain.account_id, entry_key: "QD.1" },
    { subject_id: listedAccount.account_id, entry_key: "QE.1" },
  ]);
});

test("the same person in two subaccounts is two hits, each of its own subaccount", async () => {
  const { db } = service;
  const [one, other] = [await service.newCaller(), await service.newCaller()];
  const first = await one.disburse.receivers.create(ada(listed));
  const second = await other.disburse.receivers.create(ada(listed));
  expect(await hitsOf(db, one.subaccountId, first.receiver_id)).toHaveLength(1);
  expect(await hitsOf(db, other.subaccountId, second.receiver_id)).toHaveLength(1);
  expect(await hitsOf(db, other.subaccountId, first.receiver_id)).toEqual([]);
});

test("a hit of a change holds payouts in the same transaction", async () => {
  const { db, seal } = service;
  const { disburse, subaccountId } = await service.newCaller();
  const { receiver_id } = await disburse.receivers.create(ada());
  const loaded = await loadSet(db);
  const held: string[] = [];
  const screener = screenerOf(
    () => loaded,
    async (_tx, receiver) => void held.push(receiver.receiverId),
  );
  const providers = { test: manualProvider, live: manualProvider };
  const changing = { who: "test", providers, screener, seal, atMs: Date.now() };
  const key = { subaccountId, id: receiver_id };
  await db.transaction((tx) => changeReceiver(tx, key, { phone: "412345670" }, changing));
  expect(held).toEqual([]);
  await db.transaction((tx) => changeReceiver(tx, key, listed, changing));
  expect(held).toEqual([receiver_id]);
});
