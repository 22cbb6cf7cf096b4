// The core that every noun calls: signs a request, sends it, and repeats it where that is safe.

import { DisburseError } from "./errors.ts";
import { exchange } from "./exchange.ts";
import { checkMaxRetries, checkTimeoutMs, type Settings } from "./options.ts";
import { type Answer, readReply } from "./reply.ts";
import { mayRepeat, serverTimeMsOf, wait, waitMs } from "./retry.ts";
import { signV2 } from "./sign.ts";

/** What may be said about a single call. */
export type CallOptions = {
  /** Ends the call, waits between its tries included; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How long one try may take. Default: the client's. */
  timeoutMs?: number | undefined;
  /** How often this call may be repeated. Default: the client's. */
  maxRetries?: number | undefined;
};

/** What may be said about a single write. */
export type WriteOptions = CallOptions & {
  /** Tells the server that tries under one key are one request, which lets the client repeat it. */
  idempotencyKey?: string | undefined;
};

// Said here, because fetch would quietly trim some of these and refuse others as if the network failed.
function checkIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[!-~]{1,255}$/.test(key)) return key;
  throw new TypeError("idempotencyKey must be 1 to 255 visible ASCII characters");
}

type Query = Record<string, string | undefined>;

type Call = {
  method: "GET" | "POST";
  url: URL;
  body?: string;
  idempotencyKey?: string | undefined;
};

export class Connection {
  // Private to the language, not only to the compiler: neither JSON nor a console sees the secret.
  readonly #settings: Settings;
  // How far the server's clock is ahead of ours; 0 until a refusal has taught us otherwise.
  #clockOffsetMs = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async get<Payload>(path: string, options: CallOptions = {}, query: Query = {}) {
    const url = new URL(this.#settings.baseUrl + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return this.#request<Payload>({ method: "GET", url }, options);
  }

  async post<Payload>(path: string, content: unknown, options: WriteOptions = {}) {
    const url = new URL(this.#settings.baseUrl + path);
    const body = JSON.stringify(content);
    // Only what the caller gives: the server does not keep these keys yet, and under a key that is
    // ignored a repeated write would be done twice. Once it does, a fresh key is the default here.
    const idempotencyKey = checkIdempotencyKey(options.idempotencyKey);
    return this.#request<Payload>({ method: "POST", url, body, idempotencyKey }, options);
  }

  async #request<Payload>(call: Call, options: CallOptions): Promise<Answer<Payload>> {
    const timeoutMs = checkTimeoutMs(options.timeoutMs ?? this.#settings.timeoutMs);
    const maxRetries = checkMaxRetries(options.maxRetries ?? this.#settings.maxRetries);
    const { signal } = options;
    const nature = { isRead: call.method === "GET", hasIdempotencyKey: !!call.idempotencyKey };
    let clockCorrected = false;
    for (let retries = 0; ; ) {
      const { result, headers } = await this.#try<Payload>(call, { timeoutMs, signal });
      if (!(result instanceof DisburseError)) return result;
      // A refused signature did nothing, so this is safe for writes and is not counted as a retry.
      if (result.code === "AUTH106" && !clockCorrected && this.#correctClock(headers)) {
        clockCorrected = true;
        continue;
      }
      if (retries >= maxRetries || !mayRepeat(result, nature)) throw result;
      await wait(waitMs(result, retries), signal);
      retries += 1;
    }
  }

  // Each try is signed anew: the server takes the nonce of a write only once.
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
    // What the URL class made of the address is what goes on the request line.
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
