// The present, moving on every few seconds, for all that is shown relative to it.

import { useSyncExternalStore } from "react";

const tickMs = 5_000;

let nowMs = Date.now();
const watchers = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  nowMs = Date.now();
  for (const tell of watchers) tell();
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  if (!ticking) nowMs = Date.now();
  ticking ??= setInterval(tick, tickMs);
  return () => {
    watchers.delete(tell);
    if (watchers.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

export function useNow(): number {
  return useSyncExternalStore(watch, () => nowMs);
}
