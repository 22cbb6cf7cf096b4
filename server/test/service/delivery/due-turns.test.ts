// Due payouts and identity checks take turns by subaccount, and indexes are built concurrently.

import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { claimPayouts, payoutTurns } from "../../../src/money/payouts/worker-queries.ts";
import { claimSteps, stepTurns } from "../../../src/people/kyc/queries.ts";
import { connect } from "../../../src/platform/db/connect.ts";
import { turnsOf } from "../../../src/platform/db/due-turns.ts";
import { migrate, readMigrations, statementsOf } from "../../../src/platform/db/migrate.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { ada, addAccount } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

const limit = 50;

/** A subaccount with `count` due payouts on its own rail, one for each millisecond. */
async function payoutsDue(rail: string, fromMs: number, count: number): Promise<string> {
  const { subaccountId, disburse } = await service.newCaller();
  const { receiver_id } = await disburse.receivers.create(ada());
  const accountId = await addAccount(service, subaccountId, receiver_id);
  await service.db.pool.query(
    `insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency,
       reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms,
       updated_at_ms, created_by, due_at_ms)
     select $1, gen_random_uuid(), $2, $3, 1, 1, 'AUD', '', '', 'pending', 'submitted', '', '', $4, '', 1, 1, '',
            $5::bigint + n
     from generate_series(1, $6::int) n`,
    [subaccountId, receiver_id, accountId, rail, fromMs, count],
  );
  return subaccountId;
}

test("beside a subaccount with many due payouts, others get their share, and no capacity is unused", async () => {
  const rail = `rail ${randomUUID()}`;
  const loud = await payoutsDue(rail, 0, 500);
  const quiet = [await payoutsDue(rail, 10_000, 3), await payoutsDue(rail, 20_000, 30)];
  const notYet = await payoutsDue(rail, 99_000, 5);
  const next = payoutTurns(service.db, rail);
  const nowMs = 50_000;
  const claim = async () => {
    const turn = await next(nowMs, limit);
    const leaseUntilMs = nowMs + 1_000;
    const claimed = await claimPayouts(service.db, { rail, nowMs, leaseUntilMs, limit, turn });
    const of = Map.groupBy(claimed, (payout) => payout.subaccount_id);
    return [loud, ...quiet, notYet].map((id) => of.get(id)?.length ?? 0);
  };
  const [ofLoud = 0, ...ofQuiet] = await claim();
  expect(ofQuiet[0]).toBe(3);
  expect(ofQuiet[1]).toBeGreaterThanOrEqual(16);
  expect(ofQuiet[2]).toBe(0);
  expect(ofLoud + 3 + (ofQuiet[1] ?? 0)).toBe(limit);
  const counts = [await claim(), await claim()];
  expect(counts.map((each) => each.reduce((sum, one) => sum + one))).toEqual([limit, limit]);
});

test("identity checks take turns between subaccounts", async () => {
  const { db } = service;
  const callers = [await service.newCaller(), await service.newCaller()];
  const [loud, quiet] = callers as [(typeof callers)[0], (typeof callers)[0]];
  await Promise.all(Array.from({ length: 60 }, () => loud.disburse.receivers.create(ada())));
  await quiet.disburse.receivers.create(ada());
  const own = [loud.subaccountId, quiet.subaccountId];
  const due = (subaccountId: string, dueAtMs: number) =>
    db.pool.query(
      `update receiver set kyc_provider = 'sumsub', kyc_step = 'ask', kyc_due_at_ms = $2
       where subaccount_id = $1`,
      [subaccountId, dueAtMs],
    );
  await due(loud.subaccountId, 1);
  await due(quiet.subaccountId, 2);
  const provider = "sumsub" as const;
  const turn = await stepTurns(db, provider)(10, limit);
  expect(turn.subaccountIds.toSorted()).toEqual(own.toSorted());
  const claimed = await claimSteps(db, { provider, nowMs: 10, leaseUntilMs: 1_000, limit, turn });
  expect(claimed).toHaveLength(limit);
  const ofQuiet = claimed.filter((step) => step.subaccount_id === quiet.subaccountId);
  expect(ofQuiet).toHaveLength(1);
});

test("with more subaccounts than one poll reads, each gets a turn before any gets a second", async () => {
  const ids = Array.from({ length: limits.dueSubaccountsMax * 2 + 7 }, () => randomUUID()).sort();
  const next = turnsOf(async ({ after, limit: max }) =>
    ids
      .filter((id) => id > after)
      .slice(0, max)
      .map((subaccount_id) => ({ subaccount_id, is_due: true })),
  );
  const served: string[] = [];
  let isMore = true;
  while (isMore) {
    const turn = await next(1, limit);
    served.push(...turn.subaccountIds);
    isMore = turn.isMore;
  }
  expect(served.toSorted()).toEqual(ids);
});

test("two processes that migrate at once wait for each other, also during a concurrent index build", async () => {
  const postgres = inject("postgres");
  const database = `test_${randomUUID().replaceAll("-", "")}`;
  const administrator = new pg.Client({ ...postgres, database: "postgres" });
  await administrator.connect();
  await administrator.query(`create database ${database}`);
  const two = [1, 2].map(() => connect({ connection: { ...postgres, database }, poolMax: 1 }));
  try {
    const applied = await Promise.all(two.map(migrate));
    const all = readMigrations().map(({ name }) => name);
    expect(applied.toSorted((one, other) => one.length - other.length)).toEqual([[], all]);
    const indexes = await two[0]?.pool.query(
      "select indisvalid from pg_index where indexrelid = 'payout_due_of_subaccount'::regclass",
    );
    expect(indexes?.rows).toEqual([{ indisvalid: true }]);
  } finally {
    for (const db of two) await db.close();
    await administrator.query(`drop database ${database} with (force)`);
    await administrator.end();
  }
});

test("a migration outside a transaction is read statement by statement", () => {
  const text =
    "-- Why; and how.\n-- outside a transaction\nselect 1;\n\nselect\n  2; \n-- The end;\n";
  expect(statementsOf(text)).toEqual(["select 1", "select\n  2"]);
});
