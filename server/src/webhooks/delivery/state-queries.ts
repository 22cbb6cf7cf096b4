// The SQL of delivery's metrics: what waits, and which webhook endpoints do not work.

import { type Runner, statement, worksHere } from "../../platform/db/index.ts";
import { activeLanes, nowMs } from "./queries.ts";
import { failingSteps } from "./retry.ts";

type DeliveryStateRow = {
  /** Null: no delivery waits. */
  oldest_age_ms: string | null;
  backing_off: number;
  disabled: number;
  failing: number[];
  unreadable_secrets: number;
};

const unworkingMs = `${nowMs} - least(e.failing_since_ms, e.secret_unreadable_since_ms)`;
const findState = statement<DeliveryStateRow>(
  "delivery-state",
  `${activeLanes}
   select (select max(${nowMs} - a.since_ms)
           from active a join webhook_endpoint e on e.subaccount_id = a.subaccount_id
           where e.backoff_level = 0 and e.disabled_at_ms is null and e.secret_unreadable_since_ms is null
             and ${worksHere("e.subaccount_id")}) as oldest_age_ms,
          count(*) filter (where e.backoff_level > 0 and e.disabled_at_ms is null)::int as backing_off,
          count(*) filter (where e.disabled_at_ms is not null)::int as disabled,
          array[${failingSteps.map(([, ms]) => `count(*) filter (where ${unworkingMs} >= ${ms})::int`)}] as failing,
          count(*) filter (where e.secret_unreadable_since_ms is not null)::int as unreadable_secrets
   from webhook_endpoint e
   where e.failing_since_ms is not null or e.secret_unreadable_since_ms is not null or e.disabled_at_ms is not null`,
);

/** For metrics, over all subaccounts. The age leaves out endpoints that are down. */
export async function findDeliveryState(db: Runner): Promise<DeliveryStateRow | undefined> {
  return (await db.run(findState))[0];
}
