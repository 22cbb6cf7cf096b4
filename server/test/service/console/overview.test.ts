// The overview: its figures match the payouts after moves in any order, and have nothing of other subaccounts.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quantile } from "../../../src/doors/console/rollups/histogram.ts";
import { bucketsOf, daysUntil, piecesOf } from "../../../src/doors/console/rollups/time-ranges.ts";
import type { MoveName } from "../../../src/money/payouts/states.ts";
import { firstIdOf } from "../../../src/platform/base/cursor.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { type Past, pastOf } from "../../support/past-payouts.ts";

const service = await closeAfterTests(startConsole());

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

async function newPast() {
  const caller = await service.newCaller();
  const past = await pastOf(service, caller);
  const operator = service.enter("operator");
  const overview = async (query = "") => {
    const { status, json } = await operator.get(`/s/${caller.subaccountId}/overview?${query}`);
    expect(status).toBe(200);
    return json;
  };
  return { caller, past, overview };
}

/** A payout that is submitted at once, and settled after `minutes`. */
async function pay(past: Past, atMs: number, amount: number, minutes: number, currency = "AUD") {
  const id = await past.make(atMs, amount, currency);
  await past.move(id, "submit", atMs);
  await past.move(id, "settle", atMs + minutes * minuteMs);
  return id;
}

test("shows paid, pending and failed payouts, by currency and by day", async () => {
  const { past, overview } = await newPast();
  const nowMs = Date.now();
  const [twoAgo, yesterday, today] = daysUntil(nowMs, "UTC", 3).map(({ fromMs }) => fromMs) as [
    number,
    number,
    number,
  ];
  await past.fund(twoAgo, 1_000_000);
  await past.fund(twoAgo, 1_000_000, "NZD");
  await pay(past, twoAgo + hourMs, 100, 3);
  await pay(past, twoAgo + 2 * hourMs, 250, 45);
  const back = await pay(past, twoAgo + 3 * hourMs, 999, 3);
  await past.move(back, "return", today, "account closed");
  // Created before midnight and paid after it: it counts as created yesterday and as paid today.
  await pay(past, today - 2 * minuteMs, 4_000, 2);
  const refused = await past.make(yesterday, 50);
  await past.move(refused, "submit", yesterday);
  await past.move(refused, "reject", yesterday, "invalid BSB");
  const cancelled = await past.make(yesterday, 51, "NZD");
  await past.move(cancelled, "cancel", yesterday + 1, "cancelled by the caller");
  await past.make(yesterday + 5, 7_000);
  await past.make(nowMs, 8_000, "NZD");

  const { tiles, plots, buckets, currencies, behind } = await overview("range=7d");
  expect(behind).toBe(0);
  expect(currencies.toSorted()).toEqual(["AUD", "NZD"]);
  expect(buckets.at(-1).from).toBe(today);
  const aud = tiles.paid.find((paid: { currency: string }) => paid.currency === "AUD");
  expect(aud).toMatchObject({ count: 1, amount: 4_000, amount_before: 0 });
  expect(aud.spark.slice(-3)).toEqual([100 + 250 + 999, 0, 4_000]);
  expect(tiles.in_flight).toEqual({
    count: 2,
    amounts: expect.arrayContaining([
      { currency: "AUD", amount: 7_000 },
      { currency: "NZD", amount: 8_000 },
    ]),
    oldest_at: yesterday + 5,
  });
  expect(tiles.failed).toMatchObject({ count: 3, of: 8 });
  expect(plots.payouts.slice(-3)).toEqual([
    { pending: 0, successful: 2, failed: 1 },
    { pending: 1, successful: 1, failed: 2 },
    { pending: 1, successful: 0, failed: 0 },
  ]);
  const volume = plots.volume.find((one: { currency: string }) => one.currency === "AUD");
  expect(volume.amounts.slice(-3)).toEqual([350, 4_000, 0]);
  expect(plots.settling.at(-3)).toMatchObject({ count: 3 });
  expect(plots.settling.at(-3).p50_ms / minuteMs).toBeGreaterThanOrEqual(2);
  expect(plots.settling.at(-3).p50_ms / minuteMs).toBeLessThanOrEqual(5);
  expect(plots.settling.at(-3).p95_ms / minuteMs).toBeGreaterThanOrEqual(30);
  expect(
    plots.causes.toSorted((a: { cause: string }, b: { cause: string }) =>
      a.cause < b.cause ? -1 : 1,
    ),
  ).toMatchObject([
    { cause: "account closed", count: 1 },
    { cause: "cancelled by the caller", count: 1 },
    { cause: "invalid BSB", count: 1 },
  ]);

  const nzd = await overview("range=7d&currency=NZD");
  expect(nzd.tiles.failed).toMatchObject({ count: 1, of: 2 });
  expect(nzd.tiles.paid.map(({ currency }: { currency: string }) => currency)).toEqual(["NZD"]);
  expect(nzd.plots.causes).toMatchObject([{ cause: "cancelled by the caller", count: 1 }]);
});

