// Tells the other webhook endpoints of a subaccount when one was changed or disabled.

import type { Db } from "../../platform/db/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import {
  insertRequestedEvents,
  webhookEndpointDisabled,
  webhookEndpointUpdate,
} from "../events/index.ts";
import { takeUntoldChanges, type UntoldChange } from "./tell-queries.ts";

type TellParts = {
  db: Db;
  log: { warn(context: object, message: string): void };
  metrics?: Metrics | undefined;
};

export async function tellEndpointChanges({ db, log, metrics }: TellParts): Promise<void> {
  const changes = await db.transaction(async (tx) => {
    const untold = await takeUntoldChanges(tx);
    if (untold.length > 0) await insertRequestedEvents(tx, untold.map(toEvent));
    return untold;
  });
  for (const { subaccount_id, endpoint_id = subaccount_id, untold, disabled_because } of changes) {
    if (untold !== "disabled") continue;
    const cause = disabled_because ?? "gone";
    metrics?.endpointDisabled(cause);
    log.warn({ subaccount_id, endpoint_id, cause }, "events: a webhook endpoint was disabled");
  }
}

function toEvent({ subaccount_id, endpoint_id, untold, disabled_because }: UntoldChange) {
  const endpointId = endpoint_id ?? subaccount_id;
  const facts = { subaccountId: subaccount_id, endpointId, atMs: Date.now() };
  const event =
    untold === "disabled"
      ? webhookEndpointDisabled(facts, disabled_because ?? "gone")
      : webhookEndpointUpdate(facts, untold);
  return { ...event, subaccountId: subaccount_id, orderKey: endpointId, atMs: facts.atMs };
}
