// How the connection of `events listen` stands, seen from its calls: the client makes it anew by itself and in silence.

export type ConnectionWatch = {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether the first connection came too late for what is of this time, and a later one looked back. */
  isFromBefore(ms: number): boolean;
};

type Telling = { onOpen: (isAgain: boolean) => void; onLost: (why: string) => void };

export function watchConnection({ onOpen, onLost }: Telling): ConnectionWatch {
  let opened = 0;
  let beganMs = 0;
  let isTold = false;

  function lost(why: string): void {
    if (!isTold) onLost(why);
    isTold = true;
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
        isTold = false;
        // By the clock of the service, in whole seconds.
        if (opened === 1) beganMs = Date.parse(headers.get("date") ?? "") || 0;
        onOpen(opened > 1);
        // The others end the command, with words of their own.
      } else if (status === 429 || status >= 500) lost(`status ${status}`);
      return response;
    },
    isFromBefore: (ms) => opened > 1 && ms < beganMs,
  };
}