test("the roll-ups equal a recount, after moves in any order and roll-ups at any time", async () => {
  const { caller, past, overview } = await newPast();
  const startMs = Date.UTC(2026, 2, 28);
  const names: MoveName[] = ["submit", "settle", "reject", "stop", "cancel", "return"];
  const step = fc.record({
    make: fc.boolean(),
    amount: fc.integer({ min: 1, max: 1_000 }),
    currency: fc.constantFrom("AUD", "NZD"),
    which: fc.nat({ max: 20 }),
    move: fc.constantFrom(...names),
    // Clocks of two processes differ: a transfer may carry an earlier time than the one before it.
    aheadMs: fc.integer({ min: -90_000, max: 5 * hourMs }),
    looks: fc.boolean(),
  });
  await past.fund(startMs, 10_000_000);
  await past.fund(startMs, 10_000_000, "NZD");
  let nowMs = startMs;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 25 }), async (steps) => {
      const ids: string[] = [];
      for (const { make, amount, currency, which, move, aheadMs, looks } of steps) {
        nowMs += aheadMs;
        const id = ids[which % Math.max(ids.length, 1)];
        if (make || !id) ids.push(await past.make(nowMs, amount, currency));
        else await past.move(id, move, nowMs, `cause of ${move}`);
        if (looks) await overview();
      }
      await overview();
      expect(await rollups(caller.subaccountId)).toEqual(await recounted(caller.subaccountId));
    }),
    { numRuns: 4, endOnFailure: true },
  );
  const before = await rollups(caller.subaccountId);
  await deleteRollups(caller.subaccountId);
  await overview();
  expect(await rollups(caller.subaccountId)).toEqual(before);
});

const tables = [
  "rollup_cursor",
  "payout_rollup",
  "payout_failure_rollup",
  "ledger_day",
  "ledger_day_kind",
];

/** An operator may do this at any time: the roll-ups are rebuilt. */
async function deleteRollups(subaccountId: string): Promise<void> {
  for (const table of tables) {
    await service.db.pool.query(`delete from ${table} where subaccount_id = $1`, [subaccountId]);
  }
}

async function rowsOf(sql: string, subaccountId: string) {
  return (await service.db.pool.query(sql, [subaccountId])).rows;
}

async function rollups(subaccountId: string) {
  return {
    spans: await rowsOf(
      `select span_ms, start_ms, currency, created, created_amount, paid, paid_amount, returned, returned_amount,
              failed, failed_amount, (select sum(one) from unnest(took) one) as took, out, out_amount
       from payout_rollup where subaccount_id = $1 order by 1, 2, 3`,
      subaccountId,
    ),
    causes: await rowsOf(
      `select span_ms, start_ms, currency, cause, failed, failed_amount from payout_failure_rollup
       where subaccount_id = $1 order by 1, 2, 3, 4`,
      subaccountId,
    ),
    cursors: await rowsOf(
      `select currency, number, in_flight, available, held, clearing, returns, fees from rollup_cursor
       where subaccount_id = $1 order by 1`,
      subaccountId,
    ),
    days: await rowsOf(
      `select currency, day_ms, kind, transfers, amount from ledger_day_kind where subaccount_id = $1 order by 1, 2, 3`,
      subaccountId,
    ),
    ends: await rowsOf(
      `select currency, day_ms, last_number, available, held from ledger_day where subaccount_id = $1 order by 1, 2`,
      subaccountId,
    ),
  };
}

