// /console/api/auth: the few endpoints of the log-in library that the console needs. Whatever else the library
// offers has no route here, and so isn't there.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { acceptInvitation, lookAtInvitation } from "../people/invitation.ts";
import type { LogIn } from "../people/log-in.ts";
import { type Code, Refusal } from "../refusals.ts";
import type { Seal } from "../seal.ts";
import type { Api } from "./api.ts";
import { AuthOptions, Credentials, Invited, Link, LoggedIn, SetUp } from "./console-auth-schema.ts";

export type AuthRoutesParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  people: LogIn;
  consoleUrl: () => string;
};

const authPath = "/console/api/auth";

export function authRoutes(api: Api, parts: AuthRoutesParts): void {
  const { db, clock } = parts;
  const ask = libraryCaller(parts);

  api.get(
    "/console/api/auth-options",
    { config: { open: true }, schema: { response: { 200: AuthOptions } } },
    async () => ({ password: true, passkey: true, oidc: null }),
  );

  api.post(
    `${authPath}/sign-in/email`,
    { config: { open: true }, schema: { body: Credentials, response: { 200: LoggedIn } } },
    async (request, reply) => {
      await ask(request, reply, { path: "/sign-in/email", body: request.body, refusal: "CONS201" });
      return { logged_in: true };
    },
  );

  api.post(`${authPath}/sign-out`, { config: { may: "read" } }, async (request, reply) => {
    await ask(request, reply, { path: "/sign-out", body: {}, refusal: "CONS101" });
    return reply.code(204).send();
  });

  api.post(
    "/console/api/set-up/look",
    { config: { open: true }, schema: { body: Link, response: { 200: Invited } } },
    ({ body: { token } }) => lookAtInvitation(db, { token, nowMs: clock() }),
  );

  api.post(
    "/console/api/set-up",
    { config: { open: true }, schema: { body: SetUp, response: { 200: LoggedIn } } },
    async (request, reply) => {
      const { password } = request.body;
      const { email } = await acceptInvitation({ db, clock }, request.body, async () => {});
      const body = { email, password };
      await ask(request, reply, { path: "/sign-in/email", body, refusal: "CONS201" });
      return { logged_in: true };
    },
  );
}

type Question = {
  method?: "GET" | "POST";
  path: string;
  body?: unknown;
  /** What is said where the library says no. */
  refusal: Code;
};

/** Asks the library, which speaks web requests. It is told only what it needs, and of its answer cookies pass on. */
function libraryCaller({ people, consoleUrl }: AuthRoutesParts) {
  return async (
    request: FastifyRequest,
    reply: Pick<FastifyReply, "header">,
    { method = "POST", path, body, refusal }: Question,
  ): Promise<unknown> => {
    const { handler } = await people.auth();
    const { cookie, "user-agent": userAgent = "" } = request.headers;
    const response = await handler(
      new Request(`${consoleUrl()}${authPath}${path}`, {
        method,
        headers: {
          ...(cookie && { cookie }),
          // The gate has made sure of it, by whichever of its names the console was opened.
          origin: consoleUrl(),
          "user-agent": userAgent,
          "x-disburse-client-address": request.ip,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    if (response.status >= 500) throw new Error(`log-in answered ${response.status} to ${path}`);
    if (!response.ok) throw new Refusal(refusal);
    for (const cookie of response.headers.getSetCookie()) reply.header("set-cookie", cookie);
    return text ? JSON.parse(text) : undefined;
  };
}
