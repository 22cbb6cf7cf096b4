// Log-in: better-auth on our tables, with what we don't want of it turned off. It proves who somebody is and
// starts the session; what a session may do is ours (person.ts, session-queries.ts).

import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth";
import { APIError } from "better-auth/api";
import type { Db } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { SessionCookie } from "./session-cookie.ts";

export const authPath = "/console/api/auth";
/** Ours, never the caller's: who calls from where is decided before. */
export const addressHeader = "x-disburse-client-address";

export type AuthParts = {
  db: Db;
  secret: string;
  cookie: SessionCookie;
  /** Where people open the console. Passkeys belong to its host. */
  consoleUrl: string;
  onError(error: unknown): void;
};

export type Auth = ReturnType<typeof createAuth>;

export function createAuth({ db, secret, cookie, consoleUrl, onError }: AuthParts) {
  const { hostname, origin } = new URL(consoleUrl);
  return betterAuth({
    appName: "Disburse",
    baseURL: consoleUrl,
    basePath: authPath,
    database: db.pool,
    secrets: [{ version: 1, value: secret }],
    telemetry: { enabled: false },
    // Messages of the library may quote what somebody typed.
    logger: { level: "error", log: (_level, _message, ...details) => onError(details[0]) },
    onAPIError: { throw: true },
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
      // It knows nothing of roles, so it could never make a person; nor should it.
      database: { generateId: () => newId(), validateSchema: false },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      disableOriginCheck: false,
      // It would put a prefix of its own before ours.
      useSecureCookies: false,
      cookiePrefix: "disburse",
      cookies: {
        session_token: cookie,
        passkey_challenge: { name: `${cookie.name}-challenge`, attributes: cookie.attributes },
      },
      defaultCookieAttributes: cookie.attributes,
    },
    session: {
      modelName: "person_session",
      expiresIn: limits.sessionMs / 1000,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      // Whether somebody proved who it is a short while ago is asked at the gate.
      freshAge: 0,
      fields: {
        userId: "person_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...times,
      },
    },
    user: { modelName: "person", fields: { emailVerified: "email_verified", ...times } },
    account: {
      modelName: "person_credential",
      fields: {
        userId: "person_id",
        accountId: "account_id",
        providerId: "provider_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        ...times,
      },
    },
    verification: {
      modelName: "person_verification",
      fields: { expiresAt: "expires_at", ...times },
    },
    plugins: [
      passkey({
        rpID: hostname,
        rpName: "Disburse",
        origin,
        // A passkey stands for a password: whoever merely holds the device is not enough.
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        registration: {
          afterVerification: ({ verification }) => demandVerified(verification.registrationInfo),
        },
        authentication: {
          afterVerification: ({ verification }) => demandVerified(verification.authenticationInfo),
        },
        advanced: { webAuthnChallengeCookie: "passkey_challenge" },
        schema: {
          passkey: {
            modelName: "person_passkey",
            fields: {
              userId: "person_id",
              publicKey: "public_key",
              credentialID: "credential_id",
              deviceType: "device_type",
              backedUp: "backed_up",
              createdAt: "created_at",
            },
          },
        },
      }),
    ],
  });
}

const times = { createdAt: "created_at", updatedAt: "updated_at" };

async function demandVerified(info: { userVerified: boolean } | undefined): Promise<void> {
  if (!info?.userVerified) throw new APIError("UNAUTHORIZED", { code: "NOT_VERIFIED" });
}
