// Commits many events in real transactions: several writers change the same payouts under their locks, some commit
// late, and some roll back.

import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import { startWakeUps } from "../../src/webhooks/delivery/wake-ups.ts";
import { insertTestEvents, payoutEvent } from "./committed-events.ts";
import type { Committed } from "./delivery-check.ts";

type LoadOptions = {
  db: Db;
  /** The subaccounts that own the events. */
  subaccountIds: readonly string[];
  payouts: number;
  random: () => number;
};

const rollbackShare = 0.08;
const unannouncedShare = 0.1;
const writers = 4;

export async function startEventLoad({ db, subaccountIds, payouts, random }: LoadOptions) {
  const committed: Committed[] = [];
  let rolledBack = 0;
  // A process that only serves the API sends these hints; some are left out on purpose.
  const wakeUps = startWakeUps(db);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const owners = new Map(
    Array.from({ length: payouts }, () => [newId(), pick(subaccountIds)] as const),
  );
  const ids = [...owners.keys()];
  await db.pool.query("create table made_up (payout uuid primary key, steps int not null)");
  await db.pool.query("insert into made_up select unnest($1::uuid[]), 0", [ids]);

  async function change(): Promise<void> {
    const chosen = [...new Set([pick(ids), pick(ids), pick(ids)])].sort();
    const client = await db.pool.connect();
    try {
      await client.query("begin");
      const { rows } = await client.query<{ payout: string; steps: number }>(
        `with locked as materialized (
           select payout from made_up where payout = any($1) order by payout for update
         )
         update made_up m set steps = steps + 1 from locked where locked.payout = m.payout
         returning m.payout, m.steps`,
        [chosen],
      );
      const events = rows.map(({ payout, steps }) =>
        payoutEvent(owners.get(payout) as string, payout, steps),
      );
      await insertTestEvents(client, events);
      if (random() < 0.2) await sleep(random() * 20);
      if (random() < rollbackShare) {
        await client.query("rollback");
        rolledBack += events.length;
        return;
      }
      await client.query("commit");
      for (const [index, { id, body, orderKey, subaccountId }] of events.entries()) {
        const number = (rows[index] as { steps: number }).steps;
        committed.push({ id, body, orderKey, number });
        if (random() >= unannouncedShare) wakeUps.add(subaccountId);
      }
    } finally {
      client.release();
    }
  }

  return {
    committed,
    rolledBack: () => rolledBack,
    /** Commits events until their total is `count`. */
    async commitUpTo(count: number): Promise<void> {
      const writer = async () => {
        while (committed.length < count) await change();
      };
      await Promise.all(Array.from({ length: writers }, writer));
    },
    close: () => wakeUps.close(),
  };
}
