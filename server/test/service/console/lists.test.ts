// Lists of the console: sorting, sums of what is filtered, acts on several objects, and the board of payouts.

import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import type {
  PayoutBoard,
  PayoutLines,
  PayoutSums,
} from "../../../src/doors/console/payouts/schema.ts";
import { consoleListLimits as limits } from "../../../src/doors/lists/list-limits.ts";
import type { EachResult } from "../../../src/tenants/acts/schema.ts";
import { viewsOfListMax } from "../../../src/tenants/users/views.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";
import type { TestCaller } from "../../support/service.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: 0 }));

const at = ({ subaccountId }: TestCaller, path = "") => `/s/${subaccountId}/payouts${path}`;
const read = async <Answer>(path: string): Promise<Answer> => {
  const { status, json } = await service.enter("operator").get(path);
  expect([path, status]).toEqual([path, 200]);
  return json as Answer;
};

/** Payouts as rows only, for lists that are about nothing else. Amounts repeat. */
async function withRows(count: number) {
  const caller = await service.newCaller();
  const people = [
    await newPayee(caller.disburse, "12345999", { first_name: "Zoë", last_name: "Abel" }),
    await newPayee(caller.disburse, "12345999", { first_name: "Ana", last_name: "Silva" }),
  ];
  for (const currency of ["AUD", "NZD"]) {
    await caller.disburse.testHelpers.fund({ amount: 1, currency, reference: "x" });
  }
  await service.db.pool.query(
    `insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency,
       reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms,
       created_by)
     select $1, uuidv7(make_interval(secs => n - $4)), ($2::uuid[])[1 + n % 2], ($3::uuid[])[1 + n % 2], 1,
       1 + n * 7919 % 97, case when n % 3 = 0 then 'NZD' else 'AUD' end, 'rent', '',
       case when n % 5 = 0 then 'failed' else 'successful' end,
       case when n % 5 = 0 then 'rejected' else 'settled' end, '', '', 'sandbox', '', 0, n * 31 % 13, 'service'
     from generate_series(1, $4) n`,
    [
      caller.subaccountId,
      people.map(({ receiver_id }) => receiver_id),
      people.map(({ account_id }) => account_id),
      count,
    ],
  );
  return { caller, people };
}

type Line = PayoutLines["rows"][number];
const keys: Record<string, (line: Line) => number | string> = {
  created: ({ id }) => id,
  amount: ({ amount }) => amount,
  updated: ({ updated_at }) => updated_at,
  receiver: ({ receiver }) => receiver.name.toLowerCase(),
};

/** All pages, one after the other. */
async function walk(caller: TestCaller, query: string, limit: number): Promise<Line[]> {
  const rows: Line[] = [];
  let next: string | null = "";
  while (next !== null) {
    const page: PayoutLines = await read(
      at(caller, `?limit=${limit}${query}${next && `&cursor=${next}`}`),
    );
    expect(page.sorted_among).toBeNull();
    rows.push(...page.rows);
    next = page.next;
  }
  return rows;
}

test("each sort orders all that a filter matches, page by page without a gap", async () => {
  const { caller, people } = await withRows(40);
  const filters = ["", "&status=failed", "&currency=NZD", "&stage=settled,rejected&amount_min=40"];
  filters.push(`&receiver_id=${people[0]?.receiver_id}`, "&reference=rent");
  for (const filter of filters) {
    const { rows: all } = await read<PayoutLines>(at(caller, `?limit=500${filter}`));
    for (const [name, keyOf] of Object.entries(keys)) {
      const compare = (one: Line, other: Line) => {
        const [a, b] = [keyOf(one), keyOf(other)];
        if (a !== b) return a < b ? -1 : 1;
        return one.id < other.id ? -1 : 1;
      };
      const expected = all.toSorted(compare).map(({ id }) => id);
      const ids = async (sort: string) =>
        (await walk(caller, `${filter}&sort=${sort}`, 7)).map(({ id }) => id);
      expect([filter, name, await ids(name)]).toEqual([filter, name, expected]);
      const reversed = expected.toReversed();
      expect([filter, `-${name}`, await ids(`-${name}`)]).toEqual([filter, `-${name}`, reversed]);
    }
  }
  const person = service.enter("operator");
  for (const wrong of ["sort=cause", "sort=--amount", "cursor=x", "stage=settled,", "stage=x"]) {
    const { status, json } = await person.get(at(caller, `?${wrong}`));
    expect([wrong, status, json.error[0].code]).toEqual([wrong, 400, "CONS108"]);
  }
});

