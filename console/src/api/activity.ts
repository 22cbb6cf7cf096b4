// Whether the user is active. Requests that a page sends on a timer must not keep the session alive.

const presentMs = 60_000;
let lastActMs = Date.now();

const noteAct = (): void => {
  lastActMs = Date.now();
};
for (const kind of ["pointerdown", "keydown", "wheel", "touchstart"] as const) {
  window.addEventListener(kind, noteAct, { capture: true, passive: true });
}

/** The header that marks a background request. Empty while the user is active. */
export function backgroundHeader(): Record<string, string> {
  return Date.now() - lastActMs > presentMs ? { "x-disburse-background": "1" } : {};
}
