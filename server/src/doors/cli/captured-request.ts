// Parses a raw HTTP request as a proxy, a log or `nc -l` captured it.

import type { CapturedRequest } from "../../webhooks/diagnosis/index.ts";

/** Undefined when it has no header line. */
export function parseRequest(bytes: Buffer): CapturedRequest | undefined {
  // In Latin-1, an index in the text is an index in the bytes.
  const text = bytes.toString("latin1");
  const end = /\r?\n\r?\n/.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  const headers = head.split(/\r?\n/).flatMap((line) => parseHeader(line) ?? []);
  if (headers.length === 0) return undefined;
  const rest = end ? bytes.subarray(end.index + end[0].length) : Buffer.alloc(0);
  const isChunked = headers.some(
    ([name, value]) => /^transfer-encoding$/i.test(name) && /chunked/i.test(value),
  );
  return {
    headers: headers.map(([n, v]) => [n, v]),
    body: (isChunked && joinChunks(rest)) || rest,
  };
}

/** Parses `name: value`. The result is a list of one, for flatMap, or undefined. */
export function parseHeader(line: string): [[name: string, value: string]] | undefined {
  const parts = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
  return parts ? [[parts[1] as string, parts[2] as string]] : undefined;
}

/** Undefined when the body is not chunked: many tools keep the header but join the body. */
function joinChunks(bytes: Buffer): Buffer | undefined {
  const text = bytes.toString("latin1");
  const chunks: Buffer[] = [];
  let place = 0;
  while (true) {
    const size = /^([0-9a-f]{1,8})[^\r\n]*\r?\n/i.exec(text.slice(place, place + 256));
    if (!size) return undefined;
    const length = Number.parseInt(size[1] as string, 16);
    place += size[0].length;
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(place, place + length));
    place += length;
    place += /^\r?\n/.exec(text.slice(place, place + 2))?.[0].length ?? 0;
  }
}
