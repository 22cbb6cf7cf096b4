// Polls for due work: at the start, when woken, and at an interval, because another process may have left work.
// Polls never overlap, so a process does not compete with itself.

import { onlyProcess, type ProcessPlace } from "./process-place.ts";

export type Poller = {
  /** Polls now: there may be due work. */
  wake(): void;
  /** Stops polling; resolves when the current poll has ended. */
  close(): Promise<void>;
};

type PollerOptions = {
  poll(): Promise<void>;
  everyMs: number;
  /** A poll failed. The next one comes as scheduled. */
  onError(error: unknown): void;
  /** For work that several processes poll for: they poll in turn, together as often as one alone would. */
  inTurn?: ProcessPlace;
};

export function startPoller({
  poll,
  everyMs,
  onError,
  inTurn: { number, processes } = onlyProcess,
}: PollerOptions): Poller {
  let polling: Promise<void> | undefined;
  let isWoken = false;
  let isClosed = false;

  async function pollWhileWoken(): Promise<void> {
    while (isWoken && !isClosed) {
      isWoken = false;
      await poll().catch(onError);
    }
    polling = undefined;
  }

  /** During a poll it schedules another one, because the current poll may have started too early to see the work. */
  function wake(): void {
    isWoken = true;
    polling ??= pollWhileWoken();
  }

  function wakeRegularly(): void {
    timer = setInterval(wake, everyMs * processes);
    wake();
  }

  let timer = setTimeout(wakeRegularly, everyMs * number);
  wake();
  return {
    wake,
    async close() {
      clearInterval(timer);
      isClosed = true;
      await polling;
    },
  };
}

export function combinePollers(pollers: readonly Poller[]): Poller {
  return {
    wake() {
      for (const poller of pollers) poller.wake();
    },
    async close() {
      await Promise.all(pollers.map((poller) => poller.close()));
    },
  };
}
