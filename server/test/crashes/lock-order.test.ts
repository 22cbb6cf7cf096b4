// Statements that change many rows lock them in the order of their keys, with any plan of PostgreSQL: in different
// orders they would deadlock. A statement that is cancelled by a deadlock is retried.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { movePayouts } from "../../src/money/payouts/move-queries.ts";
import {
  type ClaimedPayout,
  claimPayouts,
  postponePayouts,
} from "../../src/money/payouts/worker-queries.ts";
import { claimSteps } from "../../src/people/kyc/queries.ts";
import { toReceiverMove } from "../../src/people/receivers/move.ts";
import { moveReceivers } from "../../src/people/receivers/state-queries.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { connect, type Db, statement } from "../../src/platform/db/connect.ts";
import {
  ada,
  addAccount,
  type Service,
  startService,
  type TestCaller,
} from "../support/service.ts";

const rows = 20;
const pending = { status: "pending", kyc_status: "pending" } as const;
const said = { who: "service", reason: "a test", atMs: 1 };
/** Forces plans that read the rows in their order on disk. */
const byScan =
  "enable_nestloop=off enable_mergejoin=off enable_indexscan=off enable_bitmapscan=off";

let service: Service;
let caller: TestCaller;
let scanning: Db;
const ids = { receiver: [] as string[], payout: [] as string[] };

beforeAll(async () => {
  service = await startService();
  caller = await service.newCaller({ mode: "live" });
  const { subaccountId } = caller;
  const created = Array.from({ length: rows }, () => caller.disburse.receivers.create(ada()));
  ids.receiver = (await Promise.all(created)).map(({ receiver_id }) => receiver_id).sort();
  const [receiverId] = ids.receiver as [string];
  const accountId = await addAccount(service, subaccountId, receiverId);
  ids.payout = ids.receiver.map(() => newId()).sort();
  for (const [index, id] of ids.payout.entries()) {
    await run(
      `insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency,
         reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms,
         updated_at_ms, created_by, due_at_ms)
       values ($1, $2, $3, $4, 1, 1, 'AUD', '', '', 'pending', 'submitted', '', '', 'none', '', 1, 1, '', $5)`,
      [subaccountId, id, receiverId, accountId, rows - index],
    );
  }
  for (const table of ["receiver", "payout"] as const) {
    for (const id of ids[table].toReversed())
      await run(`update ${table} set id = id where id = $1`, [id]);
  }
  scanning = connectWith(byScan);
});
afterAll(async () => {
  await scanning.close();
  await service.close();
});

// Resets the claims of earlier tests. On disk and by due time, the rows are in the opposite order.
beforeEach(async () => {
  for (const [index, id] of [...ids.receiver.entries()].toReversed()) {
    await run(
      `update receiver set kyc_provider = 'sumsub', kyc_step = 'ask', kyc_due_at_ms = $2 where id = $1`,
      [id, rows - index],
    );
  }
  for (const [index, id] of [...ids.payout.entries()].toReversed()) {
    await run("update payout set due_at_ms = $2 where id = $1", [id, rows - index]);
  }
});

function connectWith(settings: string): Db {
  const options = encodeURIComponent(settings.replaceAll(/\S+/g, "-c $&"));
  const connectionString = `${service.url}&options=${options}`;
  return connect({ connection: { connectionString }, poolMax: 2 });
}

const run = (text: string, values: unknown[] = []) => service.db.pool.query(text, values);
const payoutsDue = async () =>
  (await run("select * from payout order by due_at_ms")).rows as ClaimedPayout[];

const turn = () => ({ subaccountIds: [caller.subaccountId], share: 99 });

