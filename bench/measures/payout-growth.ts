// Growth of payouts: creating one, reading one and reading a page, also of those with some metadata, must cost the same
// among two million as among ten thousand.

import { randomUUID } from "node:crypto";
import { writeCursor } from "../../server/src/platform/base/cursor.ts";
import { type Database, settle } from "../database.ts";
import { runLoad } from "../load.ts";
import type { Measure } from "../measure.ts";
import { addPayee, type Payer } from "../payees.ts";
import { progressBar } from "../progress.ts";
import { requestBuilder } from "../requests.ts";
import { atMost } from "../requirement.ts";
import { type Figure, interleave } from "../rounds.ts";

const chunk = 20_000;
const readsRepeated = 3_000;
const createsPerSecondMost = 2_000;

type Side = { count: number; payer: Payer; port: number; ids: string[] };

export const measurePayoutGrowth: Measure = async ({ postgres, servers, scale }) => {
  const sides: Side[] = [];
  for (const count of [scale.payoutsFew, scale.payoutsMany]) {
    const database = await postgres.createDatabase(`payouts_${count}`);
    const payer = await addPayee(database, database.caller);
    await addPayouts(database, payer, count);
    const ids = await sampleIds(database);
    const { port } = await servers.disburse(database);
    sides.push({ count, payer, port, ids });
  }

  const reading = (pathOf: (id: string, index: number) => string) => (side: Side) => {
    const build = requestBuilder(side.payer.caller, 1);
    return side.ids.map((id, index) => build({ method: "GET", path: pathOf(id, index) }));
  };
  const kinds: Record<
    string,
    { requests: (side: Side, durationMs: number) => Buffer[]; repeat: boolean }
  > = {
    "create payout": { requests: creates, repeat: false },
    "payout by id": { requests: reading((id) => `/api/payout/${id}`), repeat: true },
    "page of payouts": {
      requests: reading((id) => `/api/payout?limit=20&cursor=${writeCursor(id)}`),
      repeat: true,
    },
    "page of payouts, status=pending": {
      requests: reading(() => "/api/payout?limit=20&status=pending"),
      repeat: true,
    },
    "page of payouts, metadata of 1 in 100": {
      requests: reading((_, index) => `/api/payout?limit=20&metadata[team]=${index % 100}`),
      repeat: true,
    },
    "payout by its metadata": {
      requests: reading((_, index) => `/api/payout?limit=20&metadata[order]=${index + 1}`),
      repeat: true,
    },
    "page of the statement": {
      requests: reading(
        (_, index) => `/api/balance/entries?currency=AUD&limit=20&cursor=${index + 100}`,
      ),
      repeat: true,
    },
  };

  const { aloneRounds: rounds, aloneRoundMs: roundMs, warmUpMs } = scale;
  const figures: Figure[] = [];
  const requirements = [];
  for (const [kind, { requests, repeat }] of Object.entries(kinds)) {
    const measured = await interleave(
      sides.map((side) => ({
        name: `${kind}, among ${side.count}`,
        run: (durationMs: number) =>
          runLoad({
            port: side.port,
            connections: 1,
            durationMs,
            requests: requests(side, durationMs),
            repeat,
          }),
      })),
      { rounds, roundMs, warmUpMs },
    );
    const [small, large] = Object.values(measured) as [Figure, Figure];
    figures.push(small, large);
    requirements.push(atMost(`${kind}: p50 grown`, (large.p50Ms ?? 0) / (small.p50Ms ?? 0), 1.25));
  }
  return {
    title: "Growth of payouts",
    how: `1 connection, ${scale.payoutsMany} payouts of a subaccount against ${scale.payoutsFew}`,
    figures,
    requirements,
    notes: [],
  };
};

function creates({ payer }: Side, durationMs: number): Buffer[] {
  const build = requestBuilder(payer.caller, 1);
  const length = Math.ceil((createsPerSecondMost * durationMs) / 1000);
  return Array.from({ length }, () => {
    const { receiverId: receiver_id, accountId: account_id } = payer;
    const payout = {
      receiver_id,
      account_id,
      amount: 100,
      currency: "AUD",
      reference: randomUUID(),
    };
    return build({ method: "POST", path: "/api/payout/single", body: JSON.stringify(payout) });
  });
}

async function sampleIds({ db, caller }: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>(
    "select id from payout where subaccount_id = $1 order by random() limit $2",
    [caller.subaccountId, readsRepeated],
  );
  return rows.map(({ id }) => id);
}

/** Payouts of a year, all paid, each with the transfer that held it and the one that paid it. */
export async function addPayouts(database: Database, payer: Payer, count: number): Promise<void> {
  const bar = progressBar(`${count} payouts`, count);
  for (let done = 0; done < count; done += chunk) {
    const last = Math.min(done + chunk, count);
    const { caller, receiverId, accountId } = payer;
    const values = [caller.subaccountId, receiverId, accountId, done + 1, last, count];
    await database.db.pool.query(insert, values);
    bar(last);
  }
  await database.db.pool.query(
    `update ledger_balance set transfers = transfers + $2, available = available - $2 * 100::bigint,
       held = held + $2 * 100::bigint where subaccount_id = $1`,
    [payer.caller.subaccountId, count],
  );
  await settle(database.db);
}

const insert = `
  with made as (
    insert into payout (subaccount_id, id, receiver_id, account_id, account_version, amount, currency,
      reference, note, status, stage, cause, cause_code, rail, provider_reference, created_at_ms,
      updated_at_ms, created_by, metadata)
    select $1::uuid, uuidv7(make_interval(secs => -31536000::float8 * ($6::float8 - n) / $6)), $2::uuid,
      $3::uuid, 1, 100, 'AUD', md5(n::text), '',
      case when n % 50 = 0 then 'pending' else 'successful' end,
      case when n % 50 = 0 then 'submitted' else 'settled' end, '', '', 'sandbox', 'x', 0, 0, 'service',
      json_build_object('order', n::text, 'team', (n % 100)::text)
    from generate_series($4::int, $5::int) as n
    returning id, reference, metadata
  ), entries as (
    insert into metadata_entry (subaccount_id, hash, object_id)
    select $1::uuid, substring(sha256(convert_to('payout ' || key || '=' || value, 'UTF8')) for 16), id
    from made cross join json_each_text(metadata) as entry(key, value)
  )
  insert into ledger_transfer (subaccount_id, currency, number, id, debit, credit, amount, kind, payout_id,
    reference, available_after, held_after, created_at_ms, created_by)
  select $1::uuid, 'AUD', $4::int + row_number() over (order by id), gen_random_uuid(), 'available', 'held',
    100, 'hold', id, reference, 0, 0, 1, 'service'
  from made`;
