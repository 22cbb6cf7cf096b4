// Sets up sign-in for one process: the console's URL, the session cookie and the sign-in library.

import type { Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { Session } from "../roles/index.ts";
import { findSessionByToken } from "../user-records/index.ts";
import type { Auth, Oidc } from "./auth.ts";
import { type KnownBrowsers, knownBrowsers } from "./known-browser.ts";
import { type PasskeyChallenges, passkeyChallenges } from "./passkey-challenge.ts";
import { type SessionCookie, sessionCookie, tokenOf } from "./session-cookie.ts";

export type LogInParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  /** Known only after the port is open. */
  consoleUrl: () => string;
  oidc: Oidc | undefined;
  onError(error: unknown): void;
};

export type LogIn = {
  cookie(): SessionCookie;
  browsers: KnownBrowsers;
  challenges: PasskeyChallenges;
  /** The session of a cookie header, while it is valid. Using it extends it. */
  findSession(
    cookieHeader: string | undefined,
    options?: { isUse: boolean },
  ): Promise<Session | undefined>;
  /** Signs in with passwords and passkeys. */
  auth(): Promise<Auth>;
  /** Signs in at the company's identity provider. The first call reads the provider's configuration. */
  oidcAuth(): Promise<Auth>;
  /** The provider did not respond. The next call reads its configuration again. */
  forgetOidc(): void;
  readonly oidc: Oidc | undefined;
};

export function authSecret(seal: Seal): string {
  return seal.derive("console").toString("base64url");
}

export function logIn({ db, seal, clock, consoleUrl, oidc, onError }: LogInParts): LogIn {
  const secret = authSecret(seal);
  let plain: Promise<Auth> | undefined;
  let company: Promise<Auth> | undefined;

  // The library takes longer to load than the rest of the service, so it is loaded at the first sign-in.
  async function made(provider: Oidc | undefined): Promise<Auth> {
    const { createAuth } = await import("./auth.ts");
    const parts = { db, secret, cookie: cookie(), consoleUrl: consoleUrl() };
    return createAuth({ ...parts, oidc: provider, onError });
  }

  const cookie = () => sessionCookie(consoleUrl());
  return {
    oidc,
    cookie,
    browsers: knownBrowsers(seal, cookie),
    challenges: passkeyChallenges({ db, secret, clock }, cookie),
    async findSession(header, { isUse } = { isUse: true }) {
      const token = tokenOf(header, cookie().name, secret);
      return token ? findSessionByToken(db, { token, isUse, nowMs: clock() }) : undefined;
    },
    auth() {
      plain ??= made(undefined).catch((error) => {
        // A failed load is not kept: the next sign-in tries again.
        plain = undefined;
        throw error;
      });
      return plain;
    },
    oidcAuth() {
      company ??= made(oidc).catch((error) => {
        company = undefined;
        throw error;
      });
      return company;
    },
    forgetOidc() {
      company = undefined;
    },
  };
}
