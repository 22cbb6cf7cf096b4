// Receives the calls of the API: authenticates them, takes their tokens of the rate limit, and parses their bodies. Each
// step is done for all calls that arrived in one turn of the event loop, then the next.

import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Scope, Take, TakeTokens } from "../../platform/base/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import {
  type Api,
  type batchTurns,
  byTurn,
  readIdempotencyKey,
  readLargeObject,
  readObject,
  stepByStep,
} from "../../platform/http/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { Authenticator } from "./authenticate.ts";

type ReceiveParts = {
  authenticate: Authenticator["authenticate"];
  seal: Seal;
  batches: ReturnType<typeof batchTurns>;
  /** Undefined: there is no limit. */
  take: TakeTokens | undefined;
  /** The same for the rows of payout batches. */
  takeRows: TakeTokens | undefined;
};

type Call = { request: FastifyRequest; reply: FastifyReply; done: (error?: Error) => void };

export function receiveCalls(app: Api, parts: ReceiveParts): void {
  const { authenticate, seal, batches, take, takeRows } = parts;

  function findCaller({ request }: Call) {
    const { scope } = request.routeOptions.config;
    const caller = authenticate(request, scope as Scope);
    // It is a promise only when the key was not in the cache.
    if (caller instanceof Promise) return caller.then((found) => setCaller(request, found));
    return setCaller(request, caller);
  }

  function takeToken({ request, reply }: Call): undefined {
    const { caller } = request;
    batches.noteCall(caller.subaccountId);
    const taken = take?.(caller.key);
    if (taken) reply.headers(taken.headers);
    if (taken && !taken.allowed) throw new Refusal("RATE101");
    const { isDryRun, storesNoResponse } = request.routeOptions.config;
    if (!isDryRun && !storesNoResponse) caller.idempotency = readIdempotencyKey(request, seal);
  }

  function parseBody({ request, reply }: Call) {
    const { badBody, emptyBody, rowsIn } = request.routeOptions.config;
    if (rowsIn) return readRows(request, reply).catch((error) => refuseLater(error, request));
    if (!badBody) return undefined;
    const isEmpty = emptyBody && !request.body;
    request.body = isEmpty ? {} : readObject(request.body, badBody);
    return undefined;
  }

  async function readRows(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { badBody, rowsIn } = request.routeOptions.config;
    const { subaccountId } = request.caller;
    request.batchTurn = await batches.take(subaccountId, request.body, reply.raw);
    // Before megabytes are parsed, check that the allowance is not used up.
    refuseRows(takeRows?.(subaccountId, 0));
    if (badBody) request.body = await readLargeObject(request.body, badBody);
    refuseRows(takeRows?.(subaccountId, rowsIn?.(request.body as object)));
  }

  const steps = [findCaller, takeToken, parseBody, proceed];
  const calls = byTurn(stepByStep<Call>(steps, (error, { done }) => done(error as Error)));

  app.addHook("preValidation", (request, reply, done) => {
    if (request.routeOptions.config.scope) calls.add({ request, reply, done });
    else done();
  });
}

function setCaller(request: FastifyRequest, caller: Caller): undefined {
  request.caller = caller;
}

function proceed({ done }: Call): undefined {
  done();
}

/** Slows down callers that ignore a refusal and send megabytes again. The body is released while they wait. */
async function refuseLater(error: unknown, request: FastifyRequest): Promise<never> {
  if (error instanceof Refusal && error.status === 429) {
    request.body = undefined;
    await sleep(limits.largeBodyRefusalMs, undefined, { ref: false });
  }
  throw error;
}

function refuseRows(taken: Take | undefined): void {
  if (!taken || taken.allowed) return;
  const { "retry-after": retryAfter = "1" } = taken.headers;
  throw new Refusal("RATE103", { headers: { "retry-after": retryAfter } });
}
