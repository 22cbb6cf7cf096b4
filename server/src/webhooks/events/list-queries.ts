// The SQL that finds and lists events with their delivery status.

import { firstIdOf, idTimeMs } from "../../platform/base/index.ts";
import {
  cursorOfId,
  cutPage,
  type ListPage,
  type Runner,
  statement,
} from "../../platform/db/index.ts";
import {
  type EventStatus,
  eventCatalogue,
  eventName,
  eventTypes,
} from "../../platform/event-catalogue/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { EventDetail, EventRecord } from "./schema.ts";

export type EventRow = {
  id: string;
  type: string;
  body: string;
  created_at_ms: string;
  status: EventStatus;
  attempt_count: number;
  next_attempt_at: string | null;
};

export function toRecord(row: EventRow): EventRecord {
  return {
    id: eventName(row.id),
    type: row.type,
    status: row.status,
    data: JSON.parse(row.body),
    created_at: row.created_at_ms,
    attempt_count: row.attempt_count,
    next_attempt_at: row.next_attempt_at,
  };
}

/** An attempt is never older than its event, apart from the difference between clocks. */
const clocksDifferMs = 60_000;

const attemptCount = `(
  select count(*)::int from delivery_attempt a
  where a.subaccount_id = e.subaccount_id and a.event_id = e.id
    and a.id >= first_id_of(greatest(0, e.created_at_ms - ${clocksDifferMs})))`;

// One index lookup for each event. For `exists` or a plain join, PostgreSQL may read the whole table.
const shown = (events: string, attempts: string) => `
  select e.id, e.order_key, e.type, e.body, e.created_at_ms, s.status, ${attempts} as attempt_count,
         case when n.url <> '' and n.disabled_at_ms is null
              then d.due_at_ms end as next_attempt_at
  from (${events}) e
  cross join lateral (
    select url, disabled_at_ms, open_until_ms from webhook_endpoint n where n.subaccount_id = e.subaccount_id limit 1
  ) n
  left join lateral (
    select greatest(w.due_at_ms, w.since_ms, n.open_until_ms) as due_at_ms from delivery w
    where w.subaccount_id = e.subaccount_id and w.number = e.number limit 1
  ) d on true
  cross join lateral (
    select case when d.due_at_ms is not null then 'waiting'
             when (select true from delivery_abandoned r
                   where r.subaccount_id = e.subaccount_id and r.event_id = e.id limit 1) then 'undelivered'
             when e.wanted then 'delivered' else 'unsent' end as status
  ) s`;

export type EventKey = { subaccountId: string; id: string };

const findOne = statement<EventRow>(
  "event-by-id",
  // The attempts are read by a second statement, if the event exists.
  shown("select * from event where subaccount_id = $1 and id = $2", "0"),
);

type Attempt = EventDetail["attempts"][number];
export type EventWithAttempts = { row: EventRow; attempts: Attempt[] };

export async function findEvent(db: Runner, key: EventKey): Promise<EventWithAttempts | undefined> {
  const [row] = await db.run(findOne, [key.subaccountId, key.id]);
  if (!row) return undefined;
  const attempts = await listAttempts(db, key);
  return { row: { ...row, attempt_count: attempts.length }, attempts };
}

type FurtherDelivery = NonNullable<EventDetail["further_deliveries"]>[number];

const furtherOf = statement<FurtherDelivery>(
  "event-further-deliveries",
  `select endpoint_id, case when bool_or(state = 'waiting') then 'waiting'
                       when bool_or(state = 'undelivered') then 'undelivered' else 'delivered' end as status
   from (
     select d.endpoint_id, 'waiting' as state from event e
     join further_delivery d on d.subaccount_id = e.subaccount_id and d.number = e.number
     join further_endpoint f on f.subaccount_id = d.subaccount_id and f.endpoint_id = d.endpoint_id
     where e.subaccount_id = $1 and e.id = $2
     union all
     select f.endpoint_id, 'waiting' from event_fan_out o
     join event e on e.subaccount_id = $1 and e.id = $2 and e.number = o.number
     join further_endpoint f on f.subaccount_id = $1 and o.type = any(f.event_types)
     where o.subaccount_id = $1
     union all
     select endpoint_id, 'undelivered' from further_delivery_abandoned where subaccount_id = $1 and event_id = $2
     union all
     select endpoint_id, 'delivered' from delivery_attempt
     where subaccount_id = $1 and event_id = $2 and id >= $3 and endpoint_id is not null and failure is null
   ) s group by endpoint_id order by endpoint_id`,
);

