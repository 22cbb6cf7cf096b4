// Plays the story against a real service on a real database, and notes every call with its answer.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { railDirectory, sandboxRail } from "../../../money/rails/index.ts";
import { manualProvider, sandboxProvider } from "../../../people/kyc-providers/index.ts";
import { noScreening } from "../../../people/screening/index.ts";
import { newId, scopes } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { createLog } from "../../../platform/log/index.ts";
import { hmacKey, signatureHeader, stringToSign } from "../../../platform/signatures/index.ts";
import { createSubaccount } from "../../../tenants/subaccounts/index.ts";
import { startDeliveryWorker } from "../../../webhooks/delivery/index.ts";
import { poster } from "../../../webhooks/http-client/index.ts";
import { buildApp } from "../app.ts";
import type { Sample } from "./sample.ts";
import { steadyText } from "./steady.ts";
import { type Call, tellStory } from "./story.ts";

const pollMs = 20;
const patienceMs = 60_000;

/** The database is migrated and installed, and nothing else is in it. */
export async function recordSamples({ db, seal }: { db: Db; seal: Seal }): Promise<Sample[]> {
  const startedMs = Date.now();
  const log = createLog({ level: "silent" });
  const posting = poster({ policy: "loopback" });
  const delivery = startDeliveryWorker({ db, seal, log, poster: posting });
  db.listeners.eventListeners.add(delivery.hint);
  const sink = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(204).end());
  }).listen(0, "127.0.0.1");
  // Nothing happens in the background but delivery: what becomes of a check or a payout is set by the story.
  const app = await buildApp({
    db,
    seal,
    log,
    signatureWindowMs: 300_000,
    rateLimit: { perSecond: 0, burst: 1 },
    postbackAddresses: "loopback",
    kyc: { test: sandboxProvider({ delayMs: 0 }), live: manualProvider },
    rails: railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 0 }) }]),
    screener: noScreening,
  });
  const baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  try {
    const details = { name: "Analytical Engines", mode: "test" } as const;
    const { key, secret } = await createSubaccount({ db, seal }, { ...details, scopes });
    const { port } = sink.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}/events`;
    const { call, calls } = recorder({ baseUrl, key, secret });
    await tellStory({ call, endpoint, startedMs });
    const steady = steadyText({ startedMs, stepsMs: calls.map(({ atMs }) => atMs) }, [
      [endpoint, "https://shop.example/events"],
      [key, "ak_test_7Qm2WZxkT4nB"],
      [/(?<="deposit_reference":")\w+/g, "K7Q2M9XW4F"],
      [/(?<=can be erased from )[\d-]+/g, "2033-01-16"],
      [/whsec_[A-Za-z0-9+/=]+/g, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="],
    ]);
    return calls
      .filter(({ isShown }) => isShown)
      .map(({ sample }) => JSON.parse(steady(JSON.stringify(sample))) as Sample);
  } finally {
    await app.close();
    await delivery.close();
    await posting.close();
    sink.close();
    sink.closeAllConnections();
  }
}

type Target = { baseUrl: string; key: string; secret: string };

function recorder(target: Target) {
  const calls: { atMs: number; sample: Sample; isShown: boolean }[] = [];
  const call: Call = async (operationId, line, ask = {}) => {
    const [method, path] = line.split(" ") as [string, string];
    const { headers, body, status = 200, until, summary = "Done" } = ask;
    const sent = { method, path, headers, body };
    const end = performance.now() + patienceMs;
    while (until && !until((await send(target, sent)).json.payload)) {
      if (performance.now() > end) throw new Error(`${line}: never came true`);
      await sleep(pollMs);
    }
    const atMs = Date.now();
    const { json, link, text, ...answer } = await send(target, sent);
    if (answer.status !== status) throw new Error(`${line}: ${answer.status} ${text}`);
    const requested = { operationId, summary, ...sent };
    const sample = { ...requested, status, link, answer: json ?? text } as Sample;
    calls.push({ atMs, sample, isShown: !ask.isAside });
    return json?.payload;
  };
  return { call, calls };
}

type Sent = Pick<Sample, "method" | "path" | "body"> & {
  headers: Record<string, string> | undefined;
};

async function send(target: Target, { method, path, headers = {}, body }: Sent) {
  const { baseUrl, key, secret } = target;
  const text = body === undefined ? "" : JSON.stringify(body);
  const unsigned = { version: 2, ms: Date.now(), nonce: newId(), hex: "" } as const;
  const toSign = stringToSign(unsigned, { key, method, path, body: Buffer.from(text) });
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      "x-api-key": key,
      signature: signatureHeader(unsigned, hmacKey(secret), toSign),
      ...(text && { "content-type": "application/json" }),
      ...headers,
    },
    ...(text && { body: text }),
  });
  const type = response.headers.get("content-type") ?? "";
  const answer =
    type === "text/event-stream" ? await readEvent(response, path) : await response.text();
  const json = type.startsWith("application/json") ? JSON.parse(answer) : undefined;
  const link = response.headers.get("link") ?? undefined;
  return { status: response.status, text: answer, json, link };
}

/** A feed has no end: the event that it is opened with is enough. */
async function readEvent(response: Response, path: string): Promise<string> {
  const id = path.split("=")[1];
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const whole = text.split("\n\n").slice(0, -1);
    const event = whole.find((one) => one.includes(`id: ${id}\n`) && one.includes("\ndata: "));
    if (event) return `${event}\n\n`;
  }
  throw new Error("the feed ended before the event");
}
