// The event feeds that are open in this process. One query serves them all.

import { Readable } from "node:stream";
import { type Clock, firstIdOf, idTimeMs } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { eventName } from "../../platform/event-catalogue/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { FeedPosition } from "./feed-position.ts";
import { type FeedEvent, type FeedNews, listLate, listNews, listRecent } from "./feed-queries.ts";

type FeedParts = {
  db: Db;
  clock: Clock;
  /** Whether a key may still read. */
  isLive: (key: string) => boolean | Promise<boolean>;
  isDraining: () => boolean;
  onError: (error: unknown) => void;
};

type FeedRequest = { subaccountId: string; key: string; lastEventId: string | undefined };

export type Feeds = {
  /** Returns a stream of server-sent events that starts after `lastEventId`, or now. */
  open(request: FeedRequest): Promise<Readable>;
  /** The subaccount has new events. */
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
  /** Since when the client does not read; undefined while it does. */
  unreadSinceMs: number | undefined;
};

export function eventFeeds({ db, clock, isLive, isDraining, onError }: FeedParts): Feeds {
  const feeds = new Set<Feed>();
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  let isReading = false;
  let keysCheckedAtMs = 0;

  function requireRoom(subaccountId: string): void {
    const own = [...feeds].filter((feed) => feed.subaccountId === subaccountId);
    if (feeds.size >= limits.feedsMax || own.length >= limits.feedsOfSubaccountMax) {
      throw new Refusal("EVNT302", { headers: { "retry-after": "5" } });
    }
  }

  async function open({ subaccountId, key, lastEventId }: FeedRequest): Promise<Readable> {
    requireRoom(subaccountId);
    const nowMs = clock();
    const lastMs = lastEventId === undefined ? nowMs : Math.min(idTimeMs(lastEventId), nowMs);
    const beginId = firstIdOf(Math.max(0, lastMs - limits.feedLookBackMs));
    const stream = new Readable({ read() {} });
    const feed: Feed = {
      subaccountId,
      key,
      stream,
      events: new FeedPosition(beginId),
      resends: new FeedPosition(beginId),
      writtenAtMs: nowMs,
      unreadSinceMs: undefined,
    };
    stream.once("close", () => leave(feed));
    // Counted before the query, because others may open feeds at the same time.
    feeds.add(feed);
    try {
      if (lastEventId === undefined) await skipRecent(feed, beginId);
    } catch (error) {
      leave(feed);
      throw error;
    }
    // With this id, a client that has received no event yet can reconnect as well.
    write(feed, `: listening\nretry: 1000\nid: ${eventName(lastEventId ?? firstIdOf(nowMs))}\n\n`);
    timer ??= setInterval(keep, limits.feedPollMs).unref();
    readSoon();
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
    // The feed may have ended during the query.
    if (!feeds.has(feed)) return;
    feed.stream.push(text);
    feed.writtenAtMs = clock();
  }

  function end(feed: Feed): void {
    feed.stream.push(null);
    leave(feed);
  }

  /** Runs regularly, also while the database is down: ends feeds, sends comments, checks keys. */
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
    void readNews();
  }

  async function endIfRevoked(key: string): Promise<void> {
    try {
      if (await isLive(key)) return;
      for (const feed of feeds) if (feed.key === key) end(feed);
    } catch (error) {
      onError(error);
    }
  }

  function readSoon(): void {
    soon ??= setTimeout(() => {
      soon = undefined;
      void readNews();
    }, limits.feedGapMs).unref();
  }

  async function readNews(): Promise<void> {
    if (isReading) return readSoon();
    isReading = true;
    try {
      const nowMs = clock();
      const ready = [...feeds].filter(
        ({ stream }) => stream.readableLength <= limits.feedUnreadBytesMax,
      );
      const places = ready.map(({ subaccountId, events, resends }) => ({
        subaccountId,
        events: events.place(nowMs),
        resends: resends.place(nowMs),
      }));
      const news = places.length > 0 ? await listNews(db, places) : [];
      for (const [index, feed] of ready.entries()) {
        await send(feed, places[index] as (typeof places)[number], news[index] as FeedNews);
      }
      const isBehind = ({ events, resends }: FeedNews) =>
        events.length === limits.feedPage || resends.length === limits.feedPage;
      if (news.some(isBehind)) readSoon();
    } catch (error) {
      onError(error);
    } finally {
      isReading = false;
    }
  }

  type Places = Record<"events" | "resends", ReturnType<FeedPosition["place"]>>;

  async function send(feed: Feed, places: Places, news: FeedNews): Promise<void> {
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
      // Clients remember an id without data but show nothing. They reconnect from it and not from the old event.
      const lastId = `id: ${eventName(feed.events.lastId)}\n\n`;
      write(feed, `: resent ${event.id}\n${block(event)}${lastId}`);
    }
  }

  return {
    open,
    wake(subaccountId) {
      for (const feed of feeds) if (feed.subaccountId === subaccountId) return readSoon();
    },
    close() {
      for (const feed of feeds) end(feed);
    },
  };
}

function block({ event_id, type, body }: FeedEvent): string {
  return `id: ${eventName(event_id)}\nevent: ${type}\ndata: ${body}\n\n`;
}
