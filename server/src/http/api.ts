// What a route may say about itself: the typed Fastify instance, the route's config, the success envelope.

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import Type, { type TSchema } from "typebox";
import type { Code } from "../refusals.ts";
import type { Caller, Scope } from "../subaccounts/subaccount.ts";

export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every route that has a scope, before its handler runs. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** The top-level `message` of every failure of this operation. */
    failure?: string;
    /** What the key must be allowed to do. A route without one is open to anybody. */
    scope?: Scope;
    /** The codes that are this operation's own, for the documentation. */
    refusals?: readonly Code[];
    /** The code for a body that is not one JSON object. */
    badBody?: Code;
  }
}

export function success<Payload extends TSchema>(payload: Payload) {
  return Type.Object({ message: Type.String(), payload }, { description: "Done" });
}

/** A path parameter stays plain text: an id that isn't one is answered like an id that isn't there. */
export const ById = Type.Object({ id: Type.String() });
