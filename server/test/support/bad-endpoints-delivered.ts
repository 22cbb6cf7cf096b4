// Delivery to bad endpoints: for each of them a new event, a retried one, and a probe after a failure.

import type { Db } from "../../src/db/connect.ts";
import type { Posted, Poster } from "../../src/delivery/http-client/post.ts";
import { decideRetry, failureScoreMax } from "../../src/delivery/retry.ts";
import { startDeliveryWorker } from "../../src/delivery/worker.ts";
import type { Seal } from "../../src/seal.ts";
import { badEndpoints, type OpenedEndpoint } from "./bad-endpoints.ts";
import { commitEvents, newListener, payoutEvent } from "./committed-events.ts";

const situations = {
  new: { attempts: 0, backoffLevel: 0 },
  retry: { attempts: 3, backoffLevel: 0 },
  probe: { attempts: 1, backoffLevel: 2 },
} as const;
type Situation = keyof typeof situations;

type Case = { name: string; situation: Situation; subaccountId: string };

type Found = {
  subaccount_id: string;
  result: string | null;
  attempts: number | null;
  wait_ms: string | null;
  backoff_level: number;
  owner: number | null;
  is_failing: boolean;
  is_disabled: boolean;
  status: number | null;
};

type DeliveredParts = { db: Db; seal: Seal; poster: Poster; timeoutMs: number };

/** Returns every outcome that differs from the expected one. */
export async function deliverToBadEndpoints(
  { db, seal, poster, timeoutMs }: DeliveredParts,
  endpoints: readonly OpenedEndpoint[],
): Promise<{ cases: number; wrong: string[] }> {
  const cases: Case[] = [];
  // Exact timing is for single calls: here, hundreds start at once.
  for (const { name, url } of endpoints.filter((endpoint) => !/\bjust\b/.test(endpoint.name))) {
    for (const situation of Object.keys(situations) as Situation[]) {
      const { subaccountId } = await newListener({ db, seal }, url);
      cases.push({ name, situation, subaccountId });
    }
  }
  await commitEvents(
    db,
    cases.map(({ subaccountId }) => payoutEvent(subaccountId)),
  );
  for (const [situation, { attempts, backoffLevel }] of Object.entries(situations)) {
    const ids = cases.filter((one) => one.situation === situation).map((one) => one.subaccountId);
    await db.pool.query("update delivery set attempts = $2 where subaccount_id = any($1)", [
      ids,
      attempts,
    ]);
    await db.pool.query(
      "update webhook_endpoint set backoff_level = $2, failure_score = $3 where subaccount_id = any($1)",
      [ids, backoffLevel, backoffLevel > 0 ? failureScoreMax : 0],
    );
  }
  const warnings: string[] = [];
  const warn = (_context: object, message: string) => warnings.push(message);
  const delivery = startDeliveryWorker({ db, seal, poster, log: { warn } });
  const endMs = performance.now() + timeoutMs;
  // The state after the first attempt: some are retried while others still hang.
  const settled = new Map<string, Found>();
  while (settled.size < cases.length && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const found of await look(db, cases)) {
      const isUnderWay = found.result === null || found.owner !== null;
      if (!isUnderWay && !settled.has(found.subaccount_id)) settled.set(found.subaccount_id, found);
    }
  }
  await delivery.close();
  const wrong = cases.flatMap((one) => {
    const found = settled.get(one.subaccountId);
    const difference = found ? differenceOf(one, found) : "did not come to an end";
    return difference ? [`${one.name}, ${one.situation}: ${difference}`] : [];
  });
  return { cases: cases.length, wrong: [...wrong, ...warnings] };
}

async function look({ pool }: Db, cases: readonly Case[]): Promise<Found[]> {
  const { rows } = await pool.query(
    `select e.subaccount_id, coalesce(a.failure, case when a.id is not null then 'delivered' end) as result,
            a.status, d.attempts, d.due_at_ms - (extract(epoch from now()) * 1000)::bigint as wait_ms,
            e.backoff_level, e.owner, e.failing_since_ms is not null as is_failing,
            e.disabled_at_ms is not null as is_disabled
     from webhook_endpoint e left join delivery d using (subaccount_id)
     left join lateral (select id, failure, status from delivery_attempt a
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
    const posted: Posted = { status, retryAfter, failure, detail: "", answer: "", tookMs: 0 };
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
  const waitMs = Number(found.wait_ms);
  const passedMs = 2_000;
  const isInTime =
    waitMs <= (most.retryAfterMs ?? 0) + 5 && waitMs > (least.retryAfterMs ?? 0) - passedMs;
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
  return isInTime ? undefined : `waits ${waitMs} ms`;
}
