// Whether times are shown as the person's clock has them, or in UTC. One choice for the whole console.

import { useSyncExternalStore } from "react";
import { remembered } from "./remembered.ts";

export type Zone = "local" | "utc";

let zone: Zone = remembered.get("zone") === "utc" ? "utc" : "local";
const watchers = new Set<() => void>();

export function setZone(chosen: Zone): void {
  zone = chosen;
  remembered.set("zone", chosen);
  for (const tell of watchers) tell();
}

export function useZone(): Zone {
  return useSyncExternalStore(
    (tell) => {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    () => zone,
  );
}

/** For Intl: undefined is the person's own. */
export function timeZoneOf(zone: Zone): string | undefined {
  return zone === "utc" ? "UTC" : undefined;
}
