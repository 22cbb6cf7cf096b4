// Whether the user is active. Requests that a page sends on a timer must not keep the session alive.

const presentMs = 60_000;
let lastActMs = Date.now();

const noteAct = (): void => {
  lastActMs = Date.now();
};
for (const kind of ["pointerdown", "keydown", "wheel", "touchstart"] as const) {
  window.addEventListener(kind, noteAct, { capture: true, passive: true });
}

/** A session ends after this time without activity; the server decides for itself. */
const idleMs = 30 * 60_000;

/** The user was away so long that this ended the session. */
export function wasIdle(): boolean {
  // A session was last used at most a minute after the last act.
  return Date.now() - lastActMs >= idleMs - presentMs;
}

/** The header that marks a background request. Empty while the user is active. */
export function backgroundHeader(): Record<string, string> {
  return Date.now() - lastActMs > presentMs ? { "x-disburse-background": "1" } : {};
}
