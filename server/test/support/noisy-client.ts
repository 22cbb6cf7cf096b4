// A process that sends payout batches of one subaccount in several loops, as fast as it gets responses. It runs at a
// low priority, because it shares the machine with the measured service. It reports the count of each response.

import { createHmac } from "node:crypto";
import { Agent } from "node:http";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fetchBy } from "./kept-connections.ts";
import type { Keys, Payee } from "./payers.ts";

export type NoisyClientOptions = {
  baseUrl: string;
  keys: Keys;
  payee: Payee;
  loops: number;
  rows: number;
  /** The pause after a refusal; Retry-After is ignored. */
  pauseMs: number;
};

const { baseUrl, keys, payee, loops, rows, pauseMs }: NoisyClientOptions = JSON.parse(
  process.argv[2] as string,
);
setPriority(10);

const send = fetchBy(new Agent({ keepAlive: true }));
const row = { ...payee, amount: 1, currency: "AUD", reference: "loud", allow_duplicate: true };
const body = JSON.stringify({ payouts: Array(rows).fill(row) });
const answers: Record<string, number> = {};

function count(what: string): void {
  answers[what] = (answers[what] ?? 0) + 1;
}

function headers(): Record<string, string> {
  const ms = Date.now();
  const hex = createHmac("sha256", keys.apiSecret).update(`${ms}.${keys.apiKey}`).digest("hex");
  return {
    "x-api-key": keys.apiKey,
    signature: `${ms}.${hex}`,
    "content-type": "application/json",
  };
}

async function loop(): Promise<void> {
  for (;;) {
    try {
      const address = `${baseUrl}/api/payout/batch`;
      const { status, headers: got } = await send(address, {
        method: "POST",
        headers: headers(),
        body,
      });
      const isRefusal = status === 429 || status === 503;
      count(isRefusal && !got.has("retry-after") ? `${status} without Retry-After` : `${status}`);
      if (isRefusal) await sleep(pauseMs);
    } catch {
      count("broken");
      await sleep(pauseMs);
    }
  }
}

process.on("disconnect", () => process.exit(0));
process.on("message", () => {
  process.send?.(answers, () => process.exit(0));
});
process.send?.("ready");
await Promise.all(Array.from({ length: loops }, loop));
