// The challenge of a passkey sign-in is kept in a signed cookie, not in the database, because anyone can request one.
// It works once: its use is recorded when a known passkey answers it.

import { hash } from "node:crypto";
import type { Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { redeemChallenge } from "../user-records/index.ts";
import { type SessionCookie, signedToken, tokenOf } from "./session-cookie.ts";

export type PasskeyChallenges = {
  /** The set-cookie header that binds the challenge to this browser. */
  issue(challenge: string): string;
  /** Lets the library verify one answer to the cookie's challenge. False: unknown, expired or used. */
  redeem(cookieHeader: string | undefined, credentialId: string): Promise<boolean>;
};

/** The library's path that creates a challenge. Its row is not written. */
export const challengePath = "/passkey/generate-authenticate-options";

export const challengeCookieName = ({ name }: SessionCookie) => `${name}-challenge`;

export function passkeyChallenges(
  { db, secret, clock }: { db: Db; secret: string; clock: Clock },
  cookie: () => SessionCookie,
): PasskeyChallenges {
  return {
    issue(challenge) {
      const token = `passkey_${clock() + limits.passkeyChallengeMs}_${challenge}`;
      const secure = cookie().attributes.secure ? "; Secure" : "";
      const value = `${challengeCookieName(cookie())}=${signedToken(token, secret)}`;
      const maxAgeS = limits.passkeyChallengeMs / 1000;
      return `${value}; Max-Age=${maxAgeS}; Path=/; HttpOnly${secure}; SameSite=Strict`;
    },
    async redeem(header, credentialId) {
      const token = tokenOf(header, challengeCookieName(cookie()), secret) ?? "";
      const [, expiresAt, expectedChallenge] = /^passkey_(\d+)_([\w-]+)$/.exec(token) ?? [];
      const expiresAtMs = Number(expiresAt);
      if (!expectedChallenge || expiresAtMs <= clock()) return false;
      if (!/^[\w-]+$/.test(credentialId)) return false;
      const id = hash("sha256", token).slice(0, 32);
      const value = JSON.stringify({ type: "authentication", expectedChallenge });
      return redeemChallenge(db, { id, token, value, expiresAtMs }, credentialId);
    },
  };
}
