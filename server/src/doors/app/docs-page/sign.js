// @ts-check
// The request signature, version 2, made with the browser's own cryptography.

const utf8 = new TextEncoder();

/** @param {ArrayBuffer} bytes */
function toHex(bytes) {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** 128 random bits; a write is refused when its nonce was seen before. */
export function newNonce() {
  return toHex(crypto.getRandomValues(new Uint8Array(16)).buffer);
}

/**
 * @param {{ apiKey: string, secret: string }} credentials
 * @param {{ method: string, path: string, body: ArrayBuffer }} request path with its query
 * @param {{ ms: string, nonce: string }} moment
 * @returns {Promise<string>} the value of the `signature` header
 */
export async function sign(credentials, request, moment) {
  const bodyHash = toHex(await crypto.subtle.digest("SHA-256", request.body));
  const message = [
    "v2",
    moment.ms,
    moment.nonce,
    credentials.apiKey,
    request.method,
    request.path,
    bodyHash,
  ].join("\n");

  const key = await crypto.subtle.importKey(
    "raw",
    utf8.encode(credentials.secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const code = toHex(await crypto.subtle.sign("HMAC", key, utf8.encode(message)));
  return `v2.${moment.ms}.${moment.nonce}.${code}`;
}
