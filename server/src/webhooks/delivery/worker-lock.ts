// The lock of a worker: PostgreSQL holds it while the worker's connection is open, so other workers see that it is alive.
// A killed process loses it at once, and its lanes are free before their leases end.

import { randomInt } from "node:crypto";
import type pg from "pg";
import type { Db, Runner } from "../../platform/db/index.ts";

/** The first key of the advisory lock. The second is the number of the worker. */
export const workerLockClass = 4_242;

export type WorkerLock = Pick<Runner, "run"> & {
  /** Identifies the worker. */
  readonly number: number;
  close(): Promise<void>;
};

type WorkerLockOptions = {
  /** The lock is lost: other workers may own our lanes by now. */
  onLost: () => void;
  channel: string;
  onWakeUp: (text: string) => void;
};

export async function acquireWorkerLock(
  db: Db,
  { onLost, channel, onWakeUp }: WorkerLockOptions,
): Promise<WorkerLock> {
  const client = await db.openClient();
  let isAcquired = false;
  let isOver = false;
  const lose = () => {
    if (isOver) return;
    isOver = true;
    // Before that, acquireWorkerLock itself throws.
    if (isAcquired) onLost();
    void client.end().catch(() => {});
  };
  client.on("error", lose);
  client.on("end", lose);
  client.on("notification", ({ payload }) => payload && onWakeUp(payload));
  try {
    const number = await takeNumber(client);
    await client.query(`listen ${channel}`);
    isAcquired = true;
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
    // The row is inserted after the lock, so that the row of a living worker is never without its lock.
    await client.query("insert into delivery_worker (number) values ($1)", [number]);
    return number;
  }
}
