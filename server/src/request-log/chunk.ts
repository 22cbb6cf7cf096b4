// Rows of the request log in the binary format of COPY, written into memory as they come. Bytes, not objects: nothing
// here is for the garbage collector to look at, and PostgreSQL reads them in three quarters of the time that text takes.

import { limits } from "../limits.ts";

/** Every text is ASCII. Undefined: null. */
export type LoggedRequest = {
  subaccountId: string;
  id: string;
  objectId: string | undefined;
  tookUs: number;
  status: number;
  key: string;
  method: string;
  route: string;
  ip: string | undefined;
  agent: string | undefined;
  query: string | undefined;
  codes: string | undefined;
  detail: string | undefined;
};

/** In the order in which they are written. */
export const columns =
  "subaccount_id, id, object_id, took_us, status, key, method, route, ip, agent, query, codes, detail";
const columnCount = 13;

/** What the format has before the first row and after the last: its mark, no flags, no extension; and a count of -1. */
export const copyHead = Buffer.from("PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
export const copyEnd = Buffer.from([0xff, 0xff]);

const uuidBytes = 16;
/** Of a row: the count, the length of each value, three ids and two numbers. */
const fixedBytes = 2 + 4 * columnCount + 3 * uuidBytes + 4 + 2;
/** A longer text is copied by native code, which is worth its call only then. */
const shortCharsMax = 48;
const questionMark = 63;

const hexValues = new Uint8Array(128);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  hexValues[digit.charCodeAt(0)] = value;
  hexValues[digit.toUpperCase().charCodeAt(0)] = value;
}

export class Chunk {
  readonly #bytes = Buffer.allocUnsafeSlow(limits.requestChunkBytes);
  #used = 0;
  rows = 0;

  /** False where there is no room for it. */
  add(row: LoggedRequest): boolean {
    const { key, method, route, ip, agent, query, codes, detail } = row;
    const textBytes =
      key.length +
      method.length +
      route.length +
      lengthOf(ip) +
      lengthOf(agent) +
      lengthOf(query) +
      lengthOf(codes) +
      lengthOf(detail);
    if (this.#used + fixedBytes + textBytes > this.#bytes.length) return false;
    this.#int16(columnCount);
    this.#uuid(row.subaccountId);
    this.#uuid(row.id);
    if (row.objectId === undefined) this.#int32(-1);
    else this.#uuid(row.objectId);
    this.#int32(4);
    this.#int32(row.tookUs);
    this.#int32(2);
    this.#int16(row.status);
    this.#text(key);
    this.#text(method);
    this.#text(route);
    this.#text(ip);
    this.#text(agent);
    this.#text(query);
    this.#text(codes);
    this.#text(detail);
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

  #int16(value: number): void {
    const bytes = this.#bytes;
    bytes[this.#used++] = value >> 8;
    bytes[this.#used++] = value;
  }

  #int32(value: number): void {
    this.#int16(value >> 16);
    this.#int16(value);
  }

  #uuid(id: string): void {
    this.#int32(uuidBytes);
    const bytes = this.#bytes;
    let used = this.#used;
    for (let at = 0; at < 36; at += 2) {
      if (id.charCodeAt(at) === 45) at += 1;
      const high = hexValues[id.charCodeAt(at) & 127] as number;
      bytes[used++] = (high << 4) | (hexValues[id.charCodeAt(at + 1) & 127] as number);
    }
    this.#used = used;
  }

  #text(text: string | undefined): void {
    if (text === undefined) {
      this.#int32(-1);
      return;
    }
    const { length } = text;
    this.#int32(length);
    const bytes = this.#bytes;
    if (length > shortCharsMax) bytes.write(text, this.#used, "latin1");
    else {
      const used = this.#used;
      for (let at = 0; at < length; at += 1) {
        const code = text.charCodeAt(at);
        bytes[used + at] = code < 128 ? code : questionMark;
      }
    }
    this.#used += length;
  }
}

function lengthOf(text: string | undefined): number {
  return text === undefined ? 0 : text.length;
}
