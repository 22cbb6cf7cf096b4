// A clock that can be moved. It is imported before the service, which then uses it.

const realNow = Date.now.bind(Date);
let ahead = 0;
let setAt: number | undefined;

Date.now = () => {
  if (setAt === undefined) return realNow();
  // A little goes by between two things that happen, as it does.
  ahead += 1;
  return setAt + ahead;
};

/** From now on it is then, and never earlier than it was. */
export function moveClockTo(ms: number): void {
  const now = setAt === undefined ? 0 : setAt + ahead;
  setAt = Math.max(ms, now);
  ahead = 0;
}

/** Back to the real time. */
export function releaseClock(): void {
  setAt = undefined;
}
