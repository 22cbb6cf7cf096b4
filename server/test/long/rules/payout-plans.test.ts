// What is read to create and to send a payout, and to claim checks, does not grow with the payouts before it, whatever PostgreSQL knows about its tables: with all
// thresholds, and with ten rules that look at everything.

import { expect, test } from "vitest";
import { createPayoutsIn, toPayoutCreation } from "../../../src/money/payouts/create.ts";
import { toPayoutMove } from "../../../src/money/payouts/move.ts";
import { movePayouts } from "../../../src/money/payouts/move-queries.ts";
import type { MoveName } from "../../../src/money/payouts/states.ts";
import { claimPayouts } from "../../../src/money/payouts/worker-queries.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import type { Rule } from "../../../src/money/rules/rule.ts";
import { claimPayeeChecks } from "../../../src/people/accounts/payee-check-queries.ts";
import { claimSteps } from "../../../src/people/kyc/queries.ts";
import type { Caller } from "../../../src/platform/base/caller.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { connect, type Db, statement, type Tx } from "../../../src/platform/db/connect.ts";
import { createSubaccount } from "../../../src/tenants/subaccounts/create.ts";
import { ruleOf, switchRules } from "../../support/rules.ts";
import { newDatabase } from "../../support/service.ts";

const earlier = 10_000;
const atOnce = 5;
/** Indexes grow in height. One payout that reads all earlier ones reads far more. */
const slack = 150;
const rails = railDirectory([
  { mode: "live", rail: { ...sandboxRail({ delayMs: 86_400_000 }), id: "live-bank" } },
]);

const conditions: Rule["when"][] = [
  { fact: "sum", of: "receiver", window: "hour", above: 100_000_000 },
  { fact: "sum", of: "account", window: "day", above: 100_000_000 },
  { fact: "sum", of: "subaccount", window: "month", above: 100_000_000 },
  { fact: "count", of: "receiver", window: "month", above: 100_000_000 },
  { fact: "first_payout" },
  { fact: "shared_account" },
  { fact: "above_median", times: 100 },
  { fact: "details_changed", within_hours: 1 },
  { fact: "payee_name", in: ["no_match"] },
  { fact: "identity_review" },
];
const tenRules = conditions.map((when, index) =>
  ruleOf({ id: `rule-${index}`, currency: "AUD", when, act: { act: "second_person" } }),
);

type Payee = { caller: Caller; receiverId: string; accountId: string };

/** Without the checks of foreign keys, which PostgreSQL plans by itself: with old statistics they would take minutes. */
async function insertAtOnce(db: Db, text: string, values: unknown[]): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    await client.query(text, values);
    await client.query("commit");
  } finally {
    client.release();
  }
}

/** A receiver with an account for each of the ids, and balances. */
async function addPayees(db: Db, subaccountIds: readonly string[]): Promise<void> {
  await insertAtOnce(
    db,
    `with payee as materialized (
       select id as subaccount_id, uuidv7() as receiver_id, uuidv7() as account_id from unnest($1::uuid[]) id
     ), balances as (
       insert into ledger_balance (subaccount_id, currency, available, bank)
       select distinct subaccount_id, 'AUD', 1000000000, 1000000000 from payee on conflict do nothing
     ), receivers as (
       insert into receiver (subaccount_id, id, first_name, last_name, middle_name, email, email_key, gender, dob, dialcode,
         phone, address, address2, city, state, postcode, country, reference, applicant_id, status, kyc_status, created_at_ms,
         kyc_step, kyc_due_at_ms)
       select subaccount_id, receiver_id, 'Ada', 'Lovelace', '', 'ada', receiver_id::text, '', '', '', '', '', '', '', '', '', 'AUS', '', '',
         'active', 'completed', 1, 'ask', 1 from payee
     ), accounts as (
       insert into receiver_account (subaccount_id, id, receiver_id, country, receiver_accepted, created_at_ms)
       select subaccount_id, account_id, receiver_id, 'AUS', true, 1 from payee
     ), checks as (
       insert into payee_name_check (subaccount_id, id, account_id, version, mode, due_at_ms)
       select subaccount_id, uuidv7(), account_id, 1, 'live', 1 from payee
     )
     insert into bank_details (subaccount_id, account_id, version, country, individual_or_business, account_number_sealed,
       account_number_tail, bsb, bank_code, bank_name, abn, acn, nzbn, created_at_ms, created_by, account_number_mark)
     select subaccount_id, account_id, 1, 'AUS', 'I', '', right(account_id::text, 4), '062000', 'CBA', '', '', '', '', 1, 'key:none',
       'mark ' || account_id from payee`,
    [subaccountIds],
  );
}

