// Payouts in the console: filters, pages and the timeline; users create, retry and cancel payouts, each once.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { listPayoutPage } from "../../../src/doors/console/payouts/list.ts";
import type { PayoutDetail, PayoutLine } from "../../../src/doors/console/payouts/schema.ts";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import { createPayouts, toPayoutCreation } from "../../../src/money/payouts/create.ts";
import { toPayoutRequest } from "../../../src/money/payouts/payout.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";
import { ada, type TestCaller } from "../../support/service.ts";
import { type Sink, startSink } from "../../support/sink.ts";

let service: ConsoleService;
let sink: Sink;
let caller: TestCaller;
let to: { receiver_id: string; account_id: string };
let paid: string;
let failed: string;

beforeAll(async () => {
  service = await startConsole({ bankDelayMs: 0, delivers: true });
  // The endpoint refuses events about failures.
  sink = await startSink(({ body }, response) =>
    response.writeHead(body.includes('"payoutFailure"') ? 500 : 204).end(),
  );
});
// Each test has a new subaccount, with one paid and one failed payout.
beforeEach(async () => {
  caller = await service.newCaller();
  await caller.disburse.subaccount.update({ postback_url: sink.url() });
  await fund(1_000_000);
  to = await payee("12345999");
  paid = await pay({ ...to, amount: 12_500, reference: "INV-1" });
  const closed = await payee("12345111", { first_name: "Jun", last_name: "Chen" });
  failed = await pay({ ...closed, amount: 8_000, reference: "INV-2" });
  await ended(paid, "settled");
  await ended(failed, "rejected");
});
afterAll(async () => {
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await service.close();
  await sink.close();
});

const payee = (accountNumber: string, changes = {}, who = caller) =>
  newPayee(who.disburse, accountNumber, changes);
const fund = (amount: number, currency = "AUD") =>
  caller.disburse.testHelpers.fund({ amount, currency, reference: randomUUID() });
const pay = async (body: typeof to & { amount: number; reference: string }) =>
  (await caller.disburse.payouts.create({ currency: "AUD", ...body })).payout_id;
const at = (path = "", subaccount = caller.subaccountId) => `/s/${subaccount}/payouts${path}`;
const list = async (query: string, person = service.enter("operator")) => {
  const { status, json } = await person.get(at(query));
  expect(status).toBe(200);
  return json as { rows: PayoutLine[]; next: string | null };
};
const detail = async (id: string, person = service.enter("operator")): Promise<PayoutDetail> =>
  (await person.get(at(`/${id}`))).json;
const ended = (id: string, stage: string) =>
  vi.waitFor(async () => expect((await detail(id)).stage).toBe(stage), { timeout: 60_000 });
const newPayout = (more = {}) => ({
  ...to,
  amount: 700,
  currency: "AUD",
  reference: randomUUID(),
  once: randomUUID(),
  ...more,
});

test("a line has the receiver, the account, and whether the last event was delivered", async () => {
  const found = await expect.poll(async () => (await list("")).rows);
  await found.toMatchObject([
    {
      id: failed,
      amount: 8_000,
      currency: "AUD",
      status: "failed",
      stage: "rejected",
      cause: "account closed",
      reference: "INV-2",
      created_by: `key:${caller.key}`,
      receiver: { name: "Jun Chen" },
      account: { tail: "•••• 5111", bank_name: "Commonwealth Bank" },
      event: { id: expect.stringMatching(/^evt_/), status: "waiting", http_status: 500 },
    },
    { id: paid, event: { status: "delivered", attempts: 1, http_status: 204 } },
  ]);
});

