// The authenticated caller of a request.

import { createParamDecorator, type ExecutionContext } from "@nestjs/common";
import type { FastifyRequest } from "fastify";

export type Caller = { subaccountId: string; idempotencyKey: string | undefined };

export type RequestWithCaller = FastifyRequest & { caller?: Caller };

export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<RequestWithCaller>().caller,
);
