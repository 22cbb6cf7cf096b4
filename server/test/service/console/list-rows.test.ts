// Lists and searches of the console read as many rows among many as among few, with plans for any value.

import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { listApprovals } from "../../../src/doors/console/approvals/queue.ts";
import { readBatchPage } from "../../../src/doors/console/batches/read.ts";
import { listAttemptPage } from "../../../src/doors/console/events/queries.ts";
import { countUnsentEvents } from "../../../src/doors/console/overview/attention-queries.ts";
import { listPayoutPage } from "../../../src/doors/console/payouts/list.ts";
import { readReceiverPage } from "../../../src/doors/console/receivers/list.ts";
import { search, searchIdInAll } from "../../../src/doors/console/search/search.ts";
import { indexSearchPage } from "../../../src/doors/console/search/word-indexer.ts";
import { findPage } from "../../../src/doors/console/subaccounts/find.ts";
import { readRequestPage } from "../../../src/doors/request-list/list.ts";
import { firstIdOf, newestId, oldestId } from "../../../src/platform/base/cursor.ts";
import { connect, type Db, type Runner } from "../../../src/platform/db/connect.ts";
import { findSearchProgress } from "../../../src/platform/search-words/queries.ts";
import { listAuditEntries } from "../../../src/tenants/audit/list-queries.ts";
import { listEventPage } from "../../../src/webhooks/events/list-queries.ts";
import { newPayee } from "../../support/payers.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

/** Few are more than any bound of a page or a search. */
const [few, many] = [1_100, 3_900];

const db = connect({ connection: { connectionString: service.url }, poolMax: 4 });
const client = new pg.Client({ connectionString: service.url });
await client.connect();
afterAll(async () => {
  await client.end();
  await db.close();
});

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return "null";
  if (!Array.isArray(value)) return pg.escapeLiteral(String(value));
  const items = value.map((item) => `"${String(item).replaceAll(/["\\]/g, "\\$&")}"`);
  return pg.escapeLiteral(`{${items.join()}}`);
};

type Plan = Record<string, number | string> & { Plans?: Plan[] };
const count = (plan: Plan, name: string) => Number(plan[name] ?? 0);

/** The rows of tables that a plan reads. */
function rowsOf(plan: Plan): number {
  const read = count(plan, "Actual Rows") + count(plan, "Rows Removed by Filter");
  const own = plan["Relation Name"] === undefined ? 0 : read * count(plan, "Actual Loops");
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own);
}

/** Runs statements, and counts the rows that each reads with a plan for any value. */
function countingRunner(): { runner: Db; rows: () => number } {
  let rows = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const explain = async (text: string, values: unknown[]) => {
    await client.query(`prepare counted as ${text}`);
    const given = values.length > 0 ? `(${values.map(literal).join()})` : "";
    const analyze = "analyze, timing off, buffers off, format json";
    const { rows: found } = await client.query(`explain (${analyze}) execute counted${given}`);
    await client.query("deallocate counted");
    rows += rowsOf(found[0]["QUERY PLAN"][0].Plan);
  };
  const run: Runner["run"] = (statement, values = []) => {
    queue = queue.then(() => explain(statement.text, values));
    return queue.then(() => db.run(statement, values));
  };
  return { runner: { ...db, run }, rows: () => Math.round(rows) };
}

