// Reads an upload: files one after the other in the body, with their names and lengths in the address. They may be larger
// than any JSON body, so a process reads and handles one upload at a time.

import type { Readable } from "node:stream";
import { errorCodes, type FastifyRequest } from "fastify";
import { line } from "../fields/index.ts";
import { Refusal } from "../refusals/index.ts";
import { bodiesAreFull } from "./body-gate.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The body is files, which become its field `files`. */
    files?: boolean;
  }
}

type UploadedFile = { name: string; bytes: Uint8Array };
/** As the address says. */
type NamedFile = { name: string; bytes: number };
type Done = (error: Error | null, body?: { files: UploadedFile[] }) => void;

const filesMax = 10;
const nameCharsMax = 200;

let current: FastifyRequest | undefined;

export function readFiles(request: FastifyRequest, payload: Readable, done: Done): void {
  const named = namesIn((request.query as { files?: unknown }).files) ?? [];
  const length = named.reduce((sum, { bytes }) => sum + bytes, 0);
  const refusal = whyNotRead(request, named.length, length);
  if (refusal) {
    payload.resume();
    done(refusal);
    return;
  }
  current = request;
  const whole = Buffer.allocUnsafeSlow(length);
  let received = 0;
  let isOver = false;
  const finish = (error?: Error) => {
    if (isOver) return;
    isOver = true;
    if (error) done(error);
    else if (received !== length) done(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    else done(null, { files: cut(whole, named) });
  };
  payload.on("data", (chunk: Buffer) => {
    if (received + chunk.length <= length) chunk.copy(whole, received);
    received += chunk.length;
  });
  payload.once("end", () => finish());
  payload.once("error", finish);
}

function whyNotRead(
  { routeOptions, headers }: FastifyRequest,
  files: number,
  length: number,
): Error | undefined {
  if (!routeOptions.config.files) {
    return new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(headers["content-type"]);
  }
  if (files === 0) return new Refusal("CONS106");
  if (length > routeOptions.bodyLimit) return new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  return current && bodiesAreFull();
}

function cut(whole: Buffer, named: readonly NamedFile[]): UploadedFile[] {
  let start = 0;
  return named.map(({ name, bytes }) => {
    start += bytes;
    return { name, bytes: whole.subarray(start - bytes, start) };
  });
}

/** After the response: the next upload may come. */
export function releaseFiles(request: FastifyRequest): void {
  if (current === request) current = undefined;
}

function namesIn(text: unknown): NamedFile[] | undefined {
  try {
    const found: unknown = JSON.parse(String(text));
    return Array.isArray(found) && found.length <= filesMax && found.every(isNamed)
      ? found
      : undefined;
  } catch {
    return undefined;
  }
}

const oneLine = new RegExp(line, "u");

function isNamed(one: unknown): one is NamedFile {
  const { name, bytes } = (one ?? {}) as { name?: unknown; bytes?: unknown };
  const isName = typeof name === "string" && name.length <= nameCharsMax && oneLine.test(name);
  return isName && Number.isSafeInteger(bytes) && (bytes as number) >= 0;
}
