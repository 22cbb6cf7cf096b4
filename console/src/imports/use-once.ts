// A double click starts an import once. The state of a mutation is known only after the next render.

import { useRef } from "react";

const doubleClickMs = 1_000;

/** `isIdle`: it was not started, or was reset. After a failure it can be started again. */
export function useOnce(isIdle: boolean): (start: () => void) => void {
  const startedAtMs = useRef(0);
  return (start) => {
    const nowMs = Date.now();
    if (isIdle && nowMs - startedAtMs.current < doubleClickMs) return;
    startedAtMs.current = nowMs;
    start();
  };
}
