// Delivery to bad endpoints: for each of them a new event, a retried one, and a probe after a failure.

import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { decideRetry, failureScoreMax } from "../../src/webhooks/delivery/retry.ts";
import { startDeliveryWorker } from "../../src/webhooks/delivery/worker.ts";
import type { Posted, Poster } from "../../src/webhooks/http-client/post.ts";
import { badEndpoints, type OpenedEndpoint } from "./bad-endpoints.ts";
import { insertTestEvents, newListener, payoutEvent } from "./committed-events.ts";

const situations = {
  new: { attempts: 0, backoffLevel: 0 },
  retry: { attempts: 3, backoffLevel: 0 },
  probe: { attempts: 1, backoffLevel: 2 },
} as const;
type Situation = keyof typeof situations;

type Case = { name: string; isTimed: boolean; situation: Situation; subaccountId: string };

type Found = {
  subaccount_id: string;
  result: string | null;
  attempts: number | null;
  /** From the end of the attempt to the retry. */
  wait_ms_max: string | null;
  /** From the release of the lane, which follows the record of the attempt, to the retry. */
  wait_ms_min: string | null;
  backoff_level: number;
  owner: number | null;
  is_failing: boolean;
  is_disabled: boolean;
  status: number | null;
};

/** Four times are rounded to milliseconds, and two clocks are used. */
const roundingMs = 10;

const noAnswer: Posted = {
  status: undefined,
  failure: undefined,
  retryAfter: undefined,
  detail: "",
  answer: "",
  tookMs: 0,
};

type DeliveredParts = { db: Db; seal: Seal; poster: Poster; timeoutMs: number };

/** Returns every outcome that differs from the expected one. */
export async function deliverToBadEndpoints(
  { db, seal, poster, timeoutMs }: DeliveredParts,
  endpoints: readonly OpenedEndpoint[],
): Promise<{ cases: number; wrong: string[] }> {
  const cases: Case[] = [];
  // Exact timing is for single calls: here, many start at once.
  for (const { name, url, tests } of endpoints.filter(({ name }) => !/\bjust\b/.test(name))) {
    for (const situation of Object.keys(situations) as Situation[]) {
      const { subaccountId } = await newListener({ db, seal }, url);
      cases.push({ name, isTimed: tests !== undefined, situation, subaccountId });
    }
  }
  const warnings: string[] = [];
  const warn = (_context: object, message: string) => warnings.push(message);
  const first = firstAttempts(poster);
  const delivery = startDeliveryWorker({ db, seal, poster: first.poster, log: { warn } });
  const endMs = performance.now() + timeoutMs;
  const settled = new Map<string, Found>();
  // The endpoints that test a timeout come first, and without the others: nothing else may use up their time.
  for (const isTimed of [true, false]) {
    let waiting = cases.filter((one) => one.isTimed === isTimed);
    await commitCases(db, waiting);
    for (const { subaccountId } of waiting) delivery.hint(subaccountId);
    while (waiting.length > 0 && performance.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      for (const found of await look(db, waiting)) {
        // A lane that is failing was released, and may be claimed again for the retry.
        const isReleased = found.owner === null || found.is_failing;
        if (found.result !== null && isReleased) settled.set(found.subaccount_id, found);
      }
      waiting = waiting.filter(({ subaccountId }) => !settled.has(subaccountId));
    }
  }
  first.endRetries();
  await delivery.close();
  const wrong = cases.flatMap((one) => {
    const found = settled.get(one.subaccountId);
    const difference = found ? differenceOf(one, found) : "did not come to an end";
    return difference ? [`${one.name}, ${one.situation}: ${difference}`] : [];
  });
  return { cases: cases.length, wrong: [...wrong, ...warnings] };
}

/** Makes the first attempt on each lane. Retries wait, so that the state after the first attempt stays. */
function firstAttempts(poster: Poster) {
  const lanes = new Set<string>();
  const retries = Promise.withResolvers<Posted>();
  const ended: Posted = { ...noAnswer, failure: "cut" };
  const post: Poster["post"] = (call, signal) => {
    if (lanes.has(call.lane)) return retries.promise;
    lanes.add(call.lane);
    return poster.post(call, signal);
  };
  return { poster: { ...poster, post }, endRetries: () => retries.resolve(ended) };
}