test("every filter works alone and with others, and the CSV file has the same payouts", async () => {
  const now = Date.now();
  const batch = await caller.disburse.payouts.createBatch([
    { ...to, amount: 300, currency: "AUD", reference: "=1+1" },
  ]);
  const [inBatch] = batch.payouts.map(({ payout_id }) => payout_id) as [string];
  await ended(inBatch, "settled");
  const ids = async (query: string) => (await list(`?${query}`)).rows.map(({ id }) => id);
  const expected: Record<string, string[]> = {
    "status=failed": [failed],
    "status=pending": [],
    "status=successful&stage=rejected": [],
    "stage=settled": [inBatch, paid],
    "currency=AUD": [inBatch, failed, paid],
    "currency=NZD": [],
    "amount_min=8000": [failed, paid],
    "amount_min=301&amount_max=8000": [failed],
    "amount_max=299&status=successful&currency=AUD": [],
    [`receiver_id=${to.receiver_id}`]: [inBatch, paid],
    [`receiver_id=${randomUUID()}`]: [],
    [`receiver_account_id=${to.account_id}&stage=settled`]: [inBatch, paid],
    "reference=INV-1": [paid],
    "reference=INV-1&status=failed": [],
    [`batch_id=${batch.batch_id}`]: [inBatch],
    [`from=${now}`]: [inBatch],
    [`to=${now}`]: [failed, paid],
    [`created_by=key:${caller.key}`]: [inBatch, failed, paid],
    "created_by=operator:nobody": [],
    "cause=account%20closed": [failed],
    "cause=another": [],
  };
  for (const [query, found] of Object.entries(expected)) {
    expect([query, await ids(query)]).toEqual([query, found]);
    const { status, text, headers } = await service.enter("finance").get(at(`.csv?${query}`));
    expect([status, headers.get("content-disposition")]).toEqual([
      200,
      'attachment; filename="payouts.csv"',
    ]);
    const lines = text.trim().split("\n").slice(1);
    expect([query, lines.map((line) => line.slice(0, 36))]).toEqual([query, found]);
  }
  const { text } = await service.enter("finance").get(at(".csv?amount_max=300"));
  expect(text).toContain(",3.00,AUD,successful,settled,,,'=1+1,");
  expect(text).toContain(",•••• 5999,");

  const person = service.enter("operator");
  for (const wrong of ["status=done", "amount_min=-1", "amount_max=1.5", "from=now", "limit=501"]) {
    const { status, json } = await person.get(at(`?${wrong}`));
    expect([wrong, status, json.error[0].code]).toEqual([wrong, 400, "CONS108"]);
  }
  expect((await person.get(at("?colour=red"))).json.error[0].code).toBe("CONS109");
});

/** All ids, with one payout per page. */
async function walk(query: string): Promise<string[]> {
  const walked: string[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page = await list(`?limit=1${query}${next && `&cursor=${next}`}`);
    expect(page.rows.length).toBeLessThanOrEqual(1);
    walked.push(...page.rows.map(({ id }) => id));
    next = page.next;
  }
  return walked;
}

test("pages follow each other without a gap, with any filter", async () => {
  const person = service.enter("operator");
  await person.post(at(), newPayout());
  const { rows: all } = await list("?limit=500");
  const toOne = all.filter(({ receiver }) => receiver.id === to.receiver_id);
  const byKey = toOne.filter(({ created_by }) => created_by === `key:${caller.key}`);
  const receiver = `&receiver_id=${to.receiver_id}`;
  const expected: [string, PayoutLine[]][] = [
    ["", all],
    ["&currency=AUD", all],
    ["&amount_min=1", all],
    [receiver, toOne],
    [`${receiver}&created_by=key:${caller.key}`, byKey],
  ];
  expect(byKey.length).toBeLessThan(toOne.length);
  for (const [query, lines] of expected) {
    expect([query, await walk(query)]).toEqual([query, lines.map(({ id }) => id)]);
  }
});

test("a filter with few matches scans a limited number of rows per page, and the next page continues", async () => {
  const many = await service.newCaller();
  const payer = await payee("12345999", {}, many);
  await many.disburse.testHelpers.fund({ amount: 1, currency: "AUD", reference: "x" });
  await many.disburse.testHelpers.fund({ amount: 1, currency: "NZD", reference: "x" });
  // The only match is the oldest payout, beyond the rows that one page scans.
  await service.db.pool.query(
    `insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency,
       reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms,
       created_by)
     select $1, uuidv7(make_interval(secs => n - 6000)), $2, $3, 1, case when n = 1 then 9 else 1 end, 'AUD',
       'rent', '', 'failed', 'rejected', '', '', 'sandbox', '', 0, 0, 'service'
     from generate_series(1, 5200) n`,
    [many.subaccountId, payer.receiver_id, payer.account_id],
  );
  for (const filter of [{}, { status: "failed" }, { currency: "AUD" }, { reference: "rent" }]) {
    let [pages, found] = [0, 0];
    for (let cursor: string | undefined = ""; cursor !== undefined; pages += 1) {
      const query = { ...filter, amount_min: "2", ...(cursor && { cursor }) };
      const page = await listPayoutPage(service.db, many.subaccountId, { query, limit: 50 });
      found += page.rows.length;
      cursor = page.next ?? undefined;
    }
    expect([filter, found, pages > 1]).toEqual([filter, 1, true]);
  }
  const { json } = await service.enter("operator").get(at("/counts", many.subaccountId));
  expect(json).toEqual({ all: 1001, pending: 0, successful: 0, failed: 1001, most: 1000 });
});