/** A subaccount with this many payouts, receivers, events, requests and entries of the audit log. */
async function withRows(size: number) {
  const caller = await service.newCaller();
  const { subaccountId } = caller;
  await client.query("update subaccount set suba_name = $2 where id = $1", [
    subaccountId,
    `Company of ${size}`,
  ]);
  const { receiver_id, account_id } = await newPayee(caller.disburse, "12345999", {});
  for (const currency of ["AUD", "NZD"]) {
    await caller.disburse.testHelpers.fund({ amount: 1, currency, reference: "x" });
  }
  const insert = (sql: string, ...more: unknown[]) =>
    client.query(sql, [subaccountId, size, ...more]);
  await insert(
    `insert into payout (subaccount_id, id, batch_id, receiver_id, account_id, account_version, amount, currency,
       reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms,
       created_by)
     select $1::uuid, uuidv7(make_interval(mins => n - $2::int)),
       overlay(first_id_of((n / 25)::bigint)::text placing '7' from 15)::uuid, $3::uuid, $4::uuid, 1,
       1 + n * 7919 % 9973, case when n % 3 = 0 then 'NZD' else 'AUD' end,
       case when n % 4 = 0 then 'invoice ' || n else 'salary' end, '',
       case when n % 5 = 0 then 'failed' else 'pending' end,
       case when n % 5 = 0 then 'rejected' when n % 5 = 1 then 'awaiting_approval' else 'submitted' end, '',
       case when n % 5 = 0 then 'AC0' || n % 4 else '' end, 'none', '', 0, 0, 'service'
     from generate_series(1, $2::int) n`,
    receiver_id,
    account_id,
  );
  await insert(
    `insert into receiver (subaccount_id, id, first_name, last_name, middle_name, email, email_key, gender, dob, dialcode,
       phone, address, address2, city, state, postcode, country, reference, applicant_id, status, kyc_status, created_at_ms)
     select $1::uuid, uuidv7(make_interval(mins => n - $2::int)), 'Maria', 'Garcia' || chr(97 + n % 4), '',
       n || '@example.com', n || '@example.com', 'F', '1990-12-10', '61', '412345678', '', '', '', '', '', 'AUS',
       'staff-' || n, '', 'active', 'completed', 0 from generate_series(1, $2::int) n`,
  );
  await insert(
    `insert into event (subaccount_id, id, order_key, type, body, created_at_ms, wanted)
     select $1::uuid, uuidv7(make_interval(secs => n - $2::int)), gen_random_uuid(), 'payoutUpdate', '{}', 0, true
     from generate_series(1, $2::int) n`,
  );
  await insert(
    `insert into delivery_attempt (subaccount_id, event_id, id, number, failure, detail, took_ms, answer)
     select $1::uuid, id, id, 1, 'status', '', 1, '' from event where subaccount_id = $1 and $2::int > 0`,
  );
  await insert(
    `insert into delivery_abandoned (subaccount_id, event_id, attempts, abandoned_at_ms)
     select $1::uuid, id, 1, 0 from event where subaccount_id = $1 and $2::int > 0`,
  );
  await insert(
    `insert into request_log (subaccount_id, id, took_us, status, key, method, route, codes)
     select $1::uuid, uuidv7(make_interval(secs => n - $2::int)), 1, case when n % 2 = 0 then 400 else 200 end, 'ak', 'GET',
       '/api', case when n % 2 = 0 then 'PAYO101' end from generate_series(1, $2::int) n`,
  );
  await insert(
    `insert into audit_entry (number, at_ms, who, action, object_kind, object_id, subaccount_id, before, after, ip,
       request_id, previous_hash, hash)
     select (select coalesce(max(number), 0) from audit_entry) + n, n, $1::text, 'act.' || $1::text, 'x', n::text, $1::uuid,
       '{}', '{}', '', '', '', '' from generate_series(1, $2::int) n`,
  );
  while (await indexSearchPage(db, subaccountId, firstIdOf(Date.now())));
  return { subaccountId, size };
}

type Side = Awaited<ReturnType<typeof withRows>>;

const events = ({ subaccountId }: Side, status?: "undelivered") => ({
  subaccountId,
  status,
  type: undefined,
  payoutId: undefined,
  receiverId: undefined,
  beforeId: newestId,
  fromId: oldestId,
  limit: 51,
});
const payouts =
  (query: Record<string, string>) =>
  (db: Runner, { subaccountId }: Side) =>
    listPayoutPage(db, subaccountId, { query, limit: 50 });
const searched =
  (text: string) =>
  async (runner: Runner, { subaccountId }: Side) =>
    search(runner, { subaccountId, text, progress: await findSearchProgress(db, subaccountId) });
const receivers = (query: Record<string, string>) => async (runner: Db, side: Side) => {
  const progress = await findSearchProgress(db, side.subaccountId);
  const words = { catchUp: async () => progress, catchUpSubaccounts() {}, async close() {} };
  return readReceiverPage({ db: runner, words }, side.subaccountId, query);
};
const entries = (filter: "one" | "two", isDescending: boolean) => (runner: Db, side: Side) =>
  listAuditEntries(runner, {
    who: side.subaccountId,
    ...(filter === "two" && { action: `act.${side.subaccountId}` }),
    order: { by: "time", isDescending, after: undefined },
    limit: 51,
  });