async function findPayee(db: Db, caller: Caller): Promise<Payee> {
  const { rows } = await db.pool.query<{ id: string; receiver_id: string }>(
    "select id, receiver_id from receiver_account where subaccount_id = $1",
    [caller.subaccountId],
  );
  const [row] = rows;
  if (!row) throw new Error("no such payee");
  return { caller, receiverId: row.receiver_id, accountId: row.id };
}

/** To the account of each subaccount, all of them accepted and counted, none paid. */
async function addPayouts(db: Db, subaccountIds: readonly string[], count: number): Promise<void> {
  await insertAtOnce(
    db,
    `with made as (
       insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency, reference, note,
         status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms, created_by, due_at_ms)
       select a.subaccount_id, uuidv7(), a.receiver_id, a.id, 1, 1, 'AUD', 'reference ' || n, '', 'pending', 'queued', '', '',
         'live-bank', '', 1, 1, 'key:none', 1
       from receiver_account a cross join generate_series(1, $2::int) n where a.subaccount_id = any($1::uuid[])
       returning subaccount_id, id, reference
     ), numbered as (
       select *, row_number() over (partition by subaccount_id order by id) as number from made
     ), transfers as (
       insert into ledger_transfer (subaccount_id, currency, number, id, debit, credit, amount, kind, payout_id, reference,
         available_after, held_after, created_at_ms, created_by)
       select m.subaccount_id, 'AUD', b.transfers + m.number, gen_random_uuid(), 'available', 'held', 1, 'hold', m.id,
         m.reference, 0, 0, 1, 'key:none'
       from numbered m join ledger_balance b on b.subaccount_id = m.subaccount_id
     ), events as (
       insert into event (subaccount_id, id, order_key, type, body, created_at_ms, wanted)
       select subaccount_id, gen_random_uuid(), id, 'payoutCreated', '{}', 1, false from made
     ), counts as (
       insert into payout_count (subaccount_id, currency, subject_id, epoch, at_ms, number, total)
       select c.subaccount_id, c.currency, c.subject_id, c.epoch, c.at_ms, c.number + n, c.total + n
       from (
         select distinct on (subaccount_id, subject_id, epoch) * from payout_count
         where subaccount_id = any($1::uuid[]) order by subaccount_id, subject_id, epoch, number desc
       ) c cross join generate_series(1, $2::int) n
     ), totals as (
       update payout_day_total set total = total + $2 where subaccount_id = any($1::uuid[])
     )
     update ledger_balance set transfers = transfers + $2, available = available - $2, held = held + $2,
       day_total = case day_total when 0 then 0 else day_total + $2 end
     where subaccount_id = any($1::uuid[])`,
    [subaccountIds, count],
  );
}

const blocksFetched = statement<{ blocks: string }>(
  "test-blocks-fetched",
  `select sum(pg_stat_get_xact_blocks_fetched(oid)) as blocks from pg_class where relnamespace = 'public'::regnamespace`,
);

/** Works in one transaction. Returns the blocks that each of its statements has read. */
function blocksOf(db: Db, work: (tx: Tx) => Promise<void>): Promise<Map<string, number>> {
  return db.transaction(async (tx) => {
    const counted = new Map<string, number>();
    const fetched = async () => Number((await tx.run(blocksFetched))[0]?.blocks ?? 0);
    await work({
      ...tx,
      async run(one, values) {
        const before = await fetched();
        const rows = await tx.run(one, values);
        counted.set(one.name, (counted.get(one.name) ?? 0) + (await fetched()) - before);
        return rows;
      },
    });
    return counted;
  });
}

async function create(tx: Tx, { caller, receiverId, accountId }: Payee): Promise<void> {
  const creations = Array.from({ length: atOnce }, () =>
    toPayoutCreation(caller, {
      receiverId,
      accountId,
      amount: 1n,
      currency: "AUD",
      reference: newId(),
      note: "",
      allowDuplicate: false,
      sendOn: "",
      statementReference: "",
      purpose: "",
    }),
  );
  const outcomes = await createPayoutsIn(tx, rails, creations);
  expect(outcomes).toEqual(creations.map(({ answer }) => ({ body: answer, replayed: false })));
}

/** As the worker does: it claims payouts, sends them, and the bank pays some and rejects one. */
async function send(tx: Tx, { caller: { subaccountId } }: Payee): Promise<void> {
  const [nowMs, leaseUntilMs] = [Date.now() + 60_000, Date.now() + 120_000];
  const turn = { subaccountIds: [subaccountId], share: atOnce };
  const rail = "live-bank";
  const claimed = await claimPayouts(tx, { rail, nowMs, leaseUntilMs, limit: atOnce, turn });
  const moveAll = async (move: MoveName, some: typeof claimed) => {
    const request = { move, who: `rail:${rail}`, reason: "", atMs: nowMs };
    const moves = some.map((payout) => toPayoutMove(payout, request));
    expect((await movePayouts(tx, moves)).size).toBe(some.length);
  };
  expect(claimed).toHaveLength(atOnce);
  await moveAll("submit", claimed);
  await moveAll("settle", claimed.slice(1));
  await moveAll("reject", claimed.slice(0, 1));
}

