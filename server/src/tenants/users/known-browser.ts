// A signed cookie marks a browser in which a user has signed in before. Its failed attempts are counted separately, so
// that guessing from elsewhere can't lock the user out of it.

import { newId } from "../../platform/base/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type SessionCookie, signedToken, tokenOf } from "./session-cookie.ts";

export type KnownBrowsers = {
  /** The id of the browser, if this user has signed in there before. */
  idOf(cookieHeader: string | undefined, email: string): string | undefined;
  /** The set-cookie header that sets or renews the mark. */
  remember(cookieHeader: string | undefined, email: string): string;
};

export function knownBrowsers(seal: Seal, cookie: () => SessionCookie): KnownBrowsers {
  const secret = seal.derive("known-browser").toString("base64url");
  const markOf = (email: string) => seal.sign("known-browser", email.toLowerCase()).slice(0, 22);
  /** One for each user who uses the browser. */
  const nameOf = (email: string) => `${cookie().name}-known-${markOf(email).slice(0, 8)}`;

  function idOf(header: string | undefined, email: string): string | undefined {
    const token = tokenOf(header, nameOf(email), secret);
    const mark = markOf(email);
    return token?.endsWith(`_${mark}`) ? token.slice(0, -mark.length - 1) : undefined;
  }

  return {
    idOf,
    remember(header, email) {
      const token = `${idOf(header, email) ?? newId()}_${markOf(email)}`;
      const maxAgeS = limits.knownBrowserMs / 1000;
      const secure = cookie().attributes.secure ? "; Secure" : "";
      const value = signedToken(token, secret);
      return `${nameOf(email)}=${value}; Max-Age=${maxAgeS}; Path=/; HttpOnly${secure}; SameSite=Strict`;
    },
  };
}