const approvals =
  (kind: "payout" | "batch", sort?: string) =>
  (runner: Db, { subaccountId }: Side) =>
    listApprovals(
      { db: runner, seal: service.seal },
      {
        kind,
        subaccountId,
        sort,
        sortedMax: 100,
        cursor: undefined,
        limit: 50,
        who: "operator:x",
        user: { id: "", name: "", email: "", role: "operator", subaccountIds: undefined } as never,
      },
    );

const lists: Record<string, (runner: Db, side: Side) => Promise<unknown>> = {
  payouts: payouts({}),
  "payouts, oldest first": payouts({ sort: "created" }),
  "payouts of a status": payouts({ status: "failed" }),
  "payouts of a currency": payouts({ currency: "NZD" }),
  "payouts of a rare reference": payouts({ reference: "invoice 4" }),
  receivers: receivers({}),
  "receivers by name": receivers({ sort: "name" }),
  "receivers by a text": receivers({ q: "maria" }),
  "receivers by a text, oldest first": receivers({ q: "garcia", sort: "created" }),
  events: (runner, side) => listEventPage(runner, events(side)),
  "events that failed": (runner, side) => listEventPage(runner, events(side, "undelivered")),
  attempts: (runner, { subaccountId }) =>
    listAttemptPage(runner, {
      subaccountId,
      isDelivered: undefined,
      beforeId: newestId,
      fromId: firstIdOf(0),
      limit: 51,
    }),
  "events without an endpoint": (runner, { subaccountId }) =>
    countUnsentEvents(runner, subaccountId),
  requests: (runner, { subaccountId }) => readRequestPage(runner, subaccountId, {}),
  "requests that failed": (runner, { subaccountId }) =>
    readRequestPage(runner, subaccountId, { status: "4xx" }),
  batches: (runner, { subaccountId }) => readBatchPage(runner, { subaccountId, nowMs: 0 }, {}),
  "audit entries of a user": entries("one", true),
  "audit entries, oldest first": entries("one", false),
  "approvals of a subaccount": approvals("payout"),
  "approvals, newest first": approvals("payout", "-created"),
  "approvals by amount": approvals("payout", "-amount"),
  "batches to approve": approvals("batch"),
  "batches to approve, newest first": approvals("batch", "-created"),
  "search: a name": searched("maria"),
  "search: two names": searched("maria garcia"),
  "search: a whole name": searched("maria garciab"),
  "search: a common reference": searched("salary"),
  "search: a reference": searched("invoice 4"),
  "search: a reference of a receiver": searched("staff-12"),
  "search: an amount": searched("12.00 AUD"),
  "search: a code of a bank": searched("AC01"),
  "search: nothing": searched("xyzzyx"),
};

test("among many rows a page and a search read no more than among few", async () => {
  const sides = [await withRows(few), await withRows(many)];
  await client.query("analyze");
  await client.query("set plan_cache_mode = force_generic_plan");
  const grown: Record<string, number[]> = {};
  for (const [name, read] of Object.entries(lists)) {
    const counts: number[] = [];
    for (const side of sides) {
      const { runner, rows } = countingRunner();
      await read(runner, side);
      counts.push(rows());
    }
    const [small = 0, large = 0] = counts;
    if (large > small * 1.5 + 60) grown[name] = counts;
  }
  expect(grown).toEqual({});
  // The name of one subaccount is found among many, wherever it is in the order of names.
  await client.query(
    `insert into subaccount select (jsonb_populate_record(null::subaccount, to_jsonb(s)
       || jsonb_build_object('id', uuidv7(), 'suba_name', 'Alpha ' || n))).*
     from subaccount s cross join generate_series(1, 500) n where s.id = $1`,
    [sides[0]?.subaccountId],
  );
  await client.query("analyze subaccount");
  const { runner, rows } = countingRunner();
  const { rows: found } = await findPage(runner, undefined, {
    text: "Company of 3",
    cursor: undefined,
    limit: 5,
  });
  expect(found).toMatchObject([{ name: `Company of ${many}` }]);
  expect(rows()).toBeLessThan(100);
  // Ids of others, and ids of the future, are not looked for.
  const id = sides[0]?.subaccountId as string;
  for (const foreign of [`${id.slice(0, 14)}4${id.slice(15)}`, `ff${id.slice(2)}`]) {
    const { runner, rows } = countingRunner();
    expect([await searchIdInAll(runner, undefined, foreign), rows()]).toEqual([[], 0]);
  }
});
