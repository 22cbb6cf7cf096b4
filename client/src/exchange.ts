// One attempt: a request and its response. A missing response is a value here, not an exception.

import { ConnectionError, TimeoutError } from "./errors.ts";
import type { Fetch } from "./options.ts";

type Attempt = {
  fetch: Fetch;
  url: URL;
  method: string;
  headers: Headers;
  body: string | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
};

export type Reply = { status: number; redirected: boolean; headers: Headers; text: string };

/** Throws only if the caller aborted, with the reason of the caller's signal. */
export async function exchange(attempt: Attempt): Promise<Reply | ConnectionError | TimeoutError> {
  const { url, timeoutMs, signal } = attempt;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    // Raced, because the caller's own fetch may ignore the signal.
    return await Promise.race([send(attempt, controller.signal), rejection(controller.signal)]);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    return failureOf(cause, { url, timeoutMs, timedOut });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

type Opened = { stream: ReadableStream<Uint8Array<ArrayBuffer>> };

/** The same for the event feed, whose response is not read to its end. */
export async function openStream(
  attempt: Omit<Attempt, "body" | "signal"> & { signal: AbortSignal },
): Promise<Reply | Opened | ConnectionError | TimeoutError> {
  const { url, timeoutMs, signal, headers, method, fetch } = attempt;
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  // The listener stays, because the same signal ends the stream.
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const init: RequestInit = { method, headers, redirect: "manual", signal: controller.signal };
    const response = await fetch(url.href, init);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (response.status === 200 && isStream && response.body) return { stream: response.body };
    return await replyOf(response);
  } catch (cause) {
    return failureOf(cause, { url, timeoutMs, timedOut });
  } finally {
    clearTimeout(timer);
  }
}

async function send(attempt: Attempt, signal: AbortSignal): Promise<Reply> {
  const { fetch, url, method, headers, body } = attempt;
  // No `credentials` and no `cache`: some workers refuse requests that mention them. Redirects are
  // "manual", not "error", so that it differs from a broken connection and is not retried.
  const init: RequestInit = { method, headers, redirect: "manual", signal };
  if (body !== undefined) init.body = body;
  return replyOf(await fetch(url.href, init));
}

async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  const { status, type, redirected } = response;
  const moved = redirected || type === "opaqueredirect" || (status >= 300 && status < 400);
  return { status, redirected: moved, headers: response.headers, text };
}

function failureOf(
  cause: unknown,
  { url, timeoutMs, timedOut }: { url: URL; timeoutMs: number; timedOut: boolean },
): ConnectionError | TimeoutError {
  if (timedOut) {
    const message = `no answer from ${url.origin} within ${timeoutMs} ms`;
    return new TimeoutError(message, { code: "TIMED_OUT" });
  }
  const message = `no answer from ${url.origin}${reasonOf(cause)}`;
  return new ConnectionError(message, { code: "CONNECTION_FAILED", cause });
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

// Node puts the reason (ECONNREFUSED, …) into the cause of a TypeError with the message "fetch failed".
function reasonOf(failure: unknown): string {
  const { code, cause } = (failure ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const reason = cause?.code ?? code;
  return typeof reason === "string" ? ` (${reason})` : "";
}