test("the timeline is in order of time, and the page says what to do next", async () => {
  await expect.poll(async () => (await detail(failed)).event?.http_status).toBe(500);
  const { timeline, what_now, json, events, entries } = await detail(failed);
  const told = timeline.map(({ kind, title }) => `${kind}: ${title.replace(/\d+ ms/, "n ms")}`);
  expect(
    told.filter((line) => !/attempt: payoutFailure|event: |attempt: payoutCreated/.test(line)),
  ).toEqual([
    "state: Created",
    "ledger: 80.00 AUD held for this payout",
    "rail: Sent to the bank",
    "ledger: 80.00 AUD sent, in clearing",
    "rail: Rejected",
    "ledger: 80.00 AUD back in the balance",
  ]);
  // The second event may have been created before the first was delivered.
  for (const line of [
    ["event: Event payoutCreated", "attempt: payoutCreated: 204 in n ms"],
    ["event: Event payoutFailure", "attempt: payoutFailure: 500 in n ms"],
    ["event: Event payoutCreated", "event: Event payoutFailure"],
  ]) {
    const places = line.map((title) => told.indexOf(title));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  }
  const times = timeline.map((entry) => entry.at);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(timeline.find(({ title }) => title === "Created")?.who).toMatch(/^API key “/);
  expect(timeline.find(({ title }) => title === "Rejected")).toMatchObject({
    detail: "account closed",
    who: "the bank (sandbox)",
    tone: "bad",
  });
  const attempt = timeline.findLast(({ kind }) => kind === "attempt");
  expect(attempt).toMatchObject({ tone: "bad", links: [{ kind: "event" }] });
  expect(attempt?.next_at).toBeGreaterThan(Date.now());
  expect(what_now.tone).toBe("bad");
  expect(what_now.line).toMatch(
    /^Fix the account, then retry the payout\. The money is back in the balance\. .*responded with 500/,
  );
  expect(events.map(({ type }) => type)).toEqual(["payoutCreated", "payoutFailure"]);
  expect(entries.map(({ kind }) => kind)).toEqual(["hold", "submit", "reject"]);
  expect(json).toEqual((await caller.call("GET", `/api/payout/${failed}`)).json.payload);
});