test("among many payouts the newest are sorted, the page says how many, and new payouts don't shift its pages", async () => {
  const { caller, people } = await withRows(limits.payoutsSortedMax + 50);
  const first: PayoutLines = await read(at(caller, "?sort=-amount&limit=50"));
  expect(first.sorted_among).toBe(limits.payoutsSortedMax);
  expect(first.rows.every(({ amount }) => amount === 97)).toBe(true);
  // A payout that would be the first of all.
  await service.db.pool.query(
    `insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency,
       reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms,
       created_by)
     values ($1, uuidv7(), $2, $3, 1, 500, 'AUD', '', '', 'failed', 'rejected', '', '', 'sandbox', '', 0, 0, 'x')`,
    [caller.subaccountId, people[0]?.receiver_id, people[0]?.account_id],
  );
  const second: PayoutLines = await read(at(caller, `?sort=-amount&limit=50&cursor=${first.next}`));
  const both = [...first.rows, ...second.rows].map(({ id }) => id);
  expect(new Set(both).size).toBe(100);
  expect(second.rows.every(({ amount }) => amount <= 97)).toBe(true);
  const again: PayoutLines = await read(at(caller, "?sort=-amount&limit=1"));
  expect(again.rows[0]?.amount).toBe(500);

  expect(await read<PayoutSums>(at(caller, "/sum"))).toEqual({
    count: null,
    most: 10_000,
    sums: [],
  });
});

test("what is filtered is added up by currency", async () => {
  const { caller } = await withRows(30);
  const { rows } = await read<PayoutLines>(at(caller, "?limit=500"));
  const sumOf = (lines: Line[]) => lines.reduce((sum, { amount }) => sum + amount, 0);
  const failed = rows.filter(({ status }) => status === "failed");
  const { count, sums } = await read<PayoutSums>(at(caller, "/sum?status=failed"));
  expect(count).toBe(failed.length);
  expect(Object.fromEntries(sums.map(({ currency, amount }) => [currency, amount]))).toEqual({
    AUD: sumOf(failed.filter(({ currency }) => currency === "AUD")),
    NZD: sumOf(failed.filter(({ currency }) => currency === "NZD")),
  });
  const none = await read<PayoutSums>(at(caller, "/sum?amount_min=1000"));
  expect([none.count, none.sums]).toEqual([0, []]);
});

test("receivers are sorted by name or by age, page by page, with any filter", async () => {
  const caller = await service.newCaller();
  for (const [first_name, last_name] of [
    ["Cy", "Young"],
    ["Ann", "abel"],
    ["Bo", "Meyer"],
  ] as const) {
    await newPayee(caller.disburse, "12345999", { first_name, last_name });
  }
  const names = async (query: string) => {
    const found: string[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const path: string = `/s/${caller.subaccountId}/receivers?limit=1&${query}${next && `&cursor=${next}`}`;
      const page: { rows: { name: string }[]; next: string | null } = await read(path);
      found.push(...page.rows.map(({ name }) => name));
      next = page.next;
    }
    return found;
  };
  const byAge = ["Cy Young", "Ann abel", "Bo Meyer"];
  const byName = ["Ann abel", "Bo Meyer", "Cy Young"];
  for (const filter of ["", "&country=AUS", "&status=active", `&to=${Date.now() + 60_000}`]) {
    expect(await names(filter)).toEqual(byAge.toReversed());
    expect(await names(`sort=created${filter}`)).toEqual(byAge);
    expect(await names(`sort=name${filter}`)).toEqual(byName);
    expect(await names(`sort=-name${filter}`)).toEqual(byName.toReversed());
  }
  expect(await names("sort=name&country=NZL")).toEqual([]);
  expect(await names("sort=name&q=Meyer")).toEqual(["Bo Meyer"]);
});

