// The overview, the balances and the reconciliation among two million payouts: their figures are stored, so reading them must cost
// the same as among ten thousand. The time of the first roll-up is noted.

import { setTimeout as sleep } from "node:timers/promises";
import { type ConsoleRequest, signInToConsole } from "../console-user.ts";
import { type Database, settle } from "../database.ts";
import { runLoad } from "../load.ts";
import type { Measure } from "../measure.ts";
import { addPayee, type Payer } from "../payees.ts";
import { progressBar, say } from "../progress.ts";
import { atMost } from "../requirement.ts";
import { type Figure, interleave } from "../rounds.ts";

const chunk = 5_000;

const looks: Record<string, (subaccountId: string) => string> = {
  "overview, 24h": (id) => `/s/${id}/overview?range=24h`,
  "overview, 7d": (id) => `/s/${id}/overview?range=7d`,
  "overview, 30d in Melbourne": (id) => `/s/${id}/overview?range=30d&time_zone=Australia/Melbourne`,
  "overview, 90d in Adelaide": (id) => `/s/${id}/overview?range=90d&time_zone=Australia/Adelaide`,
  "reconcile, this month": (id) => `/s/${id}/reconcile`,
  "webhook charts, 30 days in Adelaide": (id) =>
    `/s/${id}/webhook/deliveries?days=30&time_zone=Australia/Adelaide`,
  balances: (id) => `/s/${id}/balances`,
  "money flow, this month": (id) => `/s/${id}/balances/flow?currency=AUD`,
  "lines of a balance, this month": (id) => `/s/${id}/balances/lines?currency=AUD`,
};

type Side = { count: number; subaccountId: string; port: number; ask: ConsoleRequest };

export const measureConsoleOverview: Measure = async ({ postgres, servers, scale }) => {
  const sides: Side[] = [];
  const notes: string[] = [];
  for (const count of [scale.payoutsFew, scale.payoutsMany]) {
    const database = await postgres.createDatabase(`overview_${count}`);
    const payer = await addPayee(database, database.caller);
    await addPayouts(database, payer, count);
    const ask = await signInToConsole(database);
    const { port } = await servers.disburse(database);
    const side = { count, subaccountId: database.caller.subaccountId, port, ask };
    notes.push(
      `${count} payouts were added up for the first time in ${await addUp(side, database)} s.`,
    );
    await settle(database.db);
    sides.push(side);
  }

  const { aloneRounds: rounds, aloneRoundMs: roundMs, warmUpMs } = scale;
  const figures: Figure[] = [];
  const requirements = [];
  for (const [look, pathOf] of Object.entries(looks)) {
    const measured = await interleave(
      sides.map(({ count, subaccountId, port, ask }) => ({
        name: `${look}, among ${count}`,
        run: (durationMs: number) => {
          const requests = [ask(pathOf(subaccountId))];
          return runLoad({ port, connections: 1, durationMs, requests, repeat: true });
        },
      })),
      { rounds, roundMs, warmUpMs },
    );
    const [small, large] = Object.values(measured) as [Figure, Figure];
    figures.push(small, large);
    requirements.push(atMost(`${look}: p50 grown`, (large.p50Ms ?? 0) / (small.p50Ms ?? 0), 1.5));
  }
  return {
    title: "Overview, balances and reconciliation",
    how: `1 connection, ${scale.payoutsMany} payouts of a subaccount in a year against ${scale.payoutsFew}, the same number at the bank`,
    ...{ figures, requirements, notes },
  };
};

/** Seconds until the roll-ups are complete. The first request starts them, and they continue by themselves. */
async function addUp(side: Side, { db }: Database): Promise<string> {
  const startMs = performance.now();
  for (;;) {
    const requests = [side.ask(`/s/${side.subaccountId}/overview`)];
    await runLoad({ port: side.port, connections: 1, durationMs: 1, requests, repeat: true });
    const { rows } = await db.pool.query<{ left: string }>(
      `select sum(b.transfers - coalesce(c.number, 0)) as left
       from ledger_balance b left join rollup_cursor c using (subaccount_id, currency)`,
    );
    say(`adding up: ${rows[0]?.left} left`);
    if (Number(rows[0]?.left) === 0) break;
    await sleep(500);
  }
  return ((performance.now() - startMs) / 1000).toFixed(1);
}

