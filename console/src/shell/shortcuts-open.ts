// Whether the list of keyboard shortcuts is shown. Apart from the list, which is loaded when it is first asked for.

import { useSyncExternalStore } from "react";

let isShown = false;
const listeners = new Set<() => void>();

function show(is: boolean): void {
  isShown = is;
  for (const listener of listeners) listener();
}

export const openShortcuts = () => show(true);
export const closeShortcuts = () => show(false);

export function useAreShortcutsOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isShown,
  );
}

export const searchKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";
