// The SQL of delivery's metrics: what waits, and which webhook endpoints do not work.

import { type Runner, statement, worksHere } from "../../platform/db/index.ts";
import {
  type EndpointTables,
  furtherTables,
  postbackTables,
  sameEndpoint,
} from "../webhook-endpoints/index.ts";
import { activeLanes, nowMs } from "./lane-queries.ts";
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
const findState = (t: EndpointTables) =>
  statement<DeliveryStateRow>(
    `${t.prefix}delivery-state`,
    `${activeLanes(t)}
   select (select max(${nowMs} - a.since_ms)
           from active a join ${t.endpoint} e on ${sameEndpoint(t, "e", "a")}
           where e.backoff_level = 0 and e.disabled_at_ms is null and e.secret_unreadable_since_ms is null
             and ${worksHere("e.subaccount_id")}) as oldest_age_ms,
          count(*) filter (where e.backoff_level > 0 and e.disabled_at_ms is null)::int as backing_off,
          count(*) filter (where e.disabled_at_ms is not null)::int as disabled,
          array[${failingSteps.map(([, ms]) => `count(*) filter (where ${unworkingMs} >= ${ms})::int`)}] as failing,
          count(*) filter (where e.secret_unreadable_since_ms is not null)::int as unreadable_secrets
   from ${t.endpoint} e
   where e.failing_since_ms is not null or e.secret_unreadable_since_ms is not null or e.disabled_at_ms is not null`,
  );

const states = [findState(postbackTables), findState(furtherTables)];

/** For metrics, over all subaccounts. The age leaves out endpoints that are down. */
export async function findDeliveryState(db: Runner): Promise<DeliveryStateRow> {
  const found: DeliveryStateRow[] = [];
  for (const state of states) found.push(...(await db.run(state)));
  const sum = (of: (row: DeliveryStateRow) => number) =>
    found.reduce((total, row) => total + of(row), 0);
  const ages = found.flatMap(({ oldest_age_ms }) =>
    oldest_age_ms === null ? [] : [Number(oldest_age_ms)],
  );
  return {
    oldest_age_ms: ages.length === 0 ? null : String(Math.max(...ages)),
    backing_off: sum(({ backing_off }) => backing_off),
    disabled: sum(({ disabled }) => disabled),
    failing: failingSteps.map((_, index) => sum(({ failing }) => failing[index] ?? 0)),
    unreadable_secrets: sum(({ unreadable_secrets }) => unreadable_secrets),
  };
}
