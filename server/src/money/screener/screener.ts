// The screener of a process: screening below, and the holds of payouts above it, put together.

import {
  type HoldPayouts,
  loadSet,
  type RunningScreener,
  type Screener,
  screenerOf,
  startScreener,
} from "../../people/screening/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { holdPayoutsOf } from "../payouts/index.ts";

/** Callers read the history of a payout, and it never says that screening is the reason. */
const hold: HoldPayouts = async (tx, receiver, { id, atMs }) => {
  await holdPayoutsOf(tx, receiver, {
    who: "service",
    atMs,
    reason: { kind: "screening", hit_id: id },
  });
};

type ScreenerLog = {
  info(context: object, message: string): void;
  warn(context: object, message: string): void;
};

/** For a process that serves: it follows the current set. */
export function openScreener(db: Db, log: ScreenerLog): Promise<RunningScreener> {
  return startScreener({ db, log, hold });
}

/** For a command: it uses the current set until it ends. */
export async function screenerOfCommand(db: Db): Promise<Screener> {
  const loaded = await loadSet(db);
  return screenerOf(() => loaded, hold);
}
