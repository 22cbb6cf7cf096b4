// /operator/v1: the routes of the console for programs. They are the same routes behind the same gate; the proof is a token
// instead of a session's cookie.

import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Clock, TakeTokens } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { Api } from "../../platform/http/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { findTokenSession } from "../../tenants/operator-tokens/index.ts";
import { may, type Permission } from "../../tenants/roles/index.ts";
import { consoleScope, gate, type Proof } from "../console/index.ts";
import { answerOnce } from "./answer-once.ts";

type OperatorParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  /** Undefined: there is no limit. */
  take: TakeTokens | undefined;
};

const [consolePath, operatorPath] = ["/console/api", "/operator/v1"] as const;

/** About the browser of a user, and their own sign-in. */
const isOfBrowser = /^\/console\/api\/(auth|auth-options|step-up|set-up|sessions|views|live)\b/;

/** Returns the routes that programs have. */
export async function registerOperator(
  app: Api,
  routes: readonly RouteOptions[],
  parts: OperatorParts,
): Promise<RouteOptions[]> {
  const carried = routes.filter(isForPrograms).map((route) => ({
    ...route,
    url: route.url.replace(consolePath, operatorPath),
  }));
  await app.register(async (operator: Api) => {
    // Before the body is parsed: its bytes have to be the same under one key.
    answerOnce(operator, parts);
    consoleScope(operator, admitToken(parts));
    for (const route of carried) operator.route(route as never);
  });
  return carried;
}

function isForPrograms({ url, method, config = {} }: RouteOptions): boolean {
  const { open, stream, tokens } = config;
  return !open && !stream && !tokens && method !== "HEAD" && !isOfBrowser.test(url);
}

function admitToken({ db, clock, take }: OperatorParts) {
  const prove: Proof = async ({ headers, ip, routeOptions }) => {
    const [, text = ""] = /^Bearer (\S{1,200})$/i.exec(headers.authorization ?? "") ?? [];
    const session = await findTokenSession(db, { text, ip, nowMs: clock() });
    const { url, config } = routeOptions;
    if (session.user.subaccountIds && !isOfSome(url, config.may)) throw new Refusal("OPER107");
    return session;
  };
  const admit = gate({ db, clock }, prove);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await admit(request);
    const taken = take?.(request.access.session.id);
    if (taken) reply.headers(taken.headers);
    if (taken && !taken.allowed) throw new Refusal("RATE101");
  };
}

/** What is about no single subaccount shows a developer only what is theirs. To other roles it shows all. */
function isOfSome(url = "", permission: Permission | undefined): boolean {
  if (url.includes("/:subaccountId")) return true;
  return permission !== undefined && may({ role: "developer" }, permission);
}
