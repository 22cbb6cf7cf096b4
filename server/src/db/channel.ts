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
  const { signal } = closing;
  const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));

  async function listen(): Promise<void> {
    while (!signal.aborted) {
      const client = new pg.Client(pool.options);
      try {
        const lost = new Promise<void>((resolve) => {
          client.on("error", () => resolve());
          client.on("end", () => resolve());
        });
        client.on("notification", onNotify);
        await client.connect();
        await client.query(`listen ${channel}`);
        onNotify();
        await Promise.race([lost, stopped]);
      } catch {
        // The server is away, or has no connection left.
      }
      // Only here, and once: the driver never finishes to end a client that is still connecting.
      await client.end().catch(() => {});
      await sleep(reconnectMs, undefined, { signal }).catch(() => {});
    }
  }

  const ended = listen();
  return {
    async close() {
      closing.abort();
      await ended;
    },
  };
}
