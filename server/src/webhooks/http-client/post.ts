// Posts events. The outcome is a value: nothing that an endpoint does throws.

import type { AddressPolicy, Lookup } from "../../platform/addresses/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { PostAttempt, type PostResult } from "./call.ts";
import { type ConnectTimes, connector } from "./connector.ts";
import { deadlines } from "./deadlines.ts";
import { laneConnections } from "./lane-connections.ts";

export type { PostFailure as Failure, PostResult as Posted } from "./call.ts";

type PostCall = { lane: string; url: string; headers: Record<string, string>; body: string };

export type Poster = {
  /** The signal ends the call, which then counts as cut. */
  post(call: PostCall, signal?: AbortSignal): Promise<PostResult>;
  /** Ends the running calls. */
  close(): Promise<void>;
};

export type PosterOptions = {
  policy: AddressPolicy;
  /** Trusted in addition to the authorities that Node trusts. */
  ca?: string | undefined;
  lookup?: Lookup | undefined;
  timeouts?: Partial<ConnectTimes & { totalMs: number }>;
};

export function poster({ policy, ca, lookup, timeouts = {} }: PosterOptions): Poster {
  const {
    totalMs = limits.postTotalMs,
    dnsMs = limits.postDnsMs,
    addressMs = 1_000,
    connectMs = limits.postConnectMs,
    tlsMs = limits.postTlsMs,
  } = timeouts;
  const times = { dnsMs, addressMs, connectMs, tlsMs };
  const connect = connector({ policy, times, lookup, ca });
  const connections = laneConnections({ policy, connect });
  const calls = deadlines<PostAttempt>(totalMs);
  let isClosed = false;

  return {
    post({ lane: name, url, headers, body }, signal) {
      if (isClosed) return Promise.reject(new Error("the poster is closed"));
      return new Promise((resolve, reject) => {
        const startMs = performance.now();
        const lane = connections.take(name, url, startMs);
        const request = { path: lane.path, method: "POST", headers, body } as const;
        const call = new PostAttempt({ lane, request, calls, startMs, resolve, reject });
        if (signal) call.giveUpOn(signal);
        call.start();
      });
    },
    async close() {
      isClosed = true;
      for (let call = calls.first(); call; call = calls.first()) call.giveUp();
      await connections.close();
    },
  };
}
