// The session cookie: its name, and the check of its signature. The sign-in library writes it. We read it on every
// request, so that a request needs one statement only.

import { createHmac, timingSafeEqual } from "node:crypto";

export type SessionCookie = {
  name: string;
  attributes: { httpOnly: true; secure: boolean; sameSite: "strict"; path: "/" };
};

/** With https, the name's prefix makes browsers accept the cookie from this host only. */
const names = { secure: "__Host-disburse", plain: "disburse-session" };

export const sessionCookieNames = Object.values(names);

export function sessionCookie(consoleUrl: string): SessionCookie {
  const secure = consoleUrl.startsWith("https://");
  return {
    name: secure ? names.secure : names.plain,
    attributes: { httpOnly: true, secure, sameSite: "strict", path: "/" },
  };
}

/** A header that deletes the cookie. */
export function forgotten({ name, attributes: { secure } }: SessionCookie): string {
  return `${name}=; Max-Age=0; Path=/; HttpOnly${secure ? "; Secure" : ""}; SameSite=Strict`;
}

function signatureOf(token: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(token).digest();
}

export function signedToken(token: string, secret: string): string {
  return encodeURIComponent(`${token}.${signatureOf(token, secret).toString("base64")}`);
}

/** The session's token, if the cookie's signature is ours. */
export function tokenOf(
  header: string | undefined,
  name: string,
  secret: string,
): string | undefined {
  for (const part of header?.split(";") ?? []) {
    const [key, value] = part.trim().split(/=(.*)/s);
    if (key !== name || value === undefined) continue;
    const [, token, signature] = /^([\w-]+)\.([A-Za-z0-9+/]{43}=)$/.exec(decoded(value)) ?? [];
    if (!token || !signature) continue;
    const given = Buffer.from(signature, "base64");
    if (timingSafeEqual(given, signatureOf(token, secret))) return token;
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
