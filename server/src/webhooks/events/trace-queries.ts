// The trace context of events, written only where tracing is on.

import { statement, type Tx } from "../../platform/db/index.ts";

const setMany = statement<never>(
  "events-set-traceparent",
  `update event e set traceparent = input.traceparent
   from json_to_recordset($1) as input(subaccount_id uuid, order_key uuid, traceparent text)
   where e.subaccount_id = input.subaccount_id and e.order_key = input.order_key and e.traceparent is null`,
);

type EventTrace = { subaccountId: string; orderKey: string; traceparent: string };

/** In the transaction that inserts the events, so that a worker never sees one without it. */
export async function setTracesOfEvents(tx: Tx, traces: readonly EventTrace[]): Promise<void> {
  if (traces.length === 0) return;
  const rows = traces.map(({ subaccountId, orderKey, traceparent }) => ({
    subaccount_id: subaccountId,
    order_key: orderKey,
    traceparent,
  }));
  await tx.run(setMany, [JSON.stringify(rows)]);
}
