// Keys of persons: what is known of a receiver beside names and email is under a key of its own, which erasure destroys.

import { afterEach, beforeEach, expect, test } from "vitest";
import { exportPerson } from "../../../src/doors/exports/export-person.ts";
import { createAccount } from "../../../src/people/accounts/create.ts";
import { proposeChange } from "../../../src/people/accounts/propose-change.ts";
import { manualProvider } from "../../../src/people/kyc-providers/manual.ts";
import { personIdentity } from "../../../src/people/person/person.ts";
import { eraseReceiver } from "../../../src/people/privacy/erase.ts";
import { createReceivers, toReceiverCreation } from "../../../src/people/receivers/create.ts";
import { findPersonKey } from "../../../src/people/receivers/queries.ts";
import type { NewReceiver } from "../../../src/people/receivers/schema.ts";
import { rescreen } from "../../../src/people/reviews/rescreen.ts";
import { noScreening, screenerOf } from "../../../src/people/screening/screener.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { defaultRetention } from "../../../src/platform/retention/table.ts";
import { person as listed, putList } from "../../scenarios/screening-lists.ts";
import { command } from "../../support/commands.ts";
import { consoleUsers } from "../../support/console.ts";
import { findTables } from "../../support/database-text.ts";
import { hitsOf, loadNow } from "../../support/list-setup.ts";
import {
  ada,
  type Service,
  settingsOf,
  startService,
  type TestCaller,
} from "../../support/service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

/** Words that no other row has. */
const person = {
  dob: "1971-03-29",
  phone: "498120765",
  address: "9 Quibblethorpe Lane",
  address2: "Hutch 77b",
  city: "Wobbleham",
  postcode: "3917",
};
const contact = { homedialcode: "61", homephone: "398765411", address: "4 Snorkel Mews" };
const bank = { account_type: "I", bsb: "062000", account_number: "987650321" };
const secrets = [...Object.values(person), contact.homephone, contact.address, bank.account_number];

/** Without the postcode, which other texts may have by chance. */
const words = secrets.filter((word) => word.length > 4);

/** A receiver with an account, a proposal, a changed account and a hit. */
async function newPerson(
  { subaccountId, mode }: TestCaller,
  { changes = {} }: { changes?: Partial<NewReceiver> } = {},
) {
  const { db, seal } = service;
  const loaded = await loadNow(db);
  const screener = screenerOf(
    () => loaded,
    async () => {},
  );
  const caller = { subaccountId, mode, key: "", requestId: newId(), nonce: undefined };
  const creation = toReceiverCreation(caller, ada({ ...person, ...changes }), {
    provider: manualProvider,
    screener,
    seal,
  });
  await createReceivers(db, [creation]);
  const { id } = creation.row;
  const accountId = await db.transaction(async (tx) => {
    const given = { receiver_id: id, ...bank, ...contact };
    const parts = { tx, seal, screener: noScreening };
    const { account_id } = await createAccount(parts, { subaccountId, who: "operator:a" }, given);
    const key = { subaccountId, id: account_id, who: "operator:a" };
    await proposeChange({ tx, seal }, key, { bsb: "083047", address: "5 Snorkel Mews" });
    return account_id;
  });
  return { subaccountId, id, accountId, seal };
}

const storedOf = async (id: string) => {
  const { rows } = await service.db.pool.query("select * from receiver where id = $1", [id]);
  return rows[0];
};

