// The core that every noun calls: signs a request, sends it, and repeats it where that is safe.

import { DisburseError } from "./errors.ts";
import { exchange, openStream } from "./exchange.ts";
import { checkMaxRetries, checkTimeoutMs, type Settings } from "./options.ts";
import { type Answer, readReply } from "./reply.ts";
import { mayRepeat, serverTimeMsOf, wait, waitMs } from "./retry.ts";
import { newNonce, signV2 } from "./sign.ts";

/** Options of a single call. */
export type CallOptions = {
  /** Ends the call, including pauses between attempts; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take. Default: the client's. */
  timeoutMs?: number | undefined;
  /** How often this call may be retried. Default: the client's. */
  maxRetries?: number | undefined;
};

/** Options of a single POST. */
export type WriteOptions = CallOptions & {
  /**
   * Requests with the same key are executed once. Default: a new key for each call.
   * Give your own when you may have to repeat the call yourself, such as after a crash.
   */
  idempotencyKey?: string | undefined;
};

// Checked here, because fetch would silently trim some keys, and refuse others as if the network had failed.
function checkIdempotencyKey(key: string): string {
  if (/^[!-~]{1,255}$/.test(key)) return key;
  throw new TypeError("idempotencyKey must be 1 to 255 visible ASCII characters");
}

type Query = Record<string, string | undefined>;

type Call = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  url: URL;
  body?: string;
  idempotencyKey?: string;
  /** A POST that changes nothing. */
  isRead?: true;
};

export class Connection {
  // Private to the language, not only to the compiler: neither JSON nor a console sees the secret.
  readonly #settings: Settings;
  // The difference between the server's clock and ours; 0 until a refusal reports it.
  #clockOffsetMs = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async get<Payload>(path: string, options: CallOptions = {}, query: Query = {}) {
    const url = this.#urlOf(path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return this.#request<Payload>({ method: "GET", url }, options);
  }

  async post<Payload>(path: string, content: unknown, options: WriteOptions = {}) {
    const body = JSON.stringify(content);
    // Generated once for all attempts: the server executes requests with one key once.
    const idempotencyKey = checkIdempotencyKey(options.idempotencyKey ?? newNonce());
    const call: Call = { method: "POST", url: this.#urlOf(path), body, idempotencyKey };
    return this.#request<Payload>(call, options);
  }

  /** A POST that changes nothing, so it needs no key. */
  async ask<Payload>(path: string, content: unknown, options: CallOptions = {}) {
    const body = JSON.stringify(content);
    const call: Call = { method: "POST", url: this.#urlOf(path), body, isRead: true };
    return this.#request<Payload>(call, options);
  }

  // These two need no key: repeating them changes nothing.
  async patch<Payload>(path: string, content: unknown, options: CallOptions = {}) {
    const body = JSON.stringify(content);
    return this.#request<Payload>({ method: "PATCH", url: this.#urlOf(path), body }, options);
  }

  async delete<Payload>(path: string, options: CallOptions = {}) {
    return this.#request<Payload>({ method: "DELETE", url: this.#urlOf(path) }, options);
  }

  /** A stream that continues until the signal ends it. Throws if the request is refused. */
  async open(
    path: string,
    extra: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { fetch, timeoutMs } = this.#settings;
    const call: Call = { method: "GET", url: this.#urlOf(path) };
    for (let clockCorrected = false; ; clockCorrected = true) {
      const headers = await this.#headersOf(call);
      headers.set("accept", "text/event-stream");
      for (const [name, value] of Object.entries(extra)) headers.set(name, value);
      const opened = await openStream({ fetch, ...call, headers, timeoutMs, signal });
      if (opened instanceof DisburseError) throw opened;
      if ("stream" in opened) return opened.stream;
      const result = readReply(opened);
      const isClock = result instanceof DisburseError && result.code === "AUTH106";
      if (isClock && !clockCorrected && this.#correctClock(opened.headers)) continue;
      if (result instanceof DisburseError) throw result;
      const message = "the answer is no stream of events; is something else at this address?";
      throw new DisburseError(message, { code: "UNREADABLE_RESPONSE", status: opened.status });
    }
  }

  #urlOf(path: string): URL {
    return new URL(this.#settings.baseUrl + path);
  }

  async #request<Payload>(call: Call, options: CallOptions): Promise<Answer<Payload>> {
    const timeoutMs = checkTimeoutMs(options.timeoutMs ?? this.#settings.timeoutMs);
    const maxRetries = checkMaxRetries(options.maxRetries ?? this.#settings.maxRetries);
    const { signal } = options;
    const isRead = call.method === "GET" || call.isRead === true;
    let clockCorrected = false;
    for (let retries = 0; ; ) {
      const { result, headers } = await this.#try<Payload>(call, { timeoutMs, signal });
      if (!(result instanceof DisburseError)) return result;
      // A refused signature did nothing, so this is safe for writes and is not counted as a retry.
      if (result.code === "AUTH106" && !clockCorrected && this.#correctClock(headers)) {
        clockCorrected = true;
        continue;
      }
      if (retries >= maxRetries || !mayRepeat(result, { isRead })) throw result;
      await wait(waitMs(result, retries), signal);
      retries += 1;
    }
  }

  // Each attempt is signed separately: the server accepts the nonce of a write once.
  async #try<Payload>(call: Call, limits: { timeoutMs: number; signal: AbortSignal | undefined }) {
    const { fetch } = this.#settings;
    const { method, url, body } = call;
    const headers = await this.#headersOf(call);
    const reply = await exchange({ fetch, url, method, headers, body, ...limits });
    if (reply instanceof DisburseError) return { result: reply, headers: null };
    return { result: readReply<Payload>(reply), headers: reply.headers };
  }

  async #headersOf({ method, url, body, idempotencyKey }: Call): Promise<Headers> {
    const { apiKey, apiSecret, userAgent } = this.#settings;
    const ms = Date.now() + this.#clockOffsetMs;
    // The request line contains the path as the URL class normalises it.
    const path = url.pathname + url.search;
    const signature = await signV2({ apiKey, apiSecret, ms, method, path, body });
    const headers = new Headers({ accept: "application/json", "x-api-key": apiKey, signature });
    if (body !== undefined) headers.set("content-type", "application/json");
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
    if (userAgent !== null) headers.set("user-agent", userAgent);
    return headers;
  }

  #correctClock(headers: Headers | null): boolean {
    const serverTimeMs = headers && serverTimeMsOf(headers);
    if (serverTimeMs === null) return false;
    this.#clockOffsetMs = serverTimeMs - Date.now();
    return true;
  }
}
