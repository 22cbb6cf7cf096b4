// Sign-in at the company's identity provider: a redirect to its page, and back with a code.

import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { deleteSession } from "../../../tenants/user-records/index.ts";
import {
  authPath,
  freshProofMs,
  oidcProviderId,
  withOidcProof,
} from "../../../tenants/users/index.ts";
import { askLibrary, type LibraryAnswer, type LibraryRequest } from "./library.ts";
import { entered, type LoginParts } from "./routes.ts";
import { Away, OidcStart } from "./schema.ts";

const Back = Type.Object({
  code: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  iss: Type.Optional(Type.String()),
});

export function oidcRoutes(api: Api, parts: LoginParts): void {
  const { db, clock, login } = parts;
  if (!login.oidc) return;

  /** Discovery is repeated next time. */
  function noAnswer(): never {
    login.forgetOidc();
    throw new Refusal("CONS210");
  }

  /** The library has no timeout for discovery, so we set one. */
  async function ask(request: FastifyRequest, question: LibraryRequest): Promise<LibraryAnswer> {
    const given = new AbortController();
    try {
      return await Promise.race([
        login.oidcAuth().then((auth) => askLibrary(auth, request, question)),
        sleep(limits.oidcCallMs, undefined, { signal: given.signal }).then(noAnswer),
      ]);
    } finally {
      given.abort();
    }
  }

  /** Marks a request for a fresh proof. It proves nothing: it only selects the error message. */
  const againName = () => `${login.cookie().name}-again`;
  const secure = () => (login.cookie().attributes.secure ? "; Secure" : "");
  const askedAgain = () =>
    `${againName()}=1; Max-Age=600; Path=/; HttpOnly${secure()}; SameSite=Lax`;
  const notAskedAgain = () =>
    `${againName()}=; Max-Age=0; Path=/; HttpOnly${secure()}; SameSite=Lax`;
  const isAskedAgain = (header = "") => header.split("; ").includes(`${againName()}=1`);

  /** The provider sent the user back without asking. An existing session stays. */
  async function refuseStale(cookies: string[]): Promise<never> {
    const session = await login.findSession(cookies.map((one) => one.split(";")[0]).join("; "));
    if (!session) throw new Refusal("CONS211");
    await deleteSession(db, { id: session.id });
    throw new Refusal("CONS212");
  }

  api.post(
    `${authPath}/sign-in/oauth2`,
    { config: { open: true }, schema: { body: OidcStart, response: { 200: Away } } },
    async (request, reply) => {
      const { again } = request.body;
      const { status, json, cookies } = await ask(request as FastifyRequest, {
        method: "POST",
        path: "/sign-in/social",
        body: {
          provider: oidcProviderId,
          callbackURL: "/console",
          disableRedirect: true,
          // Asks for a fresh sign-in even if the provider has a session.
          ...(again && { additionalParams: { prompt: "login", max_age: "0" } }),
        },
      });
      if (status !== 200) noAnswer();
      reply.header("set-cookie", [...cookies, again ? askedAgain() : notAskedAgain()]);
      return { url: String(json?.url) };
    },
  );

  // The provider's page redirects here. A cookie from the start proves that the same browser began this sign-in.
  api.get(
    `${authPath}/callback/${oidcProviderId}`,
    { config: { open: true, fromElsewhere: true }, schema: { querystring: Back } },
    async (request, reply) => {
      const plain = request as FastifyRequest;
      const path = `/callback/${oidcProviderId}`;
      try {
        const { query } = request;
        const { result, proof } = await withOidcProof(() =>
          ask(plain, { method: "GET", path, query }),
        );
        const { cookies, location } = result;
        const why = whyNot(location);
        if (why) request.log.warn({ why }, "sign-in at the identity provider failed");
        if (why === "oauth_provider_not_found") noAnswer();
        const provenAtMs = freshProofMs(proof, clock());
        const isStale = provenAtMs === undefined && isAskedAgain(request.headers.cookie);
        if (isStale) await refuseStale(cookies);
        await entered(parts, plain, reply, {
          cookies,
          by: "oidc",
          otherwise: "CONS211",
          provenAtMs: provenAtMs ?? 0,
        });
        return reply.redirect("/console");
      } catch (error) {
        // A browser shows this response, so the sign-in page explains the code in words.
        if (!(error instanceof Refusal)) throw error;
        return reply.redirect(`/console/sign-in?refused=${error.problems[0].code}`);
      }
    },
  );
}

/** The library puts its reason into the redirect: a word such as `account_not_linked`. */
function whyNot(location: string | null): string | undefined {
  const error = location && new URL(location, "http://localhost").searchParams.get("error");
  return error ? error.replace(/[^a-z_]/g, "").slice(0, 60) : undefined;
}
