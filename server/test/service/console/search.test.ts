// The console's search: it finds what a user types, but nothing in a subaccount that the user can't see.

import { afterAll, beforeAll, expect, test } from "vitest";
import { indexSearchPage } from "../../../src/doors/console/search/word-indexer.ts";
import { newestId } from "../../../src/platform/base/cursor.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { ada, addAccount, type TestCaller } from "../../support/service.ts";

let service: ConsoleService;
let caller: TestCaller;
let other: TestCaller;
let operator: TestPerson;
let developer: TestPerson;
const known: Record<string, string> = {};

beforeAll(async () => {
  service = await startConsole({ logsRequests: true });
  caller = await service.newCaller();
  other = await service.newCaller();
  operator = service.enter("operator");
  developer = service.enter("developer", { subaccountId: other.subaccountId });

  const person = ada({ first_name: "Ana", last_name: "Silva", reference: "staff-0042" });
  const { disburse, subaccountId } = caller;
  const { receiver_id } = await disburse.receivers.create(person);
  await disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  const account_id = await addAccount(service, subaccountId, receiver_id, "12344321");
  await disburse.testHelpers.fund({ amount: 100_000, currency: "AUD", reference: "f" });
  const payout = { receiver_id, account_id, amount: 8000, currency: "AUD", reference: "INV-2041" };
  const made = await caller.call("POST", "/api/payout/batch", { body: { payouts: [payout] } });
  known.request = made.headers.get("x-request-id") ?? "";
  const { batch_id, payouts } = made.json.payload;
  const [event] = (await caller.call("GET", `/api/event?receiver_id=${receiver_id}`)).json.payload;
  Object.assign(known, { receiver: receiver_id, account: account_id, batch: batch_id });
  Object.assign(known, { payout: payouts[0].payout_id, event: event.id, email: person.email });
});
afterAll(() => service.close());

async function hits(person: TestPerson, q: string, path = `/s/${caller.subaccountId}/search`) {
  const { status, json } = await person.get(`${path}?q=${encodeURIComponent(q)}`);
  expect(status).toBe(200);
  return json.hits as { kind: string; id: string; title: string; detail: string }[];
}

test.each(["payout", "batch", "receiver", "account", "event", "request"])(
  "finds a %s by its id",
  async (kind) => {
    const id = known[kind] as string;
    const typed = id.toUpperCase().replace(/^EVT_/, "evt_");
    // A request is logged a moment later.
    await expect.poll(() => hits(operator, typed)).toMatchObject([{ kind, id }]);
  },
);

test("finds by parts of names, emails and references, the last four digits and amounts", async () => {
  const receiver = { kind: "receiver", id: known.receiver, title: "Ana Silva" };
  const payout = { kind: "payout", id: known.payout, title: "80.00 AUD to Ana Silva" };
  const email = known.email ?? "";
  for (const text of [
    email.toUpperCase(),
    "staff-0042",
    "SILV",
    "ana sil",
    "silva ana",
    "42",
    "Ána",
  ]) {
    expect(await hits(operator, text), text).toMatchObject([receiver]);
  }
  for (const text of ["INV-2041", "inv 20", "2041", "80 AUD", "80.00", "80,00", "AUD 80", "$80"]) {
    expect(await hits(operator, text), text).toMatchObject([payout]);
  }
  for (const text of ["80 NZD", "8000", "81", "1234", "anas", "xsilva"]) {
    expect(await hits(operator, text), text).toEqual([]);
  }
  // In the middle of a word, among the newest.
  expect(await hits(operator, "ilv")).toMatchObject([receiver]);
  expect(await hits(operator, "4321")).toMatchObject([
    { kind: "account", id: known.account, title: "•••• 4321 of Ana Silva" },
  ]);
  expect(await hits(operator, "án si")).toMatchObject([
    {
      title_marks: [
        [0, 2],
        [4, 6],
      ],
    },
  ]);
});

test("accents, scripts and ways of writing make no difference", async () => {
  const own = await service.newCaller();
  const path = `/s/${own.subaccountId}/search`;
  const add = async (first_name: string, last_name: string) =>
    (await own.disburse.receivers.create(ada({ first_name, last_name }))).receiver_id;
  const people: Record<string, string[]> = {
    [await add("Jörg", "Müller")]: ["muller", "mueller", "MÜLLER", "jorg mul", "joerg"],
    [await add("Søren", "O'Brien-Łukasz")]: ["soren", "soeren", "obrien", "o'bri", "lukasz"],
    [await add("小明", "王")]: ["小明", "王", "王小明", "wang", "xiaoming", "明"],
    [await add("أحمد", "العلي")]: ["احمد", "أحمد", "علي", "العلي"],
    [await add("Иван", "Петров")]: ["петр", "petrov", "ivan"],
    [await add("Nguyễn Văn", "Đức")]: ["nguyen", "duc", "van duc"],
  };
  const found = async () => {
    const wrong: string[] = [];
    for (const [id, texts] of Object.entries(people)) {
      for (const text of texts) {
        const [first, ...others] = await hits(operator, text, path);
        if (first?.id !== id || others.length > 0) wrong.push(text);
      }
    }
    return wrong;
  };
  // Before they have words the newest rows are compared, afterwards the words find them: with the same result.
  expect(await found()).toEqual([]);
  while (await indexSearchPage(service.db, own.subaccountId, newestId));
  expect(await found()).toEqual([]);
  const { rows } = await service.db.pool.query(
    "select count(*)::int as count from receiver_word where subaccount_id = $1",
    [own.subaccountId],
  );
  expect(rows[0].count).toBeGreaterThan(20);

  // A changed name is found by its new words alone, an erased one by none.
  const [id = ""] = Object.keys(people);
  await own.call("PATCH", `/api/receiver/${id}`, { body: { last_name: "Weiß" } });
  expect(await hits(operator, "weiss", path)).toMatchObject([{ id, title: "Jörg Weiß" }]);
  expect(await hits(operator, "muller", path)).toEqual([]);
  await own.call("POST", `/api/receiver/${id}/erase`);
  expect(await hits(operator, "weiss", path)).toEqual([]);
  const left = await service.db.pool.query(
    "select word from receiver_word where subaccount_id = $1 and receiver_id = $2",
    [own.subaccountId, id],
  );
  expect(left.rows).toEqual([]);
});

