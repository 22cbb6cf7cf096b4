// Listens to a channel of PostgreSQL on a connection of its own, and connects again after it was lost. A notification
// only speeds things up: listeners also poll.

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Db } from "./connect.ts";

const reconnectMs = 5_000;

export type ChannelListener = { close(): Promise<void> };

/** `onNotify` is also called after each connect: notifications may have been missed. */
export function listenTo({ pool }: Db, channel: string, onNotify: () => void): ChannelListener {
  const closing = new AbortController();
  let client: pg.Client | undefined;

  async function listen(): Promise<void> {
    while (!closing.signal.aborted) {
      const own = new pg.Client(pool.options);
      client = own;
      try {
        const lost = new Promise<void>((resolve) => {
          own.on("error", () => resolve());
          own.on("end", () => resolve());
        });
        own.on("notification", onNotify);
        await own.connect();
        await own.query(`listen ${channel}`);
        onNotify();
        await lost;
      } catch {
        // The server is away, or has no connection left.
      }
      await own.end().catch(() => {});
      await sleep(reconnectMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const ended = listen();
  return {
    async close() {
      closing.abort();
      await client?.end().catch(() => {});
      await ended;
    },
  };
}
