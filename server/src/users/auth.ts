// Log-in: better-auth on our tables, with what we don't want of it turned off. It proves who somebody is and
// starts the session; what a session may do is ours (user.ts, session-queries.ts).

import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth";
import { APIError } from "better-auth/api";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { Db } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import { addressHeader, authPath } from "./auth-path.ts";
import { noteOidcClaims } from "./oidc-proof.ts";
import { challengeCookieName, challengePath } from "./passkey-challenge.ts";
import { hasOidcCredential, isUserDisabled } from "./queries.ts";
import type { SessionCookie } from "./session-cookie.ts";
import { oidcProviderId } from "./sign-in.ts";

export type AuthParts = {
  db: Db;
  secret: string;
  cookie: SessionCookie;
  /** Where users open the console. Passkeys belong to its host. */
  consoleUrl: string;
  /** With it, the instance is for log-in at the company's identity provider. */
  oidc?: Oidc | undefined;
  onError(error: unknown): void;
};

export type Auth = ReturnType<typeof createAuth>;

/** The company's identity provider. */
export type Oidc = { issuer: string; clientId: string; clientSecret: string; name: string };

export function createAuth({ db, secret, cookie, consoleUrl, oidc, onError }: AuthParts) {
  const { origin } = new URL(consoleUrl);
  return betterAuth({
    appName: "Disburse",
    baseURL: consoleUrl,
    basePath: authPath,
    database: db.pool,
    secrets: [{ version: 1, value: secret }],
    telemetry: { enabled: false },
    // Messages of the library may quote what somebody typed: only errors are told.
    logger: {
      level: "error",
      log: (_level, _message, ...details) => {
        for (const detail of details) if (detail instanceof Error) onError(detail);
      },
    },
    onAPIError: { throw: true, errorURL: `${consoleUrl}/console/sign-in` },
    // Ours counts over all processes.
    rateLimit: { enabled: false },
    trustedOrigins: [origin],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: limits.passwordCharsMin,
      maxPasswordLength: limits.passwordCharsMax,
    },
    advanced: {
      // It knows nothing of roles, so it could never make a user; nor should it.
      database: { generateId: () => newId(), validateSchema: false },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      disableOriginCheck: false,
      // It would put a prefix of its own before ours.
      useSecureCookies: false,
      cookiePrefix: "disburse",
      cookies: {
        session_token: cookie,
        passkey_challenge: { name: challengeCookieName(cookie), attributes: cookie.attributes },
        // Must come along when users come back from their company's log-in page.
        oauth_state: {
          name: `${cookie.name}-state`,
          attributes: { ...cookie.attributes, sameSite: "lax" },
        },
      },
      defaultCookieAttributes: cookie.attributes,
    },
    session: {
      modelName: "user_session",
      expiresIn: limits.sessionMs / 1000,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      // The gate checks whether the user proved who they are a short while ago.
      freshAge: 0,
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...times,
      },
    },
    user: { modelName: "console_user", fields: { emailVerified: "email_verified", ...times } },
    account: {
      modelName: "user_credential",
      fields: {
        userId: "user_id",
        accountId: "account_id",
        providerId: "provider_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        ...times,
      },
      updateAccountOnSignIn: false,
      // Anyone may begin to sign in: what the way back needs is kept in an encrypted cookie, not in a row.
      storeStateStrategy: "cookie",
    },
    verification: {
      modelName: "user_verification",
      fields: { expiresAt: "expires_at", ...times },
    },
    databaseHooks: {
      user: { create: { before: async () => false } },
      account: {
        create: {
          async before({ userId, providerId }) {
            // One identity for each user. Another account with the same email is another person.
            if (providerId === oidcProviderId && (await hasOidcCredential(db, userId))) {
              throw new APIError("UNAUTHORIZED", { code: "OTHER_SUBJECT" });
            }
            return { data: withoutTokens };
          },
        },
      },
      verification: {
        create: {
          async before(_value, context) {
            // Anyone may ask for a challenge: it is kept in a cookie of ours.
            if (context?.path === challengePath) return false;
          },
        },
      },
      session: {
        create: {
          async before({ userId }) {
            if (await isUserDisabled(db, userId)) {
              throw new APIError("UNAUTHORIZED", { code: "DISABLED" });
            }
          },
        },
      },
    },
    plugins: oidc ? [oidcLogIn(oidc)] : [passkeys(consoleUrl)],
  });
}

function passkeys(consoleUrl: string) {
  const { hostname, origin } = new URL(consoleUrl);
  return passkey({
    rpID: hostname,
    rpName: "Disburse",
    origin,
    // A passkey replaces a password, so holding the device alone is not enough.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: {
      afterVerification: ({ verification }) => requireVerified(verification.registrationInfo),
    },
    authentication: {
      afterVerification: ({ verification }) => requireVerified(verification.authenticationInfo),
    },
    advanced: { webAuthnChallengeCookie: "passkey_challenge" },
    schema: {
      passkey: {
        modelName: "user_passkey",
        fields: {
          userId: "user_id",
          publicKey: "public_key",
          credentialID: "credential_id",
          deviceType: "device_type",
          backedUp: "backed_up",
          createdAt: "created_at",
        },
      },
    },
  });
}

/** Lets in whom an admin has invited, once the provider says that the email address is really theirs. */
function oidcLogIn({ issuer, clientId, clientSecret, name }: Oidc) {
  return genericOAuth({
    config: [
      {
        ...{ providerId: oidcProviderId, name, clientId, clientSecret },
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        scopes: ["openid", "email", "profile"],
        pkce: true,
        disableSignUp: true,
        mapProfileToUser(profile) {
          noteOidcClaims(profile);
          return {};
        },
      },
    ],
  });
}

/** We only ask who somebody is. What else the provider would let us do, nobody shall find here. */
const withoutTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
};

const times = { createdAt: "created_at", updatedAt: "updated_at" };

async function requireVerified(info: { userVerified: boolean } | undefined): Promise<void> {
  if (!info?.userVerified) throw new APIError("UNAUTHORIZED", { code: "NOT_VERIFIED" });
}
