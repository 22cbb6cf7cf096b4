// Keys of persons: what is known of a receiver beside names and email is under a key of its own, which erasure destroys.
// Receivers of the version before are read as they are, and get keys while the service runs.

import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { exportPerson } from "../../../src/doors/exports/export-person.ts";
import { givePersonKeys, type PersonKeysStep } from "../../../src/doors/rotation/person-keys.ts";
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
import { followDataKeys } from "../../../src/platform/data-keys/follow.ts";
import { localKeyService } from "../../../src/platform/data-keys/local-key-service.ts";
import { KeyRing, sealOf } from "../../../src/platform/encryption/seal.ts";
import { defaultRetention } from "../../../src/platform/retention/table.ts";
import type { Actor } from "../../../src/tenants/audit/actor.ts";
import { verifyAudit } from "../../../src/tenants/audit/verify.ts";
import { person as listed, putList } from "../../scenarios/screening-lists.ts";
import { command } from "../../support/commands.ts";
import { consoleUsers } from "../../support/console.ts";
import { findTables } from "../../support/database-text.ts";
import { hitsOf, loadNow } from "../../support/list-setup.ts";
import { startCommand } from "../../support/process.ts";
import {
  ada,
  masterKey,
  type Service,
  startService,
  type TestCaller,
} from "../../support/service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const actor: Actor = { kind: "command", who: "operator:a", ip: "", requestId: "" };

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

/** A receiver with an account, a proposal, a changed account and a hit: with the key of a person, or as before. */
async function newPerson(
  { subaccountId, mode }: TestCaller,
  { isBefore = false, changes = {} }: { isBefore?: boolean; changes?: Partial<NewReceiver> } = {},
) {
  const { db } = service;
  const ring = new KeyRing(masterKey);
  ring.givesPersonKeys = !isBefore;
  const seal = sealOf(ring);
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

/** The keys of a process of this version, which follows what is announced. */
async function openProcess() {
  const { db } = service;
  const ring = new KeyRing(masterKey);
  const follower = await followDataKeys({ db, ring, service: localKeyService(masterKey).service });
  onTestFinished(() => follower.close());
  return { db, ring, seal: sealOf(ring) };
}

test("receivers of the version before are read, and get keys when no process of that version is left", async () => {
  const { db, seal } = service;
  await putList(db, "un", [listed("1", "Ada Lovelace", { birthDates: [person.dob] })]);
  await db.pool.query("update installation set person_keys = null");
  const running = await openProcess();
  expect(running.seal.givesPersonKeys).toBe(false);
  const caller = await service.newCaller();
  const { subaccountId, id, accountId } = await newPerson(caller, { isBefore: true });
  expect(await storedOf(id)).toMatchObject({ ...person, person_key: null });
  await db.pool.query(
    `update screening_hit set status = 'different', decided_by = 'operator:a', decided_at_ms = 1
     where receiver_id = $1`,
    [id],
  );
  const readAll = async () => {
    const paths = [`receiver/${id}`, `receiveraccount/${accountId}`, "receiver"];
    const answers = await Promise.all(paths.map((path) => caller.call("GET", `/api/${path}`)));
    const [hit] = await hitsOf(db, subaccountId, id);
    const operator = consoleUsers(service)("operator");
    const { json } = await operator.get(`/reviews/hits/${subaccountId}/${hit?.id}`);
    const document = await exportPerson({ db, seal }, { subaccountId, id }, 0);
    return [answers.map((answer) => answer.json.payload), json.compared, document];
  };
  const changed = await caller.call("PATCH", `/api/receiver/${id}`, { body: { gender: "X" } });
  expect(changed.status).toBe(200);
  const before = await readAll();

  // A process of the version before holds the lock of a generation that it has loaded.
  const old = new pg.Client({ connectionString: service.url });
  await old.connect();
  await old.query("select pg_advisory_lock_shared(4243, 0)");
  const steps: PersonKeysStep[] = [];
  const onStep = (step: PersonKeysStep) => void steps.push(step);
  const giving = givePersonKeys({
    ...running,
    actor,
    signal: new AbortController().signal,
    onStep,
  });
  await expect.poll(() => steps.at(-1)).toEqual({ kind: "waiting", processes: 1 });
  expect(await storedOf(id)).toMatchObject({ ...person, person_key: null });
  expect(running.seal.givesPersonKeys).toBe(false);
  await old.end();
  // The receiver, its account, its number and its proposal.
  expect(await giving).toEqual({ encrypted: 4, unreadable: [], isStopped: false });
  expect(running.seal.givesPersonKeys).toBe(true);
  expect(await findTables(db, words)).toEqual(["screening_entry"]);
  expect(await readAll()).toEqual(before);

  // A decided hit stays decided.
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
  expect((await verifyAudit({ db, seal })).fault).toBeUndefined();
});

test("it goes on after a stop and after a kill, and a rotation then ends with 0 under the old key", async () => {
  const { db } = service;
  const caller = await service.newCaller();
  const first = await newPerson(caller, { isBefore: true, changes: { last_name: "Hopper" } });
  await db.pool.query(
    `insert into receiver select (jsonb_populate_record(r, jsonb_build_object('id', made.id, 'email_key', made.id))).*
     from receiver r cross join (select gen_random_uuid() as id from generate_series(1, 1000)) made
     where r.id = $1`,
    [first.id],
  );
  const count = async () => {
    const text = "select count(*)::int as count from receiver where person_key is null";
    const { rows } = await db.pool.query(`${text} and erased_at_ms is null`);
    return rows[0].count as number;
  };
  expect(await count()).toBe(1001);
  const running = await openProcess();
  const stopping = new AbortController();
  const onStep = (step: PersonKeysStep) => step.kind === "encrypted" && stopping.abort();
  const stopped = await givePersonKeys({ ...running, actor, signal: stopping.signal, onStep });
  expect(stopped).toEqual({ encrypted: 200, unreadable: [], isStopped: true });
  expect(await count()).toBe(801);

  const environment = {
    DATABASE_URL: service.url,
    DISBURSE_MASTER_KEY: masterKey.toString("base64"),
  };
  const killed = startCommand(["master-key", "person-keys"], environment);
  await expect.poll(count, { interval: 5 }).toBeLessThan(801);
  killed.process.kill("SIGKILL");
  await killed.ended;
  const done = await command(["master-key", "person-keys", "--json"], environment);
  expect([done.code, done.stderr]).toEqual([0, "0 receivers in the clear.\n"]);
  expect(await count()).toBe(0);
  expect(await findTables(db, words)).toEqual([]);

  const before = await storedOf(first.id);
  const rotated = await command(["master-key", "rotate", "--json"], environment);
  expect([rotated.code, rotated.stderr]).toEqual([0, expect.stringMatching(/0 under the old key/)]);
  const after = await storedOf(first.id);
  // Only the key is stored again: encrypted with the new data key, instead of derived from the old one.
  expect(after.person_sealed).toEqual(before.person_sealed);
  expect([before.person_key[0], after.person_key[0]]).toEqual([4, 2]);
  const status = await command(["master-key", "status"], environment);
  expect(status.stdout).toMatch(
    /0 under old keys\nKeys of persons: current, 0 receivers in the clear\n$/,
  );
  const shown = await command(
    ["receivers", "get", first.id, "--subaccount", first.subaccountId, "--json"],
    environment,
  );
  expect(JSON.parse(shown.stdout)).toMatchObject({ dob: person.dob, phone: person.phone });
});