/** In one transaction, so that the worker sees no event before its situation is set. */
async function commitCases({ pool }: Db, cases: readonly Case[]): Promise<void> {
  const client = await pool.connect();
  await client.query("begin");
  await insertTestEvents(
    client,
    cases.map(({ subaccountId }) => payoutEvent(subaccountId)),
  );
  for (const [situation, { attempts, backoffLevel }] of Object.entries(situations)) {
    const ids = cases.filter((one) => one.situation === situation).map((one) => one.subaccountId);
    await client.query("update delivery set attempts = $2 where subaccount_id = any($1)", [
      ids,
      attempts,
    ]);
    await client.query(
      "update webhook_endpoint set backoff_level = $2, failure_score = $3 where subaccount_id = any($1)",
      [ids, backoffLevel, backoffLevel > 0 ? failureScoreMax : 0],
    );
  }
  await client.query("commit");
  client.release();
}

async function look({ pool }: Db, cases: readonly Case[]): Promise<Found[]> {
  const { rows } = await pool.query(
    `select e.subaccount_id, coalesce(a.failure, case when a.id is not null then 'delivered' end) as result,
            a.status, d.attempts, d.due_at_ms - ms_of_id(a.id) - a.took_ms as wait_ms_max,
            d.due_at_ms - e.failing_since_ms as wait_ms_min,
            e.backoff_level, e.owner, e.failing_since_ms is not null as is_failing,
            e.disabled_at_ms is not null as is_disabled
     from webhook_endpoint e left join delivery d using (subaccount_id)
     left join lateral (select id, failure, status, took_ms from delivery_attempt a
                        where a.subaccount_id = e.subaccount_id order by id limit 1) a on true
     where e.subaccount_id = any($1)`,
    [cases.map(({ subaccountId }) => subaccountId)],
  );
  return rows;
}

function differenceOf({ name, situation }: Case, found: Found): string | undefined {
  const expected = badEndpoints.find((endpoint) => endpoint.name === name)?.expected ?? {};
  const { attempts, backoffLevel } = situations[situation];
  const attempt = attempts + 1;
  const verdicts = [expected.failure].flat().map((failure) => {
    const { status, retryAfter } = expected;
    const posted: Posted = { ...noAnswer, status, retryAfter, failure };
    const facts = { attempt, ageMs: 0, nowMs: Date.now() };
    return { least: decideRetry(posted, facts, 0), most: decideRetry(posted, facts, 1) };
  });
  const verdict = verdicts.find(({ least }) => least.outcome === found.result);
  if (!verdict) return `came to ${found.result}, not ${verdicts.map(({ least }) => least.outcome)}`;
  const { least, most } = verdict;
  if (least.outcome === "delivered") {
    const isDone = found.attempts === null && found.backoff_level === 0 && !found.is_failing;
    return isDone ? undefined : `was delivered, and yet ${JSON.stringify(found)}`;
  }
  // The wait starts between the two times. Both are recorded, so it does not matter when we look.
  const isInTime =
    Number(found.wait_ms_min) <= (most.retryAfterMs ?? 0) + roundingMs &&
    Number(found.wait_ms_max) >= (least.retryAfterMs ?? 0) - roundingMs;
  const isBackingOff = least.failureScore >= failureScoreMax || backoffLevel > 0;
  const wanted = {
    attempts: attempt,
    backoff_level: isBackingOff ? backoffLevel + 1 : 0,
    is_failing: true,
    is_disabled: least.outcome === "gone",
  };
  const wrong = Object.entries(wanted).filter(
    ([key, value]) => found[key as keyof Found] !== value,
  );
  if (wrong.length > 0) return `${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`;
  return isInTime ? undefined : `waits ${found.wait_ms_min} to ${found.wait_ms_max} ms`;
}
