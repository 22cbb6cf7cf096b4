// How the console's address, the cookie and the library that logs people in come together in one process.

import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import type { Auth } from "./auth.ts";
import type { Session } from "./person.ts";
import { type SessionCookie, sessionCookie, tokenOf } from "./session-cookie.ts";
import { findSessionByToken } from "./session-queries.ts";

export type LogInParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  /** Known once the port is. */
  consoleUrl: () => string;
  onError(error: unknown): void;
};

export type LogIn = {
  cookie(): SessionCookie;
  /** The session that a cookie header stands for, while it lasts. */
  findSession(cookieHeader: string | undefined): Promise<Session | undefined>;
  auth(): Promise<Auth>;
};

export function authSecret(seal: Seal): string {
  return seal.derive("console").toString("base64url");
}

export function logIn({ db, seal, clock, consoleUrl, onError }: LogInParts): LogIn {
  const secret = authSecret(seal);
  let made: Promise<Auth> | undefined;
  const cookie = () => sessionCookie(consoleUrl(), { oidc: false });
  return {
    cookie,
    async findSession(header) {
      const token = tokenOf(header, cookie().name, secret);
      return token ? findSessionByToken(db, { token, nowMs: clock() }) : undefined;
    },
    // The library takes longer to load than all the rest of the service: only when somebody logs in.
    auth() {
      made ??= import("./auth.ts").then(({ createAuth }) =>
        createAuth({ db, secret, cookie: cookie(), consoleUrl: consoleUrl(), onError }),
      );
      return made;
    },
  };
}