/** The same figures by other statements: from payouts, their history, transfers and running balances. */
async function recounted(subaccountId: string) {
  const spans = "(values (900000), (3600000)) span(ms)";
  const days = `select *, max(created_at_ms) over (partition by currency order by number) / 86400000 * 86400000
    as day_ms from ledger_transfer where subaccount_id = $1`;
  return {
    spans: await rowsOf(
      `with settled as (
         select payout_id, at_ms from payout_history where subaccount_id = $1 and to_stage = 'settled'
       ), made as (
         select p.*, s.at_ms as paid_ms from payout p left join settled s on s.payout_id = p.id
         where p.subaccount_id = $1
       ), facts as (
         select span.ms, created_at_ms / span.ms * span.ms as start_ms, currency, amount, status, stage, paid_ms,
                true as is_made
         from made cross join ${spans}
         union all
         select span.ms, paid_ms / span.ms * span.ms, currency, amount, status, stage, paid_ms, false
         from made cross join ${spans} where paid_ms is not null
       )
       select ms as span_ms, start_ms, currency,
              count(*) filter (where is_made) as created,
              coalesce(sum(amount) filter (where is_made), 0)::bigint as created_amount,
              count(*) filter (where is_made and paid_ms is not null) as paid,
              coalesce(sum(amount) filter (where is_made and paid_ms is not null), 0)::bigint as paid_amount,
              count(*) filter (where is_made and stage = 'returned') as returned,
              coalesce(sum(amount) filter (where is_made and stage = 'returned'), 0)::bigint as returned_amount,
              count(*) filter (where is_made and status = 'failed' and paid_ms is null) as failed,
              coalesce(sum(amount) filter (where is_made and status = 'failed' and paid_ms is null), 0)::bigint
                as failed_amount,
              count(*) filter (where is_made and paid_ms is not null) as took,
              count(*) filter (where not is_made) as out,
              coalesce(sum(amount) filter (where not is_made), 0)::bigint as out_amount
       from facts group by 1, 2, 3 order by 1, 2, 3`,
      subaccountId,
    ),
    causes: await rowsOf(
      `select span.ms as span_ms, created_at_ms / span.ms * span.ms as start_ms, currency, cause,
              count(*) as failed, sum(amount)::bigint as failed_amount
       from payout cross join ${spans} where subaccount_id = $1 and status = 'failed'
       group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
      subaccountId,
    ),
    cursors: await rowsOf(
      `select currency, transfers as number,
              (select count(*) from payout p where p.subaccount_id = $1 and p.currency = b.currency
                 and p.status = 'pending') as in_flight,
              available, held, clearing, returns, fees
       from ledger_balance b where subaccount_id = $1 order by 1`,
      subaccountId,
    ),
    days: await rowsOf(
      `select currency, day_ms, kind, count(*) as transfers, sum(amount)::bigint as amount
       from (${days}) t group by 1, 2, 3 order by 1, 2, 3`,
      subaccountId,
    ),
    ends: await rowsOf(
      `select distinct on (currency, day_ms) currency, day_ms, number as last_number, available_after as available,
              held_after as held
       from (${days}) t order by currency, day_ms, number desc`,
      subaccountId,
    ),
  };
}

test("lists what needs attention, with the screen and filter that show it", async () => {
  const { caller, past, overview } = await newPast();
  expect((await overview()).attention).toEqual([]);
  const nowMs = Date.now();
  await past.fund(nowMs, 1_000_000);
  for (const amount of [1, 2]) await past.make(nowMs - hourMs, amount);
  await past.make(nowMs - minuteMs, 3);
  await service.db.pool.query(
    `update webhook_endpoint set url = 'https://api.acme.example/hook', failing_since_ms = $2 where subaccount_id = $1`,
    [caller.subaccountId, nowMs - 2 * hourMs],
  );
  await service.db.pool.query(
    `insert into delivery_abandoned (subaccount_id, event_id, attempts, abandoned_at_ms)
     values ($1, gen_random_uuid(), 70, $2)`,
    [caller.subaccountId, nowMs - dayMs],
  );
  await service.db.pool.query(
    `update api_key set expires_at = now() + interval '2 days' where subaccount_id = $1`,
    [caller.subaccountId],
  );
  const { attention } = await overview();
  expect(attention.map(({ kind }: { kind: string }) => kind)).toEqual([
    ...["endpoint_failing", "payouts_late", "keys_ending", "events_abandoned"],
  ]);
  expect(attention.every(({ of }: { of: number | null }) => of === null)).toBe(true);
  expect(attention[0]).toMatchObject({ name: "api.acme.example", at: nowMs - 2 * hourMs });
  expect(attention[1]).toMatchObject({ count: 2, is_more: false, at: nowMs - hourMs });
  expect(attention[1].opens).toMatchObject({ screen: "payouts", query: { status: "pending" } });

  await service.db.pool.query(
    "update webhook_endpoint set secret_unreadable_since_ms = $2 where subaccount_id = $1",
    [caller.subaccountId, nowMs - hourMs],
  );
  expect((await overview()).attention[0]).toMatchObject({
    ...{ kind: "endpoint_secret_unreadable", name: "api.acme.example", at: nowMs - hourMs },
  });
});

test("counts delivery attempts, including those of a moment ago", async () => {
  const { caller, overview } = await newPast();
  const nowMs = Date.now();
  const attempt = (agoMs: number, number: number, failure: string | null, tookMs: number) =>
    service.db.pool.query(
      `insert into delivery_attempt (subaccount_id, event_id, id, number, status, failure, detail, took_ms, answer)
       values ($1, gen_random_uuid(), overlay($2::text placing substr(gen_random_uuid()::text, 15) from 15)::uuid,
               $3, 200, $4, '', $5, '')`,
      [caller.subaccountId, firstIdOf(nowMs - agoMs), number, failure, tookMs],
    );
  await attempt(2 * hourMs, 1, null, 60);
  await attempt(2 * hourMs, 2, null, 60);
  await attempt(2 * hourMs, 1, "refused_5xx", 9_000);
  await overview();
  await attempt(1_000, 1, null, 60);
  const { tiles, plots } = await overview("range=24h");
  expect(tiles.webhooks).toMatchObject({ attempts: 4, delivered: 3 });
  expect(tiles.webhooks.p95_ms).toBeGreaterThan(5_000);
  const added = (key: string) =>
    plots.webhooks.reduce(
      (sum: number, bucket: Record<string, number>) => sum + (bucket[key] ?? 0),
      0,
    );
  expect(["ok", "retried", "failed"].map(added)).toEqual([2, 1, 1]);
});

test("a developer sees the overview of their subaccount; an unknown period or currency is refused", async () => {
  const { caller } = await newPast();
  const developer = service.enter("developer", { subaccountId: caller.subaccountId });
  expect((await developer.get(`/s/${caller.subaccountId}/overview`)).status).toBe(200);
  for (const query of ["range=1y", "currency=XXX", "time_zone=Mars/Phobos", "cursor=1"]) {
    expect((await developer.get(`/s/${caller.subaccountId}/overview?${query}`)).status).toBe(400);
  }
});

describe("days", () => {
  test("follow the time zone, also when the clocks change", () => {
    const at = Date.UTC(2026, 9, 5, 3);
    const days = daysUntil(at, "Australia/Melbourne", 3).map(({ fromMs, toMs }) => [
      new Date(fromMs).toISOString(),
      (toMs - fromMs) / hourMs,
    ]);
    expect(days).toEqual([
      ["2026-10-02T14:00:00.000Z", 24],
      ["2026-10-03T14:00:00.000Z", 23],
      ["2026-10-04T13:00:00.000Z", 24],
    ]);
  });

  test("consist of hours, or of quarter hours where the zone needs them, without gap or overlap", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2027, 0) }),
        fc.constantFrom("UTC", "Asia/Kathmandu", "Australia/Adelaide", "America/St_Johns"),
        fc.constantFrom("24h", "7d", "30d"),
        (atMs, zone, range) => {
          const buckets = bucketsOf(range, atMs, zone);
          const pieces = buckets.flatMap(piecesOf);
          expect(pieces[0]?.fromMs).toBe(buckets[0]?.fromMs);
          expect(pieces.at(-1)?.toMs).toBeGreaterThan(atMs);
          for (const [index, { fromMs, toMs, spanMs }] of pieces.entries()) {
            expect([fromMs % spanMs, toMs % spanMs]).toEqual([0, 0]);
            expect(pieces[index + 1]?.fromMs ?? toMs).toBe(toMs);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test("a quantile is within the bounds of its histogram bucket", () => {
    expect(quantile([0, 0, 0], [10, 20], 0.5)).toBe(null);
    expect(quantile([0, 10, 0], [10, 20], 0.5)).toBe(15);
    expect(quantile([0, 0, 3], [10, 20], 0.95)).toBe(20);
  });
});
