// Whether the server answered the last call. Every call says so, and the shell shows a banner when it didn't.

import { useSyncExternalStore } from "react";

let isReachable = true;
const listeners = new Set<() => void>();

export function setReachable(after: boolean): void {
  if (after === isReachable) return;
  isReachable = after;
  for (const listener of listeners) listener();
}

export function useIsReachable(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isReachable,
  );
}
