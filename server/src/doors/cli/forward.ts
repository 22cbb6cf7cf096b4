// Forwards events to a program on this machine, signed like a delivery, and reports each response.
// It needs no address guard: the person who runs it could call the address directly.

import { Agent, request } from "undici";
import type { HeardEvent } from "../../../../client/src/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { connectFailureOf } from "../../webhooks/http-client/index.ts";
import { deliveryHeaders, webhookKey } from "../../webhooks/webhook-signature/index.ts";

export type Forwarded = {
  id: string;
  /** Undefined: there was no response. */
  status: number | undefined;
  /** Why there was no response, or no complete one. */
  failure: string | undefined;
  tookMs: number;
  /** The beginning of the response body. */
  body: string;
};

type ForwardParts = {
  url: URL;
  secrets: readonly string[];
  signal: AbortSignal;
  onAnswer(forwarded: Forwarded): void;
};

/** Events of one payout, receiver or balance are sent in order; others are sent at the same time. */
export function forwarder({ url, secrets, signal, onAnswer }: ForwardParts) {
  const keys = secrets.map(webhookKey);
  const agent = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0 });
  const lastOf = new Map<string, Promise<void>>();
  const turns = new Turns(limits.laneWidth);

  async function send({ id, body }: HeardEvent): Promise<Forwarded> {
    const overdue = AbortSignal.timeout(limits.postTotalMs);
    const timestampS = Math.floor(Date.now() / 1000);
    const startMs = performance.now();
    const forwarded: Forwarded = { id, status: undefined, failure: undefined, tookMs: 0, body: "" };
    try {
      const answer = await request(url, {
        method: "POST",
        headers: deliveryHeaders(keys, { id, timestampS, body, attempt: 1 }),
        body,
        dispatcher: agent,
        signal: AbortSignal.any([signal, overdue]),
      });
      forwarded.status = answer.statusCode;
      forwarded.body = await beginningOf(answer.body);
    } catch (error) {
      forwarded.failure = overdue.aborted ? "timeout" : connectFailureOf(error as Error);
    }
    forwarded.tookMs = Math.round(performance.now() - startMs);
    return forwarded;
  }

  async function sendInTurn(event: HeardEvent, before: Promise<void> | undefined): Promise<void> {
    await before;
    await turns.take(async () => {
      if (signal.aborted) return;
      const forwarded = await send(event);
      if (!signal.aborted) onAnswer(forwarded);
    });
  }

  return {
    forward(event: HeardEvent): void {
      const key = orderKeyOf(event);
      const sent = sendInTurn(event, lastOf.get(key)).finally(() => {
        if (lastOf.get(key) === sent) lastOf.delete(key);
      });
      lastOf.set(key, sent);
    },
    async close(): Promise<void> {
      await Promise.all(lastOf.values());
      await agent.destroy();
    },
  };
}

function orderKeyOf({ data }: HeardEvent): string {
  if ("payout_id" in data) return data.payout_id;
  return "receiver_id" in data ? data.receiver_id : data.subccount_id;
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limits.answerReadBytesMax) break;
  }
  return Buffer.concat(chunks).toString("utf8", 0, limits.answerReadBytesMax);
}

/** Runs at most `atOnce` jobs at a time; the others wait in order. */
class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async take(work: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
