// The SQL of live streams: markers that change when a subaccount's data changes.

import { type Runner, statement } from "../../../platform/db/index.ts";

/** One marker per kind of data. A marker that differs from the last poll means new data. */
export type ChangeMarkers = {
  subaccount_id: string;
  /** Moves of money. */
  transfers: string | null;
  receiver_id: string | null;
  event_id: string | null;
  /** Recent events: one may be committed after another with a younger id. */
  events: number;
  /** The newest API request. */
  request_id: string | null;
  /** The state of the webhook endpoint and of its deliveries. */
  endpoint: string | null;
  /** The newest audit entry. */
  act: string | null;
};

const pulses = statement<ChangeMarkers>(
  "live-pulses",
  // A few index reads per watched subaccount, independent of the number of streams.
  `select s.subaccount_id,
          (select sum(b.transfers) from ledger_balance b where b.subaccount_id = s.subaccount_id) as transfers,
          (select r.id from receiver r where r.subaccount_id = s.subaccount_id order by r.id desc limit 1)
            as receiver_id,
          (select e.id from event e where e.subaccount_id = s.subaccount_id and e.id >= $3
           order by e.id desc limit 1) as event_id,
          (select count(*)::int from (
             select from event e where e.subaccount_id = s.subaccount_id and e.id >= $2 limit 1000
           ) e) as events,
          (select q.id from request_log q where q.subaccount_id = s.subaccount_id and q.id >= $3
           order by q.id desc limit 1) as request_id,
          (select concat_ws(' ', n.epoch, n.owner, n.failing_since_ms, n.disabled_at_ms) from webhook_endpoint n
           where n.subaccount_id = s.subaccount_id) as endpoint,
          (select a.number from audit_entry a where a.subaccount_id = s.subaccount_id
           order by a.number desc limit 1) as act
   from unnest($1::uuid[]) s(subaccount_id)`,
);

type ChangeMarkersRequest = {
  subaccountIds: readonly string[];
  /** Counts events, and finds events and requests, from these ids on. */
  recentId: string;
  newestFromId: string;
};

export function listChangeMarkers(
  db: Runner,
  question: ChangeMarkersRequest,
): Promise<ChangeMarkers[]> {
  const { subaccountIds, recentId, newestFromId } = question;
  return db.run(pulses, [subaccountIds, recentId, newestFromId]);
}
