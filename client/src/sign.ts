// The `signature` header: version 1, which signs key and time, and version 2, which signs the whole
// request. The client sends version 2; both are here for those who sign by hand.

type Credentials = { apiKey: string; apiSecret: string };

type SignedRequest = {
  method: string;
  /** Path with query, exactly as on the request line. */
  path: string;
  body?: string | Uint8Array | undefined;
};

/** The value of the `signature` header, version 1. */
export async function signV1(input: Credentials & { ms?: number }): Promise<string> {
  const ms = input.ms ?? Date.now();
  return `${ms}.${await hmacHex(input.apiSecret, `${ms}.${input.apiKey}`)}`;
}

/** The value of the `signature` header, version 2. Nonce and time are generated if they are not given. */
export async function signV2(
  input: Credentials & SignedRequest & { ms?: number; nonce?: string },
): Promise<string> {
  const ms = input.ms ?? Date.now();
  const nonce = input.nonce ?? newNonce();
  const message = await stringToSignV2({ ...input, ms, nonce });
  return `v2.${ms}.${nonce}.${await hmacHex(input.apiSecret, message)}`;
}

/** The seven lines that version 2 signs. Compare them when a signature does not match. */
export async function stringToSignV2(
  input: SignedRequest & { apiKey: string; ms: number; nonce: string },
): Promise<string> {
  const { apiKey, ms, nonce, method, path } = input;
  const bodyHash = hex(await crypto.subtle.digest("SHA-256", bytes(input.body ?? "")));
  return ["v2", ms, nonce, apiKey, method.toUpperCase(), path, bodyHash].join("\n");
}

/** 128 random bits, so that no two are ever the same. Not a UUID: this works in every runtime. */
export function newNonce(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)).buffer);
}

async function hmacHex(secret: string, message: string): Promise<string> {
  return hex(await hmac(bytes(secret), bytes(message)));
}

export async function hmac(
  secret: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<ArrayBuffer> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return crypto.subtle.sign("HMAC", key, message);
}

// Byte arrays are copied: a view may lie on memory of a kind that WebCrypto refuses.
export function bytes(value: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof value === "string" ? new TextEncoder().encode(value) : new Uint8Array(value);
}

function hex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