test("no row of any table has a date of birth, a phone, an address or an account number", async () => {
  const { db, seal } = service;
  await putList(db, "un", [listed("1", "Ada Lovelace", { birthDates: [person.dob] })]);
  const caller = await service.newCaller();
  const { subaccountId, id, accountId } = await newPerson(caller);
  const headers = { "idempotency-key": newId() };
  const change = { address: "10 Quibblethorpe Lane" };
  const patched = await caller.call("PATCH", `/api/receiver/${id}`, { body: change, headers });
  const changedAccount = {
    body: { homephone: "398765412" },
    headers: { "idempotency-key": newId() },
  };
  const account = await caller.call("PATCH", `/api/receiveraccount/${accountId}`, changedAccount);
  expect([patched.status, account.status]).toEqual([200, 200]);
  expect((await hitsOf(db, subaccountId, id)).length).toBe(1);

  // The list itself has the date of birth.
  const found = await findTables(db, [...words, "Quibblethorpe", "398765412"]);
  expect(found).toEqual(["screening_entry"]);

  // All of it can be read.
  const receiver = (await caller.call("GET", `/api/receiver/${id}`)).json.payload;
  expect(receiver).toMatchObject({ dob: person.dob, phone: person.phone });
  expect(receiver.address_data).toMatchObject({ ...change, city: person.city });
  const again = await caller.call("PATCH", `/api/receiver/${id}`, { body: change, headers });
  expect(again.json).toEqual(patched.json);
  const read = (await caller.call("GET", `/api/receiveraccount/${accountId}`)).json.payload;
  expect(read).toMatchObject({ dob: person.dob, home_phone: "398765412" });
  expect(read.address_data.address).toBe(contact.address);
  expect(read.bank_account_data.account_number).toBe(bank.account_number);
  const document = JSON.stringify(await exportPerson({ db, seal }, { subaccountId, id }, 0));
  const expected = words.filter((word) => word !== person.address && word !== contact.homephone);
  expect(expected.filter((word) => !document.includes(word))).toEqual([]);
  const [hit] = await hitsOf(db, subaccountId, id);
  const operator = consoleUsers(service)("operator");
  const { json } = await operator.get(`/reviews/hits/${subaccountId}/${hit?.id}`);
  expect(json.compared).toMatchObject({
    subject: { dob: person.dob },
    dob: { says: "same", listed: [person.dob] },
  });
  const listedReceivers = (await caller.call("GET", "/api/receiver?limit=5")).json.payload;
  expect(listedReceivers[0]).toEqual(receiver);

  // An erasure destroys the key. What was copied before can't be opened with the keys that are left.
  const before = await storedOf(id);
  const { rows: numbers } = await db.pool.query(
    "select account_number_sealed as sealed from bank_details where account_id = $1",
    [accountId],
  );
  await db.pool.query("update screening_hit set status = 'different', decided_at_ms = 1");
  const other = await newPerson(caller, { changes: { first_name: "Grace", last_name: "Hopper" } });
  const erasing = { who: "operator:a", atMs: Date.now(), retention: defaultRetention };
  const key = { subaccountId, id };
  await db.transaction((tx) => eraseReceiver({ tx, seal }, key, erasing));
  expect(await findPersonKey({ db, seal }, key)).toBeUndefined();
  expect(await storedOf(id)).toMatchObject({ person_key: null, person_sealed: null, dob: "" });
  const otherKey = await findPersonKey({ db, seal }, { subaccountId, id: other.id });
  for (const sealed of [before.person_sealed, numbers[0].sealed]) {
    expect(() => seal.decrypt(sealed, personIdentity(subaccountId, id))).toThrow();
    expect(() => otherKey?.decrypt(sealed, personIdentity(subaccountId, id))).toThrow();
  }
  const replayed = await caller.call("PATCH", `/api/receiver/${id}`, { body: change, headers });
  expect([replayed.status, replayed.json.error[0].code]).toEqual([409, "REVR306"]);
  expect((await caller.call("GET", `/api/receiver/${id}`)).json.payload).toMatchObject({
    dob: "",
    phone: "",
    status: "inactive",
  });
});

test("a value that is copied to another receiver does not decrypt, and the others are still listed", async () => {
  const caller = await service.newCaller();
  const one = await newPerson(caller, { changes: { first_name: "Grace" } });
  const two = await newPerson(caller, { changes: { first_name: "Maria" } });
  await service.db.pool.query(
    `update receiver r set person_key = o.person_key, person_sealed = o.person_sealed
     from receiver o where r.id = $1 and o.id = $2`,
    [two.id, one.id],
  );
  expect((await caller.call("GET", `/api/receiver/${two.id}`)).status).toBe(409);
  const { json } = await caller.call("GET", "/api/receiver");
  const byId = new Map(json.payload.map((row: { id: string }) => [row.id, row]));
  expect(byId.get(one.id)).toMatchObject({ dob: person.dob });
  expect(byId.get(two.id)).toMatchObject({ dob: "", phone: "", first_name: "Maria" });
});

test("after a rescreening a decided hit stays decided", async () => {
  const { db, seal } = service;
  await putList(db, "un", [listed("1", "Ada Lovelace", { birthDates: [person.dob] })]);
  const { subaccountId, id } = await newPerson(await service.newCaller());
  await db.pool.query(
    `update screening_hit set status = 'different', decided_by = 'operator:a', decided_at_ms = 1
     where receiver_id = $1`,
    [id],
  );
  const loaded = await loadNow(db);
  await db.pool.query("update screening_record set set_id = 0");
  const parts = {
    db,
    seal,
    loaded,
    hold: async () => {},
    clock: Date.now,
    isStopping: () => false,
  };
  await rescreen(parts);
  expect((await hitsOf(db, subaccountId, id)).map(({ status }) => status)).toEqual(["different"]);
});

test("a rotation encrypts only the keys of persons again, and ends with 0 under the old key", async () => {
  const caller = await service.newCaller();
  const first = await newPerson(caller, { changes: { last_name: "Hopper" } });
  const environment = settingsOf(service);
  const before = await storedOf(first.id);
  const rotated = await command(["master-key", "rotate", "--json"], environment);
  expect([rotated.code, rotated.stderr]).toEqual([0, expect.stringMatching(/0 under the old key/)]);
  const after = await storedOf(first.id);
  // Only the key is stored again: encrypted with the new data key, instead of derived from the old one.
  expect(after.person_sealed).toEqual(before.person_sealed);
  expect([before.person_key[0], after.person_key[0]]).toEqual([4, 2]);
  const status = await command(["master-key", "status"], environment);
  expect(status.stdout).toMatch(/\n0 under old keys\n$/);
  const shown = await command(
    ["receivers", "get", first.id, "--subaccount", first.subaccountId, "--json"],
    environment,
  );
  expect(JSON.parse(shown.stdout)).toMatchObject({ dob: person.dob, phone: person.phone });
});
