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

export const samplesFile = new URL("samples.json", import.meta.url);

/** Written by `npm run generate`. */
export function readSamples(): Sample[] {
  return JSON.parse(readFileSync(samplesFile, "utf8"));
}
