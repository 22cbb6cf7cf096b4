// Whether somebody is at the page. What pages ask for by themselves, again and again, must not keep a session alive.

const presentMs = 60_000;
let lastActMs = Date.now();

const noteAct = (): void => {
  lastActMs = Date.now();
};
for (const kind of ["pointerdown", "keydown", "wheel", "touchstart"] as const) {
  window.addEventListener(kind, noteAct, { capture: true, passive: true });
}

/** The header that says that nobody asked for a call; empty where somebody did something a moment ago. */
export function backgroundHeader(): Record<string, string> {
  return Date.now() - lastActMs > presentMs ? { "x-disburse-background": "1" } : {};
}
