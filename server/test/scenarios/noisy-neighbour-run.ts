// One subaccount sends large payout batches without a pause; another makes payouts and reads, at a steady rate.

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DisburseError } from "../../../client/src/index.ts";
import type { NoisyClientOptions } from "../support/noisy-client.ts";
import { clientOf, newPayer, type Payer } from "../support/payers.ts";
import { serve } from "../support/process.ts";
import type { ServiceParts } from "../support/worker.ts";

type Neighbours = {
  loops: number;
  rows: number;
  /** Payouts per second of the quiet subaccount, and as many reads. */
  perSecond: number;
  quietS: number;
  loudS: number;
  onSecond?: (seconds: number) => void;
};

type Calls = { payoutMs: number[]; readMs: number[]; failures: string[] };

type NeighboursSeen = {
  /** The same calls, before the noisy subaccount starts and beside it. */
  alone: Calls;
  beside: Calls;
  /** The responses to the noisy subaccount. */
  loudAnswers: Record<string, number>;
};

const refusalPauseMs = 50;

export async function runNeighbours(
  parts: ServiceParts,
  options: Neighbours,
): Promise<NeighboursSeen> {
  const { loops, rows, quietS, loudS, onSecond = () => {} } = options;
  const { baseUrl, end } = await serve({
    DATABASE_URL: parts.url,
    DISBURSE_MASTER_KEY: parts.masterKey.toString("base64"),
    // Without a rate limit, because the isolation of subaccounts is measured.
    RATE_LIMIT_PER_S: "0",
    ADMIN_PORT: "0",
    LOG_LEVEL: "error",
  });
  try {
    const quiet = await newPayer({ ...parts, baseUrl }, "");
    const loud = await newPayer({ ...parts, baseUrl }, "");
    await callFor(baseUrl, quiet, { ...options, seconds: Math.min(2, quietS) });
    const alone = await callFor(baseUrl, quiet, { ...options, seconds: quietS });
    const [payee] = loud.payees;
    if (!payee) throw new Error("no receiver to pay");
    const loudness = { baseUrl, keys: loud.keys, payee, loops, rows, pauseMs: refusalPauseMs };
    const client = startNoisyClient(loudness);
    await once(client, "message");
    try {
      const beside = await callFor(baseUrl, quiet, { ...options, seconds: loudS, onSecond });
      client.send("stop");
      const [loudAnswers] = (await once(client, "message")) as [Record<string, number>];
      return { alone, beside, loudAnswers };
    } finally {
      client.kill("SIGKILL");
    }
  } finally {
    await end("SIGKILL");
  }
}

function startNoisyClient(options: NoisyClientOptions) {
  return fork(join(import.meta.dirname, "..", "support", "noisy-client.ts"), [
    JSON.stringify(options),
  ]);
}

type Pace = { perSecond: number; seconds: number; onSecond?: (seconds: number) => void };

/** Starts calls at fixed times, without waiting for earlier ones. */
async function callFor(
  baseUrl: string,
  { keys, payees }: Payer,
  { perSecond, seconds, onSecond = () => {} }: Pace,
): Promise<Calls> {
  const disburse = clientOf(keys, baseUrl);
  const calls: Calls = { payoutMs: [], readMs: [], failures: [] };
  const timed = async (times: number[], work: () => Promise<unknown>) => {
    const startMs = performance.now();
    try {
      await work();
      times.push(performance.now() - startMs);
    } catch (error) {
      const said = error instanceof DisburseError ? `${error.status} ${error.message}` : error;
      calls.failures.push(String(said));
    }
  };
  const startMs = performance.now();
  const under: Promise<void>[] = [];
  for (let made = 0; made < seconds * perSecond; made += 1) {
    const waitMs = startMs + (made * 1000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const to = payees[made % payees.length] as Payer["payees"][number];
    const payout = { ...to, amount: 1, currency: "AUD", reference: "", allow_duplicate: true };
    under.push(timed(calls.payoutMs, () => disburse.payouts.create(payout)));
    under.push(timed(calls.readMs, () => disburse.receivers.get(to.receiver_id)));
    onSecond((performance.now() - startMs) / 1000);
  }
  await Promise.all(under);
  return calls;
}
