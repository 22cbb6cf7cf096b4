// The `signature` header: what it may look like, what it signs, whether it matches. Pure.

import { createHash, createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { limits } from "../limits.ts";

export type Signature =
  | { version: 1; ms: number; hex: string }
  | { version: 2; ms: number; nonce: string; hex: string };

const version1 = /^(\d{13})\.([0-9a-f]{64})$/;
const version2 = new RegExp(
  `^v2\\.(\\d{13})\\.([A-Za-z0-9_-]{${limits.nonceCharsMin},${limits.nonceCharsMax}})\\.([0-9a-f]{64})$`,
);

/** Undefined where it is malformed. */
export function parseSignature(header: string): Signature | undefined {
  const first = version1.exec(header);
  if (first) return { version: 1, ms: Number(first[1]), hex: first[2] as string };
  const second = version2.exec(header);
  if (!second) return undefined;
  return {
    version: 2,
    ms: Number(second[1]),
    nonce: second[2] as string,
    hex: second[3] as string,
  };
}

export type SignedRequest = { key: string; method: string; path: string; body: Buffer | undefined };

export function stringToSign(signature: Signature, request: SignedRequest): string {
  if (signature.version === 1) return `${signature.ms}.${request.key}`;
  const { ms, nonce } = signature;
  const body = request.body ? sha256(request.body) : emptyBody;
  return `v2\n${ms}\n${nonce}\n${request.key}\n${request.method}\n${request.path}\n${body}`;
}

export function matches(hex: string, secret: KeyObject, text: string): boolean {
  return timingSafeEqual(hmac(secret, text).digest(), Buffer.from(hex, "hex"));
}

/** The header for a signature whose hex is still to be made. */
export function signatureHeader(signature: Signature, secret: KeyObject, text: string): string {
  const hex = hmac(secret, text).digest("hex");
  return signature.version === 1
    ? `${signature.ms}.${hex}`
    : `v2.${signature.ms}.${signature.nonce}.${hex}`;
}

function hmac(secret: KeyObject, text: string) {
  return createHmac("sha256", secret).update(text);
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const emptyBody = sha256(Buffer.alloc(0));
