// Tells other processes which subaccounts have something new to hear. Only a hint, which may be lost, and never part
// of a write's own transaction: PostgreSQL commits those that notify one after the other.

import { type Db, statement } from "../db/connect.ts";
import { limits } from "../limits.ts";

export const wakeUpChannel = "disburse_told";

const notify = statement<never>("told-notify", "select pg_notify($1, $2)");

export type WakeUps = { add(subaccountId: string): void; close(): void };

export function startWakeUps(db: Db): WakeUps {
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    timer = undefined;
    if (waiting.size === 0) return;
    const ids = [...waiting].slice(0, limits.noticeIdsMax);
    waiting = new Set([...waiting].slice(limits.noticeIdsMax));
    timer = setTimeout(send, limits.noticeMs);
    // Whoever misses it looks by itself within a second.
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
