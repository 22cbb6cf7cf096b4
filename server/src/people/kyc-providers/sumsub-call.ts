// One signed call to Sumsub. Its errors hold no body, no personal data and no secret.

import { createHmac } from "node:crypto";
import type { Clock } from "../../platform/base/index.ts";
import { readFields, type SumsubFields } from "./sumsub-review.ts";

const answerBytesMax = 1024 * 1024;

export type SumsubCall = {
  method: "GET" | "POST" | "PATCH";
  path: string;
  query?: string;
  body?: unknown;
};

export type SumsubAnswer = {
  status: number;
  /** Undefined unless this is a 2xx response with a JSON object. */
  fields: SumsubFields | undefined;
  /** This response as an error. */
  failure: string;
};

type SumsubClient = (call: SumsubCall, signal: AbortSignal) => Promise<SumsubAnswer>;

type CallerOptions = {
  baseUrl: string;
  appToken: string;
  secretKey: string;
  fetch: typeof fetch;
  clock: Clock;
};

export function sumsubCaller(options: CallerOptions): SumsubClient {
  const { baseUrl, appToken, secretKey, fetch, clock } = options;
  return async ({ method, path, query = "", body }, signal) => {
    // The signed path must equal the path that is sent, so both are taken from the URL parser.
    const url = new URL(path + query, baseUrl);
    const text = body === undefined ? "" : JSON.stringify(body);
    const seconds = Math.floor(clock() / 1000);
    const target = url.pathname + url.search;
    try {
      const response = await fetch(url, {
        method,
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          "x-app-token": appToken,
          "x-app-access-ts": `${seconds}`,
          "x-app-access-sig": callSignature(secretKey, `${seconds}${method}${target}${text}`),
        },
        body: text || null,
        // A redirect would send the applicant's data to an address that is not configured.
        redirect: "manual",
        signal,
      });
      return await answerOf(response, `${method} ${path}`);
    } catch (error) {
      throw new Error(`Sumsub gave no answer to ${method} ${path}: ${reasonOf(error)}.`);
    }
  };
}

export function callSignature(secretKey: string, text: string): string {
  return createHmac("sha256", secretKey).update(text).digest("hex");
}

async function answerOf(response: Response, operation: string): Promise<SumsubAnswer> {
  const { status, ok } = response;
  const failure = `Sumsub answered ${operation} with ${status}`;
  if (!ok) {
    await response.body?.cancel();
    return { status, fields: undefined, failure: `${failure}.` };
  }
  const fields = readFields(await readText(response));
  return { status, fields, failure: `${failure}, but not with the expected fields.` };
}

/** Empty, like an invalid response, where it is too long. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) return "";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A code or a name: the message of an error may quote an address or a header. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  return typeof cause?.code === "string" ? cause.code : String(name);
}