/** The state of an event at the further endpoints. */
export function listFurtherDeliveries(
  db: Runner,
  { subaccountId, id }: EventKey,
): Promise<FurtherDelivery[]> {
  const fromId = firstIdOf(Math.max(0, idTimeMs(id) - clocksDifferMs));
  return db.run(furtherOf, [subaccountId, id, fromId]);
}

export type EventPage = {
  subaccountId: string;
  type: string | undefined;
  status: EventStatus | undefined;
  payoutId: string | undefined;
  receiverId: string | undefined;
  /** Only events before `beforeId`, down to `fromId`. */
  beforeId: string;
  fromId: string;
  limit: number;
  /** Newest first without it. */
  isOldestFirst?: boolean;
};

const payoutTypes = eventTypes
  .filter((type) => eventCatalogue[type].subject === "payout")
  .map((type) => `'${type}'`);

const scan = "select * from event e where e.subaccount_id = $1 and e.id < $2 and e.id >= $3";
// The limit is a parameter: PostgreSQL would compare a number with the few events that it expects in a time range, and
// sort all events of the subaccount.
const inOrder = (down: Down) => `order by e.id${down} limit $4`;
type Down = "" | " desc";
/** Each uses the index that leaves the fewest rows. `id` is the name of a parameter. */
const indexScans = {
  all: (down: Down) => `${scan} ${inOrder(down)}`,
  // Events that are no longer retried have a short table of their own.
  undelivered: (down: Down) =>
    `select e.* from (
       select r.event_id from delivery_abandoned r where r.subaccount_id = $1 and r.event_id < $2 and r.event_id >= $3
       order by r.event_id${down} limit $4
     ) r cross join lateral (
       select * from event e where e.subaccount_id = $1 and e.id = r.event_id limit 1
     ) e`,
  // A payout has few events, and they are sorted. With a plain limit, PostgreSQL would scan all other events instead.
  payout: (down: Down, id: string) =>
    `with e as materialized (${scan} and e.order_key = ${id} and e.type in (${payoutTypes}))
     select * from e ${inOrder(down)}`,
  receiver: (down: Down, id: string) => `${scan} and e.receiver_id = ${id} ${inOrder(down)}`,
};
type ScanName = keyof typeof indexScans;

const statementsOf = (scanName: ScanName, down: Down) => {
  const name = down ? scanName : `${scanName}-oldest`;
  return {
    page: statement<EventRow>(
      `events-page-${name}`,
      `${shown(indexScans[scanName](down, "$9"), attemptCount)}
     where ($5::text is null or e.type = $5) and ($6::text is null or s.status = $6)
       and ($7::uuid is null or e.receiver_id = $7)
     order by e.id${down} limit $8`,
    ),
    end: statement<{ id: string }>(
      `events-page-end-${name}`,
      `select id from (${indexScans[scanName](down, "$5")}) e where e.subaccount_id = $1
     order by id${down} offset $4 - 1`,
    ),
  };
};
const inDirection = (down: Down) => ({
  all: statementsOf("all", down),
  undelivered: statementsOf("undelivered", down),
  payout: statementsOf("payout", down),
  receiver: statementsOf("receiver", down),
});
const newestFirst = inDirection(" desc");
const oldestFirst = inDirection("");

/** Chooses the index scan, with the id that it needs. */
function scanOf({ payoutId, receiverId, status, isOldestFirst }: EventPage) {
  const { payout, receiver, undelivered, all } = isOldestFirst ? oldestFirst : newestFirst;
  if (payoutId) return { statements: payout, ids: [payoutId], isUndelivered: false };
  if (receiverId) return { statements: receiver, ids: [receiverId], isUndelivered: false };
  const isUndelivered = status === "undelivered";
  return { statements: isUndelivered ? undelivered : all, ids: [], isUndelivered };
}

/** Where every event of the scan matches, only one page is read. */
function scannedMax(page: EventPage): number {
  const { type, status, limit } = page;
  const isExact = !type && (!status || scanOf(page).isUndelivered);
  return isExact ? limit : Math.max(limit, limits.eventsScannedMax);
}

/**
 * In the order of the page. With a filter that matches few events, the scan stops at a limit: a page may be short, or empty, and
 * have a next page.
 */
