// Fans out events to the lanes of further endpoints. A subaccount without further endpoints costs nothing here: which have
// some is known from a poll, which also finds events that no hint came for.

import { setImmediate as turn } from "node:timers/promises";
import type { Db } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { fanOutEvents, listFanningOut } from "./fan-out-queries.ts";

type FanOutParts = {
  db: Db;
  closing: AbortSignal;
  /** A lane has new deliveries that only this process knows of. */
  onDeliveries(lane: string): void;
  onError(error: unknown): void;
};

type FanOut = {
  /** The subaccount may have new events. */
  hint(subaccountId: string): void;
  /** Looks for subaccounts with further endpoints, and for events that wait. */
  find(): Promise<void>;
  close(): Promise<void>;
};

export function startFanOut({ db, closing, onDeliveries, onError }: FanOutParts): FanOut {
  let withEndpoints = new Set<string>();
  const waiting = new Set<string>();
  let running: Promise<void> | undefined;

  function start(subaccountId: string): void {
    waiting.add(subaccountId);
    // At the end of this turn of the event loop, so that hints that came together share one statement.
    running ??= turn().then(run);
  }

  async function run(): Promise<void> {
    try {
      while (waiting.size > 0 && !closing.aborted) {
        const next = [...waiting].slice(0, limits.lanesClaimedMax);
        for (const id of next) waiting.delete(id);
        const { lanes, moreIn } = await fanOutEvents(db, next);
        for (const lane of lanes) onDeliveries(lane);
        for (const id of moreIn) waiting.add(id);
      }
    } catch (error) {
      // The poll finds what is left.
      waiting.clear();
      onError(error);
    } finally {
      running = undefined;
    }
  }

  return {
    hint(subaccountId) {
      if (withEndpoints.has(subaccountId)) start(subaccountId);
    },
    async find() {
      const found = await listFanningOut(db);
      withEndpoints = new Set(found.map(({ subaccount_id }) => subaccount_id));
      for (const { subaccount_id, has_events } of found) if (has_events) start(subaccount_id);
    },
    async close() {
      await running;
    },
  };
}
