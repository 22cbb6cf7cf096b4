// A file to import, as the console sends it.

import { fileRequestType } from "../../src/platform/http/content.ts";

export function asFile(file: string | Uint8Array): { content: Uint8Array } {
  return { content: Buffer.from(file) };
}

type Sent = { type: string; body: string | Buffer<ArrayBuffer> };

/** JSON, or with a file as `content` its fields in the first line and then its bytes. */
export function sentBody(body: unknown): Sent {
  const { content, ...fields } = (body ?? {}) as { content?: unknown };
  if (!(content instanceof Uint8Array))
    return { type: "application/json", body: JSON.stringify(body) };
  return {
    type: fileRequestType,
    body: Buffer.concat([Buffer.from(`${JSON.stringify(fields)}\n`), content]),
  };
}
