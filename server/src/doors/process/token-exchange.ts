// Tokens of rate limits that this process took, sent to the other processes of the service several times a second. So a key
// has one allowance, whichever process answers, and no request waits for another process.

import type { TokenExchange } from "../../platform/base/index.ts";
import { processLimits } from "./process-limits.ts";

/** By the name of the rate limit: keys, and how many tokens each used. */
export type TakenTokens = Record<string, [key: string, tokens: number][]>;

export type TokenExchanges = {
  of(name: string): TokenExchange;
  /** Another process took these. */
  receive(taken: TakenTokens): void;
};

export function tokenExchanges(send: (taken: TakenTokens) => void): TokenExchanges {
  const taken = new Map<string, Map<string, number>>();
  const takers = new Map<string, (key: string, tokens: number) => void>();
  let isScheduled = false;

  function flush(): void {
    isScheduled = false;
    send(Object.fromEntries([...taken].map(([name, ofKeys]) => [name, [...ofKeys]])));
    for (const ofKeys of taken.values()) ofKeys.clear();
  }

  return {
    of(name) {
      const ofKeys = new Map<string, number>();
      taken.set(name, ofKeys);
      return {
        tell(key, tokens) {
          ofKeys.set(key, (ofKeys.get(key) ?? 0) + tokens);
          if (isScheduled) return;
          isScheduled = true;
          setTimeout(flush, processLimits.tokensSentMs).unref();
        },
        onTold: (take) => void takers.set(name, take),
      };
    },
    receive(told) {
      for (const [name, ofKeys] of Object.entries(told)) {
        const take = takers.get(name);
        for (const [key, tokens] of ofKeys) take?.(key, tokens);
      }
    },
  };
}