const statements: [string, keyof typeof ids, () => Promise<unknown>][] = [
  [
    "the claim of identity checks",
    "receiver",
    () =>
      claimSteps(scanning, {
        provider: "sumsub",
        nowMs: rows,
        leaseUntilMs: 99,
        limit: 99,
        turn: turn(),
      }),
  ],
  [
    "moves of receivers",
    "receiver",
    () =>
      moveReceivers(
        scanning,
        ids.receiver.toReversed().map((id) => {
          const key = { subaccountId: caller.subaccountId, id };
          return toReceiverMove({ ...key, from: pending, to: pending, step: "as-before", ...said });
        }),
      ),
  ],
  [
    "the claim of payouts",
    "payout",
    () =>
      claimPayouts(scanning, {
        rail: "none",
        nowMs: rows,
        leaseUntilMs: 99,
        limit: 99,
        turn: turn(),
      }),
  ],
  [
    "payouts that are postponed",
    "payout",
    async () =>
      postponePayouts(
        scanning,
        (await payoutsDue()).map((payout) => ({ payout, dueAtMs: 99 })),
      ),
  ],
  [
    "moves of payouts",
    "payout",
    () => {
      const stages = { fromStage: "submitted", toStage: "submitted", dueAtMs: undefined } as const;
      const bare = { cause: "", causeCode: "", event: undefined, transfers: [] };
      return movePayouts(
        scanning,
        ids.payout.toReversed().map((id) => {
          const key = { subaccountId: caller.subaccountId, id };
          return { ...key, ...stages, ...bare, ...said, historyId: newId() };
        }),
      );
    },
  ],
];

test.each(statements)("%s locks rows in the order of their keys", async (_, table, change) => {
  const middle = rows / 2;
  const blocker = await service.db.pool.connect();
  try {
    await blocker.query("begin");
    await blocker.query(`select from ${table} where id = $1 for update`, [ids[table][middle]]);
    const changing = change();
    await expect.poll(waiting).toBe(1);
    const free = await run(`select id from ${table} for update skip locked`);
    const freeIds = free.rows.map(({ id }) => id).filter((id) => ids[table].includes(id));
    // The statement has locked the rows before the blocked one, and none after it.
    expect(freeIds.sort()).toEqual(ids[table].slice(middle + 1));
    await blocker.query("commit");
    await changing;
  } finally {
    await blocker.query("rollback");
    blocker.release();
  }
});

/** Statements that wait for a lock, in this database. */
async function waiting(): Promise<number> {
  const { rows } = await run(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}

/** The holder of this advisory lock keeps `lockBoth` between its two rows. */
const pauseKey = 4711;

const lockBoth = statement<{ id: string }>(
  "test-lock-both",
  `with first as materialized (select id from receiver where id = $1 for update),
        pause as materialized (select pg_advisory_xact_lock_shared(${pauseKey}) from first)
   select r.id from receiver r, pause where r.id = $2 for update of r`,
);

const waitingFor = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and wait_event = $1`;

test("a statement that PostgreSQL cancels to end a deadlock is retried; a transaction is not", async () => {
  const [one, two] = ids.receiver as [string, string];
  // PostgreSQL cancels the statement that reaches its deadlock timeout first.
  const impatient = connectWith("deadlock_timeout=10ms");
  const withDeadlock = async (work: () => Promise<unknown>) => {
    const other = await service.db.pool.connect();
    const pause = await service.db.pool.connect();
    const waits = (kind: string) =>
      expect.poll(async () => (await pause.query(waitingFor, [kind])).rowCount).toBe(1);
    try {
      await pause.query("select pg_advisory_lock($1)", [pauseKey]);
      await other.query("begin");
      await other.query("set local deadlock_timeout = '10s'");
      await other.query("select from receiver where id = $1 for update", [two]);
      const working = work();
      await waits("advisory");
      const waiting = other
        .query("select from receiver where id = $1 for update", [one])
        .then(() => other.query("commit"));
      await waits("transactionid");
      await pause.query("select pg_advisory_unlock($1)", [pauseKey]);
      await Promise.all([working, waiting]);
    } finally {
      await other.query("rollback");
      other.release();
      pause.release();
    }
  };
  let locked: { id: string }[] = [];
  await withDeadlock(async () => {
    locked = await impatient.run(lockBoth, [one, two]);
  });
  expect(locked).toEqual([{ id: two }]);
  const inTransaction = () => impatient.transaction((tx) => tx.run(lockBoth, [one, two]));
  await expect(withDeadlock(inTransaction)).rejects.toMatchObject({ code: "40P01" });
  await impatient.close();
});
