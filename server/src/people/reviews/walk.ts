// Screens each receiver and account that has no record: those from before there was a list, and those that a process
// created which did not know of it yet. It continues where it stopped, and then follows the newest ones.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  type HoldPayouts,
  insertRecords,
  type LoadedSet,
  lockWalk,
  openHits,
  saveWalk,
  type Walk,
} from "../screening/index.ts";
import { holdReceivers, screenAll } from "./screen-page.ts";
import { listIdsOfWalk, listWalksDue, readSubjects } from "./subject-queries.ts";

type WalkParts = {
  db: Db;
  seal: Seal;
  loaded: LoadedSet;
  hold: HoldPayouts;
  nowMs: number;
  isStopping: () => boolean;
};

/** One page of each subaccount in turn, until nothing is left. Returns how many subjects were screened. */
export async function walkSubjects(parts: WalkParts): Promise<number> {
  const { db, nowMs, isStopping } = parts;
  const untilId = firstIdAt(nowMs - limits.screeningWalkLagMs);
  let due = await listWalksDue(db, untilId);
  let screened = 0;
  while (due.length > 0) {
    const more: Walk[] = [];
    for (const walk of due) {
      if (isStopping()) return screened;
      const page = await walkPage(parts, walk, untilId);
      screened += page.screened;
      if (page.isFull) more.push(walk);
      await nextTurn();
    }
    due = more;
  }
  return screened;
}

function walkPage(
  { db, seal, loaded: { setId, index }, hold, nowMs }: WalkParts,
  walk: Walk,
  untilId: string,
): Promise<{ screened: number; isFull: boolean }> {
  return db.transaction(async (tx) => {
    const afterId = await lockWalk(tx, walk);
    // Another process walks there.
    if (afterId === undefined) return { screened: 0, isFull: false };
    const limit = limits.screeningPageMax;
    const ids = await listIdsOfWalk(tx, walk, { afterId, untilId, limit });
    const last = ids.at(-1);
    if (last === undefined) return { screened: 0, isFull: false };
    const records = await insertRecords(tx, walk, ids, { setId, atMs: nowMs });
    if (records.length > 0) {
      // Read after the records are written: a change of a receiver writes its record too, so it waits for us.
      const subjects = await readSubjects({ db: tx, seal }, walk.subaccountId, records);
      const opened = await openHits(tx, await screenAll(index, subjects, setId), nowMs);
      await holdReceivers(tx, hold, opened, nowMs);
    }
    await saveWalk(tx, walk, last);
    return { screened: records.length, isFull: ids.length === limit };
  });
}

/** Ids of earlier times are smaller. */
function firstIdAt(ms: number): string {
  const time = Math.max(ms, 0).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