/** A subaccount with a paid, a failed, a returned and a queued payout. */
async function withPayouts() {
  const caller = await service.newCaller();
  await caller.disburse.testHelpers.fund({ amount: 100_000, currency: "AUD", reference: "x" });
  const pay = async (number: string, amount: number, more = {}) => {
    const to = await newPayee(caller.disburse, number);
    const payout = { ...to, amount, currency: "AUD", reference: randomUUID(), ...more };
    return (await caller.disburse.payouts.create(payout)).payout_id;
  };
  const ids = {
    paid: await pay("12345999", 1_000),
    failed: await pay("12345111", 200),
    returned: await pay("12345444", 30),
    // The sandbox never settles it.
    sent: await pay("12345888", 4),
  };
  const stageOf = async (id: string) => (await read<{ stage: string }>(at(caller, `/${id}`))).stage;
  const stages = { paid: "settled", failed: "rejected", returned: "returned", sent: "submitted" };
  for (const [name, stage] of Object.entries(stages)) {
    const id = ids[name as keyof typeof ids];
    await vi.waitFor(async () => expect(await stageOf(id)).toBe(stage), { timeout: 60_000 });
  }
  return { caller, ids, stageOf };
}

test("the board has count, sum and oldest of each column, and is the same as the list", async () => {
  const { caller } = await withPayouts();
  const board = await read<PayoutBoard>(at(caller, "/board?range=24h&time_zone=Asia/Kathmandu"));
  expect(board).toMatchObject({ range: "24h", is_behind: false, most: 1_000 });
  const shown = board.columns.map(({ key, count, sums }) => [key, count, sums[0]?.amount ?? 0]);
  expect(shown).toEqual([
    ["on_hold", 0, 0],
    ["awaiting_approval", 0, 0],
    ["queued", 0, 0],
    ["at_bank", 1, 4],
    ["settled", 1, 1_000],
    ["failed", 1, 200],
    ["returned", 1, 30],
  ]);
  for (const { key, stages, count, oldest_at } of board.columns) {
    const { rows } = await read<PayoutLines>(at(caller, `?stage=${stages.join()}`));
    expect([key, rows.length]).toEqual([key, count]);
    expect([key, oldest_at]).toEqual([key, rows.at(-1)?.created_at ?? null]);
  }
  const wrong = await service.enter("operator").get(at(caller, "/board?range=1y"));
  expect(wrong.status).toBe(400);
});

test("where more payouts wait than are counted, the board takes their sum from the books", async () => {
  const caller = await service.newCaller();
  await caller.disburse.testHelpers.fund({ amount: 2_600, currency: "AUD", reference: "x" });
  const payee = await newPayee(caller.disburse, "12345999");
  await service.db.pool.query(
    `insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency,
       reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms,
       created_by)
     select $1, uuidv7(), $2, $3, 1, 2, 'AUD', '', '', 'pending',
       case when n <= 10 then 'on_hold' else 'queued' end, '', '', 'none', '', 0, 0, 'x'
     from generate_series(1, 1300) n`,
    [caller.subaccountId, payee.receiver_id, payee.account_id],
  );
  await service.db.pool.query(
    "update ledger_balance set held = 2600, available = 0 where subaccount_id = $1",
    [caller.subaccountId],
  );
  const { columns } = await read<PayoutBoard>(at(caller, "/board"));
  const column = (name: string) => columns.find(({ key }) => key === name);
  expect(column("on_hold")).toMatchObject({ count: 10, sums: [{ currency: "AUD", amount: 20 }] });
  expect(column("queued")).toMatchObject({ count: 1_001, sums: [{ amount: 2_580 }] });
});

