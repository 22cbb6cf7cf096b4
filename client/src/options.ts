// The options of a client, checked once when it is created.

import { environment, isBrowser } from "./runtime.ts";
import { VERSION } from "./version.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type DisburseOptions = {
  /** Default: the environment's `DISBURSE_API_KEY`. */
  apiKey?: string | undefined;
  /** Default: the environment's `DISBURSE_API_SECRET`. */
  apiSecret?: string | undefined;
  /** Default: the environment's `DISBURSE_BASE_URL`. */
  baseUrl?: string | undefined;
  /** The timeout of one attempt, including its body. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** The number of retries, for calls that are safe to repeat. Default: 2. */
  maxRetries?: number | undefined;
  /** Replaces the runtime's own fetch. */
  fetch?: Fetch | undefined;
  /** Replaces the `user-agent` header. Browsers ignore it. */
  userAgent?: string | undefined;
};

export type Settings = {
  apiKey: string;
  apiSecret: string;
  /** Without a slash at its end, so that paths can be appended. */
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  fetch: Fetch;
  userAgent: string | null;
};

// The longest delay of a timer. A longer one would fire at once.
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

export function readOptions(options: DisburseOptions): Settings {
  return {
    apiKey: readApiKey(options.apiKey ?? environment("DISBURSE_API_KEY")),
    apiSecret: readApiSecret(options.apiSecret ?? environment("DISBURSE_API_SECRET")),
    baseUrl: readBaseUrl(options.baseUrl ?? environment("DISBURSE_BASE_URL")),
    timeoutMs: checkTimeoutMs(options.timeoutMs ?? 30_000),
    maxRetries: checkMaxRetries(options.maxRetries ?? 2),
    // Looked up at each call: browsers refuse a fetch that was torn off its global, and tracing tools
    // replace the global one after this client was made.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    userAgent: isBrowser() ? null : (options.userAgent ?? `disburse-client/${VERSION}`),
  };
}

export function checkTimeoutMs(timeoutMs: number): number {
  if (timeoutMs > 0 && timeoutMs <= TIMEOUT_MS_MAX) return timeoutMs;
  throw new TypeError(`timeoutMs must be between 1 and ${TIMEOUT_MS_MAX}`);
}

export function checkMaxRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new TypeError("maxRetries must be a whole number, 0 or more");
}

function readApiKey(apiKey: string | undefined): string {
  if (!apiKey) throw new TypeError("apiKey is missing: pass it, or set DISBURSE_API_KEY");
  // Neither text repeats the value: it may be the secret, pasted into the wrong place.
  if (apiKey.startsWith("sk_")) {
    throw new TypeError("apiKey holds a secret (sk_…): apiKey and apiSecret seem to be swapped");
  }
  if (!/^[!-~]+$/.test(apiKey)) {
    throw new TypeError("apiKey holds a space, a line break or another character no key has");
  }
  return apiKey;
}

function readApiSecret(apiSecret: string | undefined): string {
  if (apiSecret) return apiSecret;
  throw new TypeError("apiSecret is missing: pass it, or set DISBURSE_API_SECRET");
}

function readBaseUrl(baseUrl: string | undefined): string {
  if (!baseUrl) throw new TypeError("baseUrl is missing: pass it, or set DISBURSE_BASE_URL");
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("baseUrl must be an address that starts with https:// or http://");
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError("baseUrl must have no user, password, query or fragment");
  }
  return url.href.replace(/\/+$/, "");
}
