// Requests to the service. One that may have been done is sent again under the same key, so it is done once.

import { setTimeout as sleep } from "node:timers/promises";
import { exitCodes, Problem } from "./problem.ts";
import type { ByKey } from "./profiles.ts";
import { signatureOf } from "./signature.ts";

/** Without a body it is a GET. Of an API key the path is one of the API, otherwise one below /operator/v1. */
type Asked = { url: string; path: string; body?: object; key?: string } & (
  | { token?: string }
  | Omit<ByKey, "url">
);
export type Answered = { status: number; json: Record<string, unknown> };

const attemptsMax = 6;
const firstPauseMs = 250;
const pauseMaxMs = 10_000;

/** The service was not reached, is busy, or is still doing the first request with the key. */
const isPassing = ({ status, json }: Answered) =>
  [429, 502, 503, 504].includes(status) || codeOf(json) === "IDEM103";

export async function ask(asked: Asked): Promise<Answered> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === attemptsMax;
    const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), pauseMaxMs);
    try {
      const { waitMs, ...answered } = await send(asked);
      if (isLast || !isPassing(answered)) return answered;
      await sleep(Math.min(waitMs ?? pauseMs, pauseMaxMs));
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (isLast) throw unreachable(asked.url, error);
      await sleep(pauseMs);
    }
  }
}

async function send(asked: Asked) {
  const { url, key } = asked;
  const method = asked.body ? "POST" : "GET";
  const path = "api_key" in asked ? asked.path : `/operator/v1${asked.path}`;
  const body = asked.body && JSON.stringify(asked.body);
  const response = await fetch(url + path, {
    method,
    redirect: "error",
    headers: {
      ...proofOf(asked, { method, path, body }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== undefined && { "idempotency-key": key }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const waitS = Number(response.headers.get("retry-after") ?? Number.NaN);
  return {
    status: response.status,
    json: parsed(text, url, response.status),
    waitMs: Number.isFinite(waitS) ? waitS * 1000 : undefined,
  };
}

/** Each attempt has a signature of its own: the service takes one only once. */
function proofOf(asked: Asked, request: Parameters<typeof signatureOf>[1]): Record<string, string> {
  if (!("api_key" in asked)) return asked.token ? { authorization: `Bearer ${asked.token}` } : {};
  return { "x-api-key": asked.api_key, signature: signatureOf(asked, request) };
}

function parsed(text: string, url: string, status: number): Record<string, unknown> {
  if (text === "") return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // A proxy in between answers in its own way.
    if (status >= 500) return {};
    throw new Problem(`${url} is no Disburse service.`, exitCodes.unexpected);
  }
}

function unreachable(url: string, error: unknown): Problem {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return new Problem(
    `${url} can't be reached: ${cause?.code ?? cause?.message ?? message}.`,
    exitCodes.unexpected,
  );
}

type FailureBody = { error?: { code: string; message: string; field?: string }[] };

export const codeOf = (json: object): string => (json as FailureBody).error?.[0]?.code ?? "";

/** A refusal as a problem of the command. */
export function refusal({ status, json }: Answered): Problem {
  const { error = [] } = json as FailureBody;
  const lines = error.map(({ code, message }) => `${code} ${message}`);
  return new Problem(lines.join("\n") || `The service answered ${status}.`, exitCodes.refused);
}
