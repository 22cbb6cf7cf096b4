// Growth of waiting events: finding a lane, claiming it and fetching its first events must cost the same among a
// million as among ten thousand.

import { limits } from "../../server/src/platform/limits/limits.ts";
import { type ClaimedLane, postbackLanes } from "../../server/src/webhooks/delivery/queries.ts";
import { type Database, settle } from "../database.ts";
import type { Measure } from "../measure.ts";
import { atMost } from "../requirement.ts";
import { type Figure, interleave } from "../rounds.ts";
import { addEndpoints, addWaiting, sampleBody } from "../waiting-events.ts";

/** Few enough that each lane has a full fetch on both sides. */
const lanesCount = 100;
const owner = 1;
const { claimLanes, findFreeLanes, listDueDeliveries, releaseLanes } = postbackLanes;
const as = { hasSucceeded: false, hasFailed: false, isGone: false };
const unchanged = { ...as, failureScore: 0, backoffLevel: 0, backoffMs: 0 };

type Side = { count: number; database: Database; subaccountIds: string[] };
type Step = "find the lanes" | "claim a lane" | "fetch its first events";

export const measureDeliveryClaim: Measure = async ({ postgres, scale }) => {
  const sides: Side[] = [];
  for (const count of [scale.waitingFew, scale.waitingMany]) {
    const database = await postgres.createDatabase(`waiting_${count}`);
    const origin = "http://127.0.0.1:9";
    const endpoints = await addEndpoints(database, { origin, count: lanesCount });
    const subaccountIds = endpoints.map(({ subaccountId }) => subaccountId);
    const body = sampleBody(database.caller.subaccountId);
    await addWaiting(database.db, { subaccountIds, count, body });
    await settle(database.db);
    sides.push({ count, database, subaccountIds });
  }

  const { aloneRounds: rounds, aloneRoundMs: roundMs, warmUpMs } = scale;
  const figures: Figure[] = [];
  const requirements = [];
  for (const step of ["find the lanes", "claim a lane", "fetch its first events"] as const) {
    const measured = await interleave(
      sides.map((side) => ({
        name: `${step}, ${side.count} waiting`,
        run: (durationMs: number) => timing(side, step, durationMs),
      })),
      { rounds, roundMs, warmUpMs },
    );
    const [small, large] = Object.values(measured) as [Figure, Figure];
    figures.push(small, large);
    requirements.push(atMost(`${step}: p50 grown`, (large.p50Ms ?? 0) / (small.p50Ms ?? 0), 1.5));
  }
  return {
    title: "Growth of what waits for delivery",
    how:
      `1 connection, ${scale.waitingMany} events waiting on ${lanesCount} lanes against ${scale.waitingFew}, a lane ` +
      `at random, its first ${limits.laneFetchMax} events, and the lane left again`,
    figures,
    requirements,
    notes: [],
  };
};

/** Repeats all the steps, and times one of them. */
async function timing({ database: { db }, subaccountIds }: Side, step: Step, durationMs: number) {
  const tookMs: number[] = [];
  const timed = async <T>(name: Step, work: () => Promise<T>): Promise<T> => {
    const startMs = performance.now();
    const result = await work();
    if (name === step) tookMs.push(performance.now() - startMs);
    return result;
  };
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs) {
    // The search costs as much as a hundred of the other steps, which would leave them hardly any time.
    if (step === "find the lanes") {
      const found = await timed("find the lanes", () => findFreeLanes(db, owner));
      if (found.length !== lanesCount) throw new Error(`found ${found.length} lanes`);
      continue;
    }
    const lane = subaccountIds[Math.floor(Math.random() * lanesCount)] as string;
    const claimed = await timed("claim a lane", () => claimLanes(db, { owner, lanes: [lane] }));
    const { epoch } = claimed.lanes[0] as ClaimedLane;
    const asked = { lane, epoch, taken: [] };
    const [due] = await timed("fetch its first events", () => listDueDeliveries(db, [asked]));
    if (due?.length !== limits.laneFetchMax) throw new Error(`${due?.length} events were due`);
    await releaseLanes(db, [{ lane, epoch, ...unchanged }]);
  }
  const sorted = tookMs.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] as number;
  const totalMs = sorted.reduce((sum, ms) => sum + ms, 0);
  return { perSecond: (sorted.length * 1000) / totalMs, p50Ms: at(0.5), p99Ms: at(0.99) };
}
