// Wakes other processes for subaccounts with new deliveries, by NOTIFY. A wake-up may get lost. It is never part of the
// transaction of a write, because PostgreSQL commits transactions that notify one after the other.

import { type Db, statement } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";

export const wakeUpChannel = "disburse_wake_up";

const notify = statement<never>("wake-up-notify", "select pg_notify($1, $2)");

export type WakeUps = { add(subaccountId: string): void; close(): void };

export function startWakeUps(db: Db): WakeUps {
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    timer = undefined;
    if (waiting.size === 0) return;
    const ids = [...waiting].slice(0, limits.wakeUpIdsMax);
    waiting = new Set([...waiting].slice(limits.wakeUpIdsMax));
    timer = setTimeout(send, limits.wakeUpGapMs);
    // A process that misses it finds the delivery by its poll within a second.
    db.run(notify, [wakeUpChannel, ids.join()]).catch(() => {});
  }

  return {
    add(subaccountId) {
      waiting.add(subaccountId);
      if (!timer) send();
    },
    close: () => clearTimeout(timer),
  };
}

export function readWakeUp(text: string): string[] {
  return text.split(",");
}