test("finds objects by the first characters of an id, and codes with what they mean", async () => {
  // Ids begin with their time, so the first eight characters change every 66 seconds: each object has its own.
  for (const kind of ["payout", "receiver", "account"]) {
    const found = await hits(operator, (known[kind] ?? "").slice(0, 8));
    expect(found.map((hit) => hit.kind)).toContain(kind);
  }
  expect(await hits(operator, (known.receiver ?? "").slice(0, 20))).toMatchObject([
    { kind: "receiver", id: known.receiver },
  ]);
  expect(await hits(operator, "revr201")).toMatchObject([
    { kind: "code", id: "REVR201", title: expect.stringContaining("REVR201 · ") },
  ]);
  await caller.disburse.testHelpers.setStatus({
    ...{ id: known.payout ?? "", type: "payout", status: "fail" },
    cause_code: "AC04",
  });
  await expect
    .poll(() => hits(operator, "ac04"))
    .toMatchObject([{ kind: "payout", id: known.payout, detail: expect.stringContaining("AC04") }]);
});

test("a choice of receivers, and the list of receivers, find the same", async () => {
  const choices = `/s/${caller.subaccountId}/search?kind=receiver&q=`;
  expect((await operator.get(`${choices}an%20silva`)).json.hits).toMatchObject([
    { kind: "receiver", id: known.receiver },
  ]);
  expect((await operator.get(`${choices}INV-2041`)).json.hits).toEqual([]);
  const list = await operator.get(`/s/${caller.subaccountId}/receivers?q=an%20silva`);
  expect(list.json.rows).toMatchObject([{ id: known.receiver }]);
  for (const q of ["%25", "_", "'", "\\", "a".repeat(254), "👩🏽‍🚀", "\u200f", "1".repeat(40)]) {
    expect(
      (await operator.get(`/s/${caller.subaccountId}/search?q=${encodeURIComponent(q)}`)).status,
    ).toBe(200);
  }
});

test("a search among many reads few rows, and newest rows come first", async () => {
  const own = await service.newCaller();
  const { subaccountId } = own;
  // Three thousand receivers with one last name, older than any other.
  await service.db.pool.query(
    `insert into receiver (subaccount_id, id, first_name, last_name, middle_name, email, email_key, gender, dob, dialcode,
       phone, address, address2, city, state, postcode, country, reference, applicant_id, status, kyc_status, created_at_ms)
     select $1, uuidv7(make_interval(mins => n - 4000)), 'Maria', case n when 77 then 'Quispe' else 'García' end, '',
       n || '@example.com', n || '@example.com', 'F', '1990-12-10', '61', '412345678', '', '', '', '', '', 'AUS', '', '',
       'active', 'completed', 0 from generate_series(1, 3000) n`,
    [subaccountId],
  );
  const path = `/s/${subaccountId}/search`;
  // The first search writes the words, and waits a moment for them.
  await expect
    .poll(async () => (await operator.get(`${path}?q=quispe`)).json)
    .toMatchObject({ hits: [{ kind: "receiver", title: "Maria Quispe" }], words_since: null });
  const garcias = await hits(operator, "maria garcia", path);
  const { rows } = await service.db.pool.query(
    "select id from receiver where subaccount_id = $1 order by id desc limit 5",
    [subaccountId],
  );
  expect(garcias.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  expect(await hits(operator, "quispe mar", path)).toMatchObject([{ title: "Maria Quispe" }]);
  // Created now, without words.
  const ana = await own.disburse.receivers.create(ada({ first_name: "Ana", last_name: "Garcia" }));
  expect((await hits(operator, "garcia", path))[0]).toMatchObject({ id: ana.receiver_id });
});

test("the search over all subaccounts finds only by id", async () => {
  expect(await hits(operator, known.payout ?? "", "/search")).toMatchObject([
    { kind: "payout", id: known.payout, subaccount_id: caller.subaccountId },
  ]);
  expect(await hits(operator, "INV-2041", "/search")).toEqual([]);
});

test("a developer finds nothing of another subaccount with any query", async () => {
  const texts = [...Object.values(known), "staff-0042", "INV-2041", "4321", "silva"];
  for (const text of texts) {
    expect(await hits(developer, text, `/s/${other.subaccountId}/search`)).toEqual([]);
    expect(await hits(developer, text, "/search")).toEqual([]);
    // An operator who searches in the wrong subaccount finds nothing either.
    expect(await hits(operator, text, `/s/${other.subaccountId}/search`)).toEqual([]);
  }
});
