// The console's lists among two million payouts: the first page, and the first page of every filter, must cost what
// they cost among ten thousand.

import { writeCursor } from "../../server/src/cursor.ts";
import { type ConsoleRequest, signInToConsole } from "../console-user.ts";
import type { Database } from "../database.ts";
import { runLoad } from "../load.ts";
import type { Measure } from "../measure.ts";
import { addPayee } from "../payees.ts";
import { atMost } from "../requirement.ts";
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
  "counts of the tabs": () => "payouts/counts",
  "one payout": ({ id }) => `payouts/${id}`,
  "receivers, first page": () => "receivers",
  "events, first page": () => "events",
};

type Side = {
  count: number;
  subaccountId: string;
  port: number;
  ask: ConsoleRequest;
  sample: Sample;
};

export const measureConsoleLists: Measure = async ({ postgres, servers, scale }) => {
  const sides: Side[] = [];
  for (const count of [scale.payoutsFew, scale.payoutsMany]) {
    const database = await postgres.createDatabase(`lists_${count}`);
    const { subaccountId } = database.caller;
    const payer = await addPayee(database, database.caller);
    await addVariedPayouts(database, payer, count);
    const ask = await signInToConsole(database);
    const { port } = await servers.disburse(database);
    sides.push({ count, subaccountId, port, ask, sample: await sampleOf(database, count) });
  }

  const { aloneRounds: rounds, aloneRoundMs: roundMs, warmUpMs } = scale;
  const figures: Figure[] = [];
  const requirements = [];
  for (const [list, pathOf] of Object.entries(lists)) {
    const measured = await interleave(
      sides.map(({ count, subaccountId, port, ask, sample }) => ({
        name: `${list}, among ${count}`,
        run: (durationMs: number) => {
          const requests = [ask(`/s/${subaccountId}/${pathOf(sample)}`)];
          return runLoad({ port, connections: 1, durationMs, requests, repeat: true });
        },
      })),
      { rounds, roundMs, warmUpMs },
    );
    const [small, large] = Object.values(measured) as [Figure, Figure];
    figures.push(small, large);
    requirements.push(atMost(`${list}: p50 grown`, (large.p50Ms ?? 0) / (small.p50Ms ?? 0), 1.5));
  }
  return {
    title: "Lists of the console",
    how:
      `1 connection, pages of 50, ${scale.payoutsMany} payouts of a subaccount in a year against ` +
      `${scale.payoutsFew}`,
    ...{ figures, requirements },
    notes: [
      "A filter without an index (amounts, the creating key) scans at most 5,000 payouts; the next page continues.",
    ],
  };
};

async function sampleOf({ db, caller }: Database, count: number): Promise<Sample> {
  const { rows } = await db.pool.query<Sample>(
    `select id, receiver_id, account_id, reference, batch_id from payout where subaccount_id = $1
     order by id offset $2 limit 1`,
    [caller.subaccountId, Math.floor(count / 2)],
  );
  if (!rows[0]) throw new Error("there are no payouts");
  return rows[0];
}
