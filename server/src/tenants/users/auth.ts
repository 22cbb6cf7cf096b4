// Sign-in with better-auth on our tables, with the features that we don't need turned off. It proves who the user is
// and starts the session. We decide what a session may do (user.ts, session-queries.ts).

import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth";
import { APIError } from "better-auth/api";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { newId } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { hasOidcCredential, isUserDisabled } from "../user-records/index.ts";
import { addressHeader, authPath } from "./auth-path.ts";
import { noteOidcClaims } from "./oidc-proof.ts";
import { challengeCookieName, challengePath } from "./passkey-challenge.ts";
import type { SessionCookie } from "./session-cookie.ts";
import { acceptedByPasskey, userSettingUp } from "./set-up-passkey.ts";
import { oidcProviderId } from "./sign-in.ts";

type AuthParts = {
  db: Db;
  secret: string;
  cookie: SessionCookie;
  /** Where users open the console. Passkeys belong to its host. */
  consoleUrl: string;
  /** If set, the instance signs users in at the company's identity provider. */
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
    // The library's messages may quote user input, so only errors are logged.
    logger: {
      level: "error",
      log: (_level, _message, ...details) => {
        for (const detail of details) if (detail instanceof Error) onError(detail);
      },
    },
    onAPIError: { throw: true, errorURL: `${consoleUrl}/console/sign-in` },
    // We count attempts over all processes ourselves.
    rateLimit: { enabled: false },
    trustedOrigins: [origin],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: limits.passwordCharsMin,
      maxPasswordLength: limits.passwordCharsMax,
    },
    advanced: {
      // The library knows no roles, so it must not create users.
      database: { generateId: () => newId(), validateSchema: false },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      disableOriginCheck: false,
      // The library would add its own prefix to our cookie names.
      useSecureCookies: false,
      cookiePrefix: "disburse",
      cookies: {
        session_token: cookie,
        passkey_challenge: { name: challengeCookieName(cookie), attributes: cookie.attributes },
        // The browser must send it when users return from their company's sign-in page.
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
      // The gate checks whether the user has proved their identity recently.
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
      // Anyone can start a sign-in, so its state is kept in an encrypted cookie, not in a row.
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
            // A user has one identity. Another account with the same email is another person.
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
            // Anyone can request a challenge, so it is kept in a cookie.
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
    // A passkey replaces a password, so holding the device is not enough.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: {
      // Our routes need a session, or the link of a user who has none yet.
      requireSession: false,
      resolveUser: userSettingUp,
      async afterVerification({ verification }) {
        await requireVerified(verification.registrationInfo);
        return acceptedByPasskey();
      },
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

/** Signs in invited users, once the provider confirms that the email is theirs. */
function oidcLogIn({ issuer, clientId, clientSecret, name }: Oidc) {
  return genericOAuth({
    config: [
      {
        providerId: oidcProviderId,
        name,
        clientId,
        clientSecret,
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        scopes: ["openid", "email", "profile"],
        pkce: true,
        disableSignUp: true,
        mapProfileToUser(profile) {
          noteOidcClaims(profile);
          // Some providers send it as text. The library takes any text for a confirmation, also "false".
          return { emailVerified: String(profile.email_verified) === "true" };
        },
      },
    ],
  });
}

/** We only need the user's identity, so the provider's tokens are never stored. */
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
