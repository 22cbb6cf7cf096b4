// The console's lists and its search among two million payouts: the first page, the first page of every filter, and each
// kind of search must cost what they cost among ten thousand.

import { indexSearchPage } from "../../server/src/doors/console/search/word-indexer.ts";
import { firstIdOf, writeCursor } from "../../server/src/platform/base/cursor.ts";
import { addConnection } from "../bank-side.ts";
import { type ConsoleRequest, signInToConsole } from "../console-user.ts";
import { type Database, settle } from "../database.ts";
import { runLoad } from "../load.ts";
import type { Measure, Measured } from "../measure.ts";
import { addNamedReceivers, rareName } from "../named-receivers.ts";
import { addPayee } from "../payees.ts";
import { atMost, type Requirement } from "../requirement.ts";
import { type Figure, interleave } from "../rounds.ts";
import { addVariedPayouts, person } from "../varied-payouts.ts";

type Sample = {
  id: string;
  receiver_id: string;
  account_id: string;
  reference: string;
  batch_id: string;
};

const dayMs = 86_400_000;
/** One receiver for this many payouts, and at least so many that each kind of search fills a page. */
const receiversShare = 4;
const receiversMin = 10_000;

/** The path of each list, below the subaccount, made from a payout in the middle of the year. */
const lists: Record<string, (sample: Sample) => string> = {
  "first page": () => "payouts",
  "any page": ({ id }) => `payouts?cursor=${writeCursor(id)}`,
  "status=pending": () => "payouts?status=pending",
  "status=successful": () => "payouts?status=successful",
  "status=failed": () => "payouts?status=failed",
  "stage=awaiting_approval": () => "payouts?stage=awaiting_approval",
  "stage=queued": () => "payouts?stage=queued",
  "stage=returned": () => "payouts?stage=returned",
  "currency=AUD": () => "payouts?currency=AUD",
  "currency=USD, one in 180": () => "payouts?currency=USD",
  "status=failed, currency=NZD": () => "payouts?status=failed&currency=NZD",
  "an amount that one in fifty has": () => "payouts?amount_min=98000",
  "an amount that none has": () => "payouts?amount_min=200000",
  "an amount that none has, currency=AUD": () => "payouts?amount_min=200000&currency=AUD",
  receiver_id: ({ receiver_id }) => `payouts?receiver_id=${receiver_id}`,
  receiver_account_id: ({ account_id }) => `payouts?receiver_account_id=${account_id}`,
  reference: ({ reference }) => `payouts?reference=${reference}`,
  batch_id: ({ batch_id }) => `payouts?batch_id=${batch_id}`,
  "from and to": () => `payouts?from=${Date.now() - 40 * dayMs}&to=${Date.now() - 10 * dayMs}`,
  "created_by a user": () => `payouts?created_by=${person}`,
  "created_by an unknown key": () => "payouts?created_by=key:unknown",
  "oldest first": () => "payouts?sort=created",
  "sort=-amount": () => "payouts?sort=-amount",
  "sort=updated": () => "payouts?sort=updated",
  "sort=receiver": () => "payouts?sort=receiver",
  "sort=-amount, one batch": ({ batch_id }) => `payouts?sort=-amount&batch_id=${batch_id}`,
  "sum of a filter": ({ batch_id }) => `payouts/sum?batch_id=${batch_id}`,
  "the pipeline": () => "payouts/board",
  "counts of the tabs": () => "payouts/counts",
  "one payout": ({ id }) => `payouts/${id}`,
  batches: () => "batches",
  "one batch": ({ batch_id }) => `batches/${batch_id}`,
  "receivers, first page": () => "receivers",
  "receivers, sort=name": () => "receivers?sort=name",
  "events, first page": () => "events",
  "events that failed": () => "events?status=undelivered",
};

const searches: Record<string, (sample: Sample) => string> = {
  "search: a name that ten have": () => `search?q=${encodeURIComponent(rareName)}`,
  "search: a name that one in forty has": () => "search?q=maria",
  "search: two letters": () => "search?q=ma",
  "search: two names that many have": () => "search?q=maria%20muller",
  "search: a part of a reference": ({ reference }) => `search?q=${reference.slice(0, 12)}`,
  "search: a code of a bank": () => "search?q=AC04",
  "search: an amount": () => "search?q=500.00%20AUD",
  "search: the start of an id": ({ id }) => `search?q=${id.slice(0, 13)}`,
  "search: a text that nothing contains": () => "search?q=xyzzyx",
  "receivers, by a text": () => "receivers?q=maria",
};

/** Three bank files on each day. */
const filesOfDay = 3;
const daysFew = 60;
const daysMany = 3650;

