// The feeds that are open in this process: one look at the database serves them all.

import { Readable } from "node:stream";
import type { Clock } from "../clock.ts";
import { firstIdOf } from "../cursor.ts";
import type { Db } from "../db/connect.ts";
import { idTimeMs } from "../ids.ts";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals/refusals.ts";
import { eventName } from "./event.ts";
import { FeedPosition } from "./feed-position.ts";
import { type FeedEvent, type FeedNews, listLate, listNews, listRecent } from "./feed-queries.ts";

export type FeedParts = {
  db: Db;
  clock: Clock;
  /** Whether a key may still read. */
  isLive: (key: string) => boolean | Promise<boolean>;
  isDraining: () => boolean;
  onError: (error: unknown) => void;
};

export type FeedRequest = { subaccountId: string; key: string; lastEventId: string | undefined };

export type Feeds = {
  /** A stream of server-sent events that begins after this event, or now. */
  open(wish: FeedRequest): Promise<Readable>;
  /** There is something new for this subaccount. */
  wake(subaccountId: string): void;
  close(): void;
};

type Feed = {
  subaccountId: string;
  key: string;
  stream: Readable;
  events: FeedPosition;
  resends: FeedPosition;
  writtenAtMs: number;
  /** Since when nobody reads; undefined while somebody does. */
  unreadSinceMs: number | undefined;
};

export function eventFeeds({ db, clock, isLive, isDraining, onError }: FeedParts): Feeds {
  const feeds = new Set<Feed>();
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  let looking = false;
  let keysCheckedAtMs = 0;

  function demandRoom(subaccountId: string): void {
    const own = [...feeds].filter((feed) => feed.subaccountId === subaccountId);
    if (feeds.size >= limits.feedsMax || own.length >= limits.feedsOfSubaccountMax) {
      throw new Refusal("EVNT302", { headers: { "retry-after": "5" } });
    }
  }

  async function open({ subaccountId, key, lastEventId }: FeedRequest): Promise<Readable> {
    demandRoom(subaccountId);
    const nowMs = clock();
    const lastMs = lastEventId === undefined ? nowMs : Math.min(idTimeMs(lastEventId), nowMs);
    const beginId = firstIdOf(Math.max(0, lastMs - limits.feedLookBackMs));
    const stream = new Readable({ read() {} });
    const feed: Feed = {
      ...{ subaccountId, key, stream, writtenAtMs: nowMs, unreadSinceMs: undefined },
      ...{ events: new FeedPosition(beginId), resends: new FeedPosition(beginId) },
    };
    stream.once("close", () => leave(feed));
    // Taken before the look into the database: others may open at the same time.
    feeds.add(feed);
    try {
      if (lastEventId === undefined) await skipRecent(feed, beginId);
    } catch (error) {
      leave(feed);
      throw error;
    }
    // Whoever has heard nothing yet can go on from here as well.
    write(feed, `: listening\nretry: 1000\nid: ${eventName(lastEventId ?? firstIdOf(nowMs))}\n\n`);
    timer ??= setInterval(keep, limits.feedLookMs).unref();
    lookSoon();
    return stream;
  }

  async function skipRecent(feed: Feed, beginId: string): Promise<void> {
    for (const { id, is_resend } of await listRecent(db, feed.subaccountId, beginId)) {
      (is_resend ? feed.resends : feed.events).take(id);
    }
  }

  function leave(feed: Feed): void {
    feeds.delete(feed);
    if (feeds.size > 0) return;
    clearInterval(timer);
    clearTimeout(soon);
    timer = undefined;
    soon = undefined;
  }

  function write(feed: Feed, text: string): void {
    // It may have ended while we asked the database.
    if (!feeds.has(feed)) return;
    feed.stream.push(text);
    feed.writtenAtMs = clock();
  }

  function end(feed: Feed): void {
    feed.stream.push(null);
    leave(feed);
  }

  /** What has to be done about each, whether or not the database answers. */
  function keep(): void {
    const nowMs = clock();
    for (const feed of feeds) {
      const isUnread = feed.stream.readableLength > limits.feedUnreadBytesMax;
      feed.unreadSinceMs = isUnread ? (feed.unreadSinceMs ?? nowMs) : undefined;
      if (isDraining()) end(feed);
      else if (isUnread && nowMs - (feed.unreadSinceMs ?? nowMs) >= limits.feedStallMs) {
        feed.stream.destroy();
      } else if (!isUnread && nowMs - feed.writtenAtMs >= limits.feedCommentMs) {
        write(feed, ": still here\n\n");
      }
    }
    if (nowMs - keysCheckedAtMs >= limits.feedKeyCheckMs) {
      keysCheckedAtMs = nowMs;
      for (const key of new Set([...feeds].map((feed) => feed.key))) void endIfRevoked(key);
    }
    void look();
  }

  async function endIfRevoked(key: string): Promise<void> {
    try {
      if (await isLive(key)) return;
      for (const feed of feeds) if (feed.key === key) end(feed);
    } catch (error) {
      onError(error);
    }
  }

  function lookSoon(): void {
    soon ??= setTimeout(() => {
      soon = undefined;
      void look();
    }, limits.feedGapMs).unref();
  }

  async function look(): Promise<void> {
    if (looking) return lookSoon();
    looking = true;
    try {
      const nowMs = clock();
      const ready = [...feeds].filter(
        ({ stream }) => stream.readableLength <= limits.feedUnreadBytesMax,
      );
      const places = ready.map(({ subaccountId, events, resends }) => ({
        ...{ subaccountId, events: events.place(nowMs), resends: resends.place(nowMs) },
      }));
      const news = places.length > 0 ? await listNews(db, places) : [];
      for (const [index, feed] of ready.entries()) {
        await tell(feed, places[index] as (typeof places)[number], news[index] as FeedNews);
      }
      const isBehind = ({ events, resends }: FeedNews) =>
        events.length === limits.feedPage || resends.length === limits.feedPage;
      if (news.some(isBehind)) lookSoon();
    } catch (error) {
      onError(error);
    } finally {
      looking = false;
    }
  }

  type Places = Record<"events" | "resends", ReturnType<FeedPosition["place"]>>;

  async function tell(feed: Feed, places: Places, news: FeedNews): Promise<void> {
    const { subaccountId } = feed;
    const missed = (kind: "events" | "resends") =>
      news[`${kind}_known`] > places[kind].sent.length
        ? listLate(db, kind, subaccountId, places[kind])
        : [];
    for (const event of [...(await missed("events")), ...news.events]) {
      if (feed.events.take(event.id)) write(feed, block(event));
    }
    for (const event of [...(await missed("resends")), ...news.resends]) {
      if (!feed.resends.take(event.id)) continue;
      // An id without data is not told, but remembered: the way on is from there, not from the old event.
      const goOn = `id: ${eventName(feed.events.lastId)}\n\n`;
      write(feed, `: resent ${event.id}\n${block(event)}${goOn}`);
    }
  }

  return {
    open,
    wake(subaccountId) {
      for (const feed of feeds) if (feed.subaccountId === subaccountId) return lookSoon();
    },
    close() {
      for (const feed of feeds) end(feed);
    },
  };
}

function block({ event_id, type, body }: FeedEvent): string {
  return `id: ${eventName(event_id)}\nevent: ${type}\ndata: ${body}\n\n`;
}
