// The looser limits of a subaccount that wait for another admin, beside those in force.

import { oldestId } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { listWaitingRequests } from "../../../tenants/four-eyes/index.ts";
import type { WaitingLimits } from "./schema.ts";

/** At most one waits for each currency. */
const waitingMax = 200;

export async function listWaitingLimits(
  db: Runner,
  subaccountId: string,
): Promise<WaitingLimits[]> {
  const page = { afterId: oldestId, subaccountId, kind: "limits", limit: waitingMax } as const;
  return (await listWaitingRequests(db, page)).map(
    ({ object_id, made_by, made_at_ms, before, after }) => ({
      currency: object_id,
      made_by,
      made_at: Number(made_at_ms),
      changes: Object.keys(after)
        .map((field) => ({
          field,
          before: amountOf(before[field]),
          after: amountOf(after[field]),
        }))
        .filter((change) => change.before !== change.after),
    }),
  );
}

function amountOf(value: unknown): number | null {
  return value == null ? null : Number(value);
}
