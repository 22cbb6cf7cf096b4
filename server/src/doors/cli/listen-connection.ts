// Watches the connection of `events listen`. The client reconnects silently; this reports it.

export type ConnectionWatch = {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether this time is before the first connection. A feed that reconnects looks back, and would show such events. */
  isFromBefore(ms: number): boolean;
};

type ConnectionListeners = { onOpen: (isAgain: boolean) => void; onLost: (why: string) => void };

export function watchConnection({ onOpen, onLost }: ConnectionListeners): ConnectionWatch {
  let opened = 0;
  let beganMs = 0;
  let isReported = false;

  function lost(why: string): void {
    if (!isReported) onLost(why);
    isReported = true;
  }

  return {
    async fetch(url, init) {
      const response = await fetch(url, init).catch((error: Error) => {
        const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
        if (!init.signal?.aborted) lost(code ?? "no answer");
        throw error;
      });
      const { ok, status, headers } = response;
      if (ok) {
        opened += 1;
        isReported = false;
        // The clock of the service, in whole seconds.
        if (opened === 1) beganMs = Date.parse(headers.get("date") ?? "") || 0;
        onOpen(opened > 1);
        // Other statuses end the command with their own message.
      } else if (status === 429 || status >= 500) lost(`status ${status}`);
      return response;
    },
    isFromBefore: (ms) => opened > 1 && ms < beganMs,
  };
}