export async function listEventPage(db: Runner, page: EventPage): Promise<ListPage<EventRow>> {
  const found = await listEvents(db, page);
  const isSparse = Boolean(page.type ?? page.status);
  return cutPage(found, page.limit - 1, cursorOfId, () =>
    isSparse ? findLastEventScanned(db, page) : undefined,
  );
}

export function listEvents(db: Runner, page: EventPage): Promise<EventRow[]> {
  const { subaccountId, beforeId, fromId, type, status, receiverId, limit } = page;
  const { statements, ids } = scanOf(page);
  return db.run(statements.page, [
    subaccountId,
    beforeId,
    fromId,
    scannedMax(page),
    type ?? null,
    status ?? null,
    receiverId ?? null,
    limit,
    ...ids,
  ]);
}

/** The last event that a page scanned, if it stopped before the end. */
async function findLastEventScanned(db: Runner, page: EventPage): Promise<string | undefined> {
  const { subaccountId, beforeId, fromId } = page;
  const { statements, ids } = scanOf(page);
  const values = [subaccountId, beforeId, fromId, scannedMax(page), ...ids];
  return (await db.run(statements.end, values))[0]?.id;
}

/** A payout, with the time range of its events. */
type PayoutOfEvents = { id: string; createdAtMs: number; updatedAtMs: number };

export type LatestEventRow = {
  order_key: string;
  id: string;
  status: EventStatus;
  attempts: number;
  http_status: number | null;
};

const latestOf = statement<LatestEventRow>(
  "events-latest-of-payouts",
  // The time range limits the scan to the partitions that can hold one.
  `select e.order_key, e.id, e.status, coalesce(a.number, 0) as attempts, a.status as http_status
   from (${shown(
     `select e.* from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as input(payout_id, from_id, to_id)
      cross join lateral (
        select * from event e
        where e.subaccount_id = $1 and e.order_key = input.payout_id
          and e.id >= input.from_id and e.id < input.to_id
        order by e.number desc limit 1
      ) e`,
     "0",
   )}) e
   left join lateral (
     select a.number, a.status from delivery_attempt a
     where a.subaccount_id = $1 and a.event_id = e.id and a.endpoint_id is null
       and a.id >= first_id_of(greatest(0, e.created_at_ms - ${clocksDifferMs}))
     order by a.id desc limit 1
   ) a on true`,
);

/** The latest event of each payout that has one, by the payout's id. */
export async function listLatestEvents(
  db: Runner,
  subaccountId: string,
  payouts: readonly PayoutOfEvents[],
): Promise<Map<string, LatestEventRow>> {
  if (payouts.length === 0) return new Map();
  const rows = await db.run(latestOf, [
    subaccountId,
    payouts.map(({ id }) => id),
    payouts.map((payout) => firstIdOf(Math.max(0, firstMsOf(payout) - clocksDifferMs))),
    payouts.map((payout) => firstIdOf(lastMsOf(payout) + clocksDifferMs)),
  ]);
  return new Map(rows.map((row) => [row.order_key, row]));
}

const firstMsOf = ({ createdAtMs, updatedAtMs }: PayoutOfEvents) =>
  Math.min(createdAtMs, updatedAtMs);
const lastMsOf = ({ createdAtMs, updatedAtMs }: PayoutOfEvents) =>
  Math.max(createdAtMs, updatedAtMs);

type AttemptRow = Omit<Attempt, "at" | "timestamp" | "endpoint_id"> & {
  id: string;
  endpoint_id: string | null;
};

const attemptsOf = statement<AttemptRow>(
  "event-attempts",
  `select id, number, status, failure, detail, took_ms, answer, endpoint_id from delivery_attempt
   where subaccount_id = $1 and event_id = $2 and id >= $3 order by id`,
);

/** Oldest first. */
async function listAttempts(db: Runner, { subaccountId, id }: EventKey): Promise<Attempt[]> {
  const fromId = firstIdOf(Math.max(0, idTimeMs(id) - clocksDifferMs));
  const rows = await db.run(attemptsOf, [subaccountId, id, fromId]);
  return rows.map(({ id, number, endpoint_id, ...attempt }) => {
    const atMs = idTimeMs(id);
    const timestamp = String(Math.floor(atMs / 1000));
    return { number, at: String(atMs), timestamp, ...attempt, ...(endpoint_id && { endpoint_id }) };
  });
}
