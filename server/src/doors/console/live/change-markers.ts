// Finds which subaccounts have changed since the last poll. It reads the ends of indexes, so other processes need not
// send a notification.

import { type Clock, firstIdOf } from "../../../platform/base/index.ts";
import { type ChangedKind, changedKinds, type Db } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { type ChangeMarkers, listChangeMarkers } from "./queries.ts";

const dayMs = 86_400_000;
/** Events are counted from a start time that moves in steps. */
const windowMs = limits.feedLookBackMs;

type Seen = ChangeMarkers & { windowMs: number };

type Changes = Map<string, ReadonlySet<ChangedKind>>;

export function changeMarkerReader({ db, clock }: { db: Db; clock: Clock }) {
  const last = new Map<string, Seen>();

  /** A subaccount that is new to the poll counts as unchanged. */
  async function look(subaccountIds: ReadonlySet<string>): Promise<Changes> {
    const nowMs = clock();
    const window = Math.floor(nowMs / windowMs) * windowMs - windowMs;
    const pulses = await listChangeMarkers(db, {
      subaccountIds: [...subaccountIds],
      recentId: firstIdOf(window),
      newestFromId: firstIdOf(nowMs - dayMs),
    });
    for (const id of last.keys()) if (!subaccountIds.has(id)) last.delete(id);
    const changes: Changes = new Map();
    for (const pulse of pulses) {
      const seen = { ...pulse, windowMs: window };
      const before = last.get(pulse.subaccount_id);
      last.set(pulse.subaccount_id, seen);
      if (before) changes.set(pulse.subaccount_id, changesOf(before, seen));
    }
    return changes;
  }

  return look;
}

function changesOf(before: Seen, now: Seen): Set<ChangedKind> {
  if (before.act !== now.act) return new Set(changedKinds);
  const isOther = (field: keyof ChangeMarkers) => before[field] !== now[field];
  const changed = new Set<ChangedKind>();
  if (isOther("transfers")) changed.add("payouts");
  if (isOther("receiver_id")) changed.add("receivers");
  const hasLateEvent = before.windowMs === now.windowMs && isOther("events");
  if (isOther("event_id") || hasLateEvent) {
    changed.add("events");
    // The event may be about a receiver.
    changed.add("receivers");
  }
  if (isOther("endpoint")) changed.add("events");
  if (isOther("request_id")) changed.add("requests");
  return changed;
}
