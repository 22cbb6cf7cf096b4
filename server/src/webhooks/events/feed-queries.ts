// The SQL of the feed: reads new events for all open feeds at once.

import { type Runner, statement } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";

export type FeedEvent = {
  /** The id of the event, or of the request to resend it. */
  id: string;
  event_id: string;
  type: string;
  body: string;
};

/** Position of a feed. Rows between the two ids are counted, and compared with the number that was sent. */
export type Place = { windowId: string; lastId: string };
type FeedPlace = { subaccountId: string; events: Place; resends: Place };
export type FeedNews = {
  feed: number;
  events_known: number;
  events: FeedEvent[];
  resends_known: number;
  resends: FeedEvent[];
};

const asJson = (from: string) =>
  `(select coalesce(json_agg(json_build_object('id', n.id, 'event_id', n.event_id, 'type', n.type,
      'body', n.body) order by n.id), '[]') from (${from}) n)`;

const eventsAfter = (conditions: string) =>
  `select e.id, e.id as event_id, e.type, e.body from event e
   where e.subaccount_id = ${conditions} order by e.id limit ${limits.feedPage}`;
const resendsAfter = (conditions: string) =>
  `select r.id, e.id as event_id, e.type, e.body
   from event_resend r join event e on e.subaccount_id = r.subaccount_id and e.id = r.event_id
   where r.subaccount_id = ${conditions} order by r.id limit ${limits.feedPage}`;
const known = (table: string, place: string) =>
  `(select count(*)::int from ${table} k where k.subaccount_id = f.subaccount_id
      and k.id > f.${place}_window_id and k.id <= f.${place}_last_id)`;

const news = statement<FeedNews>(
  "feeds-news",
  `select f.feed::int, ${known("event", "events")} as events_known,
          ${asJson(eventsAfter("f.subaccount_id and e.id > f.events_last_id"))} as events,
          ${known("event_resend", "resends")} as resends_known,
          ${asJson(resendsAfter("f.subaccount_id and r.id > f.resends_last_id"))} as resends
   from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) with ordinality
     as f(subaccount_id, events_window_id, events_last_id, resends_window_id, resends_last_id, feed)`,
);

/** One result for each feed, in the order of the feeds. */
export async function listNews(db: Runner, feeds: readonly FeedPlace[]): Promise<FeedNews[]> {
  const rows = await db.run(news, [
    feeds.map(({ subaccountId }) => subaccountId),
    feeds.map(({ events }) => events.windowId),
    feeds.map(({ events }) => events.lastId),
    feeds.map(({ resends }) => resends.windowId),
    feeds.map(({ resends }) => resends.lastId),
  ]);
  return rows.sort((one, other) => one.feed - other.feed);
}

const late = {
  events: statement<FeedEvent>(
    "feed-late-events",
    eventsAfter("$1 and e.id > $2 and e.id <= $3 and e.id <> all($4::uuid[])"),
  ),
  resends: statement<FeedEvent>(
    "feed-late-resends",
    resendsAfter("$1 and r.id > $2 and r.id <= $3 and r.id <> all($4::uuid[])"),
  ),
};

/** Rows that were committed after a row with a later id had been sent. */
export function listLate(
  db: Runner,
  kind: "events" | "resends",
  subaccountId: string,
  { windowId, lastId, sent }: Place & { sent: readonly string[] },
): Promise<FeedEvent[]> {
  return db.run(late[kind], [subaccountId, windowId, lastId, sent]);
}

const recent = statement<{ id: string; is_resend: boolean }>(
  "feed-recent",
  `select id, false as is_resend from event where subaccount_id = $1 and id > $2
   union all
   select id, true from event_resend where subaccount_id = $1 and id > $2
   order by id`,
);

/** Ids that a new feed skips, because they happened before it was opened. */
export function listRecent(
  db: Runner,
  subaccountId: string,
  afterId: string,
): Promise<{ id: string; is_resend: boolean }[]> {
  return db.run(recent, [subaccountId, afterId]);
}
