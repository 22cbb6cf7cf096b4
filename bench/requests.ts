// Requests as bytes, signed and ready to send, so that nothing is built while the clock runs.

import { randomUUID } from "node:crypto";
import type { NewReceiver } from "../server/src/people/receivers/schema.ts";
import {
  hmacKey,
  type Signature,
  signatureHeader,
  stringToSign,
} from "../server/src/platform/signatures/signature.ts";
import type { Caller } from "./database.ts";

export type SignatureVersion = 1 | 2;

type RequestInput = {
  method: "GET" | "POST";
  path: string;
  body?: string;
  idempotencyKey?: string;
};

/** Signs with the current time: send within the signature window, which is minutes. */
export function requestBuilder(
  caller: Caller,
  version: SignatureVersion,
): (input: RequestInput) => Buffer {
  const secret = hmacKey(caller.secret);

  return ({ method, path, body = "", idempotencyKey }) => {
    const ms = Date.now();
    const unsigned: Signature =
      version === 1 ? { version, ms, hex: "" } : { version, ms, nonce: randomUUID(), hex: "" };
    const signed = { key: caller.key, method, path, body: body ? Buffer.from(body) : undefined };
    const signature = signatureHeader(unsigned, secret, stringToSign(unsigned, signed));
    const bodyHeaders = body
      ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
      : "";
    const keyHeader = idempotencyKey ? `idempotency-key: ${idempotencyKey}\r\n` : "";
    return Buffer.from(
      `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n` +
        `x-api-key: ${caller.key}\r\nsignature: ${signature}\r\n${keyHeader}${bodyHeaders}\r\n${body}`,
    );
  };
}

/** The receiver that every create sends, apart from its email. */
export function sampleReceiver(email: string): NewReceiver {
  return {
    first_name: "Ada",
    last_name: "Lovelace",
    email,
    dob: "1990-12-10",
    dialcode: "61",
    phone: "412345678",
    gender: "F",
    address: "1 St. Kilda Road",
    address2: "",
    city: "Melbourne",
    state: "VIC",
    postcode: "3004",
    country: "AUS",
  };
}

export function uniqueEmail(): string {
  return `ada-${randomUUID()}@example.com`;
}
