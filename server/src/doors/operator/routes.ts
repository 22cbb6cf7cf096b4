// /operator/v1: the routes of the console for programs. They are the same routes behind the same gate; the proof is a token
// instead of a session's cookie.

import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { TakeTokens } from "../../platform/base/index.ts";
import type { Api } from "../../platform/http/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { findTokenSession } from "../../tenants/operator-tokens/index.ts";
import { isProven, may, type Permission } from "../../tenants/roles/index.ts";
import { findLoginSession } from "../../tenants/users/index.ts";
import { consoleScope, gate, type Proof } from "../console/index.ts";
import { answerOnce } from "./answer-once.ts";
import { type CommandParts, commandRoutes, type RunCommand } from "./commands.ts";
import { loginRoutes } from "./login.ts";

type OperatorParts = CommandParts & {
  /** Undefined: there is no limit. */
  take: TakeTokens | undefined;
  consoleUrl: () => string;
  /** Absent: this process runs no commands. */
  runCommand?: RunCommand | undefined;
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
  const made: RouteOptions[] = [];
  await app.register(async (operator: Api) => {
    operator.addHook("onRoute", (route) => {
      route.schema = { ...route.schema, hide: true };
      if (route.method !== "HEAD") made.push(route);
    });
    // Before the body is parsed: its bytes have to be the same under one key.
    answerOnce(operator, parts);
    consoleScope(operator, admitToken(parts));
    loginRoutes(operator, parts);
    if (parts.runCommand) commandRoutes(operator, parts, parts.runCommand);
    for (const route of routes.filter(isForPrograms)) {
      operator.route({ ...route, url: route.url.replace(consolePath, operatorPath) } as never);
    }
  });
  return made;
}

function isForPrograms({ url, method, config = {} }: RouteOptions): boolean {
  const { open, stream, tokens } = config;
  return !open && !stream && tokens !== "none" && method !== "HEAD" && !isOfBrowser.test(url);
}

function admitToken({ db, clock, take }: OperatorParts) {
  const prove: Proof = async ({ headers, ip, routeOptions }, { isUse }) => {
    const [, token = ""] = /^Bearer (\S{1,200})$/i.exec(headers.authorization ?? "") ?? [];
    const nowMs = clock();
    const { url, config } = routeOptions;
    const login = await findLoginSession(db, { token, isUse, nowMs });
    if (login) {
      // Approvals, and what reveals: the user has to be at the console, too.
      if (config.tokens && !isProven(login, nowMs)) throw new Refusal("CONS103");
      return login;
    }
    const session = await findTokenSession(db, { text: token, ip, nowMs });
    if (config.tokens) throw new Refusal("OPER105");
    if (session.user.subaccountIds && !isOfSome(url, config.may)) throw new Refusal("OPER107");
    return session;
  };
  const admit = gate({ db, clock }, prove);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.routeOptions.config.open) return;
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