/** Payouts of a year with all their transfers, and a delivery attempt for each of the last month. */
async function addPayouts(database: Database, payer: Payer, count: number): Promise<void> {
  const bar = progressBar(`${count} payouts`, count);
  const { caller, receiverId, accountId } = payer;
  for (let done = 0; done < count; done += chunk) {
    const last = Math.min(done + chunk, count);
    const values = [caller.subaccountId, receiverId, accountId, done + 1, last, count, Date.now()];
    await database.db.pool.query(insert, values);
    bar(last);
  }
  await settle(database.db);
}

const yearMs = 31_536_000_000;

// The last forty are still at the bank, one in eighty was refused, the others were paid within the hour.
const insert = `
  with made as materialized (
    select n, at_ms, least(at_ms + 30000 + (n::bigint * 7919 % 3600) * 1000, $7::bigint) as end_ms,
      case when n > $6::int - 40 then 'submitted' when n % 80 = 0 then 'rejected' else 'settled' end as stage,
      overlay(first_id_of(at_ms)::text placing '7' || substr(gen_random_uuid()::text, 16) from 15)::uuid as id
    from generate_series($4::int, $5::int) as n
    cross join lateral (
      select $7::bigint - (${yearMs}::float8 * ($6::int - n) / $6::int)::bigint as at_ms
    ) t
  ), payouts as (
    insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency, reference,
      note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms, updated_at_ms, created_by)
    select $1::uuid, id, $2::uuid, $3::uuid, 1, 100, 'AUD', md5(n::text), '',
      case stage when 'submitted' then 'pending' when 'rejected' then 'failed' else 'successful' end, stage,
      case stage when 'rejected' then (array['account closed', 'no such account', 'invalid BSB'])[n % 3 + 1]
        else '' end,
      '', 'sandbox', 'x', at_ms, end_ms, 'service'
    from made
  ), attempts as (
    insert into delivery_attempt (subaccount_id, event_id, id, number, status, failure, detail, took_ms, answer)
    select $1::uuid, id, id, 1, 200, null, '', n % 300, '' from made where at_ms > $7::bigint - 2592000000
  ), moves as (
    select n, id, at_ms, 0 as place, 'hold' as kind, 'available' as debit, 'held' as credit from made
    union all
    select n, id, least(at_ms + 1000, end_ms), 1, 'submit', 'held', 'clearing:sandbox' from made
    union all
    select n, id, end_ms, 2, case stage when 'rejected' then 'reject' else 'settle' end, 'clearing:sandbox',
      case stage when 'rejected' then 'available' else 'bank' end
    from made where stage <> 'submitted'
  ), effects as (
    select *, row_number() over earlier as step,
      100 * sum((credit = 'available')::int - (debit = 'available')::int) over earlier as available,
      100 * sum((credit = 'held')::int - (debit = 'held')::int) over earlier as held
    from moves window earlier as (order by at_ms, place, n rows unbounded preceding)
  ), written as (
    insert into ledger_transfer (subaccount_id, currency, number, id, debit, credit, amount, kind, payout_id,
      reference, available_after, held_after, created_at_ms, created_by)
    select $1::uuid, 'AUD', b.transfers + e.step, gen_random_uuid(), e.debit, e.credit, 100, e.kind, e.id,
      md5(e.n::text), b.available + e.available, b.held + e.held, e.at_ms, 'service'
    from effects e cross join ledger_balance b where b.subaccount_id = $1::uuid and b.currency = 'AUD'
  )
  update ledger_balance b
  set transfers = b.transfers + t.transfers, available = b.available + 100 * t.available,
      held = b.held + 100 * t.held, clearing = b.clearing + 100 * t.clearing, bank = b.bank - 100 * t.paid
  from (
    select count(*) as transfers,
      sum((credit = 'available')::int - (debit = 'available')::int) as available,
      sum((credit = 'held')::int - (debit = 'held')::int) as held,
      sum((credit like 'clearing%')::int - (debit like 'clearing%')::int) as clearing,
      sum((credit = 'bank')::int) as paid
    from moves
  ) t
  where b.subaccount_id = $1::uuid and b.currency = 'AUD'`;
