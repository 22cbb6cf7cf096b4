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
import { createOperatorToken } from "../../../tenants/operator-tokens/index.ts";
import { createSubaccount } from "../../../tenants/subaccounts/index.ts";
import { insertUser } from "../../../tenants/user-records/index.ts";
import { startDeliveryWorker } from "../../../webhooks/delivery/index.ts";
import { poster } from "../../../webhooks/http-client/index.ts";
import { buildApp } from "../app.ts";
import { tellOperatorStory } from "./operator-story.ts";
import type { Sample } from "./sample.ts";
import { steadyText } from "./steady.ts";
import { type Call, tellStory } from "./story.ts";

const pollMs = 20;
const patienceMs = 60_000;

export type Recorded = { api: Sample[]; operator: Sample[] };

/** The database is migrated and installed, and nothing else is in it. */
export async function recordSamples({ db, seal }: { db: Db; seal: Seal }): Promise<Recorded> {
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
    const made = await createSubaccount({ db, seal }, { ...details, scopes });
    const { key, secret, subaccountId } = made;
    const { port } = sink.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}/events`;
    const { call, calls } = recorder({ baseUrl, key, secret }, []);
    await tellStory({ call, endpoint, startedMs });
    const calledByOthers = calls.length;
    const token = await newAuditorToken({ db, seal });
    const operator = recorder({ baseUrl, token }, calls);
    await tellOperatorStory(operator.call, subaccountId);
    const steady = steadyText({ startedMs, stepsMs: calls.map(({ atMs }) => atMs) }, [
      [endpoint, "https://shop.example/events"],
      [key, "ak_test_7Qm2WZxkT4nB"],
      [/(?<="deposit_reference":")\w+/g, "K7Q2M9XW4F"],
      [/(?<=can be erased from )[\d-]+/g, "2033-01-16"],
      [/whsec_[A-Za-z0-9+/=]+/g, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="],
    ]);
    const shown = (some: Recording[]) =>
      some
        .filter(({ isShown }) => isShown)
        .map(({ sample }) => JSON.parse(steady(JSON.stringify(sample))) as Sample);
    return {
      api: shown(calls.slice(0, calledByOthers)),
      operator: shown(calls.slice(calledByOthers)),
    };
  } finally {
    await app.close();
    await delivery.close();
    await posting.close();
    sink.close();
    sink.closeAllConnections();
  }
}

/** A token of a program that only reads, made by an admin. */
async function newAuditorToken({ db, seal }: { db: Db; seal: Seal }): Promise<string> {
  const found = { id: newId(), name: "Ana", email: "ana@example.com", role: "admin" } as const;
  const user = { ...found, subaccountIds: undefined };
  await insertUser(db, user);
  const session = { id: newId(), user, provenAtMs: Date.now() };
  const { token } = await createOperatorToken.perform(
    { db, seal, clock: Date.now },
    {
      actor: { kind: "user", who: `operator:${user.email}`, ip: "", requestId: newId() },
      session,
      user,
    },
    { name: "reports", role: "auditor", expires_at: Date.now() + 3_600_000 },
  );
  return token;
}

/** A caller of the API signs, and a program of the operator has a token. */
type Target = { baseUrl: string } & ({ key: string; secret: string } | { token: string });
type Recording = { atMs: number; sample: Sample; isShown: boolean };

function recorder(target: Target, calls: Recording[]) {
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
    return json?.payload ?? json;
  };
  return { call, calls };
}

type Sent = Pick<Sample, "method" | "path" | "body"> & {
  headers: Record<string, string> | undefined;
};

async function send(target: Target, { method, path, headers = {}, body }: Sent) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const response = await fetch(target.baseUrl + path, {
    method,
    headers: {
      ...proofOf(target, { method, path, text }),
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

function proofOf(
  target: Target,
  { method, path, text }: Record<"method" | "path" | "text", string>,
): Record<string, string> {
  if ("token" in target) return { authorization: `Bearer ${target.token}` };
  const { key, secret } = target;
  const unsigned = { version: 2, ms: Date.now(), nonce: newId(), hex: "" } as const;
  const toSign = stringToSign(unsigned, { key, method, path, body: Buffer.from(text) });
  return { "x-api-key": key, signature: signatureHeader(unsigned, hmacKey(secret), toSign) };
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