type Side = {
  count: number;
  subaccountId: string;
  port: number;
  ask: ConsoleRequest;
  sample: Sample;
  /** The calendar of a bank connection belongs to no subaccount. */
  calendar: string;
};
type Paths = Record<string, (side: Side) => string>;

const inSubaccount = (of: Record<string, (sample: Sample) => string>): Paths =>
  Object.fromEntries(
    Object.entries(of).map(([name, pathOf]) => [
      name,
      ({ subaccountId, sample }) => `/s/${subaccountId}/${pathOf(sample)}`,
    ]),
  );

export const measureConsoleLists: Measure = async (parts) => ({
  title: "Lists of the console",
  ...(await measurePaths(parts, {
    ...inSubaccount(lists),
    "calendar of a bank": ({ calendar }) => calendar,
  })),
  notes: [
    "A filter without an index (amounts, the creating key) scans at most 5,000 payouts; the next page continues.",
    "A sort reads at most the newest 10,000 payouts of its filter, so it costs more where a filter matches more.",
  ],
});

export const measureConsoleSearch: Measure = async (parts) => ({
  title: "Search of the console",
  ...(await measurePaths(parts, inSubaccount(searches), { withWords: true })),
  notes: [],
});

async function measurePaths(
  { postgres, servers, scale }: Parameters<Measure>[0],
  paths: Paths,
  { withWords = false } = {},
): Promise<Pick<Measured, "how" | "figures" | "requirements">> {
  const sides: Side[] = [];
  for (const count of [scale.payoutsFew, scale.payoutsMany]) {
    const database = await postgres.createDatabase(`${withWords ? "search" : "lists"}_${count}`);
    const { subaccountId } = database.caller;
    const payer = await addPayee(database, database.caller);
    await addVariedPayouts(database, payer, count);
    await addNamedReceivers(database, Math.max(count / receiversShare, receiversMin));
    if (withWords) await writeWords(database);
    const days = count === scale.payoutsFew ? daysFew : daysMany;
    const calendar = `/banks/connections/${await addBankFiles(database, days)}/calendar`;
    const ask = await signInToConsole(database);
    const { port } = await servers.disburse(database);
    const sample = await sampleOf(database, count);
    sides.push({ count, subaccountId, port, ask, sample, calendar });
  }

  const { aloneRounds: rounds, aloneRoundMs: roundMs, warmUpMs } = scale;
  const figures: Figure[] = [];
  const requirements: Requirement[] = [];
  for (const [name, pathOf] of Object.entries(paths)) {
    const measured = await interleave(
      sides.map((side) => ({
        name: `${name}, among ${side.count}`,
        run: (durationMs: number) => {
          const { port, ask } = side;
          const requests = [ask(pathOf(side))];
          return runLoad({ port, connections: 1, durationMs, requests, repeat: true });
        },
      })),
      { rounds, roundMs, warmUpMs },
    );
    const [small, large] = Object.values(measured) as [Figure, Figure];
    figures.push(small, large);
    requirements.push(atMost(`${name}: p50 grown`, (large.p50Ms ?? 0) / (small.p50Ms ?? 0), 1.5));
  }
  const how =
    `1 connection, pages of 50, ${scale.payoutsMany} payouts and ${scale.payoutsMany / receiversShare} receivers of a ` +
    `subaccount in a year against ${scale.payoutsFew} and ${receiversMin}`;
  return { how, figures, requirements };
}

/** All words of the search, as its first use in the subaccount writes them. */
async function writeWords({ db, caller }: Database): Promise<void> {
  const untilId = firstIdOf(Date.now());
  while (await indexSearchPage(db, caller.subaccountId, untilId));
  await settle(db);
}

/** Returns the bank connection. */
async function addBankFiles(database: Database, days: number): Promise<string> {
  const { id } = await addConnection(database);
  await database.db.pool.query(
    `insert into bank_batch (id, connection_id, sequence, status, process_date, cutoff_ms, payouts, total, currency,
       file_name, file_sha256, file_bytes, frozen_at_ms, frozen_by)
     select uuidv7(make_interval(days => -day)), $1, day * ${filesOfDay} + file + 1, 'accepted',
       to_char(now() - make_interval(days => day), 'YYYY-MM-DD'), 0, 10, 1000, 'AUD', '', '', 1, 0, 'bench'
     from generate_series(0, $2::int - 1) as day cross join generate_series(0, ${filesOfDay - 1}) as file`,
    [id, days],
  );
  await settle(database.db);
  return id;
}

async function sampleOf({ db, caller }: Database, count: number): Promise<Sample> {
  const { rows } = await db.pool.query<Sample>(
    `select id, receiver_id, account_id, reference, batch_id from payout where subaccount_id = $1
     order by id offset $2 limit 1`,
    [caller.subaccountId, Math.floor(count / 2)],
  );
  if (!rows[0]) throw new Error("there are no payouts");
  return rows[0];
}
