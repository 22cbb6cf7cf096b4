// That a worker lives, for the others to see: a lock that PostgreSQL holds for as long as the worker's connection
// stands. A process that is killed loses it at once, so nobody has to wait for a lease to run out.

import { randomInt } from "node:crypto";
import pg from "pg";
import type { Db, Runner } from "../db/connect.ts";

/** With the number of a worker: its lock. */
export const workerLockClass = 4_242;

export type WorkerLock = Pick<Runner, "run"> & {
  /** By which the worker is known. */
  readonly number: number;
  close(): Promise<void>;
};

export type WorkerLockOptions = {
  /** The lock is gone: what it stood for may be somebody else's by now. */
  onLost: () => void;
  channel: string;
  onNotice: (text: string) => void;
};

export async function acquireWorkerLock(
  { pool }: Db,
  { onLost, channel, onNotice }: WorkerLockOptions,
): Promise<WorkerLock> {
  const client = new pg.Client(pool.options);
  let isPresent = false;
  let isOver = false;
  const lose = () => {
    if (isOver) return;
    isOver = true;
    // Before, it is the one who waits for it that hears of it.
    if (isPresent) onLost();
    void client.end().catch(() => {});
  };
  client.on("error", lose);
  client.on("end", lose);
  client.on("notification", ({ payload }) => payload && onNotice(payload));
  try {
    await client.connect();
    const number = await takeNumber(client);
    await client.query(`listen ${channel}`);
    isPresent = true;
    return {
      number,
      async run({ name, text }, values = []) {
        return (await client.query({ name, text, values })).rows;
      },
      async close() {
        if (isOver) return;
        isOver = true;
        await client
          .query("delete from delivery_worker where number = $1", [number])
          .catch(() => {});
        await client.end().catch(() => {});
      },
    };
  } catch (error) {
    isOver = true;
    await client.end().catch(() => {});
    throw error;
  }
}

async function takeNumber(client: pg.Client): Promise<number> {
  for (;;) {
    const number = randomInt(1, 2 ** 31);
    const lock = [workerLockClass, number];
    const { rows } = await client.query("select pg_try_advisory_lock($1, $2) as taken", lock);
    if (!rows[0].taken) continue;
    // The row comes after the lock: while a worker lives, its row is never without it.
    await client.query("insert into delivery_worker (number) values ($1)", [number]);
    return number;
  }
}