test("several payouts are retried and cancelled, each as if alone, with a reason for each refusal", async () => {
  const { caller, ids, stageOf } = await withPayouts();
  const operator = service.enter("operator");
  const unknown = randomUUID();
  const all = [ids.failed, ids.paid, unknown, "x", ids.failed];
  const act = async (name: string, body: unknown) =>
    operator.post(at(caller, `/many/${name}`), body);
  const retried = (await act("retry", { ids: all })).json as EachResult;
  const said = retried.results.map(({ id, is_done, code }) => [id, is_done, code]);
  expect(said).toEqual([
    [ids.failed, true, null],
    [ids.paid, false, "CONS501"],
    [unknown, false, "CONS110"],
    ["x", false, "CONS110"],
  ]);
  // A second press retries nothing again.
  await act("retry", { ids: [ids.failed] });
  const { rows } = await read<PayoutLines>(at(caller, "?created_by=operator:nobody"));
  expect(rows).toEqual([]);
  const made = await read<PayoutLines>(at(caller, `?created_by=${operator.who}`));
  expect(made.rows).toHaveLength(1);

  const cancelled = (await act("cancel", { ids: [ids.sent, ids.paid] })).json as EachResult;
  expect(cancelled.results.map(({ is_done }) => is_done)).toEqual([false, false]);
  expect(cancelled.results.every(({ message }) => message)).toBe(true);
  expect(await stageOf(ids.sent)).toBe("submitted");

  for (const body of [{}, { ids: [] }, { ids: Array(101).fill(unknown) }, { ids: [1] }]) {
    expect((await act("cancel", body)).status).toBe(400);
  }
});

test("several events are resent, each as if alone", async () => {
  const { caller } = await withPayouts();
  await caller.disburse.subaccount.update({ postback_url: "https://example.com/hook" });
  const events = `/s/${caller.subaccountId}/events`;
  const { rows } = await read<{ rows: { id: string }[] }>(events);
  const [first, second] = rows.map(({ id }) => id) as [string, string];
  const path = `${events}/many/resend`;
  const { json } = await service.enter("operator").post(path, { ids: [first, second, "evt_x"] });
  const { results } = json as EachResult;
  expect(results.map(({ is_done, code }) => [is_done, code])).toEqual([
    [true, null],
    [true, null],
    [false, "CONS110"],
  ]);
});

test("views belong to their user, keep only filters without words of a person, and are at most 50 of a list", async () => {
  const one = service.enter("operator");
  const search = { status: "failed", sort: "-amount", columns: "created,amount", period: "today" };
  const names = ({ json }: { json: { rows: { name: string }[] } }) =>
    json.rows.map(({ name }) => name);
  const save = (name: string, more = {}) =>
    one.put("/views", { list: "payouts", name, search: { ...search, ...more } });
  expect(names(await save("Zebra"))).toEqual(["Zebra"]);
  expect(names(await save("apple", { kyc_status: "pending" }))).toEqual(["apple", "Zebra"]);
  const { json } = await save("apple", { status: "pending" });
  expect(json.rows[0]).toEqual({ name: "apple", search: { ...search, status: "pending" } });

  for (const body of [
    { list: "payouts", name: "x", search: { q: "Silva" } },
    { list: "payouts", name: "x", search: { reference: "INV-1" } },
    { list: "payouts", name: "", search },
    { list: "payouts", name: "x".repeat(61), search },
    { list: "users", name: "x", search },
    { list: "payouts", name: "x", search: { status: 1 } },
    { list: "payouts", name: "x" },
  ]) {
    expect([body, (await one.put("/views", body)).status]).toEqual([body, 400]);
  }
  const other = service.enter("auditor");
  expect(names(await other.get("/views?list=payouts"))).toEqual([]);
  expect((await other.delete("/views", { list: "payouts", name: "Zebra" })).status).toBe(404);
  expect((await one.get("/views?list=receivers")).json.rows).toEqual([]);

  const removed = await one.delete("/views", { list: "payouts", name: "Zebra" });
  expect(names(removed)).toEqual(["apple"]);
  for (let number = 2; number <= viewsOfListMax; number += 1) await save(`view ${number}`);
  const refused = await save("one more");
  expect([refused.status, refused.json.error[0].code]).toEqual([409, "CONS809"]);
  expect((await save("apple")).status).toBe(200);
});
