// Listens to a channel of PostgreSQL on a connection of its own, and connects again after it was lost. A notification
// only speeds things up: listeners also poll.

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Db } from "./connect.ts";

const reconnectMs = 5_000;

export type ChannelListener = { close(): Promise<void> };

/** `onNotify` is also called after each connect: notifications may have been missed. */
export function listenTo(db: Db, channel: string, onNotify: () => void): ChannelListener {
  const closing = new AbortController();
  const { signal } = closing;
  const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));

  async function listenOn(client: pg.Client): Promise<void> {
    const lost = new Promise<void>((resolve) => client.once("end", resolve));
    client.on("notification", onNotify);
    await client.query(`listen ${channel}`);
    onNotify();
    await Promise.race([lost, stopped]);
  }

  async function listen(): Promise<void> {
    while (!signal.aborted) {
      const client = await db.openClient().catch(() => undefined);
      // Undefined: the server is away, or has no connection left.
      if (client) await listenOn(client).catch(() => {});
      await client?.end().catch(() => {});
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
