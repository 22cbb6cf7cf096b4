// The gate of /console/api and of /operator/v1: finds who asks, and checks their permission. Each door has its own proof:
// a session's cookie, or a token. Neither is accepted at the other door, nor an API key at either.

import type { FastifyRequest } from "fastify";
import { type Clock, isUuid } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { userActorName } from "../../tenants/audit/index.ts";
import { isProven, may, type Session, sees, type User } from "../../tenants/roles/index.ts";
import { findSubaccount } from "../../tenants/subaccounts/index.ts";
import type { LogIn } from "../../tenants/users/index.ts";
import type { ConsoleAccess } from "./route.ts";

type GateParts = { db: Db; clock: Clock };

/** How a door proves who asks. It refuses a request without a proof. */
export type Proof = (request: FastifyRequest, use: { isUse: boolean }) => Promise<Session>;

type ConsoleGateParts = GateParts & {
  findSession: LogIn["findSession"];
  /** The origin of the console's pages. */
  origins: () => string[];
};

/** Background requests of a page do not keep a session alive; neither does its live stream. */
function isUse({ headers, routeOptions }: FastifyRequest): boolean {
  return headers["x-disburse-background"] === undefined && !routeOptions.config.stream;
}

const safeMethods = new Set(["GET", "HEAD"]);

export function consoleGate({ findSession, origins, ...parts }: ConsoleGateParts) {
  /** Refuses requests that come from a page of another site. */
  function requireSameSite({ method, headers, routeOptions }: FastifyRequest): void {
    const site = headers["sec-fetch-site"];
    if (safeMethods.has(method)) {
      // A link on another site may lead to a page, but never to a route of this API.
      const isOurs = site === undefined || site === "same-origin";
      if (!isOurs && !routeOptions.config.fromElsewhere) throw new Refusal("CONS104");
      return;
    }
    const isOurs =
      (site === undefined || site === "same-origin") &&
      origins().includes(headers.origin ?? "") &&
      headers["x-requested-with"] === "disburse-console";
    if (!isOurs) throw new Refusal("CONS104");
  }

  const prove: Proof = async ({ headers }, use) => {
    const session = await findSession(headers.cookie, use);
    if (!session) throw new Refusal("CONS101");
    return session;
  };
  const admit = gate(parts, prove);
  return async (request: FastifyRequest): Promise<void> => {
    requireSameSite(request);
    if (!request.routeOptions.config.open) await admit(request);
  };
}

export function gate({ db, clock }: GateParts, prove: Proof) {
  async function allow(
    request: FastifyRequest,
    use: { isUse: boolean },
  ): Promise<Pick<ConsoleAccess, "session" | "subaccount">> {
    const permission = request.routeOptions.config.may;
    const session = await prove(request, use);
    const { user } = session;
    const subaccount = await subaccountOf(request, user);
    if (!permission || !may(user, permission)) throw new Refusal("CONS102");
    return { session, subaccount };
  }

  async function admit(request: FastifyRequest): Promise<void> {
    const { stepUp } = request.routeOptions.config;
    const { session, subaccount } = await allow(request, { isUse: isUse(request) });
    const { user } = session;
    const stillMay = async () => {
      try {
        const now = await allow(request, { isUse: false });
        return now.subaccount?.isClosed === subaccount?.isClosed;
      } catch (error) {
        if (error instanceof Refusal) return false;
        throw error;
      }
    };
    if (stepUp && !isProven(session, clock())) throw new Refusal("CONS103");
    const actor = {
      kind: "user" as const,
      who: userActorName(user),
      ip: request.ip,
      requestId: request.id,
      userId: user.id,
      token: session.token?.name,
      subaccountId: subaccount?.id,
    };
    request.access = { session, user, actor, subaccount, stillMay };
  }

  /** A subaccount that the user may not see is answered like one that does not exist. */
  async function subaccountOf(
    { params }: FastifyRequest,
    user: User,
  ): Promise<ConsoleAccess["subaccount"]> {
    const { subaccountId } = params as { subaccountId?: string };
    if (subaccountId === undefined) return undefined;
    const id = subaccountId.toLowerCase();
    const isSeen = isUuid(id) && sees(user, id);
    const found = isSeen ? await findSubaccount(db, id) : undefined;
    if (!found) throw new Refusal("CONS105");
    return { id, mode: found.mode, isClosed: found.closedAt !== undefined };
  }

  return admit;
}
