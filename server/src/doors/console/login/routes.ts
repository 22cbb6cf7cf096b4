// Sign-in: the few operations of the library that the console needs. No other operation of the library has a route.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { type Code, Refusal } from "../../../platform/refusals/index.ts";
import {
  acceptInvitation,
  attemptSucceeded,
  authPath,
  endSession,
  forgotten,
  type LogIn,
  readInvitation,
  requireFewAttempts,
  type SignInMethod,
  userSignedIn,
} from "../../../tenants/users/index.ts";
import { askLibrary } from "./library.ts";
import { AuthOptions, Credentials, InvitationFacts, Link, LoggedIn, SetUp } from "./schema.ts";

export type LoginParts = { db: Db; seal: Seal; clock: Clock; login: LogIn };

export function authRoutes(api: Api, parts: LoginParts): void {
  const { db, seal, clock, login } = parts;

  api.get(
    "/console/api/auth-options",
    { config: { open: true }, schema: { response: { 200: AuthOptions } } },
    async () => ({
      password: true,
      passkey: true,
      oidc: login.oidc ? { name: login.oidc.name } : null,
    }),
  );

  async function byPassword(request: FastifyRequest, reply: Headed, credentials: Credentials) {
    const { email } = credentials;
    const knownBrowser = login.browsers.idOf(request.headers.cookie, email);
    const attempt = { email, ip: request.ip, knownBrowser };
    await requireFewAttempts(parts, attempt);
    const question = { method: "POST", path: "/sign-in/email", body: credentials } as const;
    const { status, cookies } = await askLibrary(await login.auth(), request, question);
    if (status !== 200) throw new Refusal("CONS201");
    await attemptSucceeded(parts, attempt);
    await entered(parts, request, reply, { cookies, by: "password", otherwise: "CONS201" });
    return { logged_in: true };
  }

  api.post(
    `${authPath}/sign-in/email`,
    { config: { open: true }, schema: { body: Credentials, response: { 200: LoggedIn } } },
    (request, reply) => byPassword(request as FastifyRequest, reply, request.body),
  );

  api.post(`${authPath}/sign-out`, { config: { may: "read" } }, async ({ access }, reply) => {
    await endSession.perform(parts, access, { id: access.session.id });
    return reply.code(204).header("set-cookie", forgotten(login.cookie())).send();
  });

  api.post(
    "/console/api/set-up/look",
    { config: { open: true }, schema: { body: Link, response: { 200: InvitationFacts } } },
    ({ body: { token } }) => readInvitation(db, { token, nowMs: clock() }),
  );

  api.post(
    "/console/api/set-up",
    { config: { open: true }, schema: { body: SetUp, response: { 200: LoggedIn } } },
    async (request, reply) => {
      const { body } = request;
      const from = acceptedFrom(parts, request as FastifyRequest);
      const { email } = await acceptInvitation({ db, seal, clock }, body, from);
      const { password } = body;
      return byPassword(request as FastifyRequest, reply, { email, password });
    },
  );
}

/** Who uses a link, and with which browser. */
export function acceptedFrom(
  { login }: LoginParts,
  { ip, id: requestId, headers: { cookie } }: FastifyRequest,
) {
  const isBrowserOf = (email: string) => login.browsers.idOf(cookie, email) !== undefined;
  return { ip, requestId, isBrowserOf };
}

type Headed = Pick<FastifyReply, "header">;

type LoginEntry = {
  cookies: string[];
  by: SignInMethod;
  otherwise: Code;
  /** The time of the proof, if it is not now. 0: this sign-in was no proof. */
  provenAtMs?: number;
};

/** Runs after the library has signed a user in. Its cookie names the session. */
export async function entered(
  { db, seal, login }: LoginParts,
  { headers, ip, id: requestId }: FastifyRequest,
  reply: Headed,
  { cookies, by, otherwise, provenAtMs }: LoginEntry,
): Promise<void> {
  const given = cookies.map((cookie) => cookie.split(";")[0]).join("; ");
  const session = await login.findSession(given);
  if (!session) throw new Refusal(otherwise);
  const former = await login.findSession(headers.cookie);
  await userSignedIn({ db, seal }, session, { by, former, ip, requestId, provenAtMs });
  const known = login.browsers.remember(headers.cookie, session.user.email);
  reply.header("set-cookie", [...cookies, known]);
}
