// The live streams that are open in this process: they send pages the kinds of data that changed, and pages reload them. One
// poll of the database serves all streams, and one query checks all their sessions.

import { Readable } from "node:stream";
import type { Clock } from "../../../platform/base/index.ts";
import { type ChangedKind, changedKinds, type Db } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Session } from "../../../tenants/roles/index.ts";
import { changeMarkerReader } from "./change-markers.ts";

type LiveParts = {
  db: Db;
  clock: Clock;
  isDraining: () => boolean;
  /** Returns which of these sessions are still valid. */
  findLive: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>;
  onError: (error: unknown) => void;
};

export type Live = {
  /** A stream of server-sent events, for as long as the session lasts. */
  open(request: { subaccountId: string; session: Session }): Readable;
  close(): void;
};

type Stream = {
  subaccountId: string;
  sessionId: string;
  userId: string;
  readable: Readable;
  changed: Set<ChangedKind>;
  writtenAtMs: number;
  /** When it last sent the hint to reload everything. */
  allAtMs: number;
};

export function liveStreams({ db, clock, isDraining, findLive, onError }: LiveParts): Live {
  const streams = new Set<Stream>();
  const findChanges = changeMarkerReader({ db, clock });
  let timers: NodeJS.Timeout[] = [];
  let soon: NodeJS.Timeout | undefined;
  let lookedAtMs = 0;
  let isLooking = false;
  let isChecking = false;

  function requireRoom(userId: string): void {
    const own = [...streams].filter((stream) => stream.userId === userId);
    if (streams.size >= limits.liveStreamsMax || own.length >= limits.liveStreamsOfUserMax) {
      throw new Refusal("CONS806", { headers: { "retry-after": "5" } });
    }
  }

  function open({ subaccountId, session }: { subaccountId: string; session: Session }): Readable {
    requireRoom(session.user.id);
    const readable = new Readable({ read() {} });
    const nowMs = clock();
    const stream: Stream = {
      subaccountId,
      sessionId: session.id,
      userId: session.user.id,
      readable,
      changed: new Set<ChangedKind>(),
      writtenAtMs: nowMs,
      allAtMs: nowMs,
    };
    readable.once("close", () => leave(stream));
    if (streams.size === 0) start();
    streams.add(stream);
    write(stream, ": listening\nretry: 1000\n\n");
    // Later changes are found from here on.
    lookSoon();
    return readable;
  }

  function start(): void {
    db.listeners.watchers.add(onChange);
    timers = [
      setInterval(keep, limits.livePollMs).unref(),
      setInterval(checkSessions, limits.liveSessionMs).unref(),
    ];
  }

  function leave(stream: Stream): void {
    if (!streams.delete(stream) || streams.size > 0) return;
    db.listeners.watchers.delete(onChange);
    for (const timer of timers) clearInterval(timer);
    clearTimeout(soon);
    soon = undefined;
  }

  function onChange(subaccountId: string, kind: ChangedKind): void {
    for (const stream of streams) {
      if (stream.subaccountId !== subaccountId) continue;
      stream.changed.add(kind);
      lookSoon();
    }
  }

  function write(stream: Stream, text: string): void {
    if (!streams.has(stream)) return;
    stream.readable.push(text);
    stream.writtenAtMs = clock();
  }

  function end(stream: Stream): void {
    stream.readable.push(null);
    leave(stream);
  }

  function keep(): void {
    const nowMs = clock();
    for (const stream of streams) {
      if (isDraining()) end(stream);
      // The client does not read, so the hint is dropped.
      else if (stream.readable.readableLength > limits.liveUnreadBytesMax)
        stream.readable.destroy();
      else if (nowMs - stream.allAtMs >= limits.liveAllMs) {
        stream.allAtMs = nowMs;
        for (const kind of changedKinds) stream.changed.add(kind);
      } else if (nowMs - stream.writtenAtMs >= limits.liveCommentMs) {
        write(stream, ": still here\n\n");
      }
    }
    lookSoon();
  }

  async function checkSessions(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    try {
      const asked = [...streams];
      const live = await findLive([...new Set(asked.map(({ sessionId }) => sessionId))]);
      for (const stream of asked) if (!live.has(stream.sessionId)) end(stream);
    } catch (error) {
      onError(error);
    } finally {
      isChecking = false;
    }
  }

  function lookSoon(): void {
    const waitMs = Math.max(limits.liveGapMs - (performance.now() - lookedAtMs), 0);
    soon ??= setTimeout(() => {
      soon = undefined;
      void look();
    }, waitMs).unref();
  }

  async function look(): Promise<void> {
    if (isLooking) return lookSoon();
    isLooking = true;
    lookedAtMs = performance.now();
    try {
      const changes = await findChanges(new Set([...streams].map((one) => one.subaccountId)));
      for (const { subaccountId, changed } of streams) {
        for (const kind of changes.get(subaccountId) ?? []) changed.add(kind);
      }
    } catch (error) {
      onError(error);
    } finally {
      isLooking = false;
    }
    // Changes that this process made are sent even if the database does not answer.
    for (const stream of streams) sendHints(stream);
  }

  function sendHints(stream: Stream): void {
    if (stream.changed.size === 0) return;
    const kinds = changedKinds.filter((kind) => stream.changed.has(kind));
    stream.changed.clear();
    write(stream, `event: changed\ndata: ${JSON.stringify({ kinds })}\n\n`);
  }

  return {
    open,
    close() {
      for (const stream of streams) end(stream);
    },
  };
}
