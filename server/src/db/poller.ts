// Looks for work that is due: at the start, when woken, and every so often, because another process may have
// left some. One look at a time, so that a process never competes with itself.

export type Poller = {
  /** Something may have become due. */
  wake(): void;
  /** No further look; resolves when the one under way has ended. */
  close(): Promise<void>;
};

export type PollerOptions = {
  look(): Promise<void>;
  everyMs: number;
  /** A look failed. The next one comes in its time. */
  onError(error: unknown): void;
};

export function startPoller({ look, everyMs, onError }: PollerOptions): Poller {
  let looking: Promise<void> | undefined;
  let isWoken = false;
  let isClosed = false;

  async function lookWhileWoken(): Promise<void> {
    while (isWoken && !isClosed) {
      isWoken = false;
      await look().catch(onError);
    }
    looking = undefined;
  }

  /** Woken during a look, there is another after it: that one may have begun too early to see everything. */
  function wake(): void {
    isWoken = true;
    looking ??= lookWhileWoken();
  }

  const timer = setInterval(wake, everyMs);
  wake();
  return {
    wake,
    async close() {
      clearInterval(timer);
      isClosed = true;
      await looking;
    },
  };
}

export function combinePollers(lookouts: readonly Poller[]): Poller {
  return {
    wake() {
      for (const lookout of lookouts) lookout.wake();
    },
    async close() {
      await Promise.all(lookouts.map((lookout) => lookout.close()));
    },
  };
}