/** As the workers of identity checks and payee name checks do. */
async function check(tx: Tx, { caller: { subaccountId } }: Payee): Promise<void> {
  const turn = { subaccountIds: [subaccountId], share: 1 };
  const claim = { nowMs: Date.now(), leaseUntilMs: Date.now() + 60_000, limit: 1, turn };
  await claimSteps(tx, { ...claim, provider: "manual" });
  await claimPayeeChecks(tx, { ...claim, mode: "live" });
}

async function blocksRead(db: Db, payee: Payee): Promise<Map<string, number>> {
  const created = await blocksOf(db, (tx) => create(tx, payee));
  const sent = await blocksOf(db, (tx) => send(tx, payee));
  const checked = await blocksOf(db, (tx) => check(tx, payee));
  return new Map([...created, ...sent, ...checked]);
}

type State = { db: Db; hot: string; others: readonly string[] };
const analyse = (db: Db) => db.pool.query("analyze");

const states: Record<string, (state: State) => Promise<unknown>> = {
  "never analysed": async () => {},
  "analysed while empty": ({ db }) => analyse(db),
  "analysed with five payouts": async ({ db, hot }) => {
    await addPayouts(db, [hot], 5);
    await analyse(db);
  },
  "analysed with 1,000 subaccounts": async ({ db, others }) => {
    await addPayees(db, others);
    await analyse(db);
  },
  "analysed with 1,000 that paid once": async ({ db, others }) => {
    await addPayees(db, others);
    await addPayouts(db, others, 1);
    await analyse(db);
  },
};

const lastState = Object.keys(states).at(-1) as string;
const cases = [
  ...Object.keys(states).map((state) => ({ state, rules: tenRules })),
  // Without rules the statement is another one.
  { state: lastState, rules: [] },
];

test.each(cases)("$state, $rules.length rules", async ({ state, rules }) => {
  const { db: first, seal, url } = await newDatabase();
  await first.pool.query(
    `do $$ declare name text; begin
       for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
         execute format('alter table %I set (autovacuum_enabled = off)', name);
       end loop;
     end $$`,
  );
  const made = await createSubaccount({ db: first, seal }, { name: "Hot", mode: "live" });
  const { subaccountId, key } = made;
  const others = Array.from({ length: 1_000 }, newId);
  await first.pool.query(
    `insert into subaccount (id, mode, suba_name, created_at_ms)
     select id, 'live', 'Other', 1 from unnest($1::uuid[]) id`,
    [others],
  );
  await addPayees(first, [subaccountId]);
  if (rules.length > 0) await switchRules(first, rules);
  await states[state]?.({ db: first, hot: subaccountId, others });
  // Enough to send until there are many.
  await addPayouts(first, [subaccountId], 200);
  const caller: Caller = { subaccountId, mode: "live", key, requestId: newId(), nonce: undefined };
  const payee = await findPayee(first, caller);
  await first.close();
  // As large as in production, so that shared batches have their own connections.
  const connectNew = () => connect({ connection: { connectionString: url }, poolMax: 20 });
  const early = connectNew();
  // PostgreSQL keeps the plans that it makes after some calls.
  for (let round = 0; round < 8; round += 1) {
    await blocksRead(early.shared, payee);
    await blocksRead(early, payee);
  }
  const read = async (db: Db) => [await blocksRead(db.shared, payee), await blocksRead(db, payee)];
  const few = await read(early);
  await addPayouts(early.shared, [subaccountId], earlier);
  await addPayees(early.shared, Array(earlier).fill(subaccountId));
  // The first payout after it reads the totals again.
  await read(early);
  const late = connectNew();
  const many = { early: await read(early), late: await read(late), analysed: few };
  await late.pool.query("analyze");
  many.analysed = await read(late);
  await Promise.all([early.close(), late.close()]);
  for (const [plan, pools] of Object.entries(many)) {
    for (const [pool, statements] of pools.entries()) {
      for (const [name, blocks] of statements) {
        const before = few[pool]?.get(name) ?? 0;
        expect({ plan, pool, name, blocks, before }).toEqual({
          plan,
          pool,
          name,
          before,
          blocks: expect.toSatisfy((now: number) => now <= 2 * before + slack),
        });
      }
    }
  }
});
