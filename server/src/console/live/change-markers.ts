// Looks for what has changed of some subaccounts since the last look. Other processes need not tell: what they write
// leaves its traces at the ends of indexes.

import type { Clock } from "../../clock.ts";
import { firstIdOf } from "../../cursor.ts";
import { type ChangedKind, changedKinds, type Db } from "../../db/connect.ts";
import { limits } from "../../limits.ts";
import { type ChangeMarkers, listChangeMarkers } from "./queries.ts";

const dayMs = 86_400_000;
/** Events are counted from a moment that moves on only so often. */
const windowMs = limits.feedLookBackMs;

type Seen = ChangeMarkers & { windowMs: number };

type Changes = Map<string, ReadonlySet<ChangedKind>>;

export function changeMarkerReader({ db, clock }: { db: Db; clock: Clock }) {
  const last = new Map<string, Seen>();

  /** Of subaccounts that were not looked at before, nothing is known to have changed. */
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
    // It may be about a receiver.
    changed.add("receivers");
  }
  if (isOther("endpoint")) changed.add("events");
  if (isOther("request_id")) changed.add("requests");
  return changed;
}