test("a user's payout is created once, however often the button is pressed", async () => {
  const person = service.enter("operator");
  const body = newPayout();
  const answers = await Promise.all([person.post(at(), body), person.post(at(), body)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const [id, again] = answers.map(({ json }) => json.payout_id as string) as [string, string];
  expect(again).toBe(id);
  const mine = await list(`?created_by=${encodeURIComponent(person.who)}`);
  expect(mine.rows.map((row) => row.id)).toEqual([id]);
  const shown = await detail(id);
  expect(shown.timeline[0]).toMatchObject({ title: "Created", who: person.person.email });
  expect(shown.acts).toMatchObject([
    { action: "payout.create", who: person.who, after: { amount: 700, currency: "AUD" } },
  ]);
  const other = await person.post(at(), { ...body, amount: 701 });
  expect([other.status, other.json.error[0].code]).toEqual([422, "IDEM102"]);
});

test("a user's payout is refused like a caller's, with the same codes", async () => {
  const person = service.enter("operator");
  const code = async (body: object) => (await person.post(at(), body)).json.error?.[0];
  expect(await code(newPayout({ amount: 10_000_000 }))).toMatchObject({ code: "PAYO227" });
  expect(await code(newPayout({ amount: 0 }))).toMatchObject({ code: "PAYO207", field: "amount" });
  expect(await code(newPayout({ once: "x" }))).toMatchObject({ code: "CONS108", field: "once" });
  const reference = randomUUID();
  expect((await person.post(at(), newPayout({ reference }))).status).toBe(200);
  expect(await code(newPayout({ reference }))).toMatchObject({ code: "PAYO226" });
  const ofOther = await service.newCaller();
  const elsewhere = await person.post(at("", ofOther.subaccountId), newPayout());
  expect(elsewhere.json.error[0].code).toBe("PAYO205");
});

test("shows a receiver's accounts and currencies, and why a receiver can't be paid", async () => {
  const person = service.enter("operator");
  const { json } = await person.get(at(`/payees/${to.receiver_id}`));
  const account = { id: to.account_id, tail: "•••• 5999", country: "AUS", currency: "AUD" };
  expect(json).toMatchObject({ blocked_by: null, accounts: [{ ...account, blocked_by: null }] });
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  const waiting = (await person.get(at(`/payees/${receiver_id}`))).json;
  expect([waiting.blocked_by, waiting.accounts]).toEqual([
    "The identity check is not completed",
    [],
  ]);
  expect((await person.get(at("/balances"))).json.rows).toMatchObject([{ currency: "AUD" }]);
});

test("a failed payout is retried once, both payouts show it, and a paid one can't be retried", async () => {
  const person = service.enter("operator");
  const answers = await Promise.all([
    person.post(at(`/${failed}/retry`)),
    service.enter("admin").post(at(`/${failed}/retry`)),
  ]);
  const ids = answers.map(({ json }) => json.payout_id as string);
  expect(new Set(ids).size).toBe(1);
  const [id] = ids as [string];
  await ended(id, "rejected");
  const [before, after] = [await detail(failed), await detail(id)];
  expect(after).toMatchObject({
    amount: 8_000,
    reference: "INV-2",
    note: `Retry of ${failed}`,
    retry_of: failed,
    receiver: before.receiver,
  });
  expect(after.timeline[0]?.links).toEqual([{ kind: "payout", id: failed }]);
  expect(before.retried_as).toBe(id);
  expect(before.what_now.line).toMatch(`It was retried as ${id}.`);
  expect(before.timeline).toContainEqual(
    expect.objectContaining({ kind: "act", links: [{ kind: "payout", id }] }),
  );
  const wrong = await person.post(at(`/${paid}/retry`));
  expect([wrong.status, wrong.json.error[0].code]).toEqual([409, "CONS501"]);
});

test("a sent payout can't be cancelled; a queued one can, and its money is released", async () => {
  const person = service.enter("operator");
  const late = await person.post(at(`/${paid}/cancel`));
  expect(late.json.error[0].code).toBe("PAYO301");
  // A bank that takes nothing before tomorrow.
  const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 86_400_000 }) }]);
  const { subaccountId, key, mode } = caller;
  const request = toPayoutRequest({ ...to, amount: 900, currency: "AUD", reference: randomUUID() });
  const asking = { subaccountId, key, mode, requestId: randomUUID(), nonce: undefined };
  const creation = toPayoutCreation(asking, request);
  await createPayouts({ db: service.db, rails }, [creation]);
  const { id } = creation;
  expect((await detail(id)).what_now.line).toMatch(/Until then it can be cancelled/);

  const answers = [await person.post(at(`/${id}/cancel`)), await person.post(at(`/${id}/cancel`))];
  expect(answers.map(({ json }) => json.stage)).toEqual(["cancelled", "cancelled"]);
  const { acts, cause, timeline, entries } = await detail(id);
  expect([cause, entries.at(-1)?.kind]).toEqual(["cancelled by an operator", "release"]);
  expect(timeline.find(({ title }) => title === "Cancelled")?.who).toBe(person.person.email);
  expect(acts).toMatchObject([
    { action: "payout.cancel", before: { stage: "queued" }, after: { stage: "cancelled" } },
  ]);
});

test("payouts of another subaccount can't be reached by id, filter or export", async () => {
  const other = await service.newCaller();
  const developer = service.enter("developer", { subaccountId: other.subaccountId });
  const mine = (path = "") => at(path, other.subaccountId);
  for (const path of [`/${paid}`, `/payees/${to.receiver_id}`]) {
    expect((await developer.get(mine(path))).json.error[0].code).toBe("CONS110");
  }
  expect((await developer.get(mine(`?reference=INV-1`))).json.rows).toEqual([]);
  expect((await developer.get(mine(".csv"))).text.trim().split("\n")).toHaveLength(1);
  const operator = service.enter("operator");
  for (const path of [`/${paid}/cancel`, `/${failed}/retry`]) {
    expect((await operator.post(mine(path))).json.error[0].code).toBe("CONS110");
  }
});

test("a developer does not see which operator created a payout", async () => {
  const person = service.enter("operator");
  const { json } = await person.post(at(), newPayout());
  const developer = service.enter("developer", { subaccountId: caller.subaccountId });
  const shown = await detail(json.payout_id, developer);
  expect(shown.timeline[0]).toMatchObject({ title: "Created", who: "an operator" });
  expect(JSON.stringify(shown)).not.toContain(person.person.email);
  const listed = await list("", developer);
  expect(listed.rows.find(({ id }) => id === json.payout_id)?.created_by).toBe("operator");
});

test("a name given to a command is shown as given, to users who may see names", async () => {
  const { json } = await service.enter("operator").post(at(), newPayout());
  const id = json.payout_id;
  const by = [id, "command:root as Ana"];
  await service.db.pool.query("update payout set created_by = $2 where id = $1", by);
  const madeBy = async (person = service.enter("operator")) => (await detail(id, person)).made_by;
  expect(await madeBy()).toBe("root (command line, gave the name “Ana”)");
  const developer = service.enter("developer", { subaccountId: caller.subaccountId });
  expect(await madeBy(developer)).toBe("an operator");
});
