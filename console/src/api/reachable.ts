// Whether the server answered the last request. The shell shows a banner when it did not.

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
