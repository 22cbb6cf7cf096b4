// Whether times are shown in the user's time zone or in UTC. One choice for the whole console.

import { useSyncExternalStore } from "react";
import { remembered } from "./remembered.ts";

export type Zone = "local" | "utc";

let zone: Zone = remembered.get("zone") === "utc" ? "utc" : "local";
const listeners = new Set<() => void>();

export function setZone(chosen: Zone): void {
  zone = chosen;
  remembered.set("zone", chosen);
  for (const listener of listeners) listener();
}

/** For code outside of components. */
export function currentZone(): Zone {
  return zone;
}

export function useZone(): Zone {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => zone,
  );
}

/** For Intl: undefined is the user's own time zone. */
export function timeZoneOf(zone: Zone): string | undefined {
  return zone === "utc" ? "UTC" : undefined;
}

/** Whether the user's own time zone differs from UTC at some time of the year. */
export function isZoneChoice(nowMs = Date.now()): boolean {
  const halfYearMs = 182 * 86_400_000;
  return [nowMs, nowMs + halfYearMs].some((ms) => new Date(ms).getTimezoneOffset() !== 0);
}
