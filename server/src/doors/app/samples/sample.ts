// A call to the service as it really went, as the documents show it.

import { readFileSync } from "node:fs";

export type Sample = {
  operationId: string;
  summary: string;
  method: string;
  path: string;
  /** Headers beside the key and the signature. */
  headers?: Record<string, string>;
  body?: unknown;
  status: number;
  link?: string;
  /** Parsed where it is JSON, else the text. */
  answer: unknown;
};

/** Of the public API and of the operator API. Written by `npm run generate`. */
export const samplesFiles = {
  api: new URL("samples.json", import.meta.url),
  operator: new URL("operator-samples.json", import.meta.url),
};

export function readSamples(api: keyof typeof samplesFiles = "api"): Sample[] {
  return JSON.parse(readFileSync(samplesFiles[api], "utf8"));
}
