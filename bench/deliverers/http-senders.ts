// HTTP senders for the compared deliverers: bare undici; or guarded as in Disburse, with the address guard, the timeout
// and the limited response, so that only the queues differ.

import { type Dispatcher, Pool } from "undici";
import { newId } from "../../server/src/platform/base/ids.ts";
import { limits } from "../../server/src/platform/limits/limits.ts";
import { poster } from "../../server/src/webhooks/http-client/post.ts";
import {
  type DeliveryToSign,
  signDelivery,
  webhookKey,
} from "../../server/src/webhooks/webhook-signature/sign.ts";
import type { DelivererSetup } from "./deliverer.ts";

type Headers = Record<string, string>;

export type Sender = {
  post(endpoint: number, headers: Headers, body: string): Promise<void>;
  close(): Promise<void>;
};

/** Fails unless the response is a 2xx. */
export function guardedSender({ origin }: DelivererSetup): Sender {
  const { post, close } = poster({ policy: "loopback" });
  return {
    async post(endpoint, headers, body) {
      const url = `${origin}/${endpoint}`;
      const { status = 0, failure } = await post({ lane: url, url, headers, body });
      if (failure || status < 200 || status > 299) throw new Error(failure ?? `answered ${status}`);
    },
    close,
  };
}

export function bareSender({ origin, endpoints }: DelivererSetup): Sender {
  const pools = endpoints.map(
    () => new Pool(origin, { connections: limits.connectionsPerLaneMax, pipelining: 1 }),
  );
  return {
    post(endpoint, headers, body) {
      return new Promise((resolve, reject) => {
        const request = { path: `/${endpoint}`, method: "POST", headers, body } as const;
        pools[endpoint]?.dispatch(request, handler(resolve, reject));
      });
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

function handler(resolve: () => void, reject: (error: Error) => void): Dispatcher.DispatchHandler {
  let status = 0;
  return {
    onRequestStart() {},
    onResponseStart(_, code) {
      status = code;
    },
    onResponseData() {},
    onResponseEnd() {
      if (status >= 200 && status < 300) resolve();
      else reject(new Error(`answered with ${status}`));
    },
    onResponseError: (_, error) => reject(error),
  };
}

/** The data of a queue's job. */
export type Job = { endpoint: number; id: string; body: string };

export function jobs({ endpoints, body }: DelivererSetup, count: number): Job[] {
  return Array.from({ length: count }, (_, index) => ({
    endpoint: index % endpoints.length,
    id: `evt_${newId()}`,
    body,
  }));
}

/** Makes the headers that Disburse sends. */
export function signing({ endpoints }: DelivererSetup): (job: Job) => Headers {
  const keys = endpoints.map(({ secret }) => [webhookKey(secret)]);
  return ({ endpoint, id, body }) => {
    const timestampS = Math.floor(Date.now() / 1000);
    const delivery: DeliveryToSign = { id, timestampS, body };
    return {
      "content-type": "application/json",
      "user-agent": "bench",
      "webhook-id": id,
      "webhook-timestamp": String(timestampS),
      "webhook-signature": signDelivery(keys[endpoint] ?? [], delivery),
      "webhook-attempt": "1",
    };
  };
}
