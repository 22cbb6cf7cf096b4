// Rows of the request log, written into memory in the binary format of COPY. Bytes instead of objects spare the garbage
// collector, and PostgreSQL reads them in three quarters of the time that text takes. Values that many rows share, such
// as key and route, are encoded once.

import { limits } from "../../platform/limits/index.ts";

export type LoggedRequest = {
  /** Made by `valuesOf`: subaccount and key, method and route, address, program. */
  whose: Uint8Array;
  what: Uint8Array;
  ip: Uint8Array;
  agent: Uint8Array;
  id: string;
  objectId: string | undefined;
  tookUs: number;
  status: number;
  /** ASCII. */
  query: string | undefined;
  codes: string | undefined;
  detail: string | undefined;
};

/** In the order in which they are written. */
export const columns =
  "subaccount_id, key, method, route, ip, agent, id, object_id, took_us, status, query, codes, detail";
const columnCount = 13;

/** The header of the format (signature, no flags, no extension) and its trailer (a field count of -1). */
export const copyHead = Buffer.from("PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
export const copyEnd = Buffer.from([0xff, 0xff]);

const uuidBytes = 16;
/** The fixed part of a row: field count, two ids, two numbers and the lengths of three texts. */
const ownBytes = 2 + 2 * (4 + uuidBytes) + (4 + 4) + (4 + 2) + 3 * 4;
/** Where the hex digits of each byte are in the text of an id. */
const digitPlaces = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);

const hexValues = new Uint8Array(128);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  hexValues[digit.charCodeAt(0)] = value;
  hexValues[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Encodes values in the format: the length, then the bytes. Undefined is null; an id is 16 bytes. */
export function valuesOf(...values: (string | { uuid: string } | undefined)[]): Uint8Array {
  const parts = values.map((value) => {
    if (value === undefined) return Buffer.from([0xff, 0xff, 0xff, 0xff]);
    const bytes =
      typeof value === "string"
        ? Buffer.from(value)
        : Buffer.from(value.uuid.replaceAll("-", ""), "hex");
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return Buffer.concat(parts);
}

export class Chunk {
  readonly #bytes = Buffer.allocUnsafeSlow(limits.requestChunkBytes);
  #used = 0;
  rows = 0;

  /** Returns false if the chunk is full. */
  add(row: LoggedRequest): boolean {
    const { whose, what, ip, agent, query, codes, detail } = row;
    const bytes = this.#bytes;
    let at = this.#used;
    const size =
      ownBytes +
      whose.length +
      what.length +
      ip.length +
      agent.length +
      lengthOf(query) +
      lengthOf(codes) +
      lengthOf(detail);
    if (at + size > bytes.length) return false;
    bytes[at] = 0;
    bytes[at + 1] = columnCount;
    bytes.set(whose, at + 2);
    at += 2 + whose.length;
    bytes.set(what, at);
    at += what.length;
    bytes.set(ip, at);
    at += ip.length;
    bytes.set(agent, at);
    at += agent.length;
    at = putUuid(bytes, at, row.id);
    at = row.objectId === undefined ? putNull(bytes, at) : putUuid(bytes, at, row.objectId);
    at = putInt32(bytes, putInt32(bytes, at, 4), row.tookUs);
    at = putInt32(bytes, at, 2);
    bytes[at] = row.status >> 8;
    bytes[at + 1] = row.status;
    at = putText(bytes, at + 2, query);
    at = putText(bytes, at, codes);
    this.#used = putText(bytes, at, detail);
    this.rows += 1;
    return true;
  }

  part(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  empty(): this {
    this.#used = 0;
    this.rows = 0;
    return this;
  }
}

// Each function returns the position after the bytes that it wrote.

function putInt32(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = value >> 24;
  bytes[at + 1] = value >> 16;
  bytes[at + 2] = value >> 8;
  bytes[at + 3] = value;
  return at + 4;
}

function putNull(bytes: Uint8Array, at: number): number {
  return putInt32(bytes, at, -1);
}

function putUuid(bytes: Uint8Array, start: number, id: string): number {
  const at = putInt32(bytes, start, uuidBytes);
  for (let index = 0; index < uuidBytes; index += 1) {
    const digit = digitPlaces[index] as number;
    const high = hexValues[id.charCodeAt(digit) & 127] as number;
    const low = hexValues[id.charCodeAt(digit + 1) & 127] as number;
    bytes[at + index] = (high << 4) | low;
  }
  return at + uuidBytes;
}

function putText(bytes: Buffer, at: number, text: string | undefined): number {
  if (text === undefined) return putNull(bytes, at);
  return putInt32(bytes, at, text.length) + bytes.write(text, at + 4, "latin1");
}

function lengthOf(text: string | undefined): number {
  return text === undefined ? 0 : text.length;
}
